"""Gives the nodes of a look their refs: one counter a conversation, a ref never denotes another thing."""

from dataclasses import replace

from app.context.page.roles import INTERACTIVE_ROLES, can_be_acted_on
from app.context.refs.meaning import frame_prefix, meaning_of, probe_meaning
from app.context.refs.naming import Naming
from app.context.refs.ref_table import Identified, RefTable, Replaced, describe, retire_all
from app.domain.ids import DocumentId, Ref
from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode

__all__ = [
    "INTERACTIVE_ROLES",
    "ContainerNames",
    "Identified",
    "RefTable",
    "Replaced",
    "can_be_acted_on",
    "describe",
    "frame_prefix",
    "identify",
    "meaning_of",
    "probe_meaning",
    "retire_all",
]


def identify(table: RefTable, look: Look) -> Identified:
    """Refs for everything in a look that the driver can address and that can be acted on.

    A node whose frame is not in the look's list gets no ref: nothing could tell later whether it is still the same.
    While a document that was seen before cannot be read, as when a dialog freezes it, every ref stays as it is.
    """
    unreadable = not look.tree.children and (look.dialog is not None or look.missing)
    if unreadable and look.document in (table.documents.get(look.tab), DocumentId("")):
        return Identified(table, look.tree)
    naming = Naming(table, look)
    naming.collect(look.tree)
    naming.keep_same_nodes()
    naming.rebind_recreated_nodes()
    naming.name_new_nodes()
    naming.bury()
    return Identified(naming.new_table(), naming.named(look.tree), tuple(naming.replaced), tuple(naming.gone))


class ContainerNames:
    """Gives refs to containers of which a part is left out, so that the model can ask for them.

    `given` are those refs by the driver's.
    """

    def __init__(self, found: Identified, look: Look) -> None:
        self._look = look
        self._naming = Naming(found.table, look)
        self._found = found
        self.given: dict[str, Ref] = {}

    def name(self, node: SnapshotNode) -> Ref | None:
        """A ref for this node of the look, which has none; None when the driver cannot address it."""
        if node.driver_ref not in self.given:
            ref = self._naming.name_one(node)
            if ref is None:
                return None
            self.given[node.driver_ref] = ref
        return self.given[node.driver_ref]

    def found(self) -> Identified:
        """What `identify` found, with the refs given here."""
        if not self.given:
            return self._found
        tree = self._naming.named(self._found.tree, keep=True)
        return replace(self._found, table=self._naming.new_table(), tree=tree)
