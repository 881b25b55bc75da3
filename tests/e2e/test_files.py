"""`pilotfish run --file`, and downloads of a run, as they stand on the disk and in what the model was sent."""

from pathlib import Path

import pytest

from app.domain.events import FileKept, QuoteKept
from tests.e2e import stored
from tests.e2e.command import Caller
from tests.fakes.wire_replies import Answer, Call
from tests.fakes.wire_server import WireServer
from tests.pages.papers import paper
from tests.pages.site import serve


def task(server: WireServer, words: str, *more: str) -> tuple[str, ...]:
    wire = ("--provider", "local", "--base-url", server.base_url, "--model", "test-model")
    return ("run", words, *wire, *more)


def test_a_given_pdf_is_read_and_quoted_with_its_page_and_its_place_stays_here(
    call: Caller, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "Vertrag Zoë.pdf"
    file.write_bytes(paper(["Cover"], ["The fee is 412.50 a month."]))
    turns = iter(
        [
            Answer(calls=(Call("read_file", {"file": "f1"}),)),
            Answer(calls=(Call("keep_quote", {"text": "The fee is 412.50 a month."}),)),
            Answer("The fee is 412.50 a month [q1]."),
        ]
    )
    with WireServer(lambda asked: next(turns)) as server:
        done = call(*task(server, "What is the fee?", "--file", str(file)))
        sent = repr(server.asked)
    assert done.code == 0, done.err
    assert f"You gave f1: Vertrag Zoë.pdf (PDF document; {file.stat().st_size} bytes), {file}" in done.out
    (quote,) = [one.event.quote for one in stored.events(home) if isinstance(one.event, QuoteKept)]
    assert (quote.url, quote.title) == ("f1#page=2", "Vertrag Zoë.pdf, page 2")
    assert str(tmp_path) not in sent


@pytest.mark.parametrize("wrong", ["missing", "folder", "no task", "demo"])
def test_a_file_that_cannot_be_given_is_told_before_anything_begins(
    call: Caller, home: Path, tmp_path: Path, wrong: str
) -> None:
    (tmp_path / "here.txt").write_text("x")
    path = {"missing": tmp_path / "none.txt", "folder": tmp_path, "no task": tmp_path / "here.txt"}.get(
        wrong, tmp_path / "here.txt"
    )
    words = {"no task": ("--resume", "abc"), "demo": ("demo",)}.get(wrong, ("Read it",))
    done = call("run", *words, "--file", str(path))
    assert done.code == 2
    said = {
        "missing": f"--file: {path} is not there; give a file that is.",
        "folder": f"{path} is a folder; give single files.",
    }
    assert said.get(wrong, "--file goes with a task") in done.err
    assert not (home / "record.db").exists()


def test_a_download_stands_in_the_folder_of_its_conversation(call: Caller, home: Path) -> None:
    site, running = serve()
    headers = (("Content-Disposition", "attachment; filename=list.csv"),)
    url = site.put("/list", "a,b\n1,2\n", kind="text/csv", headers=headers)
    turns = iter([Answer(calls=(Call("browser_navigate", {"url": url}),)), Answer("It is there.")])
    with WireServer(lambda asked: next(turns)) as server:
        done = call(*task(server, "Get the list"))
    running.shutdown()
    running.server_close()
    assert done.code == 0, done.err
    (kept,) = [one.event.file for one in stored.events(home) if isinstance(one.event, FileKept)]
    assert Path(kept.path) == home / "downloads" / done.conversation / "list.csv"
    assert Path(kept.path).read_text() == "a,b\n1,2\n"
    assert f"Saved f1: list.csv (CSV table; 8 bytes), {kept.path}" in done.out
