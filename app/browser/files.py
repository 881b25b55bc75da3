"""Keeps a page's file chooser open until it is answered, and answers it with files or without."""

import asyncio
import contextlib
import mimetypes
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import ElementHandle, Error, FileChooser, Frame, Locator, Page

from app.browser.outcomes import DONE
from app.domain.pages import FilesWanted, Outcome

_LATE_S = 0.5
_READ_BACK_S = 0.4
_POLL_S = 0.05

_FACTS = """input => ({
    multiple: input.multiple, folder: input.webkitdirectory === true, accept: input.accept || '',
    connected: input.isConnected, id: input.id, name: input.name })"""
_HELD = """input => ({
    names: Array.from(input.files || []).map(file => file.name), connected: input.isConnected,
    complaint: input.getAttribute('aria-invalid') === 'true' || (input.validity && input.validity.customError)
        ? input.validationMessage || 'it is marked as wrong' : '' })"""


@dataclass(frozen=True, slots=True)
class _Field:
    """The input behind a chooser, as it was when the files came."""

    multiple: bool
    folder: bool
    accept: str
    connected: bool
    id: str
    name: str


class Chooser:
    """The open file chooser of one tab."""

    def __init__(self, page: Page, on_change: Callable[[], None]) -> None:
        self._open: FileChooser | None = None
        self._opened = asyncio.Event()
        self._page = page
        self._on_change = on_change
        page.on("filechooser", self._on_chooser)
        page.on("framenavigated", lambda frame: self._forget() if frame == page.main_frame else None)
        page.on("close", lambda _: self._forget())
        page.on("crash", lambda _: self._forget())

    @property
    def is_open(self) -> bool:
        return self._open is not None

    @property
    def wanted(self) -> FilesWanted | None:
        """What the page asks for; None while it does not."""
        return None if self._open is None else FilesWanted(self._open.is_multiple())

    async def asker(self) -> str:
        """The address of the document that asks; empty when none does."""
        chooser = await self._asked()
        return await _address(chooser) if chooser is not None else ""

    async def answer(self, paths: tuple[str, ...], asker: str = "", *, limit_ms: float) -> Outcome:
        """Give it the files, or close it without one; what the page made of them is read back.

        Raises the driver's Error.
        """
        chooser = await self._asked()
        if chooser is None:
            return Outcome(
                "failed", "The page asks for no file now. Click its button for files first.", fault="not_found"
            )
        if not paths:
            self._forget()
            return DONE
        if asker and await _address(chooser) != asker:
            return Outcome(
                "failed", "Nothing was sent: another frame of the page asks for a file now.", fault="changed"
            )
        field = _Field(**await chooser.element.evaluate(_FACTS))
        refused = _unfit(field, paths)
        if refused:
            return Outcome("failed", refused, fault="unfit")
        self._forget()
        return await self._fill(chooser, field, paths, limit_ms)

    async def _asked(self) -> FileChooser | None:
        if self._open is None:  # the click that opens it may have been made just now
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._opened.wait(), _LATE_S)
        return self._open

    async def _fill(self, chooser: FileChooser, field: _Field, paths: tuple[str, ...], limit_ms: float) -> Outcome:
        """A field that was drawn anew since it asked is filled in its new shape, when there is just one."""
        redrawn = None if field.connected else await self._redrawn(field)
        if redrawn is not None:
            await redrawn.set_input_files(list(paths), timeout=limit_ms)
            return _told(await _read_back(redrawn, paths), field, paths)
        await chooser.set_files(list(paths), timeout=limit_ms)
        return _told(await _read_back(chooser.element, paths), field, paths)

    async def _redrawn(self, field: _Field) -> Locator | None:
        found: list[Locator] = []
        for frame in self._page.frames:
            with contextlib.suppress(Error):
                found += await _inputs_like(frame, field)
        return found[0] if len(found) == 1 else None

    def _on_chooser(self, chooser: FileChooser) -> None:
        self._open = chooser
        self._opened.set()
        self._on_change()

    def _forget(self) -> None:
        if self._open is not None:
            self._open = None
            self._opened.clear()
            self._on_change()


async def _address(chooser: FileChooser) -> str:
    """Of its document; one that was written into another belongs to that."""
    with contextlib.suppress(Error):
        frame = await chooser.element.owner_frame()
        while frame is not None and frame.parent_frame is not None and re.match("about:|$", frame.url):
            frame = frame.parent_frame
        return frame.url if frame is not None else chooser.page.url
    return chooser.page.url


async def _inputs_like(frame: Frame, field: _Field) -> list[Locator]:
    """The file fields of a frame that have the same id or name; without either, all of them."""
    every = await frame.locator("input[type=file]").all()
    facts = [_Field(**await one.evaluate(_FACTS)) for one in every]
    same = [(one.id, one.name) == (field.id, field.name) for one in facts]
    return [one for one, fits in zip(every, same, strict=True) if fits]


async def _read_back(field: Locator | ElementHandle, paths: Sequence[str]) -> dict[str, Any]:
    """What the field holds a moment later; a page may need one to make up its mind."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _READ_BACK_S
    held: dict[str, Any] = {"names": [Path(path).name for path in paths], "connected": True, "complaint": ""}
    while loop.time() < until:
        try:
            held = await field.evaluate(_HELD)
        except Error:  # it went with its page
            return {**held, "connected": False}
        if held["complaint"] or not held["names"]:
            break
        await asyncio.sleep(_POLL_S)
    return held


def _told(held: dict[str, Any], field: _Field, paths: Sequence[str]) -> Outcome:
    """A page that lets go of a file may have refused it or taken it over: what it asked for tells which."""
    unfit = [Path(path).name for path in paths if not accepts(field.accept, Path(path).name)]
    asked = f"it asked for {field.accept}" if unfit else ""
    if held["complaint"]:
        words = f"{held['complaint']}; {asked}" if asked else str(held["complaint"])
        return Outcome("failed", f"The page refused the file: {words}", fault="unfit")
    if held["names"]:
        reason = f"the page asked for {field.accept}, not for {', '.join(unfit)}" if unfit else ""
        return Outcome("done", reason, value_after=", ".join(held["names"]))
    if unfit and held["connected"]:
        return Outcome("failed", f"The page refused {', '.join(unfit)}: {asked}, and its field is empty", fault="unfit")
    return Outcome("done", "the page took the file out of its field: see what it says of it")


def _unfit(field: _Field, paths: Sequence[str]) -> str:
    if field.folder:
        return "Nothing was sent: the page asks for a whole folder, and only single files are given"
    if len(paths) > 1 and not field.multiple:
        return f"Nothing was sent: the page takes one file, not {len(paths)}"
    return ""


def accepts(accept: str, name: str) -> bool:
    """Whether a field that asks for such files would offer one of that name to a person."""
    wanted = [one.strip().lower() for one in accept.split(",") if one.strip()]
    kind = mimetypes.guess_type(name)[0] or ""
    return not wanted or any(
        name.lower().endswith(one) if one.startswith(".") else kind == one or _is_family(one, kind) for one in wanted
    )


def _is_family(wanted: str, kind: str) -> bool:
    return wanted == "*/*" or (wanted.endswith("/*") and kind.startswith(wanted[:-1]))
