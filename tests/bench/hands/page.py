"""A page as an actor's look returned it: all that a policy knows."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.domain.snapshot import Box, SnapshotNode

FIELDS = ("textbox", "searchbox", "spinbutton", "combobox")


class NotShown(Exception):
    """What the policy looks for is not in what the actor's look returned."""


@dataclass(slots=True)
class Thing:
    """One node of a view; `beside` is what identifies it besides role and name, such as its id or class."""

    role: str
    name: str = ""
    text: str = ""
    ref: str = ""
    states: tuple[str, ...] = ()
    beside: str = ""
    box: Box | None = None
    children: list["Thing"] = field(default_factory=list)

    def __iter__(self) -> Iterator["Thing"]:
        """This and all below, in the order of the page."""
        yield self
        for child in self.children:
            yield from child

    @property
    def words(self) -> str:
        """Everything it says, in one line."""
        return " ".join(word for one in self for word in (one.name, one.text) if word)

    @property
    def middle(self) -> tuple[float, float] | None:
        """Where a pointer would go, where that was told."""
        box = self.box
        return (box.x + box.width / 2, box.y + box.height / 2) if box else None

    def all(self, *roles: str, name: str | None = None) -> list["Thing"]:
        """Those with a ref, of one of the roles, and of this name."""
        return [
            one
            for one in self
            if one.ref and (not roles or one.role in roles) and (name is None or name in (one.name, one.text))
        ]

    def one(self, *roles: str, name: str | None = None, nth: int = 0) -> "Thing":
        """The nth of them. Raises NotShown."""
        found = self.all(*roles, name=name)
        if len(found) <= nth:
            wanted = " or ".join(roles) or "thing"
            raise NotShown(f"no {wanted} {name or ''!r} number {nth + 1} with a ref".replace("''", "of any name"))
        return found[nth]

    def saying(self, words: str) -> "Thing":
        """The smallest thing with a ref that says these words. Raises NotShown."""
        return self.path_to(words)[-1]

    def path_to(self, words: str) -> list["Thing"]:
        """All things with a ref that say these words, the smallest last. Raises NotShown."""
        found = [one for one in self if one.ref and words in one.words]
        if not found:
            raise NotShown(f"nothing with a ref says {words!r}")
        smallest = min(found, key=lambda one: len(one.words))
        return [one for one in found if smallest in list(one)]

    def exact(self, words: str) -> "Thing":
        """The first thing with a ref that says just these words. Raises NotShown."""
        found = [one for one in self if one.ref and one.words == words]
        if not found:
            raise NotShown(f"nothing with a ref says just {words!r}")
        return found[-1]

    def after(self, words: str, *roles: str) -> "Thing":
        """The first thing with a ref of one of the roles that comes after these words. Raises NotShown."""
        passed = False
        for one in self:
            if passed and one.ref and one.role in roles:
                return one
            passed = passed or words in f"{one.name} {one.text}"
        raise NotShown(f"no {' or '.join(roles)} after {words!r}")


def thing(node: SnapshotNode, *, ours: bool, boxes: bool) -> Thing:
    """A node of ours or of the driver's; boxes only where the actor was asked for them."""
    return Thing(
        role=node.role,
        name=node.name,
        text=node.text,
        ref=str(node.ref or "") if ours else node.driver_ref,
        states=node.states,
        beside=" ".join(filter(None, (node.hint, node.url, node.placeholder))),
        box=node.box if boxes else None,
        children=[thing(child, ours=ours, boxes=boxes) for child in node.children],
    )
