"""Which nodes of a page can be acted on."""

from app.domain.snapshot import Mark, SnapshotNode

_CONTROLS = ("button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "switch")
_RARE_CONTROLS = (
    "slider",
    "spinbutton",
    "scrollbar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
)
INTERACTIVE_ROLES = frozenset((*_CONTROLS, *_RARE_CONTROLS, "iframe"))
ACTING_MARKS: frozenset[Mark] = frozenset({"clickable", "draggable", "password"})


def can_be_acted_on(node: SnapshotNode) -> bool:
    """Whether a node is worth a ref: interactive by role, by pointer, by what the page says, or a named generic.

    A node that has the focus is worth one too, unless it is the body, which has it when nothing else has.
    """
    return (
        node.role in INTERACTIVE_ROLES
        or node.pointer
        or (node.role == "generic" and node.name != "")
        or not ACTING_MARKS.isdisjoint(node.marks)
    )
