"""Looks at processes of this machine through /proc."""

from pathlib import Path


def children_of(pid: int) -> set[int]:
    """Every process below this one."""
    below: dict[int, set[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            parent = _parent(int(folder.name))
            if parent is not None:
                below.setdefault(parent, set()).add(int(folder.name))
    found, todo = set(), [pid]
    while todo:
        for child in below.get(todo.pop(), ()):
            found.add(child)
            todo.append(child)
    return found


def is_running(pid: int) -> bool:
    """A zombie does not run any more."""
    state = _stat(pid)
    return state is not None and state[0] != "Z"


def command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def listening_sockets(pids: set[int]) -> list[str]:
    """Addresses of TCP sockets that any of the processes listens on."""
    inodes = set()
    for pid in pids:
        try:
            links = [str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()]
        except OSError:
            continue
        inodes |= {link[8:-1] for link in links if link.startswith("socket:[")}
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return [row[1] for row in rows if row[3] == "0A" and row[9] in inodes]


def _parent(pid: int) -> int | None:
    stat = _stat(pid)
    return int(stat[1]) if stat else None


def _stat(pid: int) -> list[str] | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
