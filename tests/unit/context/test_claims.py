"""What an answer claims is marked when it stands nowhere; what stands somewhere, in whatever style, is left alone."""

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.evidence.claims import Known, unsupported

PAGE = """Harbour Lights
Curlew Deck Lantern
£46.00
Burn time 48 hours
Weight 1,299 g
In stock 14
If a Curlew fails within five years, we repair or replace it and pay the postage both ways.
Avocet Table Lantern
£52.00
Burn time 44 hours
Rated 4.6 of 5 by 1,312 people
Delivery by 3 May 2026
Offer ends 12.06.2026
Order HL-10023 is placed
Discount 15%
Call +44 20 7946 0018
配達は5月9日、送料1,200円です。
"""
QUOTE = "Express delivery costs £6.50 and takes 2 days."
TASK = "Buy two Curlew lanterns for at most 120 pounds, delivered before 1 June 2026."
KNOWN = Known(pages=(PAGE,), quoted=(QUOTE,), said=(TASK,), today=dt.date(2026, 4, 20))

BORNE_OUT = [
    "The Curlew costs £46.00 and burns 48 hours.",
    "The Curlew costs 46 pounds, the Avocet 52.00 GBP.",
    "Der Curlew kostet 46,00 £ und wiegt 1.299 g.",
    "Le Curlew pèse 1 299 g.",
    "It weighs 1299 grams, rated 4,6 by 1312 people.",
    "It is delivered by May 3, 2026 (03.05.2026, 2026-05-03).",
    "Delivery: 3 May. The offer ends on 12 June 2026.",
    "配達は2026年5月9日、送料は1200円です。",
    "The page says “if a Curlew fails within five years, we repair or replace it”.",
    'They write: "Burn time 48 hours" and "Burn time 44 hours".',
    "„Express delivery costs £6.50 … takes 2 days“ says the page.",
    "«Express delivery costs [just] £6.50» [q1].",
    "The warranty is 5 years.",
    "1. Curlew Deck Lantern\n2. Avocet Table Lantern\n\nStep 2 was to add it to the basket.",
    "I compared 2 lanterns on 3 pages and did 7 things.",
    "See https://shop.test/2019/07/item?id=99999 and [the page](https://shop.test/55555).",
    "The code is `x = 4711` and\n```\nprint(9999)\n```",
    "I looked at 4 of them at 10:45 (or 3 PM), as you asked in 2026.",
    "Order **HL-10023** is placed; call +44 20 7946 0018 when something is wrong.",
    "It needs an iPhone 15, macOS 26 or Windows 11; the A4 sheet, MP3 and 4K do not matter.",
    "About 45 hours of light, around £50 at most.",
    "You wanted two for at most £120 before 1 June 2026.",
    "The discount is 15 percent (15 %).",
    "I put “Curlew” and “Avocet” side by side; the ‘dead’ button stays dead.",
    "It’s the lantern’s price, don’t worry: £46.",
    "It is 24/7 support, a 16:9 screen and 4/5 stars.",
    "Pas de souci : 46 £, livraison le 3 mai 2026.",
    "| | Curlew |\n|---|---|\n| Price | £46.00 |\n| Burn time | 48 h |",
    "Done. Nothing else was needed.",
    "现在有14件库存，价格为46英镑。",
]
TEN, FREE = "“if a Curlew fails within ten years, we repair or replace it”", "「送料は無料で日本全国へお届けします」"
EVERY = '"free shipping to every harbour"'
CLAIMED: list[tuple[str, list[str]]] = [
    ("The Curlew costs £47.00.", ["£47.00"]),
    ("The Curlew costs **£46.50** and burns 49 hours.", ["£46.50", "49 hours"]),
    ("It is delivered by 4 May 2026.", ["4 May 2026"]),
    ("It is delivered by 2026-05-13.", ["2026-05-13"]),
    ("配達は5月19日、送料は1300円です。", ["5月19日", "1300円"]),
    ("Die Lieferung kommt am 7. Mai 2026 und kostet 3,99 €.", ["7. Mai 2026", "3,99 €"]),
    (f"The page says {TEN}.", [TEN]),
    (f"{FREE}と書いてあります。", [FREE]),
    (f"They promise {EVERY}.", [EVERY]),
    ("The discount is 20%.", ["20%"]),
    ("Order HL-10024 is placed.", ["HL-10024"]),
    ("Call +44 20 7946 0019.", ["+44 20 7946 0019"]),
    ("Rated 4.8 by 1,321 people.", ["4.8", "1,321"]),
    ("The weight is 1.399 g.", ["1.399 g"]),
    ("The warranty is 7 years.", ["7 years"]),
    ("About 75 hours of light.", ["75 hours"]),
    ("There are 143 left.", ["143"]),
    ("It was founded in 1987.", ["1987"]),
    ("It costs $46.00.", ["$46.00"]),
    ("It burns 39 hours.", ["39 hours"]),
]
COMPUTED = [
    ("Together they cost £98.00.", "£98.00", "46.00 + 52.00"),
    ("Two Curlews cost £92.00.", "£92.00", "2 × 46.00"),
    ("The Avocet is £6.00 dearer.", "£6.00", "52.00 − 46.00"),
    ("With express delivery it is £52.50 for the Curlew at £46.00.", "£52.50", "46.00 + 6.50"),
    ("The Curlew (£46.00) and the Avocet (£52.00) cost £49.00 on average.", "£49.00", "(46.00 + 52.00) / 2"),
    ("The Avocet (£52.00) costs 13 % more than the Curlew (£46.00).", "13 %", "52.00 against 46.00"),
    ("With 15% off, the Curlew at £46.00 is £39.10.", "£39.10", "46.00 − 15 %"),
    ("Rated by some 1.3 thousand (1,312).", "1.3 thousand", "1312, rounded"),
    ("All three together: £46.00, £52.00 and £6.50 make £104.50.", "£104.50", "46.00 + 52.00 + 6.50"),
]


@pytest.mark.parametrize("answer", BORNE_OUT)
def test_what_stands_somewhere_is_not_marked(answer: str) -> None:
    assert [claim.text for claim in unsupported(answer, KNOWN)] == []


@pytest.mark.parametrize(("answer", "marked"), CLAIMED)
def test_what_stands_nowhere_is_marked_at_its_place(answer: str, marked: list[str]) -> None:
    claims = unsupported(answer, KNOWN)
    assert all(answer[claim.start : claim.end] == claim.text for claim in claims)
    assert [(claim.text, claim.verdict) for claim in claims] == [(text, "unverified") for text in marked]


@pytest.mark.parametrize(("answer", "figure", "basis"), COMPUTED)
def test_what_follows_from_known_figures_is_marked_as_computed(answer: str, figure: str, basis: str) -> None:
    assert [(one.text, one.verdict, one.basis) for one in unsupported(answer, KNOWN)] == [(figure, "computed", basis)]


@pytest.mark.parametrize(
    "said", ["1,299.00", "1299", "1.299,00", "1 299", "1\u00a0299,00", "1'299", "１２９９", "١٢٩٩"]
)
@pytest.mark.parametrize("page", ["1,299.00", "1299", "1.299,00", "1\u202f299.00", "1’299.-", "१२९९"])
def test_a_figure_is_the_same_in_every_style(said: str, page: str) -> None:
    assert unsupported(f"It costs {said} in all.", Known(pages=(f"Total | {page}",))) == ()
    assert unsupported(f"It costs {said} in all.", Known(pages=("Total | 1,298.00",))) != ()


def test_what_the_answer_lists_may_be_counted() -> None:
    listed = "\n".join(f"- lamp {chr(ord('a') + place)}" for place in range(14))
    assert unsupported(f"I found 14 lamps:\n\n{listed}", Known()) == ()
    assert [one.text for one in unsupported(f"I found 15 lamps:\n\n{listed}", Known())] == ["15"]


def test_a_figure_inside_a_quotation_that_stands_nowhere_is_not_marked_twice() -> None:
    answer = "The page says “the lamp burns 77 hours at sea”."
    assert [one.about for one in unsupported(answer, KNOWN)] == ["quotation"]


def test_the_days_of_a_conversation_are_known() -> None:
    known = Known(today=dt.date(2026, 4, 20))
    assert unsupported("Today, 20 April 2026, nothing is in stock.", known) == ()
    assert [one.about for one in unsupported("On 21 April 2026 it will be.", known)] == ["date"]


@given(st.text(), st.text())
def test_any_answer_can_be_judged_and_every_claim_stands_where_it_says(answer: str, page: str) -> None:
    for claim in unsupported(answer, Known(pages=(page,))):
        assert answer[claim.start : claim.end] == claim.text


@given(st.lists(st.sampled_from([*PAGE.splitlines(), *QUOTE.split(), "and", "—", "\n", "**"]), max_size=8))
def test_an_answer_made_of_whole_lines_of_the_page_claims_nothing(words: list[str]) -> None:
    answer = "\n".join(words)
    assert unsupported(answer, Known(pages=(PAGE, QUOTE))) == ()


def test_a_long_page_is_judged_in_a_moment() -> None:
    page = PAGE * 300
    began = time.process_time()
    unsupported("The Curlew costs £47.00 on 4 May 2026, “as everyone says here”.", Known(pages=(page,)))
    assert time.process_time() - began < 6
