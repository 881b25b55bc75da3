"""Every task that is played, with its policy."""

from tests.bench.hands import clicking
from tests.bench.hands.run import Policy

TASKS: dict[str, Policy] = {**clicking.TASKS}
