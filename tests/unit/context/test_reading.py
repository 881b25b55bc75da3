"""The reading text holds every text of a page once, in order."""

import pytest

from app.context.page.parse import parse
from app.context.page.reading import reading_text, text_with_headings


@pytest.mark.parametrize(
    ("snapshot", "text"),
    [
        ("- paragraph [ref=e1]: It burns 48 hours.", "It burns 48 hours."),
        ('- heading "Delivery" [level=2] [ref=e1]', "Delivery"),
        ("- paragraph [ref=e1]:\n  - text: It burns\n  - strong [ref=e2]: 48\n  - text: hours", "It burns 48 hours"),
        ('- link "Mug" [ref=e1]:\n  - /url: /mug\n  - img "Mug" [ref=e2]', "Mug"),
        ("- list:\n  - listitem: One\n  - listitem: Two", "One\nTwo"),
        ('- textbox "Name" [ref=e1]: Ada', "Name Ada"),
        ("- generic [ref=e1]", ""),
        (
            '- combobox "Kind:" [ref=e1]:\n  - option "Paint"\n  - option "Tool" [selected]',
            "Kind: Tool\ncan be chosen: Paint",
        ),
    ],
)
def test_a_page_reads_as_a_person_would_read_it(snapshot: str, text: str) -> None:
    assert reading_text(parse(snapshot)) == text


def test_headings_are_marked_by_their_level() -> None:
    page = parse(
        '- heading "Shop" [level=1]\n- paragraph: Welcome\n- heading "Mugs" [level=3]:\n  - link "Mugs"\n'
        '- link "All":\n  - heading "In a link" [level=2]\n- heading "No level"'
    )
    assert text_with_headings(page) == "# Shop\nWelcome\n### Mugs\nAll In a link\n## No level"
    assert reading_text(page) == "Shop\nWelcome\nMugs\nAll In a link\nNo level"
