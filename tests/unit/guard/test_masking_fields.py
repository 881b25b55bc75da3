"""What is named like a secret leaves no value, whatever the site calls it; what only sounds so keeps its own."""

import pytest

from app.guard.masking import MASK, mask_fields
from app.guard.payloads import payload_of

_SECRET = (
    "password user.pwd newPassword session.pass kennwort mot_de_passe card[number] smsCode one_time_code userPin"
    " credential login[0].passwd cvc"
)


@pytest.mark.parametrize("name", _SECRET.split())
def test_a_field_named_like_a_secret_is_masked(name: str) -> None:
    assert mask_fields(((name, "hunter22"),), ()) == ((name, MASK),)


@pytest.mark.parametrize("name", ["screenshotPath", "doNotPublish", "one_time_donation", "code", "spinner", "compass"])
def test_a_field_that_only_sounds_like_one_is_told(name: str) -> None:
    assert mask_fields(((name, "blue"),), ()) == ((name, "blue"),)


def test_a_secret_is_taken_out_before_anything_is_cut_or_digested() -> None:
    def hide(text: str) -> str:
        return text.replace("hunter22", MASK)

    long = "x" * 296 + "hunter22"
    assert "hunt" not in repr(payload_of("application/json", f'{{"note": "{long}"}}'.encode(), hide))
    first, second = (payload_of("text/plain", f"two words {word}".encode(), hide) for word in ("hunter22", MASK))
    assert first == second, "not even its digest differs"
