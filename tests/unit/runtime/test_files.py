"""Files in the engine: given with a message or to the page, by handles that survive a restart, deleted on wish."""

from pathlib import Path

from app.domain.commands import (
    DeleteConversation,
    GiveFiles,
    NewConversation,
    OpenConversation,
    SendMessage,
)
from app.domain.events import FileKept, PersonAnswered, PersonAsked, ToolAnswered, TurnEnded, UserSaid
from app.domain.messages import Request, TextBlock, UserMessage
from app.domain.passing import ConversationsListed, ErrorShown, RunStateChanged
from tests.fakes.browser import FakePage
from tests.fakes.engine import Bench
from tests.fakes.model import calls, says

PAGE = FakePage("http://site.test/", "- paragraph [ref=e1]: Hello.", title="Site")
ASK = calls(("ask_user", '{"question": "Which file shall I send?"}'))


def letter(folder: Path, name: str = "letter é.txt", text: str = "Dear all, the total is 12.") -> Path:
    made = folder / name
    made.write_text(text, encoding="utf-8")
    return made


def texts(request: Request) -> str:
    """What the request says in words, results of tools included."""
    return repr(request.messages)


def test_a_file_given_with_a_message_is_told_by_handle_name_type_and_size_never_by_its_place(tmp_path: Path) -> None:
    file = letter(tmp_path)
    read = calls(("read_file", '{"file": "f1"}'))
    with Bench([PAGE], read, says("Read.")) as bench:
        bench.do(SendMessage("Read it", files=(str(file),)))
        bench.wait_for(TurnEnded)
        kept = bench.wait_for(FileKept)
        answer = bench.wait_for(ToolAnswered)
        first, second = bench.model.requests
    assert (kept.file.id, kept.file.by, kept.file.path) == ("f1", "person", str(file))
    (message,) = first.messages
    assert isinstance(message, UserMessage)
    words = [block.text for block in message.content if isinstance(block, TextBlock)]
    assert words[:2] == ["The person gave the file f1 “letter é.txt” (plain text, 26 bytes).", "Read it"]
    assert answer.observation is not None
    assert "Dear all, the total is 12." in answer.observation.shown
    assert str(tmp_path) not in texts(second)


def test_a_file_that_is_not_there_is_told_and_nothing_is_sent(tmp_path: Path) -> None:
    with Bench([PAGE], says("Read.")) as bench:
        bench.do(SendMessage("Read it", files=(str(tmp_path / "none.txt"),)))
        shown = bench.wait_for(ErrorShown)
        assert bench.model.requests == []
        assert not any(isinstance(one, UserSaid) for one in bench.events)
    assert "none.txt is not there" in shown.what


def test_handles_go_on_where_they_stood_when_a_conversation_is_opened_again(tmp_path: Path) -> None:
    """They come from the record alone; a file that was given before keeps its handle."""
    one, two = letter(tmp_path, "one.txt"), letter(tmp_path, "two.txt")
    read = calls(("read_file", '{"file": "f1"}'))
    with Bench([PAGE], says("Read."), read, says("Both.")) as bench:
        bench.do(SendMessage("One", files=(str(one),)))
        bench.wait_for(TurnEnded)
        (name,) = [summary.id for summary in bench.wait_for(ConversationsListed).conversations]
        bench.do(NewConversation())
        bench.do(OpenConversation(name))
        bench.do(SendMessage("Two", files=(str(two), str(one))))
        bench.wait_for(TurnEnded, 2)
        assert not bench.wait_for(ToolAnswered).is_error
        assert bench.wait_for(FileKept, 2).file.id == "f2"
        said = texts(bench.model.requests[1])
    assert "f2 “two.txt”" in said
    assert "f3" not in said


def test_the_page_s_question_for_a_file_is_answered_while_the_agent_waits(tmp_path: Path) -> None:
    """The chooser gets the file, the agent's question its answer, and the person does not take over by it."""
    file = letter(tmp_path)
    with Bench([PAGE], ASK, says("Sent.")) as bench:
        bench.do(SendMessage("Send my letter"))
        bench.wait_for(PersonAsked)
        bench.do(GiveFiles((str(file),)))
        bench.wait_for(TurnEnded)
        assert ("ChooseFiles", "") in bench.browser.acts
        assert bench.wait_for(PersonAnswered).text == "The person chose f1 for the page’s file chooser."
        assert "The person gave the file f1" in texts(bench.model.requests[1])
        assert "person" not in [one.driver for one in bench.events if isinstance(one, RunStateChanged)]


def test_each_conversation_has_a_folder_of_its_own(tmp_path: Path) -> None:
    with Bench([PAGE], says("A."), says("B."), files=tmp_path) as bench:
        folders = []
        for number in (1, 2):
            bench.do(NewConversation())
            bench.do(SendMessage("Hello"))
            bench.wait_for(TurnEnded, number)
            folders.append(Path(bench.browser.folder))
    assert len(set(folders)) == 2
    assert {folder.parent for folder in folders} == {tmp_path}


def test_deleting_a_conversation_keeps_its_files_unless_they_shall_go_too(tmp_path: Path) -> None:
    given = letter(tmp_path)
    for with_files in (False, True):
        files = tmp_path / f"files {with_files}"
        with Bench([PAGE], says("A."), files=files) as bench:
            bench.do(SendMessage("Hello", files=(str(given),)))
            bench.wait_for(TurnEnded)
            folder = Path(bench.browser.folder)
            folder.mkdir(parents=True)
            letter(folder, "saved.txt")
            (name,) = [summary.id for summary in bench.wait_for(ConversationsListed).conversations]
            bench.do(DeleteConversation(name, with_files))
            bench.wait(
                lambda events: any(isinstance(one, ConversationsListed) and not one.conversations for one in events)
            )
        assert folder.exists() != with_files
        assert given.exists()
