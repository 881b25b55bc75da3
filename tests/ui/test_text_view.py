import random
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.conversations import ANSWER


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TextView:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def visits() -> list[str]:
    return []


@pytest.fixture
def server(visits: list[str]):  # type: ignore[no-untyped-def]
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visits.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


def hostile(server: str, picture: Path) -> list[str]:
    return [
        f"![a]({server}/a.png)",
        f"![b](<{picture.as_uri()}>)",
        f"![c]({picture})",
        "![d](//server/share/d.png)",
        "![e](\\\\server\\share\\e.png)",
        f'<img src="{server}/f.png" onerror="alert(1)">',
        f'<link rel="stylesheet" href="{server}/g.css"><style>@import url({server}/h.css)</style>',
        f'<div style="background:url({server}/i.png)">i</div>',
        f"[![j]({server}/j.png)]({server}/k)",
        f"![l][m]\n\n[m]: {server}/l.png",
        "![n](data:image/png;base64,iVBORw0KGgo=)",
    ]


def test_hostile_markdown_loads_nothing(
    qtbot: QtBot, view: TextView, server: str, visits: list[str], tmp_path: Path
) -> None:
    picture = tmp_path / "picture.png"
    view.grab().save(str(picture))
    left: list[str] = []
    for text in hostile(server, picture):
        view.show_markdown(text)
        view.grab()
        left += pictures(view.document())
    view.show_markdown("\n\n".join(hostile(server, picture)))
    view.grab()
    assert visits == []
    assert left == []
    assert pictures(view.document()) == []
    assert "[picture not loaded: a]" in view.toPlainText()


def test_the_document_and_the_view_hand_out_nothing_even_when_asked(view: TextView, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    view.grab().save(str(picture))
    url = QUrl.fromLocalFile(str(picture))
    kind = QTextDocument.ResourceType.ImageResource.value
    assert not view.document().resource(kind, url)
    assert not view.loadResource(kind, url)


def test_markup_is_shown_as_it_was_written(view: TextView) -> None:
    view.show_markdown("before <b>bold</b> <script>alert(1)</script> after")
    assert "<b>bold</b> <script>alert(1)</script>" in view.toPlainText()


def test_only_web_links_can_be_pressed(view: TextView) -> None:
    view.show_markdown(
        "[good](https://example.com/x) [bad](javascript:alert(1)) [file](file:///etc/passwd) [unc](//s/share)"
    )
    assert anchors(view.document()) == ["https://example.com/x"]
    assert view.toPlainText() == "good bad file unc"


def test_a_press_on_a_link_asks_and_goes_nowhere(qtbot: QtBot, view: TextView) -> None:
    view.show_markdown("[good](https://example.com/x)")
    with qtbot.waitSignal(view.link_wanted) as wanted:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 8))
    assert wanted.args == ["https://example.com/x"]
    assert view.toPlainText() == "good"
    assert view.source().isEmpty()


def test_tables_lists_and_code_keep_their_words(view: TextView) -> None:
    view.show_markdown(ANSWER)
    words = view.toPlainText()
    for part in ("The Sturdy Lantern is", "Storm", "$61.50", "I put one into the basket", "total = 45.00"):
        assert part in words


@pytest.mark.parametrize("before", ["```\nx\n```", "> said", "words", ""])
def test_the_first_cell_of_a_table_begins_with_its_words(view: TextView, before: str) -> None:
    view.show_markdown(f"{before}\n\n| Item | Price |\n|---|---|\n| A | 4 |\n")
    block = view.document().begin()
    while block.isValid() and block.text() != "Item":
        block = block.next()
    assert QTextCursor(block).currentTable().cellAt(0, 0).firstCursorPosition().block().text() == "Item"
    assert QTextCursor(block).charFormat().fontWeight() >= 600


def test_streamed_text_is_shown_as_it_comes(view: TextView) -> None:
    view.append_plain("The **Stur")
    view.append_plain("dy**\nLan")
    assert view.toPlainText() == "The **Sturdy**\nLan"


def test_height_follows_width_and_content(view: TextView) -> None:
    view.show_plain("word " * 200)
    assert view.heightForWidth(200) > 2 * view.heightForWidth(600)
    low = view.heightForWidth(300)
    view.append_plain("word " * 200)
    assert view.heightForWidth(300) > low


def test_long_runs_wrap_inside(view: TextView) -> None:
    view.show_markdown("x" * 3_000 + "\n\n```\n" + "y" * 3_000 + "\n```")
    view.setFixedSize(400, view.heightForWidth(400))
    assert view.document().idealWidth() <= 401


def test_a_finished_answer_takes_the_colours_of_a_new_theme(view: TextView, theme: Theme) -> None:
    def link_colour() -> str:
        return QTextCursor(view.document().find("good")).charFormat().foreground().color().name()

    view.show_markdown("[good](https://example.com/x)")
    assert link_colour() == theme.colours.link
    theme.choose("dark")
    assert link_colour() == theme.colours.link
    assert view.toPlainText() == "good"


def test_withdrawn_text_is_struck(view: TextView) -> None:
    view.show_plain("wrong")
    view.strike()
    assert QTextCursor(view.document().find("wrong")).charFormat().fontStrikeOut()


def test_generated_documents_are_shown_without_a_load(view: TextView, server: str, visits: list[str]) -> None:
    picked = random.Random(7)
    pieces = [
        *(
            "# ",
            "> ",
            "- ",
            "1. ",
            "`",
            "```\n",
            "|",
            "\n",
            "\n\n",
            "**",
            "[",
            "](",
            ")",
            "![",
            "<",
            ">",
            "&amp;",
            "\\",
        ),
        *(
            f"{server}/x",
            "file:///etc/passwd",
            "javascript:x",
            "日本語",
            "العربية",
            "\u202e",
            "word ",
            "|---|---|\n",
            "    ",
        ),
    ]
    for _ in range(150):
        view.show_markdown("".join(picked.choices(pieces, k=picked.randrange(5, 120))))
        assert pictures(view.document()) == []
        assert all(href.startswith(("http://", "https://")) for href in anchors(view.document()))
    view.grab()
    assert visits == []


def pictures(document: QTextDocument) -> list[str]:
    return [look.toImageFormat().name() for look in formats(document) if look.isImageFormat()]


def anchors(document: QTextDocument) -> list[str]:
    return [href for look in formats(document) if (href := look.anchorHref())]


def formats(document: QTextDocument) -> list[QTextCharFormat]:
    found = []
    block = document.begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            found.append(place.fragment().charFormat())
            place += 1
        block = block.next()
    return found
