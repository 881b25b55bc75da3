"""A model that puts a ship on record: it knows the task and decides by what stands in the newest text it was sent."""

import threading
from dataclasses import dataclass, field

from tests.e2e.fleet import Ship
from tests.e2e.page_text import Box, NotOnPage, box_of, has, ref_of
from tests.fakes.wire_replies import Answer, Asked, Call, Refusal, Reply, Tokens

TAKE_OVER = "The admin wants a sign-in. Please sign in; I go on afterwards."


@dataclass
class Clerk:
    """Answers on both wires. `user_field` is where it saw the field for the user name; `troubles` what it missed."""

    admin: str
    ship: Ship
    user_field: Box | None = None
    troubles: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, asked: Asked) -> Reply:
        with self._lock:
            try:
                return self._decide(asked)
            except NotOnPage as missing:
                self.troubles.append(f"turn {asked.turns}: {missing}\n{asked.newest_text}")
                return Refusal(400, f"the clerk is lost: {missing}")

    def _decide(self, asked: Asked) -> Answer:
        page = asked.newest_text
        if asked.turns == 0:
            return _say("I open the admin.", Call("browser_navigate", {"url": self.admin}))
        if has(page, "heading", "Site administration"):
            return _say("You are signed in.", _click(page, "link", "Ships"))
        if "handed it back" in page:
            return _say("All is filled in.", _click(page, "button", "Log in"))
        if has(page, "textbox", "Username:"):
            return self._meet_sign_in(page)
        if "was added successfully" in page:
            return self._read_confirmation(page)
        if has(page, "heading", "Select ship to change"):
            return _say("", Call("browser_find", {"text": "Add ship"}))
        if has(page, "button", "Save") or "It now holds" in page or "it is now" in page:
            return self._fill_or_save(page, asked.text)
        if "Found at " in page:
            return _say("A new one, then.", _click(page, "link", "Add ship"))
        if "[q1]" in page:
            return Answer(f"The ship {self.ship.name} is on record; the admin says so [q1].")
        raise NotOnPage("nothing it knows")

    def _meet_sign_in(self, page: str) -> Answer:
        if "[box=" not in page:
            return _say("", Call("browser_snapshot", {"boxes": True}))
        self.user_field = box_of(page, "textbox", "Username:")
        return _say("", Call("ask_user", {"question": TAKE_OVER, "takeOver": True}))

    def _fill_or_save(self, page: str, everything: str) -> Answer:
        if self.ship.remarks in page:
            return _say("All fields hold what they should.", _click(everything, "button", "Save"))
        wanted = (
            ("textbox", "textbox", "Name:", self.ship.name),
            ("combobox", "combobox", "Home port:", self.ship.home_port),
            ("spinbutton", "textbox", "Length in metres:", str(self.ship.length_m)),
            ("checkbox", "checkbox", "Under sail", "true" if self.ship.is_sailing else "false"),
            ("textbox", "textbox", "Remarks:", self.ship.remarks),
        )
        fields = [
            {"target": ref_of(page, role, name), "name": name, "type": kind, "value": value}
            for role, kind, name, value in wanted
        ]
        return _say("I fill in the form.", Call("browser_fill_form", {"fields": fields}))

    def _read_confirmation(self, page: str) -> Answer:
        sentence = f"The ship “{self.ship.name}” was added successfully."
        return _say("", Call("keep_quote", {"text": sentence, "why": "the admin confirms the new record"}))


def _click(page: str, role: str, name: str) -> Call:
    return Call("browser_click", {"target": ref_of(page, role, name), "element": name})


def _say(text: str, call: Call) -> Answer:
    return Answer(text, (call,), reasoning="One thing after another.", tokens=Tokens(prompt=900, cached=600))
