"""Hides secret values in everything the browser tells beside the tree: addresses, dialogs, console, requests."""

from collections.abc import Collection
from dataclasses import replace

from app.domain.pages import ConsoleLine, Dialog, Happenings, NetworkEntry, TabInfo
from app.guard.masking import mask_text


def hide_in_tabs(tabs: tuple[TabInfo, ...], secrets: Collection[str]) -> tuple[TabInfo, ...]:
    return tuple(replace(tab, url=mask_text(tab.url, secrets), title=mask_text(tab.title, secrets)) for tab in tabs)


def hide_in_dialog(dialog: Dialog, secrets: Collection[str]) -> Dialog:
    return replace(dialog, message=mask_text(dialog.message, secrets), default=mask_text(dialog.default, secrets))


def hide_in_console(lines: tuple[ConsoleLine, ...], secrets: Collection[str]) -> tuple[ConsoleLine, ...]:
    return tuple(replace(line, text=mask_text(line.text, secrets), url=mask_text(line.url, secrets)) for line in lines)


def hide_in_entries(entries: tuple[NetworkEntry, ...], secrets: Collection[str]) -> tuple[NetworkEntry, ...]:
    return tuple(replace(entry, url=mask_text(entry.url, secrets)) for entry in entries)


def hide_in_happenings(happened: Happenings, secrets: Collection[str]) -> Happenings:
    return replace(
        happened,
        new_tabs=hide_in_tabs(happened.new_tabs, secrets),
        dialogs=tuple(hide_in_dialog(dialog, secrets) for dialog in happened.dialogs),
        answered=tuple(replace(one, dialog=hide_in_dialog(one.dialog, secrets)) for one in happened.answered),
        downloads=tuple(replace(one, url=mask_text(one.url, secrets)) for one in happened.downloads),
        writes=tuple(replace(one, url=mask_text(one.url, secrets)) for one in happened.writes),
        told=tuple(mask_text(text, secrets) for text in happened.told),
        console_errors=tuple(mask_text(text, secrets) for text in happened.console_errors),
    )
