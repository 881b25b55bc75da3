"""Puts what the page was asked for onto the nodes of a snapshot: marks, hints, unseen text, what had no line."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.browser.page_script import Answer
from app.domain.snapshot import Box, Mark, SnapshotNode, walk
from app.guard.masking import mask_text

_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something to act on that the driver may have no line for: an empty block, a drawn shape, a wrapper.

    `above` and `inside` are the refs of what it stands in, nearest first, and of what it holds.
    """

    node: SnapshotNode
    above: tuple[str, ...]
    inside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the frames of a page answered, keyed by the driver's refs; `secrets` are values to hide everywhere.

    `stands_for` tells of labels which kind of hidden box they are for, and whether it is checked.
    """

    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    unseen_texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arounds: Mapping[str, str] = field(default_factory=dict)
    stands_for: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    secrets: frozenset[str] = frozenset()


def facts_of(answers: Collection[Answer]) -> PageFacts:
    """The facts of all frames together."""
    marks: dict[str, tuple[Mark, ...]] = {}
    hints: dict[str, str] = {}
    texts: dict[str, tuple[str, ...]] = {}
    arounds: dict[str, str] = {}
    stands: dict[str, tuple[str, bool]] = {}
    secrets: set[str] = set()
    for answer in answers:
        for ref, flags, hint, *more in answer.get("marks", ()):
            marks[ref] = tuple(flags)
            hints[ref] = hint
            if more and more[0]:
                stands[ref] = (str(more[0][0]), bool(more[0][1]))
        for ref, text in answer.get("texts", ()):
            texts[ref] = (*texts.get(ref, ()), text)
        secrets.update(answer.get("secrets", ()))
    for answer in answers:
        words = [mask_text(word, secrets) for word in answer.get("words", ())]
        arounds.update((ref, words[index]) for ref, index in answer.get("arounds", ()))
    left = tuple(_left_out(*one) for answer in answers for one in answer.get("left", ()))
    return PageFacts(marks, hints, texts, arounds, stands, left, frozenset(secrets))


def _left_out(
    ref: str, role: str, name: str, above: Sequence[str], inside: Sequence[str], box: Sequence[float]
) -> LeftOut:
    return LeftOut(SnapshotNode(role, name, driver_ref=ref, box=Box(*box)), tuple(above), tuple(inside))


def mark(tree: SnapshotNode, facts: PageFacts) -> SnapshotNode:
    """The tree with its marks, and with what can be acted on and had no line of its own."""
    return _mark(with_left_out(tree, facts.left_out, facts.marks), facts)


def _mark(node: SnapshotNode, facts: PageFacts) -> SnapshotNode:
    """A field that holds a secret value is marked as password, matched or not."""
    if node.driver_ref in facts.stands_for:
        node = _as_its_box(node, *facts.stands_for[node.driver_ref])
    children = tuple([_mark(child, facts) for child in node.children])
    marks = facts.marks.get(node.driver_ref, ()) or node.marks
    if "password" not in marks and _holds_secret(node, facts.secrets):
        marks = (*marks, "password")
    hint, around = facts.hints.get(node.driver_ref) or node.hint, facts.arounds.get(node.driver_ref, "")
    marked = replace(node, children=children, marks=marks, hint=hint, around=around)
    texts = facts.unseen_texts.get(node.driver_ref, ()) if node.driver_ref else ()
    return _set_unseen_apart(marked, texts) if texts else marked


def _as_its_box(label: SnapshotNode, role: str, checked: bool) -> SnapshotNode:
    """The label of a box that cannot be seen is what a person takes for the box."""
    parts = [part for child in label.children for part in (child.name, child.text) if part]
    words = label.name or " ".join(dict.fromkeys(part for part in [label.text, *parts] if part))
    states = (*label.states, "checked") if checked else label.states
    return replace(label, role=role, name=words, text="", states=states, children=())


def _holds_secret(node: SnapshotNode, secrets: frozenset[str]) -> bool:
    """The value of a field stands after its colon, or as its only text child beside a placeholder."""
    if node.role not in _FIELDS or not secrets:
        return False
    return node.text in secrets or any(child.role == "text" and child.text in secrets for child in node.children)


def _set_unseen_apart(node: SnapshotNode, texts: Sequence[str]) -> SnapshotNode:
    """Cut text nobody sees out of the node's own text, and keep it beside, marked."""
    children: list[SnapshotNode] = []
    text, cut = _cut(node.text, texts)
    if cut:
        children.append(SnapshotNode("text", text=text)) if text else None
        children.extend(SnapshotNode("text", text=piece, marks=("unseen",)) for piece in cut)
        return replace(node, text="", children=(*children, *node.children))
    for child in node.children:
        left, cut = _cut(child.text, texts) if child.role == "text" else ("", ())
        if not cut:
            children.append(child)
            continue
        if left:
            children.append(replace(child, text=left))
        children.extend(SnapshotNode("text", text=piece, marks=("unseen",)) for piece in cut)
    return replace(node, children=tuple(children))


def _cut(text: str, texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    cut = tuple(piece for piece in texts if piece and piece in text)
    for piece in cut:
        text = text.replace(piece, " ", 1)
    return " ".join(text.split()), cut


def with_left_out(
    tree: SnapshotNode, left_out: Sequence[LeftOut], marks: Mapping[str, tuple[Mark, ...]]
) -> SnapshotNode:
    """Of what has no line: a wrapper of one thing takes it in, anything else is put last in what it stands in."""
    shown = {node.driver_ref for node in walk(tree) if node.driver_ref} if left_out else set()
    inner: dict[str, list[SnapshotNode]] = {}
    outer: dict[str, SnapshotNode] = {}
    for one in left_out:
        held = [ref for ref in one.inside if ref in shown]
        place = next((ref for ref in one.above if ref in shown), "")
        if one.node.driver_ref in shown or len(held) > 1:
            continue
        if held:
            outer.setdefault(held[0], one.node)
        else:
            inner.setdefault(place, []).append(one.node)
    return _joined(tree, inner, outer) if inner or outer else tree


def _joined(
    node: SnapshotNode, inner: Mapping[str, list[SnapshotNode]], outer: Mapping[str, SnapshotNode]
) -> SnapshotNode:
    children = tuple([_joined(child, inner, outer) for child in node.children])
    if node.driver_ref in inner and (node.driver_ref or node.role == "page"):
        for one in inner[node.driver_ref]:
            node, children = _out_of_text(one, node, children) or (node, _placed(one, children))
    joined = replace(node, children=children)
    wrapper = outer.get(node.driver_ref)
    return replace(wrapper, children=(joined,)) if wrapper is not None else joined


def _out_of_text(
    one: SnapshotNode, node: SnapshotNode, children: tuple[SnapshotNode, ...]
) -> tuple[SnapshotNode, tuple[SnapshotNode, ...]] | None:
    """A word that the driver told as a part of the text around it, taken out of that text."""
    if one.name and one.name in node.text and not children:
        return replace(node, text=""), _parted(node.text, one)
    for at, child in enumerate(children):
        if one.name and child.role == "text" and one.name in child.text:
            return node, (*children[:at], *_parted(child.text, one), *children[at + 1 :])
    return None


def _parted(text: str, one: SnapshotNode) -> tuple[SnapshotNode, ...]:
    before, _, after = text.partition(one.name)
    parts = [SnapshotNode("text", text=part.strip()) if part.strip() else None for part in (before, after)]
    return tuple(part for part in (parts[0], one, parts[1]) if part is not None)


def _placed(one: SnapshotNode, among: tuple[SnapshotNode, ...]) -> tuple[SnapshotNode, ...]:
    """Before what begins below its end, so that it stands about where it is seen."""
    end = one.box.y + one.box.height if one.box else 0
    at = next((i for i, other in enumerate(among) if other.box and other.box.y >= end), len(among))
    return (*among[:at], one, *among[at:])
