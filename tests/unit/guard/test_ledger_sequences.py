"""Whatever happens in whatever order: nothing is sent more often than the person allowed it."""

from hypothesis.stateful import run_state_machine_as_test

from tests.bench.ledger.sequences import LedgerMachine, profile

SEQUENCES = 300


def test_nothing_is_sent_more_often_than_allowed_in_any_order_of_events() -> None:
    run_state_machine_as_test(LedgerMachine, settings=profile(SEQUENCES))
