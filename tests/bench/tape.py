"""A walk as it was recorded once against the real application: what the browser reported, act by act."""

import gzip
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from app.domain.ids import DocumentId
from app.domain.pages import Happenings, Look, NodeAddress, Outcome, Probe


@dataclass(frozen=True, slots=True)
class Probed:
    """A target as it was right before the act; without an address it was whatever had the focus."""

    address: NodeAddress | None
    probe: Probe


@dataclass(frozen=True, slots=True)
class Moved:
    """One act with what stood before it and what came of it; `looks` are those until the next act."""

    probed: tuple[Probed, ...]
    outcome: Outcome
    settled: bool
    noticed: Happenings
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """`first` are the looks before any act; `root` is the address the application had when it was recorded."""

    walk: str
    root: str
    first: tuple[Look, ...]
    moves: tuple[Moved, ...]

    def until(self, moves: int) -> "Tape":
        """Its beginning."""
        return replace(self, moves=self.moves[:moves])

    def write(self, file: Path) -> None:
        fresh = file.with_name(file.name + ".new")
        fresh.write_bytes(gzip.compress(_TAPES.dump_json(self, exclude_defaults=True), mtime=0))
        fresh.replace(file)

    @classmethod
    def read(cls, file: Path) -> "Tape":
        return _TAPES.validate_json(gzip.decompress(file.read_bytes()))


def joined(tapes: tuple[Tape, ...]) -> Tape:
    """One tape that plays them one after another; documents of different tapes stay different ones."""
    renamed = [_with_documents_of_its_own(tape, f"t{number}") for number, tape in enumerate(tapes)]
    first, *rest = renamed
    moves = list(first.moves)
    for tape in rest:
        moves += tape.moves
    return replace(first, moves=tuple(moves))


def _with_documents_of_its_own(tape: Tape, mark: str) -> Tape:
    moves = [
        replace(
            move,
            probed=tuple(_probed(one, mark) for one in move.probed),
            looks=tuple(_look(one, mark) for one in move.looks),
        )
        for move in tape.moves
    ]
    return replace(tape, first=tuple(_look(one, mark) for one in tape.first), moves=tuple(moves))


def _look(look: Look, mark: str) -> Look:
    frames = tuple(replace(one, document=_named(one.document, mark)) for one in look.frames)
    return replace(look, document=_named(look.document, mark), frames=frames)


def _probed(probed: Probed, mark: str) -> Probed:
    if probed.address is None:
        return probed
    return replace(probed, address=replace(probed.address, document=_named(probed.address.document, mark)))


def _named(document: DocumentId, mark: str) -> DocumentId:
    return DocumentId(f"{mark}-{document}")


_TAPES = TypeAdapter(Tape)
