"""Every walk by its name: the beginning of an application's script, in three lengths."""

from collections.abc import Callable, Iterator
from itertools import islice

from tests.bench.walks import datasette, django_admin, jupyterlab, todo, wagtail, widgets
from tests.bench.walks.walk import Step, Walk

LENGTHS = (17, 30, 100)
SCRIPTS: dict[str, Callable[[], Iterator[Step]]] = {
    "django_admin": django_admin.script,
    "wagtail": wagtail.script,
    "datasette": datasette.script,
    "jupyterlab": jupyterlab.script,
    "widgets": widgets.script,
    "todo_react": todo.script,
    "todo_vue": todo.script,
}


def walk(app: str, length: int) -> Walk:
    """The first steps on an application."""
    steps = tuple(islice(SCRIPTS[app](), length))
    assert len(steps) == length, f"the script of {app} has only {len(steps)} steps"
    return Walk(f"{app}-{length}", app, steps)


def walks() -> tuple[Walk, ...]:
    """All of them, the short ones first."""
    return tuple(walk(app, length) for length in LENGTHS for app in SCRIPTS)
