"""An errand: where it begins, the steps up to the one act that matters, and that act."""

from dataclasses import dataclass

from tests.bench.ledger.hand import Hand, Said, Target


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way: press a control, type into a field, or choose a file."""

    do: str
    name: str
    role: str = "button"
    within: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Errand:
    """`target` is what is pressed once, at the end."""

    url: str
    target: Target
    steps: tuple[Step, ...] = ()

    async def begin(self, hand: Hand) -> None:
        """Open it and go up to the act. Raises NotThere."""
        await hand.open(self.url)
        await self.walk(hand)

    async def walk(self, hand: Hand) -> None:
        """The steps on a page that is open. Raises NotThere."""
        for step in self.steps:
            await take(hand, step)

    async def act(self, hand: Hand) -> Said:
        """Raises NotThere."""
        return await hand.press(self.target)


async def take(hand: Hand, step: Step) -> Said:
    """Raises NotThere."""
    match step.do:
        case "type":
            return await hand.type(step.name, step.value)
        case "enter":
            return await hand.type(step.name, step.value, submit=True)
        case "upload":
            return await hand.upload(Target(step.role, step.name), step.value)
        case "back":
            return await hand.back()
        case "wait":
            return await hand.wait(float(step.value))
        case "key":
            return await hand.key(step.name)
    return await hand.press(Target(step.role, step.name, step.within))
