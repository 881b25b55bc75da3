"""Serves the project on loopback until its standard input ends: `python -m tests.e2e.django_site.serve FOLDER`.

The first line of standard input is JSON with `user`, `password` and `harbours`; the answer is one line with the port.
"""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import django
from django.conf import settings

APPS = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")


def configure(folder: Path) -> None:
    settings.configure(
        SECRET_KEY="only for tests on loopback",
        DEBUG=True,
        ALLOWED_HOSTS=["127.0.0.1"],
        INSTALLED_APPS=[*(f"django.contrib.{name}" for name in APPS), "tests.e2e.django_site.apps.FleetConfig"],
        MIDDLEWARE=[
            "tests.e2e.django_site.counting.CountRequests",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        ROOT_URLCONF="tests.e2e.django_site.urls",
        STATIC_URL="static/",
        USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "fleet.sqlite3"}},
        MIGRATION_MODULES=dict.fromkeys(("admin", "auth", "contenttypes", "sessions")),  # tables at once, no history
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        REQUESTS_FILE=folder / "requests.log",
        LOGGING_CONFIG=None,
    )
    django.setup()


def fill(given: dict[str, Any]) -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from tests.e2e.django_site.models import Harbour

    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    User.objects.create_superuser(given["user"], password=given["password"], first_name="Ada")
    for name, country in given["harbours"]:
        Harbour.objects.create(name=name, country=country)


def serve() -> None:
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """The requests are in the file of the counting middleware."""

    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.set_app(StaticFilesHandler(WSGIHandler()))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.shutdown()
    thread.join()
    server.server_close()


if __name__ == "__main__":
    configure(Path(sys.argv[1]))
    fill(json.loads(sys.stdin.readline()))
    serve()
