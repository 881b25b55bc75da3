"""The settings: which model answers, with a test that names what fails, and the few things about window and browser."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.domain.commands import ChangeSettings, CheckConnection, Command, ListModels, SetKey
from app.domain.passing import ConnectionTested, ErrorShown, Event, ModelsListed, SettingsShown
from app.domain.providers import TITLES
from app.ui.elements import Choice, IconButton, IconMark, Line, TextButton, Words, column
from app.ui.key_prefixes import provider_of
from app.ui.theme import installed_theme

PROVIDERS = ("openai", "anthropic", "openrouter", "local")
THEMES = (("system", "Same as the system"), ("light", "Light"), ("dark", "Dark"))
VISION_PROVIDERS = (("same", "Same as above"), *((name, TITLES[name]) for name in PROVIDERS))
SEES = (("auto", "Gets them if it seems able to see"), ("yes", "Gets them"), ("no", "Gets none"))
VISION_HINT = (
    "It is asked what is on a picture when the model above gets none. It needs a key of its own where its provider is "
    "another one."
)
KEEPS = "Testing and listing models use what is entered here, and keep it."
MOST_STEPS = 1_000
_ROUND_ABOUT = 60  # the frame of the window and a margin


class SettingsDialog(QDialog):
    """Emits commands. Nothing changes before Save or the connection test; the theme is shown at once.

    Save closes it when everything was taken; what could not be taken is told here, and what was entered stays.
    """

    command_wanted = Signal(object)

    def __init__(self, shown: SettingsShown | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(560)
        self._saved: dict[str, str] = {}
        self._unsaved = 0  # commands of Save that were not answered yet
        self.provider, self.model, self.theme = Choice("Provider"), Choice("Model"), Choice("Theme")
        self.base_url, self.key, self.browser_path = QLineEdit(), QLineEdit(), QLineEdit()
        self.max_steps = QLineEdit()
        self.model_sees, self.vision_provider = Choice("Pictures"), Choice("Provider of the model for pictures")
        self.vision_model, self.vision_base_url, self.vision_key = QLineEdit(), QLineEdit(), QLineEdit()
        self.key_place = Words("", tone="muted", scale=0.92)
        self.model_hint = Words(KEEPS, tone="muted", scale=0.92)
        self.trouble = Words("", tone="danger")
        self.trouble.hide()
        self.stages = _Stages()
        self._prepare()
        self._lay_out()
        if shown is not None:
            self.show_settings(shown)

    def show_settings(self, shown: SettingsShown) -> None:
        """What the person has changed meanwhile stays as it is."""
        edited = dict(self.changes()) if self._saved else {}
        self._saved = dict(shown.values)
        put: dict[str, Callable[[str], None]] = {
            "provider": lambda value: self.provider.setCurrentIndex(max(0, self.provider.findData(value))),
            "base_url": self.base_url.setText,
            "model": self.model.setCurrentText,
            "theme": lambda value: self.theme.setCurrentIndex(max(0, self.theme.findData(value or "system"))),
            "browser_path": self.browser_path.setText,
            "max_steps": self.max_steps.setText,
            "model_sees": lambda value: self.model_sees.setCurrentIndex(max(0, self.model_sees.findData(value))),
            "vision_provider": lambda value: self.vision_provider.setCurrentIndex(
                max(0, self.vision_provider.findData(value))
            ),
            "vision_model": self.vision_model.setText,
            "vision_base_url": self.vision_base_url.setText,
        }
        for name in put.keys() - edited.keys():
            put[name](self._saved.get(name, ""))
        self.key.clear()
        self.vision_key.clear()
        self.key.setPlaceholderText("A key is kept; type to replace it" if shown.model.key_known else "Paste the key")
        self.key_place.say(f"Keys are kept {shown.model.key_place}." if shown.model.key_place else "")

    def receive(self, event: Event) -> None:
        match event:
            case SettingsShown():
                self.show_settings(event)
                self._count_saved()
            case ModelsListed():
                self._show_models(event)
            case ConnectionTested():
                self.stages.show_result(event)
            case ErrorShown():
                self._unsaved = 0
                self._show_trouble(" ".join(part for part in (event.what, event.lost, event.next_step) if part))
            case _:
                pass

    def changes(self) -> tuple[tuple[str, str], ...]:
        """What differs from what is saved."""
        now = {
            "provider": str(self.provider.currentData()),
            "model": self.model.currentText().strip(),
            "base_url": self.base_url.text().strip(),
            "theme": str(self.theme.currentData()),
            "browser_path": self.browser_path.text().strip(),
            "max_steps": self.max_steps.text().strip(),
            "model_sees": str(self.model_sees.currentData()),
            "vision_provider": str(self.vision_provider.currentData()),
            "vision_model": self.vision_model.text().strip(),
            "vision_base_url": self.vision_base_url.text().strip(),
        }
        return tuple((name, value) for name, value in now.items() if self._saved.get(name) != value)

    def apply(self) -> int:
        """How many commands it took."""
        self.trouble.hide()
        commands = self._commands()
        for command in commands:
            self.command_wanted.emit(command)
        return len(commands)

    def save(self) -> None:
        self._unsaved = self.apply()
        if not self._unsaved:
            self.accept()

    def reject(self) -> None:
        installed_theme().choose(self._saved.get("theme", "system"))
        super().reject()

    def _count_saved(self) -> None:
        if self._unsaved:
            self._unsaved -= 1
            if not self._unsaved:
                self.accept()

    def _commands(self) -> list[Command]:
        commands: list[Command] = []
        if changes := self.changes():
            commands.append(ChangeSettings(changes))
        if key := self.key.text().strip():
            commands.append(SetKey(str(self.provider.currentData()), key))
        if key := self.vision_key.text().strip():
            asked = str(self.vision_provider.currentData())
            commands.append(SetKey(str(self.provider.currentData()) if asked == "same" else asked, key))
        return commands

    def _test(self) -> None:
        self.apply()
        self.stages.show_running()
        self.command_wanted.emit(CheckConnection())

    def _fetch_models(self) -> None:
        self.apply()
        self.model_hint.say("Asking for the list …")
        self.command_wanted.emit(ListModels())

    def _show_models(self, event: ModelsListed) -> None:
        if event.provider != self.provider.currentData():
            return
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(event.models)
        self.model.setCurrentText(typed)
        said = f"{len(event.models):,} models; any other name can be typed." if event.models else event.trouble
        self.model_hint.say(said or "No list came; type the name of the model.")

    def _show_trouble(self, text: str) -> None:
        self.trouble.say(text)
        self.trouble.show()
        self.stages.clear()

    def _judge_key(self, text: str) -> None:
        found = provider_of(text)
        if found is not None and self.provider.findData(found.name) >= 0:
            self.provider.setCurrentIndex(self.provider.findData(found.name))
            self._follow_provider()

    def _follow_provider(self) -> None:
        """An address and a model belong to one provider; a key must not go to the address of another."""
        is_saved = self.provider.currentData() == self._saved.get("provider")
        self.base_url.setText(self._saved.get("base_url", "") if is_saved else "")
        self.model.setCurrentText(self._saved.get("model", "") if is_saved else "")

    def _choose_browser(self) -> None:
        dialog = QFileDialog(self, "Choose a browser")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.browser_path.setText)
        dialog.open()

    def _show_key_row(self) -> None:
        is_local = self.provider.currentData() == "local"
        self.base_url.setPlaceholderText(
            "http://127.0.0.1:11434/v1" if is_local else "Empty: the provider's own address"
        )

    def _prepare(self) -> None:
        for name in PROVIDERS:
            self.provider.addItem(TITLES[name], name)
        for choice, titles in ((self.theme, THEMES), (self.model_sees, SEES), (self.vision_provider, VISION_PROVIDERS)):
            for value, title in titles:
                choice.addItem(title, value)
        self.provider.currentIndexChanged.connect(self._show_key_row)
        self.provider.activated.connect(self._follow_provider)
        self.theme.activated.connect(lambda _: installed_theme().choose(str(self.theme.currentData())))
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.textChanged.connect(self._judge_key)
        self.max_steps.setValidator(QIntValidator(1, MOST_STEPS, self))
        self.browser_path.setPlaceholderText("Empty: find one on this machine")
        self.vision_model.setPlaceholderText("Empty: none")
        self.vision_base_url.setPlaceholderText("Empty: its provider's own address")
        self.vision_key.setPlaceholderText("Empty: the key kept for its provider")
        self.vision_key.setEchoMode(QLineEdit.EchoMode.Password)
        named: tuple[tuple[QWidget, str], ...] = (
            (self.base_url, "Address"),
            (self.key, "API key"),
            (self.browser_path, "Browser"),
            (self.max_steps, "Steps before the agent asks"),
            (self.vision_model, "Model for pictures"),
            (self.vision_base_url, "Address of the model for pictures"),
            (self.vision_key, "API key of the model for pictures"),
        )
        for widget, name in named:
            widget.setAccessibleName(name)
        self._show_key_row()

    def _lay_out(self) -> None:
        fetch = IconButton("refresh", "Get the list of models")
        fetch.clicked.connect(self._fetch_models)
        reveal = IconButton("lock", "Show or hide the key")
        reveal.setCheckable(True)
        reveal.toggled.connect(
            lambda on: self.key.setEchoMode(QLineEdit.EchoMode.Normal if on else QLineEdit.EchoMode.Password)
        )
        choose = TextButton("Choose …", "plain", on_click=self._choose_browser)
        model_form, vision_form, window_form = _form(), _form(), _form()
        model_form.addRow("Provider", self.provider)
        model_form.addRow("API key", _beside(self.key, reveal))
        model_form.addRow("", self.key_place)
        model_form.addRow("Address", self.base_url)
        model_form.addRow("Model", _beside(self.model, fetch))
        model_form.addRow("", self.model_hint)
        test = QHBoxLayout()
        test.addWidget(TextButton("Test the connection", "plain", "play", self._test))
        test.addStretch(1)
        model_form.addRow("", test)
        vision_form.addRow("The model above", self.model_sees)
        vision_form.addRow("Model for pictures", _beside(self.vision_model, self.vision_provider))
        vision_form.addRow("API key", self.vision_key)
        vision_form.addRow("Address", self.vision_base_url)
        vision_form.addRow("", Words(VISION_HINT, tone="muted", scale=0.92))
        window_form.addRow("Theme", self.theme)
        window_form.addRow("Browser", _beside(self.browser_path, choose))
        window_form.addRow("Steps before asking", self.max_steps)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(24, 20, 24, 0)
        layout.setSpacing(12)
        layout.addWidget(Words("The model", bold=True, scale=1.2))
        layout.addLayout(model_form)
        layout.addWidget(self.stages)
        layout.addWidget(Line())
        layout.addWidget(Words("Pictures", bold=True, scale=1.2))
        layout.addLayout(vision_form)
        layout.addWidget(Line())
        layout.addWidget(Words("Window and browser", bold=True, scale=1.2))
        layout.addLayout(window_form)
        layout.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(TextButton("Cancel", "plain", on_click=self.reject))
        buttons.addWidget(TextButton("Save", "primary", "check", self.save))
        foot = QVBoxLayout()
        foot.setContentsMargins(24, 12, 24, 18)
        foot.setSpacing(12)
        foot.addWidget(self.trouble)
        foot.addLayout(buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(_scrolling(body))
        whole.addLayout(foot)
        width = self.minimumWidth()
        wanted = layout.totalHeightForWidth(width) + foot.totalHeightForWidth(width)
        self.resize(width, min(wanted, self.screen().availableGeometry().height() - _ROUND_ABOUT))


class _Stages(QWidget):
    """The stages of the connection test, one line each."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = column(spacing=4)
        self.setLayout(self._layout)
        self.lines: tuple[str, ...] = ()
        self.hide()

    def show_running(self) -> None:
        self._show([("refresh", "muted_text", "Testing …")])

    def show_result(self, event: ConnectionTested) -> None:
        self._show(
            [
                ("check" if passed else "cross", "success" if passed else "danger", f"{stage}: {sentence}")
                for stage, passed, sentence in event.stages
            ]
        )

    def clear(self) -> None:
        self._show([])

    def _show(self, lines: list[tuple[str, str, str]]) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for icon, colour, text in lines:
            stage = _stage(icon, colour, text)
            self._layout.addWidget(stage)
            stage.show()
        self.lines = tuple(text for _, _, text in lines)
        self.setVisible(bool(lines))


def _stage(icon: str, colour: str, text: str) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(IconMark(icon, colour), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Words(text), 1)
    return holder


def _scrolling(body: QWidget) -> QScrollArea:
    """On a small screen the buttons below stay in reach."""
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(body)
    return area


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    form.setHorizontalSpacing(18)
    form.setVerticalSpacing(8)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return form


def _beside(first: QWidget, *rest: QWidget) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(first, 1)
    for widget in rest:
        line.addWidget(widget)
    return holder
