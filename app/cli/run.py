"""`pilotfish run`: the same engine without a window; events as lines, the end as an exit status."""

import queue
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TextIO

from app.agent.tools.navigation import web_address
from app.cli.lines import event_lines, json_line
from app.cli.parser import EXIT_DONE, EXIT_FAILED, EXIT_LIMIT, EXIT_NEEDS_PERSON, EXIT_USAGE, RunTask
from app.domain.commands import (
    Command,
    NewConversation,
    OpenConversation,
    Resume,
    SendMessage,
    ShutDown,
)
from app.domain.events import StoredEvent, TurnEnded
from app.domain.ids import ConversationId
from app.domain.passing import ConversationOpened, EngineStopped, ErrorShown, Event
from app.runtime.engine import Engine

_EXITS = {"done": EXIT_DONE, "needs_person": EXIT_NEEDS_PERSON, "limit": EXIT_LIMIT}
_CAN_GO_ON = ("needs_person", "limit", "stopped")
_END_S = 20.0


def run(engine: Engine, asked: RunTask, out: TextIO, err: TextIO) -> int:
    """Do the task and print what happens. SIGINT and SIGTERM stop the turn and end in order."""
    if not asked.task and not asked.resume:
        err.write("Give a task, or --resume with the id of a conversation.\n")
        return EXIT_USAGE
    if asked.url and web_address(asked.url) is None:
        err.write(f"“{asked.url}” is not a web address. Only http and https are opened.\n")
        return EXIT_USAGE
    missing = next((path for path in asked.files if not Path(path).is_file()), None)
    if missing is not None:
        why = "a folder; give single files" if Path(missing).is_dir() else "not there; give a file that is"
        err.write(f"--file: {missing} is {why}.\n")
        return EXIT_USAGE
    if asked.files and (not asked.task or asked.is_demo):
        err.write("--file goes with a task: say what is to be done with it.\n")
        return EXIT_USAGE
    events: queue.Queue[Event] = queue.Queue()
    engine.start(events.put, None)
    _end_on_signals(engine)
    for command in _commands(asked):
        engine.submit(command)
    try:
        return _follow(events, _printer(asked, out, err))
    finally:
        engine.submit(ShutDown())
        engine.join(_END_S)


def _commands(asked: RunTask) -> tuple[Command, ...]:
    if asked.resume:
        message = (SendMessage(asked.task, files=asked.files),) if asked.task else (Resume(),)
        return (OpenConversation(ConversationId(asked.resume)), *message)
    if asked.is_demo:
        return (NewConversation(demo=True),)
    return (NewConversation(), SendMessage(asked.task, web_address(asked.url) or "", asked.files))


def _follow(events: "queue.Queue[Event]", show: Callable[[Event], None]) -> int:
    """Print until the turn ends or an error says that there will be none."""
    while True:
        event = events.get()
        show(event)
        if isinstance(event, StoredEvent) and isinstance(event.event, TurnEnded):
            return _EXITS.get(event.event.end, EXIT_FAILED)
        if isinstance(event, ErrorShown | EngineStopped):
            return EXIT_FAILED


def _printer(asked: RunTask, out: TextIO, err: TextIO) -> Callable[[Event], None]:
    def show(event: Event) -> None:
        if asked.as_json:
            print(json_line(event), file=out, flush=True)
            return
        if isinstance(event, ConversationOpened):
            print(f"Conversation {event.id}", file=out, flush=True)
        for line in event_lines(event):
            print(line, file=err if isinstance(event, ErrorShown) else out, flush=True)
        if isinstance(event, StoredEvent) and isinstance(event.event, TurnEnded) and event.event.end in _CAN_GO_ON:
            print(f"Go on with: pilotfish run --resume {event.conversation}", file=out, flush=True)

    return show


def _end_on_signals(engine: Engine) -> None:
    """Shutting down stops the turn, also one that has not begun yet."""

    def end(number: int, frame: FrameType | None) -> None:
        engine.submit(ShutDown())

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
