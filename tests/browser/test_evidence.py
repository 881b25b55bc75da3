"""What a person or a model reads on a real page can be kept as evidence, in whatever script and markup it stands."""

import pytest
import pytest_asyncio

from app.agent.knowing import what_is_known
from app.browser.browser import PlaywrightBrowser
from app.context.evidence.claims import unsupported
from app.context.evidence.quotes import kept_quotes
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<!doctype html><meta charset="utf-8"><title>Proof</title>
<p>She said “it’s <b>really</b> fine” — twice.</p>
<p lang="ja">灯台ランタンは<em>二日</em>で届きます。<wbr>送料は無料です。</p>
<p lang="ar" dir="rtl">السِّعر: ١٢ دينارًا، والتوصيل مجـــاني.</p>
<p>Works for 👩🏽‍💻 and 👨‍👩‍👧, rated ❤️.</p>
<p>Extra&shy;ordi&shy;nary ze&#8203;ro&nbsp;width</p>
<p>Cafe&#769; and <span>co</span><span>-op</span></p>
<table><caption>Prices</caption><tr><th>Lamp</th><th>Hours</th><th>Price</th></tr>
<tr><td>Curlew 4</td><td>8</td><td>£1,299.00</td></tr></table>
<p>The button below is unavailable.</p>"""


@pytest_asyncio.fixture(loop_scope="module")
async def desk(browser: PlaywrightBrowser, site: Site) -> ToolsDesk:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/proof", PAGE))
    return desk


@pytest.mark.parametrize(
    "words",
    [
        "She said “it’s really fine” — twice.",
        'she said "it\'s really fine" - twice',
        "灯台ランタンは二日で届きます。送料は無料です。",
        "السِّعر: ١٢ دينارًا",
        "والتوصيل مجاني",
        "Works for 👩🏽‍💻 and 👨‍👩‍👧, rated ❤.",
        "Extraordinary zero width",
        "Café and co-op",
        "Curlew 4 | 8 | £1,299.00",
    ],
)
async def test_words_of_a_real_page_are_kept_however_they_are_typed(desk: ToolsDesk, words: str) -> None:
    answer = await desk.call("keep_quote", text=words)
    assert not answer.is_error, answer.text
    (quote,) = kept_quotes(desk.transcript.events)
    reading = await reading_of(desk, quote.observation)
    assert reading[quote.offset : quote.offset + len(quote.text)] == quote.text


@pytest.mark.parametrize(
    "words", ["Curlew 48", "Curlew 4 8 £1,299", "£1,29", "299.00", "the button below is available", "👩🏽 and"]
)
async def test_words_that_only_seem_to_stand_there_are_refused(desk: ToolsDesk, words: str) -> None:
    answer = await desk.call("keep_quote", text=words)
    assert answer.is_error
    assert kept_quotes(desk.transcript.events) == ()


async def test_an_answer_is_judged_by_what_the_real_page_says(desk: ToolsDesk) -> None:
    known = await what_is_known(desk.transcript.events, desk.transcript.record)
    answer = "The Curlew 4 costs 1.299,00 £ and burns 8 hours; it is “extraordinary zero width”, they say, for £1,300."
    assert [(claim.text, claim.verdict) for claim in unsupported(answer, known)] == [("£1,300", "unverified")]


async def reading_of(desk: ToolsDesk, name: str) -> str:
    events = desk.transcript.events
    (seen,) = [one.event.observation for one in events if getattr(one.event, "observation", None) is not None]
    assert seen.id == name
    return (await desk.transcript.record.blob(seen.reading)).decode()
