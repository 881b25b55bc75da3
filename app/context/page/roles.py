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
ACTING_MARKS: frozenset[Mark] = frozenset({"clickable", "draggable", "editable", "scrolls", "password"})


CONTROL_ROLES = INTERACTIVE_ROLES - {"iframe"}


def can_be_acted_on(node: SnapshotNode, *, in_control: bool = False) -> bool:
    """Whether a node is worth a ref: interactive by role, by pointer, by what the page says, or a named generic.

    A node that has the focus is worth one too, unless it is the body, which has it when nothing else has. A wrapper
    that only bears the name of the control in it is not, nor is a title inside of a control: that control is.
    """
    if echoes_its_control(node):
        return False
    return (
        node.role in INTERACTIVE_ROLES
        or node.pointer
        or (node.role == "generic" and node.name != "" and not in_control)
        or not ACTING_MARKS.isdisjoint(node.marks)
    )


def echoes_its_control(node: SnapshotNode) -> bool:
    """Whether a generic holds nothing but one control of the same name."""
    if node.role != "generic" or not node.name or node.text or len(node.children) != 1:
        return False
    (child,) = node.children
    return child.role in CONTROL_ROLES and child.name == node.name and bool(child.driver_ref or child.ref)
