"""How much of a conversation a model with a given window is sent at most, and how its parts share that."""

from dataclasses import dataclass, replace

from app.context.request.tokens import CHARACTERS_A_TOKEN

USUAL_WINDOW = 128_000  # tokens
SMALL_WINDOW = 16_000  # below it prompt and tools are the short ones
MOST_TOKENS = 120_000  # past it each step costs more than the past is worth, however large the window
LEAST_TOKENS = 3_000
SPARE_TOKENS = 500
ANSWERS_IN_WINDOW = 8  # the longest answer fits so often into a small window
SHARE_OF_PAGE = 0.3
SHARE_OF_RESULT = 0.2
RESULT_CHARACTERS = 12_000
LEAST_PAGE = 2_000
SHRINK = 0.7


@dataclass(frozen=True, slots=True)
class Budget:
    """The window in tokens, answer included, and how long an answer was asked for."""

    window: int = USUAL_WINDOW
    wanted_answer: int = 8_000

    @property
    def is_small(self) -> bool:
        return self.window < SMALL_WINDOW

    @property
    def answer_tokens(self) -> int:
        """The longest answer, so that most of a small window is left for what is read."""
        return min(self.wanted_answer, max(self.window // ANSWERS_IN_WINDOW, 500))

    @property
    def tokens(self) -> int:
        """The most tokens a request may have."""
        return max(min(self.window - self.answer_tokens - SPARE_TOKENS, MOST_TOKENS), LEAST_TOKENS)

    @property
    def characters(self) -> int:
        return int(self.tokens * CHARACTERS_A_TOKEN)

    @property
    def result_characters(self) -> int:
        """The longest text of a result that is sent whole."""
        return min(RESULT_CHARACTERS, int(self.characters * SHARE_OF_RESULT))

    def page_characters(self, wanted: int) -> int:
        """The longest view of a page, where `wanted` is what the settings say."""
        return min(wanted, max(int(self.characters * SHARE_OF_PAGE), LEAST_PAGE))

    def shrunk(self, refused: float) -> "Budget":
        """The same after the model found a request of about so many tokens too long."""
        tokens = int(min(refused, self.tokens) * SHRINK)
        return replace(self, window=tokens + self.answer_tokens + SPARE_TOKENS)
