"""A to-do list in React."""

from tests.bench.apps.static_app import static_app

PACKAGES = ("react@18.3.1", "react-dom@18.3.1", "htm@3.1.1", "todomvc-app-css@2.4.3")

APP = static_app("todo_react", PACKAGES)
