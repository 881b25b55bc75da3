"""What one conversation keeps beside its pages: evidence, files, and what was read of them."""

from app.agent.evidence import Evidence
from app.agent.filing import Files
from app.agent.transcript import Transcript
from app.domain.files import Paper
from app.domain.ids import FileId


class Remembering:
    """The record of one conversation as the model can use it."""

    def __init__(self, transcript: Transcript) -> None:
        self.evidence = Evidence(transcript)
        self.files = Files(transcript)
        self.papers: dict[FileId, Paper] = {}  # read in this run of the program
