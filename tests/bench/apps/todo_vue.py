"""A to-do list in Vue."""

from tests.bench.apps.static_app import static_app

PACKAGES = ("vue@3.5.45", "todomvc-app-css@2.4.3")

APP = static_app("todo_vue", PACKAGES)
