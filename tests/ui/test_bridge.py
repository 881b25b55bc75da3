from threading import Thread

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from app.domain.commands import Stop
from app.domain.events import StoredEvent, UserSaid
from app.domain.ids import ConversationId, TabId
from app.domain.pages import Frame
from app.domain.passing import Event, RunStateChanged, TextStreamed
from app.ui.bridge import Bridge
from tests.ui.conversations import CONVERSATION, stored
from tests.ui.recording_engine import RecordingEngine


def heard(bridge: Bridge) -> list[Event]:
    events: list[Event] = []
    bridge.event_received.connect(events.append)
    return events


def frame(number: int) -> Frame:
    return Frame(TabId(1), str(number).encode(), 800, 600)


def test_events_of_another_thread_arrive_in_order_in_the_main_thread(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    events, threads = heard(bridge), set()
    bridge.event_received.connect(lambda _: threads.add(QThread.currentThread()))
    sent = stored(UserSaid(str(number)) for number in range(2_000))
    Thread(target=lambda: [engine.say(event) for event in sent]).start()
    qtbot.waitUntil(lambda: len(events) == len(sent))
    assert events == list(sent)
    assert threads == {bridge.thread()}


def test_streamed_text_comes_in_portions_and_before_what_follows_it(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    events = heard(bridge)
    words = [f"word{number} " for number in range(1_000)]
    for word in words:
        engine.say(TextStreamed(CONVERSATION, word))
    engine.say(stored([UserSaid("next")])[0])
    qtbot.waitUntil(lambda: any(isinstance(event, StoredEvent) for event in events))
    streamed = [event.text for event in events if isinstance(event, TextStreamed)]
    assert "".join(streamed) == "".join(words)
    assert len(streamed) < 100
    assert isinstance(events[-1], StoredEvent)


def test_text_of_two_conversations_is_never_mixed(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    events = heard(bridge)
    for place in range(6):
        engine.say(TextStreamed(ConversationId(f"c{place % 2}"), str(place)))
    qtbot.waitUntil(lambda: "".join(event.text for event in events if isinstance(event, TextStreamed)) == "012345")
    assert all(event.conversation == f"c{int(event.text) % 2}" for event in events if isinstance(event, TextStreamed))


def test_text_alone_is_shown_without_waiting_for_more(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    events = heard(bridge)
    engine.say(TextStreamed(CONVERSATION, "alone"))
    qtbot.waitUntil(lambda: events == [TextStreamed(CONVERSATION, "alone")])


def test_only_the_newest_frame_is_kept(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    announced = []
    bridge.frame_arrived.connect(lambda: announced.append(True))
    for number in range(500):
        engine.show_frame(frame(number))
    qtbot.waitUntil(lambda: bool(announced))
    assert announced == [True]
    assert bridge.take_frame() == frame(499)
    assert bridge.take_frame() is None


def test_frames_are_announced_again_after_one_was_taken(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    for number in range(3):
        with qtbot.waitSignal(bridge.frame_arrived):
            engine.show_frame(frame(number))
        assert bridge.take_frame() == frame(number)


def test_a_slow_receiver_still_gets_everything(qtbot: QtBot, engine: RecordingEngine) -> None:
    bridge = Bridge(engine)
    bridge.start()
    events = heard(bridge)
    bridge.event_received.connect(lambda _: QThread.msleep(3))
    sent = [RunStateChanged(None, "working", "agent", str(number)) for number in range(40)]
    for event in sent:
        engine.say(event)
    qtbot.waitUntil(lambda: events == sent)


def test_a_command_reaches_the_engine(engine: RecordingEngine, qapp: object) -> None:
    Bridge(engine).submit(Stop())
    assert engine.commands == [Stop()]
