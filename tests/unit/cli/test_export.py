"""An exported conversation is read by people, and its pages may be hostile."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from app.cli.export import export, take_back
from app.cli.parser import ExportConversation, ExportFormat, ImportConversation, parse
from app.domain.errors import UsageError
from app.domain.events import RecordedEvent, SubmissionKept, ToolAnswered, TurnEnded, UserSaid
from app.domain.ids import BlobHash, ConversationId, SubmissionId, ToolCallId
from app.domain.pages import NetworkWrite
from app.domain.records import Receipt
from app.domain.submissions import Proof, Submission
from app.guard.redact import redact
from app.store.record import SqliteRecord
from tests.unit.store import samples

ONE = ConversationId("c-1")
PICTURE = b"\x89PNG\r\n\x1a\n a picture"
KEY = "sk-" + "ant-" + "q1w2e3r4t5y6u7i8o9p0a1s2"
HOSTILE = (
    '<script>alert(1)</script><img src="http://evil.test/a.png" onerror=x>',
    "![a](http://evil.test/b.png) [go](javascript:alert(1)) <http://evil.test>",
    "</pre></details><iframe src=http://evil.test></iframe>",
    "# not a heading\n- not a list\n1. not one either\n> no quotation\n```\nno code",
    "&lt;b&gt; `code` **bold** | cell | ~~gone~~ \u202egnp.exe \x1b[2J",
)


def submission(state: str, *, id_: str = "s1") -> SubmissionKept:
    fields = (("product", "Blue mug"), ("quantity", "2"))
    proof = Proof("Order HL-1001 was placed") if state == "settled" else None
    one = Submission(SubmissionId(id_), state, "pay", "http://shop.test", control="Buy", fields=fields, proof=proof)  # type: ignore[arg-type]
    return SubmissionKept(one)


def clicked(page: str, picture: BlobHash, tree: BlobHash) -> ToolAnswered:
    receipt = Receipt(
        ToolCallId("t1"),
        "clicked",
        'button "Buy"',
        "confirmed",
        "1 added",
        value_now="2",
        writes=(NetworkWrite("POST", "http://shop.test/order", 303),),
    )
    seen = samples.observation(tree, shown=page, title=page[:80])
    return ToolAnswered(ToolCallId("t1"), "browser_click", page, False, receipt, seen, picture, "image/png")


async def made(folder: Path, *events: RecordedEvent, title: str = "Mugs") -> SqliteRecord:
    record = await SqliteRecord.open(folder / "record.db")
    await record.create(ONE, title)
    await record.append(ONE, *events)
    return record


async def errand(folder: Path, words: str = "two mugs") -> None:
    record = await made(folder, UserSaid(f"buy {words}"), samples.said(f"I look for {words}"), title=words)
    seen = clicked(words, await record.put_blob(PICTURE), await record.put_blob(words.encode(errors="replace")))
    await record.append(ONE, submission("intended"), seen, submission("settled"), submission("unknown", id_="s2"))
    await record.append(ONE, samples.quote(words), TurnEnded("done", f"Bought {words} [q1].", ("write the card",)))
    await record.close()


async def exported(folder: Path, form: ExportFormat, out: Path) -> str:
    asked = ExportConversation(ONE, form, out)
    await export(asked, lambda: SqliteRecord.open_readonly(folder / "record.db"), redact)
    return out.read_text(encoding="utf-8")


class Shape(HTMLParser):
    """The elements of a page and every address in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [str(value) for name, value in attrs if name in ("src", "href")]


@pytest.mark.parametrize("form", ["markdown", "html"])
async def test_it_tells_who_said_what_what_was_done_and_on_what_it_rests(tmp_path: Path, form: ExportFormat) -> None:
    await errand(tmp_path)
    text = re.sub(r"\\|&quot;|</?\w+[^>]*>|\*\*", " ", await exported(tmp_path, form, tmp_path / "out"))
    told = re.sub(r"\s+", " ", text)
    places = [
        told.index(words)
        for words in (
            "buy two mugs",
            "I look for two mugs",
            "clicked button",
            "POST http://shop.test/order",
            "Submission s1",
            "Blue mug",
            "Order HL-1001 was placed",
            "Submission s2",
            "UNKNOWN: it may have happened",
            "Evidence q1",
            "http://shop.test/",
            "Bought two mugs",
            "write the card",
        )
        if words != "http://shop.test/"
    ]
    assert places == sorted(places)
    assert told.count("Submission s1") == 1, "only how it stands now"
    assert "source" in told or 'href="http://shop.test/"' in await exported(tmp_path, form, tmp_path / "out")


@pytest.mark.parametrize("words", HOSTILE)
async def test_words_of_a_page_are_nothing_but_words_in_html(tmp_path: Path, words: str) -> None:
    await errand(tmp_path)
    plain = Shape(await exported(tmp_path, "html", tmp_path / "plain.html"))
    (tmp_path / "hostile").mkdir()
    await errand(tmp_path / "hostile", words)
    text = await exported(tmp_path / "hostile", "html", tmp_path / "hostile.html")
    shape = Shape(text)
    assert (shape.tags, shape.attributes) == (plain.tags, plain.attributes)
    assert shape.addresses == plain.addresses
    assert not {"script", "link", "iframe", "object", "form"} & shape.tags
    assert all(address.startswith(("data:image/png;base64,", "http://shop.test/")) for address in shape.addresses)
    assert "default-src &#x27;none&#x27;" in text
    assert not re.search("[\x1b\u202e]", text)


@pytest.mark.parametrize("words", HOSTILE)
async def test_words_of_a_page_begin_nothing_in_markdown(tmp_path: Path, words: str) -> None:
    await errand(tmp_path, words)
    text = await exported(tmp_path, "markdown", tmp_path / "out.md")
    ours = re.sub(r"\\[\\`*_\[\]<>&|~#+=.)-]", "", text)
    ours = re.sub(r"^> ", "", ours, flags=re.MULTILINE)
    assert not re.search(r"[<>\[\]]|!\[|```|^\d+[.)] |^# not|^- not", ours, flags=re.MULTILINE)
    assert not re.search("[\x1b\u202e]", text)


@pytest.mark.parametrize("form", get_args(ExportFormat))
async def test_no_key_is_in_it(tmp_path: Path, form: ExportFormat) -> None:
    await errand(tmp_path, f"with {KEY}")
    text = await exported(tmp_path, form, tmp_path / "out")
    assert "q1w2e3r4" not in text
    assert "key hidden" in text


async def test_what_went_out_as_json_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await errand(tmp_path)
    before = await exported(tmp_path, "json", tmp_path / "out.json")
    other = tmp_path / "other" / "record.db"
    await take_back(ImportConversation(tmp_path / "out.json"), lambda: SqliteRecord.open(other))
    assert capsys.readouterr().out == "Conversation c-1 is in the record.\n"
    assert await exported(other.parent, "json", tmp_path / "again.json") == before


async def test_a_file_that_cannot_be_written_or_read_is_told_in_plain_words(tmp_path: Path) -> None:
    await errand(tmp_path)
    with pytest.raises(UsageError, match="could not be written"):
        await exported(tmp_path, "html", tmp_path / "nowhere" / "out.html")
    for file, words in ((tmp_path / "nothing.json", "could not be read"), (tmp_path / "record.db", "is not an export")):
        with pytest.raises(UsageError, match=words):
            await take_back(ImportConversation(file), lambda: SqliteRecord.open(tmp_path / "record.db"))
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        ([], "markdown"),
        (["--out", "a.md"], "markdown"),
        (["--out", "a.HTML"], "html"),
        (["--out", "a.json"], "json"),
        (["--out", "a.json", "--format", "html"], "html"),
        (["--format", "json"], "json"),
    ],
)
def test_the_format_is_named_or_the_ending_tells_it(arguments: list[str], form: ExportFormat) -> None:
    asked = parse(["export", "c-1", *arguments])
    assert isinstance(asked, ExportConversation)
    assert asked.format == form
