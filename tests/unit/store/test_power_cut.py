"""A seeded part of what `dev.py bench ledger` does to the record: power cuts, full disks, damage, migrations."""

import random
from pathlib import Path

import apsw
import pytest

from app.store.schema import MIGRATIONS
from tests.bench.ledger.power_cut import ForgetfulDisk
from tests.bench.ledger.storage_cuts import Cuts, FullDisks, full_disks, power_cuts
from tests.bench.ledger.storage_damage import damaged_files
from tests.bench.ledger.storage_migrations import STEPS, interrupted_migrations


async def test_a_power_cut_takes_nothing_that_was_acknowledged_and_undoes_no_deletion() -> None:
    assert await power_cuts(seed=20_261, count=25) == Cuts(made=25)


async def test_the_same_cuts_take_acknowledged_events_when_commits_are_not_brought_to_the_disk() -> None:
    found = await power_cuts(seed=20_261, count=25, normal=True)
    assert found.lost >= 5
    assert found.acts_without_intent >= 5
    assert found.unsound == 0


async def test_a_disk_that_becomes_full_loses_nothing_lets_no_act_go_unrecorded_and_is_told() -> None:
    assert await full_disks(seed=20_261, count=10) == FullDisks(made=10)


async def test_every_kind_of_damage_is_found_out_or_harmless_and_no_start_ends_in_a_loop() -> None:
    found = await damaged_files(seed=20_261, count=48)
    assert (found.made, found.bad) == (48, 0)
    assert found.of("backup restored") >= 12
    assert found.of("fresh record") >= 12
    assert found.of("told when it is read") >= 1
    assert found.of("harmless") >= 4


def test_a_migration_that_is_broken_off_anywhere_leaves_the_old_or_the_new_and_is_done_at_the_next_start() -> None:
    found = interrupted_migrations()
    assert found.versions == len(STEPS) > len(MIGRATIONS)
    assert found.at_statements > 100
    assert found.at_writes > 100
    assert (found.between, found.stuck) == (0, 0)


@pytest.mark.parametrize("synced", [False, True])
def test_a_new_file_has_its_name_only_once_its_folder_was_synced(tmp_path: Path, synced: bool) -> None:
    (tmp_path / "before").mkdir()
    with ForgetfulDisk(tmp_path / "before") as disk:
        db = apsw.Connection(str(tmp_path / "before" / "some.db"))
        db.pragma("journal_mode", "WAL" if synced else "OFF")
        db.pragma("synchronous", "FULL" if synced else "OFF")
        db.execute("CREATE TABLE a (x)")
        for seed in range(20):
            disk.cut(tmp_path / str(seed), random.Random(seed))
        db.close()
    there = [(tmp_path / str(seed) / "some.db").exists() for seed in range(20)]
    assert all(there) if synced else not all(there)
