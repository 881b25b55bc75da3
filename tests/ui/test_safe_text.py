import pytest
from PySide6.QtGui import Qt

from app.ui.safe_text import LONGEST, calm_markdown, host_of, plain_tip, shown, web_link


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("plain", "plain"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("windows\r\nline\rold", "windows\nline\nold"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("right\u202eleft", "right⟨U+202E⟩left"),
        ("bell\x07", "bell⟨U+0007⟩"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("soft\u00adhyphen", "soft⟨U+00AD⟩hyphen"),
        ("pass\u200dword", "pass⟨U+200D⟩word"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("العربية 日本語 ✓", "العربية 日本語 ✓"),
    ],
)
def test_what_would_hide_is_shown_and_honest_writing_stays(written: str, seen: str) -> None:
    assert shown(written) == seen


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    assert shown("x" * (LONGEST + 500)).endswith("500 more characters are kept in the record.")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.com/a?b=c", "example.com"),
        ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
        ("https://user:word@example.com/", "example.com"),
        ("https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com"),
        ("https://аpple.com/", "xn--pple-43d.com"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
    ],
)
def test_a_web_address_shows_the_host_that_really_answers(url: str, host: str) -> None:
    link = web_link(url)
    assert link is not None
    assert link.host == host


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "\\\\server\\share",
        "//server/share",
        "https:\\\\example.com",
        "data:text/html,x",
        "ftp://example.com/",
        "https://",
        "https://exa\u202emple.com/",
        "https://example.com:99999/",
        "mailto:a@example.com",
        "/relative",
        "",
    ],
)
def test_everything_else_is_no_link(url: str) -> None:
    assert web_link(url) is None


def test_an_address_without_a_host_is_shown_as_it_is() -> None:
    assert host_of("about:blank") == "about:blank"


def test_deep_nesting_is_made_flat_and_shallow_nesting_stays() -> None:
    assert calm_markdown("> " * 500 + "deep") == "> deep"
    assert calm_markdown("> > two\n- a\n  - b") == "> > two\n- a\n  - b"
    assert calm_markdown("- " * 300 + "deep") == "- deep"


@pytest.mark.parametrize(
    "text", ["<b>bold</b>", "a <img src='file:///x.png'>", "&lt;b&gt;", "<?xml version='1.0'?>", "<p/>", "1 < 2 & 3"]
)
def test_a_tool_tip_is_never_markup_and_reads_the_same(text: str) -> None:
    assert not Qt.mightBeRichText(plain_tip(text))
    assert plain_tip(text).replace("\u2060", "") == text


def test_a_tool_tip_is_short() -> None:
    assert len(plain_tip("x" * 5_000)) < 500
