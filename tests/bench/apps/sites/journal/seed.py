"""Makes the tables and fills them, always with the same things: `python -m journal.seed`."""

import datetime as dt
import json
import os
import random

import django

SECTIONS = ("Boats", "Weather", "Market", "People")
TOPICS = (("Repairs", "red"), ("Voyages", "blue"), ("Fish", "green"), ("Storms", "blue"), ("History", "red"))
WORDS = (
    "tide",
    "quay",
    "rope",
    "lantern",
    "gull",
    "anchor",
    "mast",
    "buoy",
    "harbour",
    "keel",
    "current",
    "net",
    "swell",
)
AUTHORS = ("Ana Dahl", "Bo Costa", "Cleo Falk", "Dag Hoang")


def fill() -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from journal.models import PostPage, SectionPage, Topic
    from wagtail.models import Page, Site

    call_command("makemigrations", "journal", verbosity=0, interactive=False)
    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    User.objects.create_superuser("keeper", first_name="Kim")
    draw = random.Random(20_261)
    topics = [Topic.objects.create(title=title, colour=colour) for title, colour in TOPICS]
    home = Page.objects.get(depth=2)
    home.title = home.draft_title = "The Harbour Journal"
    home.save()
    Site.objects.update(site_name="The Harbour Journal")
    for name in SECTIONS:
        section = home.add_child(instance=SectionPage(title=name, introduction=f"<p>All about {name.lower()}.</p>"))
        for number in range(12):
            section.add_child(instance=_post(draw, name, number, draw.choice(topics), PostPage))


def _post(draw: random.Random, section: str, number: int, topic: object, kind: type) -> object:
    title = f"{section} {number + 1}: {draw.choice(WORDS)} and {draw.choice(WORDS)}"
    body = [
        {"type": "heading", "value": f"The {draw.choice(WORDS)}"},
        {"type": "paragraph", "value": f"<p>{' '.join(draw.choices(WORDS, k=40)).capitalize()}.</p>"},
        {"type": "quotation", "value": " ".join(draw.choices(WORDS, k=12))},
    ]
    return kind(
        title=title,
        published_on=dt.date(2025, 1, 1) + dt.timedelta(days=draw.randrange(300)),
        author=draw.choice(AUTHORS),
        is_featured=number % 4 == 0,
        topic=topic,
        body=json.dumps(body),
        live=number % 5 != 0,
    )


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "journal.settings"
    django.setup()
    fill()
