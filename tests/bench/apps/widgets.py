"""A page of widgets from the registry: date pickers, a grid, a text editor, searchable lists."""

from tests.bench.apps.static_app import static_app

PACKAGES = ("flatpickr@4.6.13", "tabulator-tables@6.5.3", "quill@2.0.3", "tom-select@2.6.2")

APP = static_app("widgets", PACKAGES)
