"""Every option, declared once: name, what it may hold, default, one line of help."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from app.domain.errors import SettingsError
from app.domain.providers import KINDS

OptionType = Literal["text", "choice", "whole", "number", "switch", "url", "path"]
JsonValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Option:
    """One option; its value is always handled as text, `default` included."""

    name: str
    type: OptionType
    default: str
    help: str
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float = 0

    @property
    def variable(self) -> str:
        """The environment variable that wins over the settings file."""
        return f"PILOTFISH_{self.name.upper()}"

    def read(self, raw: object) -> str:
        """The value in its one spelling. Raises SettingsError."""
        text = _as_text(raw)
        match self.type:
            case "choice" if text.lower() in self.choices:
                return text.lower()
            case "switch" if text.lower() in _ON | _OFF:
                return "on" if text.lower() in _ON else "off"
            case "whole" | "number" if (number := _number(text, self.type)) is not None:
                if self.least <= number <= self.most:
                    return f"{number:.10g}"
            case "url" if not text or _is_web_address(text):
                return text
            case "text" | "path":
                return text
        raise SettingsError(
            f"“{text}” cannot be used for the option {self.name}: {self.expected}.",
            lost="The settings were not changed.",
            next_step="Choose one of these and try again." if self.choices else "Correct it and try again.",
        )

    @property
    def expected(self) -> str:
        """What the option takes, in plain words."""
        match self.type:
            case "choice":
                return f"it is one of {', '.join(self.choices)}"
            case "switch":
                return "it is on or off"
            case "whole":
                return f"it is a whole number from {self.least:.10g} to {self.most:.10g}"
            case "number":
                return f"it is a number from {self.least:.10g} to {self.most:.10g}"
            case "url":
                return "it is a web address that starts with http:// or https://, or empty"
            case "text" | "path":
                return "it is a text"

    def stored(self, text: str) -> JsonValue:
        """The value as it stands in the settings file."""
        match self.type:
            case "whole":
                return int(text)
            case "number":
                return float(text)
            case "switch":
                return text == "on"
            case _:
                return text


OPTIONS: tuple[Option, ...] = (
    Option(
        "provider",
        "choice",
        "openai",
        "Who runs the model: a service, or a server of your own that speaks the OpenAI wire.",
        choices=KINDS,
    ),
    Option("model", "text", "", "The name of the model, as its provider spells it."),
    Option("base_url", "url", "", "The address of the model server; empty means the provider's own."),
    Option(
        "model_sees",
        "choice",
        "auto",
        "Whether the model is sent pictures; auto goes by its name and by what its server refused.",
        choices=("auto", "yes", "no"),
    ),
    Option(
        "vision_provider",
        "choice",
        "same",
        "Who runs the model that looks at pictures for a model that cannot; same means the provider above.",
        choices=("same", "openai", "openrouter", "anthropic", "local"),
    ),
    Option("vision_model", "text", "", "The name of the model that looks at pictures; empty means: none."),
    Option("vision_base_url", "url", "", "The address of its server; empty means its provider's own."),
    Option(
        "effort",
        "choice",
        "low",
        "How much a model that can reason does so before each step.",
        choices=("off", "low", "medium", "high"),
    ),
    Option(
        "max_output_tokens",
        "whole",
        "8000",
        "The longest answer a model may give in one step.",
        least=500,
        most=200_000,
    ),
    Option(
        "context_tokens",
        "whole",
        "0",
        "How many tokens the model can take in, its answer included; 0 means the usual 128,000.",
        most=10_000_000,
    ),
    Option("max_steps", "whole", "40", "After so many steps the agent asks whether to go on.", least=1, most=1000),
    Option(
        "policy",
        "choice",
        "chain",
        "Which pages the model keeps in view; new conversations use it.",
        choices=("chain", "newest", "two-pages", "off"),
    ),
    Option(
        "page_characters",
        "whole",
        "14000",
        "The longest view of one page that a model is sent.",
        least=2_000,
        most=200_000,
    ),
    Option("start_page", "url", "", "The page a new conversation begins on; empty means the one that is open."),
    Option("browser_path", "path", "", "The Chromium, Chrome or Edge to use; empty means: find one."),
    Option(
        "downloads_dir",
        "path",
        "",
        "Where files from pages are saved, a folder for each conversation; empty means Pilotfish in Downloads.",
    ),
    Option(
        "single_shot",
        "switch",
        "off",
        "What you allow is sent by the driver, once; the browser sends again by itself when a connection breaks. "
        "Some sites refuse what is not sent by the browser.",
    ),
    Option("theme", "choice", "system", "The colours of the window.", choices=("system", "light", "dark")),
    Option(
        "min_free_mb",
        "whole",
        "200",
        "The agent does not act while less is free on the disk that holds the record.",
        least=1,
        most=100_000,
    ),
    Option(
        "time_scale",
        "number",
        "1",
        "Stretches or shrinks every time limit; 1 is the normal length.",
        least=0.01,
        most=10,
    ),
)


def option(name: str) -> Option:
    """The option of that name. Raises SettingsError."""
    found = next((item for item in OPTIONS if item.name == name), None)
    if found is None:
        raise SettingsError(
            f"There is no option with the name “{name}”.",
            lost="The settings were not changed.",
            next_step=f"The options are: {', '.join(item.name for item in OPTIONS)}.",
        )
    return found


_ON = {"on", "true", "yes", "1"}
_OFF = {"off", "false", "no", "0"}


def _as_text(raw: object) -> str:
    if isinstance(raw, bool):
        return "on" if raw else "off"
    if isinstance(raw, (str, int, float)):
        return str(raw).strip()
    return repr(raw)


def _number(text: str, type: OptionType) -> float | None:
    try:
        return int(text) if type == "whole" else float(text)
    except ValueError:
        return None


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
