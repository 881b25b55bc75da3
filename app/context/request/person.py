"""What the person said in a conversation: messages, answers to questions, notes at a hand-back."""

from collections.abc import Iterator, Sequence

from app.domain.events import HandedBack, PersonAnswered, StoredEvent, UserSaid


def words_of_person(events: Sequence[StoredEvent]) -> Iterator[str]:
    """Oldest first, each as it was said."""
    for stored in events:
        match stored.event:
            case UserSaid(text):
                yield text
            case PersonAnswered(text=text) if text:
                yield text
            case HandedBack(note=note) if note:
                yield note
