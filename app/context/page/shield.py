"""Keeps page text from looking like our own words: fences, refs, observation marks, verdicts."""

import re
from dataclasses import replace

from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode

_LOOK_ALIKE = re.compile(
    r"\[(?=\s*(?:/?\s*page\b|end\b|ref\s*=|unseen|password|readonly|covered|verified|unverified|receipt|system|not run"
    r"|observation|quote|[oqs]\d+\b))",
    re.IGNORECASE,
)
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_OPEN = "［"
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_QUOTES = str.maketrans("“”", "‘’")  # ours are the double ones


def shield_text(text: str, fence: str) -> str:
    """A text of the page in which nothing reads like a fence, a ref or a verdict of ours, and that can be stored."""
    if not text.isascii():
        text = _HALF_CHARACTER.sub("\ufffd", text)
    if "[" in text:
        text = _LOOK_ALIKE.sub(_OPEN, text)
    if fence and fence in text:
        text = text.replace(fence, f"{fence[0]}\u00b7{fence[1:]}")
    return text


def page_words(text: str, limit: int = 200) -> str:
    """Words of a page inside a line of ours: one line, shielded, not endless."""
    line = shield_text(" ".join(_UNSEEN.sub("", text).split()), "").translate(_QUOTES)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def shield(tree: SnapshotNode, fence: str) -> SnapshotNode:
    """The tree with all its texts shielded; the same tree when nothing had to be."""
    children = tuple([shield(child, fence) for child in tree.children])
    texts = (tree.name, tree.text, tree.url, tree.placeholder, tree.hint)
    safe = tuple([shield_text(text, fence) if text else text for text in texts])
    if safe == texts and all(old is new for old, new in zip(tree.children, children, strict=True)):
        return tree
    name, text, url, placeholder, hint = safe
    return replace(tree, name=name, text=text, url=url, placeholder=placeholder, hint=hint, children=children)


def shield_look(look: Look, fence: str) -> Look:
    """A look whose title, addresses and dialog are shielded too; its tree is left as it is."""

    def safe(text: str) -> str:
        return shield_text(text, fence)

    tabs = tuple([replace(tab, title=safe(tab.title), url=safe(tab.url)) for tab in look.tabs])
    dialog = look.dialog
    if dialog is not None:
        dialog = replace(dialog, message=safe(dialog.message), default=safe(dialog.default))
    return replace(look, title=safe(look.title), url=safe(look.url), tabs=tabs, dialog=dialog)


def fenced(body: str, fence: str) -> str:
    """Page text between marks that no page could know before."""
    return f"[page {fence}]\n{body}\n[end {fence}]"
