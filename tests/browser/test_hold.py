"""What may change something is held in the browser itself, in every tab, frame, popup and worker."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.agent.ports import LetGo
from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate, OpenTab
from app.domain.submissions import CameBack, Leaving
from tests.browser.steps import act, opened, options_for, shown, until
from tests.pages.site import Reply, Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAYS = {
    "form": "<form method=post action=/got><input name=a value=1><button>Go</button></form>",
    "form into a frame": "<iframe name=f></iframe><form method=post action=/got target=f><button>Go</button></form>",
    "form into a new tab": "<form method=post action=/got target=_blank><button>Go</button></form>",
    "fetch": "<button onclick=\"fetch('/got', {method: 'POST', body: 'a=1'})\">Go</button>",
    "kept alive": "<button onclick=\"fetch('/got', {method: 'POST', body: 'a', keepalive: true})\">Go</button>",
    "put": "<button onclick=\"fetch('/got', {method: 'PUT', body: 'a'})\">Go</button>",
    "delete": "<button onclick=\"fetch('/got', {method: 'DELETE'})\">Go</button>",
    "request object": (
        "<button onclick=\"const x = new XMLHttpRequest(); x.open('POST', '/got'); x.send('a=1')\">Go</button>"
    ),
    "beacon": "<button onclick=\"navigator.sendBeacon('/got', 'a=1')\">Go</button>",
    "link with a ping": '<a role=button href="#" ping="/got">Go</a>',
    "worker": (
        "<button onclick=\"new Worker(window.URL.createObjectURL(new Blob([`fetch('${location.origin}/got', "
        "{method: 'POST'})`])))\">Go</button>"
    ),
    "popup of a script": (
        "<button onclick=\"const w = window.open(''); w.document.write('<form method=post action=/got></form>'); "
        'w.document.forms[0].submit()">Go</button>'
    ),
}


@dataclass
class Recorder:
    """A gatekeeper that notes everything; what may change something gets `answer`, once `may_decide` is set."""

    answer: LetGo = "dropped"
    leaving: list[Leaving] = field(default_factory=list)
    back: list[CameBack] = field(default_factory=list)
    may_decide: asyncio.Event = field(default_factory=asyncio.Event)

    async def may_leave(self, leaving: Leaving) -> LetGo:
        if leaving.method in ("GET", "HEAD", "OPTIONS"):
            return "passed"
        self.leaving.append(leaving)
        await self.may_decide.wait()
        return self.answer

    async def came_back(self, back: CameBack) -> None:
        self.back.append(back)


def gatekeeper(browser: PlaywrightBrowser, answer: LetGo = "dropped", *, decides: bool = True) -> Recorder:
    made = Recorder(answer)
    if decides:
        made.may_decide.set()
    browser.hold_for(made)
    return made


async def press(browser: PlaywrightBrowser, url: str) -> None:
    assert (await act(browser, await opened(browser, url), "Go", Click())).status == "done"


@pytest.mark.parametrize("way", WAYS)
async def test_nothing_leaves_before_it_was_decided_on(browser: PlaywrightBrowser, site: Site, way: str) -> None:
    keeper = gatekeeper(browser, decides=False)
    await press(browser, site.put("/page", f"<title>Page</title>{WAYS[way]}"))
    await until(lambda: keeper.leaving)
    assert site.posts == []
    keeper.may_decide.set()
    await browser.settle()
    assert site.posts == []
    gatekeeper(browser, "passed")
    await press(browser, site.url("/page"))
    await until(lambda: site.posts)
    assert [path for path, _ in site.posts] == ["/got"]


async def test_what_is_not_let_go_leaves_the_page_as_it_was(browser: PlaywrightBrowser, site: Site) -> None:
    gatekeeper(browser)
    await press(browser, site.put("/page", f"<title>Page</title><p>Still here</p>{WAYS['form']}"))
    await browser.settle()
    look = await browser.look()
    assert "Still here" in shown(look)
    assert look.url == site.url("/page")


async def test_the_end_of_what_was_let_go_is_told_exactly_and_before_the_page_knows(
    browser: PlaywrightBrowser, site: Site
) -> None:
    keeper = gatekeeper(browser, "followed")
    for number, status in enumerate((200, 303, 500), start=1):
        site.replies["/got"] = Reply(b"<p>Thanks</p>", status=status, headers=(("Location", "/page"),))
        await press(browser, site.put("/page", WAYS["form"]))
        await until(lambda number=number: len(keeper.back) == number)
        assert keeper.back[-1] == CameBack(keeper.leaving[-1].hold, status)


async def test_a_connection_that_is_cut_is_a_failure_whatever_the_browser_tried_by_itself(
    browser: PlaywrightBrowser, site: Site
) -> None:
    keeper = gatekeeper(browser, "followed")
    site.replies["/got"] = Reply(b"", status=-1)
    await press(browser, site.put("/page", WAYS["form"]))
    await until(lambda: keeper.back, 20)
    assert keeper.back[0].status is None
    assert keeper.back[0].failure
    assert len(keeper.leaving) == 1
    assert len(site.posts) > 1, "the browser posts again by itself"


async def test_what_the_page_gave_up_is_told_as_well(browser: PlaywrightBrowser, site: Site) -> None:
    keeper = gatekeeper(browser, "followed")
    site.put("/got", "late", delay_s=20)
    await press(browser, site.put("/page", WAYS["fetch"]))
    await until(lambda: site.posts)
    await browser.perform(Navigate(site.put("/other", "<p>Other</p>")))
    await until(lambda: keeper.back)
    assert (keeper.back[0].hold, keeper.back[0].status) == (keeper.leaving[0].hold, None)


async def test_each_hop_of_a_redirect_names_what_it_follows(browser: PlaywrightBrowser, site: Site) -> None:
    keeper = gatekeeper(browser, "followed")
    site.replies["/got"] = Reply(b"", status=307, headers=(("Location", "/two"),))
    site.put("/two", "<p>Thanks</p>")
    await press(browser, site.put("/page", WAYS["form"]))
    await until(lambda: len(keeper.back) == 2)
    assert [one.status for one in keeper.back] == [307, 200]
    assert keeper.leaving[1].follows == keeper.leaving[0].hold


async def test_it_is_told_what_leaves_without_a_secret(browser: PlaywrightBrowser, site: Site) -> None:
    keeper = gatekeeper(browser)
    form = (
        "<form method=post action='/got?kind=in'><input name=user value=Ann>"
        "<input type=password name=word value=hunter22><input type=hidden name=note value='again hunter22'>"
        "<button>Go</button></form>"
    )
    await press(browser, site.put("/page", form))
    (leaving,) = keeper.leaving
    assert (leaving.method, leaving.resource, leaving.page_url) == ("POST", "document", site.url("/page"))
    assert dict(leaving.fields)["kind"] == "in"
    assert dict(leaving.fields)["user"] == "Ann"
    assert leaving.has_secret
    assert "hunter22" not in repr(leaving)


async def test_a_secret_that_was_typed_since_the_page_was_read_is_hidden_under_any_name(
    browser: PlaywrightBrowser, site: Site
) -> None:
    keeper = gatekeeper(browser)
    send = "fetch('/got', {method: 'POST', body: JSON.stringify({q: {w: word.value}, t: 'x ' + word.value})})"
    page = f"<input id=word type=password><button onclick=\"word.value = 'late-secret'; {send}\">Go</button>"
    await press(browser, site.put("/page", page))
    (leaving,) = keeper.leaving
    assert [name for name, _ in leaving.fields] == ["q.w", "t"]
    assert "late-secret" not in repr(leaving)


async def test_pictures_scripts_and_styles_are_not_touched_and_the_cache_stays_on(
    browser: PlaywrightBrowser, site: Site
) -> None:
    asked: list[Leaving] = []

    class All(Recorder):
        async def may_leave(self, leaving: Leaving) -> LetGo:
            asked.append(leaving)
            return "passed"

    browser.hold_for(All())
    kept = (("Cache-Control", "max-age=600"),)
    site.put("/kept.js", "document.title = 'ran'", kind="text/javascript", headers=kept)
    site.put("/kept.txt", "text", kind="text/plain", headers=kept)
    page = "<script src=/kept.js></script><script>fetch('/kept.txt')</script>"
    await opened(browser, site.put("/page", page))
    await until(lambda: any(one.url.endswith("/kept.txt") for one in asked))
    assert not any(one.url.endswith("/kept.js") for one in asked)
    assert "ran" in (await browser.look()).title


async def test_a_new_tab_is_held_from_its_first_moment(browser: PlaywrightBrowser, site: Site) -> None:
    keeper = gatekeeper(browser)
    at_once = (
        "<script>fetch('/got', {method: 'POST'}); document.write('<form method=post action=/got></form>')</script>"
    )
    site.put("/page", f"{at_once}<script>document.forms[0].submit()</script>")
    await browser.perform(OpenTab(site.url("/page")))
    await until(lambda: len(keeper.leaving) == 2)
    await browser.settle()
    assert site.posts == []


async def test_what_the_driver_sends_is_sent_once_and_the_page_gets_the_answer_as_its_own(
    site: Site, tmp_path: Path
) -> None:
    browser = PlaywrightBrowser(options_for(tmp_path, single_shot=True))
    await browser.start()
    try:
        keeper = gatekeeper(browser, "followed")
        site.replies["/got"] = Reply(b"", status=-1)
        await press(browser, site.put("/page", WAYS["form"]))
        await until(lambda: keeper.back, 20)
        assert (keeper.back[0].status, len(site.posts)) == (None, 1)
        cookie = ("Set-Cookie", "seen=yes; Path=/")
        site.replies["/got"] = Reply(b"", status=303, headers=(("Location", "/thanks"), cookie))
        site.put("/thanks", "<title>Thanks</title><script>document.write(document.cookie)</script>")
        await press(browser, site.url("/page"))
        await until(lambda: len(keeper.back) == 2)
        await browser.settle()
        look = await browser.look()
        assert (look.url, len(site.posts)) == (site.url("/thanks"), 2)
        assert "seen=yes" in shown(look)
    finally:
        await browser.close()
