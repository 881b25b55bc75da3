from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.client.session import ClientRequestContext
from mcp_types import ListRootsResult, Root

from app.mcp.folders import allowed_paths, folder_of
from tests.contract.mcp_desk import ERAS, Desk, connected, fresh, ref, site_for_a_module
from tests.pages.site import Site

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    yield from site_for_a_module()


@pytest.fixture
def site(served: Site) -> Site:
    return fresh(served)


async def choose(desk: Desk, site: Site) -> None:
    page = await desk.say("browser_navigate", url=site.url("/mcp/shop.html"))
    assert "file chooser" in await desk.say("browser_click", target=ref(page, 'button "Picture"'))


async def test_only_files_inside_the_named_folder_can_be_uploaded_and_downloads_are_saved_in_it(
    tmp_path: Path, site: Site
) -> None:
    inside, outside = tmp_path / "given" / "cat.png", tmp_path / "secret.txt"
    inside.parent.mkdir()
    inside.write_text("a picture")
    outside.write_text("not for pages")
    (inside.parent / "link.txt").symlink_to(outside)
    async with connected(tmp_path / "home", "--files", str(inside.parent)) as desk:
        await choose(desk, site)
        for path in (str(outside), "../secret.txt", "link.txt", str(inside.parent), "nothing.png"):
            refusal = await desk.refused("browser_file_upload", paths=[path])
            assert refusal.startswith(f"Not done: {path} is no file inside {inside.parent}")
        assert "Got cat.png" in await desk.say("browser_file_upload", paths=[str(inside)])
        await choose(desk, site)
        assert "Got cat.png" in await desk.say("browser_file_upload", paths=["cat.png"])
        page = await desk.say("browser_snapshot")
        saved = await desk.say("browser_click", target=ref(page, 'link "Notes"'))
    kept = inside.parent / "notes.txt"
    assert kept.read_text() == "These are the notes.\n"
    assert str(kept) in saved


@pytest.mark.parametrize("mode", ERAS)
async def test_the_roots_of_the_client_count_as_folders_of_files(tmp_path: Path, site: Site, mode: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "cat.png").write_text("a picture")

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=root.as_uri())])

    async with connected(tmp_path / "home", mode=mode, list_roots_callback=roots) as desk:
        await choose(desk, site)
        await desk.refused("browser_file_upload", paths=[str(tmp_path / "home" / "settings.json")])
        assert "Got cat.png" in await desk.say("browser_file_upload", paths=[str(root / "cat.png")])


async def test_without_a_folder_no_file_can_be_uploaded(tmp_path: Path, site: Site) -> None:
    file = tmp_path / "cat.png"
    file.write_text("a picture")
    async with connected(tmp_path / "home") as desk:
        await choose(desk, site)
        refusal = await desk.refused("browser_file_upload", paths=[str(file)])
        assert refusal.startswith("Not done: no folder was named from which files may be taken")
        assert "--files DIR" in refusal


@pytest.mark.parametrize(
    ("uri", "is_taken"),
    [("{folder}", True), ("file:///", False), ("https://example.com/", False), ("file://elsewhere/tmp", False)],
)
def test_a_root_is_a_folder_of_this_computer_and_never_the_whole_disk(tmp_path: Path, uri: str, is_taken: bool) -> None:
    assert (folder_of(uri.replace("{folder}", tmp_path.as_uri())) is not None) == is_taken


def test_a_name_that_leads_out_of_the_folder_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "ab.txt").write_text("beside")
    (tmp_path / "a" / "b.txt").write_text("inside")
    assert allowed_paths(["b.txt"], [tmp_path / "a"]) == (str(tmp_path / "a" / "b.txt"),)
    assert isinstance(allowed_paths(["b.txt", "../ab.txt"], [tmp_path / "a"]), str)
    assert isinstance(allowed_paths([str(tmp_path / "ab.txt")], [tmp_path / "a"]), str)
    (tmp_path / "a" / "loop").symlink_to(tmp_path / "a" / "loop")
    for name in ("b.txt\0", "loop", "x" * 5000):
        assert isinstance(allowed_paths([name], [tmp_path / "a"]), str)
    assert allowed_paths([], []) == ()
