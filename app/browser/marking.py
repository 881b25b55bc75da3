"""Puts what the page was asked for onto the nodes of a snapshot: marks, hints, text a person cannot see."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.browser.page_script import Answer
from app.domain.snapshot import Mark, SnapshotNode
from app.guard.masking import mask_text

_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the frames of a page answered, keyed by the driver's refs; `secrets` are values to hide everywhere."""

    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    unseen_texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arounds: Mapping[str, str] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()


def facts_of(answers: Collection[Answer]) -> PageFacts:
    """The facts of all frames together."""
    marks: dict[str, tuple[Mark, ...]] = {}
    hints: dict[str, str] = {}
    texts: dict[str, tuple[str, ...]] = {}
    arounds: dict[str, str] = {}
    secrets: set[str] = set()
    for answer in answers:
        for ref, flags, hint in answer.get("marks", ()):
            marks[ref] = tuple(flags)
            hints[ref] = hint
        for ref, text in answer.get("texts", ()):
            texts[ref] = (*texts.get(ref, ()), text)
        secrets.update(answer.get("secrets", ()))
    for answer in answers:
        words = [mask_text(word, secrets) for word in answer.get("words", ())]
        arounds.update((ref, words[index]) for ref, index in answer.get("arounds", ()))
    return PageFacts(marks, hints, texts, arounds, frozenset(secrets))


def mark(node: SnapshotNode, facts: PageFacts) -> SnapshotNode:
    """The tree with its marks. A field that holds a secret value is marked as password, matched or not."""
    children = tuple(mark(child, facts) for child in node.children)
    marks = facts.marks.get(node.driver_ref, ())
    if "password" not in marks and _holds_secret(node, facts.secrets):
        marks = (*marks, "password")
    hint, around = facts.hints.get(node.driver_ref, ""), facts.arounds.get(node.driver_ref, "")
    marked = replace(node, children=children, marks=marks, hint=hint, around=around)
    texts = facts.unseen_texts.get(node.driver_ref, ()) if node.driver_ref else ()
    return _set_unseen_apart(marked, texts) if texts else marked


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
