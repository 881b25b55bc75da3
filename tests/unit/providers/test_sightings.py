import pytest

from app.domain.ids import ToolCallId
from app.domain.messages import AssistantMessage, Message, TextBlock, ToolResultBlock, UserMessage
from app.providers.sightings import find_ref, find_text, newest_text

SHOP = """\
- main:
  - heading "Mugs" [level=1]
  - row: 1 | link "Blue mug" [ref=e30] | $12.00 | button "Add to basket" [ref=e31]
  - row: 2 | link "Red mug" [ref=e33] | $14.00 | button "Add to basket" [disabled] [ref=e34]
  - list:
    - listitem:
      - text: Teapot
      - button "Add to basket" [ref=e40]
    - listitem:
      - text: Kettle
      - group:
        - button "Add to basket" [cursor=pointer] [ref=e41]
  - button "Say \\"hi\\" (now)" [ref=e50]
  - 'button "Total: all" [ref=e51]'
  - textbox [ref=e52]: hello
  - button "No ref"
"""


def seen(*texts: str) -> UserMessage:
    return UserMessage(tuple(ToolResultBlock(ToolCallId(str(n)), (TextBlock(one),)) for n, one in enumerate(texts)))


@pytest.mark.parametrize(
    ("role", "name", "row", "nth", "ref"),
    [
        ("link", "Red mug", "", 0, "e33"),
        ("button", "Add to basket", "", 0, "e31"),
        ("button", "Add to basket", "", 1, "e34"),
        ("button", "Add to basket", "Red mug", 0, "e34"),
        ("button", "Add to basket", "$12.00", 0, "e31"),
        ("button", "Add to basket", "Teapot", 0, "e40"),
        ("button", "Add to basket", "Kettle", 0, None),
        ("button", "Add to basket", "Spoon", 0, None),
        ("button", "Add", "", 0, None),
        ("button", "/^Add/", "Teapot", 0, "e40"),
        ("button", 'Say "hi" (now)', "", 0, "e50"),
        ("button", "Total: all", "", 0, "e51"),
        ("textbox", "", "", 0, "e52"),
        ("button", "No ref", "", 0, None),
        ("button", "Add to basket", "", 9, None),
    ],
)
def test_a_ref_is_found_by_role_name_and_row(role: str, name: str, row: str, nth: int, ref: str | None) -> None:
    assert find_ref([seen(SHOP)], role, name, row, nth) == ref


def test_the_newest_page_wins() -> None:
    messages: list[Message] = [
        seen('- button "Save" [ref=e1]'),
        AssistantMessage("ok"),
        seen('- button "Save" [ref=e9]'),
    ]
    assert find_ref(messages, "button", "Save") == "e9"


def test_what_only_an_older_page_shows_is_found_there() -> None:
    messages = [
        seen('- button "Save" [ref=e1]\n- link "Home" [ref=e2]'),
        seen('added in main: - button "Undo" [ref=e7]'),
    ]
    assert find_ref(messages, "link", "Home") == "e2"
    assert find_ref(messages, "button", "Undo") == "e7"


@pytest.mark.parametrize(
    "changes",
    [
        "gone: e1, e5",
        "- gone refs: e5, e1",
        'removed e1 button "Save"',
        'replaced e1 button "Save" -> e9 button "Saved"',
    ],
)
def test_a_ref_that_a_newer_text_calls_gone_is_not_given(changes: str) -> None:
    assert find_ref([seen('- button "Save" [ref=e1]'), seen(changes)], "button", "Save") is None


def test_a_replaced_thing_is_found_under_its_new_ref() -> None:
    messages = [seen('- button "Save" [ref=e1]'), seen('replaced e1 button "Save" -> e9 button "Saved"')]
    assert find_ref(messages, "button", "Saved") == "e9"


def test_the_last_result_of_one_turn_is_the_newest() -> None:
    assert find_ref([seen('- button "Save" [ref=e1]', '- button "Save" [ref=e2]')], "button", "Save") == "e2"


def test_a_text_is_found_newest_first_with_its_group() -> None:
    messages = [seen("Total: $10"), seen("Total: $12"), seen("nothing")]
    assert find_text(messages, r"Total: (\$\d+)") == "$12"
    assert find_text(messages, r"Total: \S+") == "Total: $12"
    assert find_text(messages, "Sum") is None


def test_the_newest_text_is_that_of_the_last_message_in_its_order() -> None:
    assert newest_text([seen("old"), AssistantMessage("hm"), seen("one", "two")]) == "one\ntwo"
    assert newest_text([]) == ""
