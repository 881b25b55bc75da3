"""Finds the figures of a text, whatever style their digits are grouped in, and says whether two can be the same."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

Kind = Literal["bare", "money", "percent", "unit"]

_LETTERS = "A-Za-zÀ-ÖØ-öø-ɏͰ-ϿЀ-ӿ"
_CURRENCIES = {
    "usd": "US$ USD $ dollar dollars bucks",
    "aud": "A$ AU$ AUD $ dollar dollars",
    "cad": "C$ CA$ CAD $ dollar dollars",
    "nzd": "NZ$ NZD $",
    "hkd": "HK$ HKD $",
    "sgd": "S$ SGD $",
    "brl": "R$ BRL",
    "eur": "€ EUR euro euros",
    "gbp": "£ GBP pound pounds quid",
    "jpy": "¥ JPY yen 円 ￥",
    "cny": "¥ CNY RMB yuan 元 ￥ 块",
    "krw": "₩ KRW won 원",
    "inr": "₹ INR Rs rupee rupees",
    "chf": "CHF SFr Fr.",
    "sek": "SEK kr",
    "nok": "NOK kr",
    "dkk": "DKK kr",
    "pln": "PLN zł",
    "czk": "CZK Kč",
    "huf": "HUF Ft",
    "rub": "RUB ₽",
    "try": "TRY ₺",
    "uah": "UAH ₴",
    "ils": "ILS ₪",
    "thb": "THB ฿",
    "vnd": "VND ₫",
    "aed": "AED دينار درهم",
    "btc": "BTC ₿",
}
_WORTH: dict[str, frozenset[str]] = {
    name.casefold(): frozenset(code for code, names in _CURRENCIES.items() if name in names.split())
    for names in _CURRENCIES.values()
    for name in names.split()
}
_SCALES = {
    Decimal(1_000): "k thousand thousands tsd tausend mille mil",
    Decimal(10_000): "万 萬 만",
    Decimal(1_000_000): "M mn mio million millions millionen",
    Decimal(100_000_000): "億 亿 억",
    Decimal(1_000_000_000): "bn B billion billions mrd milliarden milliards",
}
_SCALE_OF = {name: scale for scale, names in _SCALES.items() for name in names.split()}
_PERCENT = "% ٪ ％ percent per\u00a0cent Prozent pct パーセント процентов"
_UNITS = (
    "kg g mg lb lbs oz km m cm mm mi mile miles ft inch inches feet yards l L ml cl GB MB KB kB TB GiB MiB byte bytes "
    "W kW kWh Wh mAh Hz kHz MHz GHz px dpi °C °F ° h hr hrs hour hours hourly min mins minute minutes s sec secs "
    "second seconds ms day days week weeks month months year years yr yrs night nights Stunde Stunden Minute Minuten "
    "Tag Tage Tagen Woche Wochen Monat Monate Monaten Jahr Jahre Jahren heure heures jour jours mois an ans semaine "
    "semaines hora horas día días mes meses año años m² m2 km² km/h mph lm lumen lumens kcal 時間 时间 小时 小時 分 "
    "分钟 秒 日 天 日間 週間 周 年 ヶ月 个月 公里 公斤 克 米 시간 분 일 년 час часов часа дней дня лет года"
)


def _any_of(names: str) -> str:
    words = sorted(dict.fromkeys(names.replace("\u00a0", "_").split()), key=len, reverse=True)
    return "|".join(re.escape(word.replace("_", " ")) for word in words)


_ALL_CURRENCIES = _any_of(" ".join(_CURRENCIES.values()))
_THOUSANDS = r"\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?![\d])(?:[.,]\d+)?"
_NUMBER = rf"(?:{_THOUSANDS}|\d+(?:[.,'’٫٬]\d+)*)"
_AFTER = rf"(?![{_LETTERS}])"
_BLANK = r"[^\S\n]"
_FIGURE = re.compile(
    rf"(?:(?<![{_LETTERS}])(?P<before>{_ALL_CURRENCIES}){_BLANK}?)?(?<![{_LETTERS}\d_])(?<!\d[.,'’٫٬])(?P<number>{_NUMBER})"
    rf"(?:{_BLANK}?(?P<scale>{_any_of(' '.join(_SCALES.values()))}){_AFTER})?"
    rf"(?:{_BLANK}?(?P<after>{_ALL_CURRENCIES}){_AFTER}(?!{_BLANK}?\d)|{_BLANK}?(?P<percent>{_any_of(_PERCENT)}){_AFTER}"
    rf"|(?:{_BLANK}|-)?(?P<unit>{_any_of(_UNITS)}){_AFTER})?"
)
_ASCII_MARKS = str.maketrans("٫٬’\u00a0\u202f\u2009", ".,'   ")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts. `values` holds every reading: 1,299 can be one thousand or one and a bit.

    `step` is the worth of its last digit; `parts` are the numbers that only a blank joins.
    """

    start: int
    end: int
    values: frozenset[Decimal]
    kind: Kind
    currencies: frozenset[str] = frozenset()
    unit: str = ""
    step: Decimal = Decimal(1)
    parts: tuple["Figure", ...] = ()

    @property
    def whole(self) -> int | None:
        """The number itself when it can only be a whole one."""
        (first, *others) = sorted(self.values)
        return int(first) if not others and first == first.to_integral_value() else None

    def agrees_with(self, other: "Figure") -> bool:
        """Whether both can count the same kind of thing."""
        if "bare" in (self.kind, other.kind):
            return True
        if self.kind != other.kind:
            return False
        return self.kind != "money" or bool(self.currencies & other.currencies)

    def adds_up_with(self, other: "Figure") -> bool:
        return self.kind == other.kind and self.unit == other.unit and self.agrees_with(other)


def figures(text: str) -> Iterator[Figure]:
    """The figures of a text, in its order. Digits inside names, such as A4 or MP3, are none."""
    for match in _FIGURE.finditer(text):
        if (figure := _figure(match)) is not None:
            yield figure


def _figure(match: re.Match[str]) -> Figure | None:
    number, text = match["number"], match.string
    mark = match["before"] or match["after"]
    follows = text[match.end() : match.end() + 1]
    ends_bare = match.end() == match.end("number")
    if ends_bare and (follows == "_" or (follows.isascii() and follows.isalpha())):
        return None
    found = readings(number)
    if not found:
        return None
    scale = _SCALE_OF.get(match["scale"] or "", Decimal(1))
    kind: Kind = "money" if mark else "percent" if match["percent"] else "unit" if match["unit"] else "bare"
    decimals = _decimals(number)
    figure = Figure(
        match.start(),
        match.end(),
        frozenset(value * scale for value in found),
        kind,
        _WORTH.get((mark or "").casefold(), frozenset()),
        (match["unit"] or "").rstrip("s"),
        Decimal(1).scaleb(-decimals) * scale,
    )
    return _with_parts(figure, match) if " " in number else figure


def _with_parts(figure: Figure, match: re.Match[str]) -> Figure:
    """The same with its pieces: “lamp 2 300 g” may be two numbers that happen to stand side by side."""
    parts = []
    for piece in re.finditer(r"[^ ]+", match["number"]):
        start = match.start("number") + piece.start()
        if values := frozenset(readings(piece.group())):
            parts.append(Figure(start, start + len(piece.group()), values, "bare"))
    return replace(figure, parts=tuple(parts))


def readings(number: str) -> set[Decimal]:
    """What digits with marks between them can mean; nothing for versions and the like."""
    plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in number)
    plain = plain.translate(_ASCII_MARKS)
    marks = [char for char in plain if not char.isdecimal()]
    if not marks:
        return {Decimal(plain)}
    groups = re.split(r"[.,' ]", plain)
    last, others = marks[-1], marks[:-1]
    if last in ".," and last not in others:
        whole, decimals = "".join(groups[:-1]), groups[-1]
        if others:
            return {Decimal(f"{whole}.{decimals}")} if _is_grouped(groups[:-1]) and len(set(others)) == 1 else set()
        both = {Decimal(f"{whole}.{decimals}")}
        if len(decimals) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0"):
            both.add(Decimal(whole + decimals))
        return both
    return {Decimal("".join(groups))} if len(set(marks)) == 1 and _is_grouped(groups) else set()


def _is_grouped(groups: list[str]) -> bool:
    """Thousands as most write them, or lakhs."""
    head, *rest = groups
    if not rest or not 1 <= len(head) <= 3 or len(rest[-1]) != 3:
        return False
    return all(len(group) == 3 for group in rest) or all(len(group) == 2 for group in rest[:-1])


def _decimals(number: str) -> int:
    tail = re.split(r"[.,٫]", number)
    return len(tail[-1]) if len(tail) > 1 and len(tail[-1]) != 3 else 0
