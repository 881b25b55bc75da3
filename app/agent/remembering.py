"""What one conversation keeps beside its pages: evidence, and files the person gave."""

from app.agent.answers import refusal
from app.agent.evidence import Evidence
from app.agent.transcript import Transcript


class Remembering:
    """The record of one conversation as the model can use it."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._files: dict[str, str] = {}
        self.evidence = Evidence(transcript)

    def give_file(self, path: str) -> str:
        """A handle for a file the person chose."""
        handle = f"file{len(self._files) + 1}"
        self._files[handle] = path
        return handle

    def files(self, handles: list[str]) -> tuple[str, ...] | str:
        """The paths behind handles, or the refusal when one was never given."""
        unknown = [handle for handle in handles if handle not in self._files]
        if unknown:
            have = ", ".join(self._files) or "none; ask the person with ask_user and takeOver to choose it in the page"
            return refusal(f"{', '.join(unknown)} is no file the person gave", f"Given: {have}.")
        return tuple(self._files[handle] for handle in handles)
