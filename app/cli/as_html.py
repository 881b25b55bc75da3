"""A conversation as one page of HTML that needs nothing else: no script, nothing loaded, all text of pages escaped."""

import base64
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from urllib.parse import urlsplit

from app.cli.as_markdown import moment
from app.cli.story import Entry
from app.domain.events import ConversationSummary
from app.domain.ids import BlobHash

_PICTURES = ("image/png", "image/jpeg")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #222; background: #fff; }
article { margin: 1rem 0; overflow-wrap: anywhere; }
p, blockquote { white-space: pre-wrap; margin: .3rem 0; }
.person, .agent { border-left: .25rem solid #2a6; padding-left: .8rem; }
.person { border-color: #26a; }
.act, .note { font-size: .9rem; color: #444; }
.submission { border: 1px solid #c60; border-radius: .3rem; padding: .5rem .8rem; }
blockquote { border-left: .2rem solid #999; padding-left: .8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .8rem; margin: .3rem 0; }
dd { margin: 0; }
pre { white-space: pre-wrap; background: #f4f4f4; padding: .5rem; max-height: 30rem; overflow: auto; }
img { max-width: 100%; border: 1px solid #ccc; }
time { color: #666; font-size: .85rem; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } .act, .note { color: #bbb; }
pre { background: #2a2a2a; } }
"""


def as_html(about: ConversationSummary, entries: Iterable[Entry], pictures: Mapping[BlobHash, bytes]) -> str:
    title = escape(about.title)
    body = "\n".join(_article(entry, pictures) for entry in entries)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<p>Conversation {escape(about.id)}, begun {moment(about.created_at)}.</p>\n"
        f"{body}\n</body>\n</html>\n"
    )


def _article(entry: Entry, pictures: Mapping[BlobHash, bytes]) -> str:
    parts = (_head(entry), *_words(entry), *_facts(entry), *_page(entry), *_picture(entry, pictures))
    return f'<article class="{entry.kind}">{"".join(parts)}</article>'


def _head(entry: Entry) -> str:
    return f"<strong>{escape(entry.title)}</strong> <time>{moment(entry.at)}</time>"


def _words(entry: Entry) -> Iterator[str]:
    tag = "blockquote" if entry.kind == "quote" else "p"
    if entry.text:
        yield f"<{tag}>{escape(entry.text)}</{tag}>"
    if entry.source:
        yield f"<p>{_link(entry.source)}</p>"


def _link(address: str) -> str:
    """Followed only when it is pressed, and only where it leads to the web."""
    try:
        is_web = urlsplit(address).scheme in ("http", "https")
    except ValueError:
        is_web = False
    shown = escape(address)
    return f'<a href="{shown}" rel="noopener noreferrer">{shown}</a>' if is_web else shown


def _facts(entry: Entry) -> Iterator[str]:
    if entry.facts:
        rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in entry.facts)
        yield f"<dl>{rows}</dl>"


def _page(entry: Entry) -> Iterator[str]:
    if entry.page:
        yield f"<details><summary>The page as the model read it</summary><pre>{escape(entry.page)}</pre></details>"


def _picture(entry: Entry, pictures: Mapping[BlobHash, bytes]) -> Iterator[str]:
    data = pictures.get(entry.picture) if entry.picture else None
    if data and entry.picture_mime in _PICTURES:
        text = base64.b64encode(data).decode()
        yield f'<details><summary>Picture</summary><img alt="" src="data:{entry.picture_mime};base64,{text}"></details>'
