"""Every task that is played, with its policy and its seeds."""

from tests.bench.hands import choosing, clicking, drawing, filling, writing
from tests.bench.hands.run import Policy

SEEDS = (7, 11)
TASKS: dict[str, Policy] = {**clicking.TASKS, **filling.TASKS, **choosing.TASKS, **writing.TASKS, **drawing.TASKS}
LEFT_TO_THE_PERSON = frozenset({"enter-password", "login-user", "login-user-popup"})
"""Our tools leave passwords to the person, so there is nothing to compare."""
QUICK = (
    *("click-checkboxes", "enter-date", "choose-list", "choose-date-easy", "use-slider", "social-media-some"),
    *("drag-items", "navigate-tree"),
)
