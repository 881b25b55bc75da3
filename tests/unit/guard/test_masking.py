"""What is secret is hidden before anything else sees it."""

import pytest

from app.context.page.parse import parse
from app.context.page.render import render
from app.domain.snapshot import SnapshotNode
from app.guard.masking import MASK, mask_text, mask_tree
from app.guard.redact import redact


def test_a_password_field_shows_that_it_is_filled_and_nothing_else() -> None:
    field = SnapshotNode("textbox", "Password", text="hunter2", marks=("password",))
    text = render(mask_tree(SnapshotNode("page", children=(field,))))
    assert "hunter2" not in text
    assert MASK in text


def test_an_empty_password_field_stays_empty() -> None:
    field = SnapshotNode("textbox", "Password", marks=("password",))
    assert mask_tree(field).text == ""


def test_a_known_secret_is_hidden_wherever_it_stands() -> None:
    tree = parse('- button "Show hunter2" [ref=e1]\n- link "x" [ref=e2]:\n  - /url: /?p=hunter2\n- text: is hunter2 ok')
    assert "hunter2" not in repr(mask_tree(tree, ["hunter2"]))


@pytest.mark.parametrize(
    "shown",
    ["/login?p=p%40ss%20%26wort", "/login?p=p%40ss+%26wort", "p@ss &amp;wort", "Basic cEBzcyAmd29ydA==", "p@ss &wort"],
)
def test_a_secret_is_hidden_in_every_form_in_which_an_address_or_a_header_holds_it(shown: str) -> None:
    masked = mask_text(shown, {"p@ss &wort"})
    assert MASK in masked
    assert "wort" not in masked
    assert "cEBz" not in masked


def test_short_values_do_not_hide_ordinary_text() -> None:
    assert mask_text("a cab", ["a", ""]) == "a cab"


@pytest.mark.parametrize(
    "key", ["sk-proj-" + "a1" * 20, "sk-ant-api03-" + "b2" * 20, "sk-or-v1-" + "c3" * 20, "AIza" + "d" * 35]
)
def test_key_shapes_are_taken_out(key: str) -> None:
    assert key not in redact(f"the key is {key}, keep it")


def test_a_key_the_program_holds_is_taken_out_whatever_its_shape() -> None:
    assert redact("Bearer local-secret-1", ["local-secret-1"]) == f"Bearer {MASK}"
