"""Every task that is played, with its policy."""

from tests.bench.hands import choosing, clicking, drawing, filling, writing
from tests.bench.hands.run import Policy

TASKS: dict[str, Policy] = {**clicking.TASKS, **filling.TASKS, **choosing.TASKS, **writing.TASKS, **drawing.TASKS}
