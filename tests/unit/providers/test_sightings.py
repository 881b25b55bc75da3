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


PAGE = """\
o1, tab 1
whole page, 9 of 9 nodes shown
[page 4f]
- button "Save" [ref=e1]
- link "Home" [ref=e2]
- listitem: Teapot | button "Add" [ref=e3]
[end 4f]"""


def test_what_the_changes_do_not_speak_of_is_found_on_the_page_before_them() -> None:
    messages = [seen(PAGE), seen('in main:\n  = 3 as before\n  + button "Undo" [ref=e7]')]
    assert find_ref(messages, "link", "Home") == "e2"
    assert find_ref(messages, "button", "Add", "Teapot") == "e3"
    assert find_ref(messages, "button", "Undo") == "e7"


def test_no_page_older_than_the_newest_whole_one_counts() -> None:
    assert (
        find_ref([seen(PAGE), seen("o2, tab 1\nwhole page, 1 of 1 nodes shown\n- text: Thanks")], "link", "Home")
        is None
    )


@pytest.mark.parametrize(
    "change",
    [
        "gone: e1, e5",
        "gone: e0-e3",
        '  x button "Save" [ref=e1]',
        '  ~ replaced e1 button "Save" -> button "Saved" [ref=e9]',
    ],
)
def test_a_ref_that_the_changes_take_away_is_not_given(change: str) -> None:
    assert find_ref([seen(PAGE), seen(f"in main:\n{change}")], "button", "Save") is None


def test_a_replaced_thing_is_found_under_its_new_ref() -> None:
    changes = 'in main:\n  ~ replaced e1 button "Save" -> button "Saved" [ref=e9]'
    assert find_ref([seen(PAGE), seen(changes)], "button", "Saved") == "e9"


def test_the_path_of_a_change_tells_its_row() -> None:
    changes = "\n".join(
        f'in list > listitem "{name}":\n  + button "Buy" [ref={ref}]'
        for name, ref in (("Teapot", "e7"), ("Kettle", "e8"))
    )
    assert find_ref([seen(changes)], "button", "Buy", "Kettle") == "e8"


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
