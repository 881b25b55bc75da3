"""The person behind a trial, as a function: says yes as often as told, and no to everything after."""

from app.agent.asking import PERSON_SAYS_YES
from app.agent.control import NeedsPerson
from app.domain.events import PersonAnswered, PersonAsked

_NO = ("no", "stop")


class Person:
    """`allows` is how many questions of consent they answer with yes; every question is kept."""

    def __init__(self, allows: float = 1) -> None:
        self.allows = allows
        self.asked: list[PersonAsked] = []
        self.said_yes = 0

    async def reach(self, question: PersonAsked) -> PersonAnswered:
        """Raises NeedsPerson for what another program cannot put to its user either."""
        self.asked.append(question)
        if question.question_kind != "consent":
            raise NeedsPerson(question.text)
        choices = [choice for choice, _ in question.choices]
        if PERSON_SAYS_YES in choices and self.allows > 0:
            self.allows -= 1
            self.said_yes += 1
            return PersonAnswered(question.question_id, PERSON_SAYS_YES)
        no = next((one for one in _NO if one in choices), choices[-1])
        return PersonAnswered(question.question_id, no)
