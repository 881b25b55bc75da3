"""A request is judged by what it says of itself: its method, its path, its fields."""

import pytest

from app.domain.ids import SubmissionId
from app.domain.submissions import Fields, Leaving, Submission
from app.guard.classes import belongs_to, class_of, is_same_site, is_worth_a_record, names_an_act
from app.guard.payloads import payload_of

SITE = "https://shop.example"


def leaving(path: str, method: str = "POST", fields: Fields = (), **more: object) -> Leaving:
    return Leaving(1, method, f"{SITE}{path}", "fetch", fields, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/api/orders", "pay"),
        ("/checkout/", "other"),
        ("/cart/pay", "pay"),
        ("/orders/17/notes", "other"),
        ("/orders/search", "read"),
        ("/api/messages", "send"),
        ("/api/messages/17/read", "read"),
        ("/chat.postMessage", "send"),
        ("/api/conversations.list", "read"),
        ("/posts/17/delete", "delete"),
        ("/account/password", "account"),
        ("/cart/add", "upkeep"),
        ("/api/drafts/17", "upkeep"),
        ("/collect", "upkeep"),
        ("/api/todos", "other"),
        ("/booking/complete", "other"),
        ("/api/check-out", "other"),
        ("/order/validate", "other"),
    ],
)
def test_the_last_step_of_a_path_says_what_it_is_for(path: str, wanted: str) -> None:
    assert class_of(leaving(path)) == wanted


@pytest.mark.parametrize(
    ("path", "fields", "wanted"),
    [
        ("/find-it", (("q", "mug"), ("page", "2")), "read"),
        ("/graphql", (("query", "query { items { id } }"),), "read"),
        ("/graphql", (("query", "mutation { deleteItem(id: 1) { id } }"),), "delete"),
        ("/graphql", (("[0].query", "query A { a }"), ("[1].query", "mutation B { placeOrder }")), "pay"),
        ("/api/graphql.json", (("query", "# a note\nmutation { checkoutComplete }"),), "other"),
        ("/graphql", (("operationName", "PlaceOrder"), ("hash", "9f")), "other"),
        ("/graphql", (("operationName", "GetItems"), ("hash", "9f")), "read"),
        ("/people", (("first", "Ann"), ("last", "Lee")), "other"),
        ("/rpc", (("jsonrpc", "2.0"), ("method", "sendMessage")), "send"),
        ("/next", (("card_number", "4111"),), "pay"),
    ],
)
def test_fields_say_it_where_the_path_does_not(path: str, fields: Fields, wanted: str) -> None:
    assert class_of(leaving(path, fields=fields)) == wanted


def test_a_file_is_an_upload_a_password_a_sign_in_and_a_safe_method_a_question() -> None:
    assert class_of(leaving("/next", files=("a.pdf",))) == "upload"
    assert class_of(leaving("/next", has_secret=True)) == "credentials"
    assert class_of(leaving("/orders", "GET")) == "read"
    assert class_of(leaving("/things/3", "DELETE")) == "delete"


def test_what_was_allowed_is_the_change_at_the_same_site_and_not_a_question_beside_it() -> None:
    allowed = Submission(SubmissionId("s1"), "intended", "pay", SITE)
    assert belongs_to(allowed, leaving("/x"), "other")
    assert not belongs_to(allowed, leaving("/items", fields=(("q", "mug"),)), "read")
    elsewhere = Leaving(1, "POST", "https://other.test/x", "fetch")
    assert not belongs_to(allowed, elsewhere, "other")
    assert is_same_site("https://www.shop.example", "https://api.shop.example/v1")
    assert not is_same_site("http://127.0.0.1:1", "http://localhost:1")


def test_a_link_whose_address_does_something_is_told_from_one_that_leads_somewhere() -> None:
    assert names_an_act(f"{SITE}/items/3/delete")
    assert names_an_act(f"{SITE}/item?action=delete&id=3")
    assert not names_an_act(f"{SITE}/items/3")


def test_only_what_somebody_entered_or_a_form_sent_is_worth_a_record() -> None:
    assert is_worth_a_record(leaving("/api/todos", fields=(("title", "Buy milk"),)), ("Buy milk",))
    assert not is_worth_a_record(leaving("/api/view", fields=(("mode", "list"),)), ("Buy milk",))


@pytest.mark.parametrize(
    ("kind", "body", "wanted"),
    [
        ("application/x-www-form-urlencoded", b"a=1&b=x+y&a=2", (("a", "1"), ("b", "x y"), ("a", "2"))),
        ("application/json", b'{"a": {"b": [1, true]}, "c": "x"}', (("a.b[0]", "1"), ("a.b[1]", "true"), ("c", "x"))),
        ("text/plain;charset=UTF-8", b'{"a": 1}', (("a", "1"),)),
        ("text/plain", b"qty=2", (("qty", "2"),)),
    ],
)
def test_a_body_is_read_as_names_and_values_whatever_it_is_called(kind: str, body: bytes, wanted: Fields) -> None:
    assert payload_of(kind, body).fields == wanted


def test_a_multipart_body_names_its_files_and_any_other_is_told_apart_by_its_digest() -> None:
    parts = (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
        b'--x\r\nContent-Disposition: form-data; name="u"; filename="p.pdf"\r\n'
        b"Content-Type: application/pdf\r\n\r\n\r\n"
        b"--x--\r\n"
    )
    read = payload_of("multipart/form-data; boundary=x", parts)
    assert read.fields == (("a", "1"), ("u", "p.pdf"))
    assert read.files == ("p.pdf",)
    assert payload_of("application/octet-stream", b"\x00\x01").digest != payload_of("", b"\x00\x02").digest


def test_what_somebody_entered_is_not_taken_for_less_than_it_may_be() -> None:
    entry = leaving("/api/log", fields=(("text", "Sold the boat"),))
    assert (class_of(entry), class_of(entry, ("Sold the boat",))) == ("upkeep", "other")


def test_a_body_without_end_is_cut_and_still_told_apart() -> None:
    first, second = (payload_of("application/json", f'{{"t": "{"x" * 5000}{end}"}}'.encode()) for end in "ab")
    assert len(first.fields[0][1]) < 400
    assert first != second
