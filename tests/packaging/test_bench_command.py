"""The launcher's `bench`: it knows the names before it sets anything up."""

import subprocess
import sys

import pytest

from devtools import bench
from devtools.commands import SetUpStopped
from tests.architecture.checkout import ROOT
from tests.bench.figures import expected

DEV = ROOT / "packaging" / "dev.py"


def test_the_launcher_knows_the_benchmarks_that_have_figures() -> None:
    assert bench.names() == tuple(expected())
    for name in bench.names():
        bench.check([name, "--quick"])


@pytest.mark.parametrize("arguments", [[], ["--quick"], ["fly"]])
def test_a_name_that_is_no_benchmark_stops_with_the_list(arguments: list[str]) -> None:
    with pytest.raises(SetUpStopped, match=r"context, peers, hands.*Nothing was changed"):
        bench.check(arguments)


def test_an_unknown_benchmark_ends_the_launcher_with_2() -> None:
    done = subprocess.run([sys.executable, str(DEV), "bench", "fly"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("There is no benchmark “fly”.")
