"""What must hold along any chain of looks: the changes are exact, and no ref in view is dead without a word."""

from dataclasses import dataclass, field
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.changes.apply import apply
from app.context.page.render import ShownNode, parse_shown, refs_of, render_shown
from app.context.page.shown import Shown
from app.domain.snapshot import walk
from tests.unit.context.random_pages import Element, Page, edit, forget, random_page
from tests.unit.context.test_changes import named
from tests.unit.context.test_shown import body, see

_SAYS_WHAT_DIED = ("gone: ", "x ", "renumbered ", "replaced ", "~ replaced ")


@dataclass(slots=True)
class Reader:
    """One who has only the texts, as the model: the newest whole page and the changes after it."""

    page: ShownNode = field(default_factory=lambda: parse_shown(""))
    refs: set[str] = field(default_factory=set)
    told_dead: set[str] = field(default_factory=set)

    def reads(self, shown: Shown) -> None:
        if shown.shown_as == "whole":
            self.page, self.refs, self.told_dead = parse_shown(body(shown)), set(refs_of(body(shown))), set()
        elif shown.shown_as == "changes":
            self.page = apply(render_shown(self.page), body(shown))
            self.refs |= set(refs_of(body(shown)))
            for line in body(shown).split("\n"):
                if line.lstrip().startswith(_SAYS_WHAT_DIED) or " replaced e" in line:
                    self.told_dead |= named(line)


def check_chain(chance: Random) -> list[str]:
    """Looks at a page that lives, cut or not, and holds what a reader knows against the page; how each was shown."""
    page, limit = _page(chance), chance.choice([chance.randint(300, 1500), 14_000])
    last = see(page.look(), limit=limit)
    reader = Reader()
    reader.reads(last)
    kinds: list[str] = []
    for step in range(chance.randint(1, 5)):
        for _ in range(chance.choice([0, 1, 1, 2, 4])):
            edit(chance, page)
        if chance.random() < 0.2:
            forget(page.root)
        now = see(page.look(), last, id=f"o{step + 2}", limit=limit)
        reader.reads(now)
        assert now.base is not None
        assert now.base.tree == reader.page
        alive = {str(node.ref) for node in walk(now.tree) if node.ref}
        assert set(refs_of(render_shown(reader.page))) <= alive
        assert reader.refs - alive <= reader.told_dead
        assert {str(ref) for ref, record in now.table.records.items() if record.alive} == alive
        kinds.append(now.shown_as)
        last = now
    return kinds


def _page(chance: Random) -> Page:
    """A random page beside parts that stay as they are, so that a change of it is a small one."""
    page = random_page(chance, leaves=chance.choice([6, 14, 40]))
    rows = chance.randint(0, 30)
    page.root.children += [Element("paragraph", text=f"Words number {at} that stay as they are") for at in range(rows)]
    if chance.random() < 0.5:
        page.root.children.append(Element("list", "Items", children=[_item(chance, at) for at in range(rows)]))
    return page


def _item(chance: Random, at: int) -> Element:
    """An item as lists have them: its button is called as all others, with or without words that tell it apart."""
    around = chance.choice(["", f"Item {at}"])
    children = [Element("text", text=f"Item {at % 7}"), Element("button", "Open", around=around)]
    return Element("listitem", children=children)


@given(st.integers(0, 2**32).map(Random))
@settings(max_examples=150)
def test_shown_old_and_shown_changes_give_shown_new_and_every_ref_in_view_is_alive_or_named(chance: Random) -> None:
    check_chain(chance)


def test_chains_of_looks_show_pages_in_all_three_ways() -> None:
    """Or the property above would not try what it says."""
    kinds = [kind for seed in range(60) for kind in check_chain(Random(seed))]
    assert min(kinds.count(kind) for kind in ("whole", "changes", "same")) >= 10
