"""What the model of a conversation can see, and who sees for it."""

from dataclasses import dataclass

from app.agent.ports import Model


@dataclass(frozen=True, slots=True)
class Eyes:
    """Whether the model is sent pictures, and the second model that is asked about them, if one is chosen."""

    sees: bool = True
    vision: Model | None = None
    vision_name: str = ""
    missing: str = ""  # what the chosen second model lacks before it could be asked

    @property
    def again(self) -> str:
        """How a new picture is had."""
        return "Take a new picture first." if self.sees else "Call look again first."

    @property
    def none_chosen(self) -> str:
        """The way on of a model that cannot see and has nobody to ask."""
        missing = f"{self.missing} " if self.missing else ""
        return f"{missing}The person can choose a model for pictures in the settings; until then read the page's text."
