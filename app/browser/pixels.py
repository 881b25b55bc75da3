"""Makes pictures smaller and compares them, in the browser: in a world of the page that its scripts cannot reach."""

import base64
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error

from app.browser.tabs import Tab

_WORLD = "pilotfish-pictures"


@dataclass(frozen=True, slots=True)
class Shrunk:
    data: bytes
    mime: str


async def shrink(tab: Tab, data: bytes, mime: str, *, longest: int, most_bytes: int) -> Shrunk:
    """So that no side is longer and it has no more bytes, as far as that can be had. Raises the driver's Error."""
    found = await _run(tab, _SHRINK, base64.b64encode(data).decode(), mime, longest, most_bytes)
    return Shrunk(base64.b64decode(found["data"]), str(found["mime"]))


async def difference(tab: Tab, one: bytes, other: bytes, place: tuple[float, float, float]) -> float:
    """Which share of the pixels around a place (x, y, radius) differs. Raises the driver's Error."""
    pictures = (base64.b64encode(data).decode() for data in (one, other))
    return float(await _run(tab, _COMPARE, *pictures, *place))


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height as the picture itself says; (0, 0) when it says nothing."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    at = 2
    while data.startswith(b"\xff\xd8") and at + 9 < len(data) and data[at] == 0xFF:
        if 0xC0 <= data[at + 1] <= 0xCF and data[at + 1] not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


async def _run(tab: Tab, function: str, *arguments: object) -> Any:
    session = await tab.session
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "executionContextId": world["executionContextId"],
            "arguments": [{"value": value} for value in arguments],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in answer:
        raise Error(str(answer["exceptionDetails"].get("text", "the picture could not be read")))
    return answer["result"].get("value")


_READ = """
  const read = base64 => createImageBitmap(new Blob([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))]));
"""

_SHRINK = f"""async function (base64, mime, longest, mostBytes) {{{_READ}
  const whole = await read(base64), by = Math.min(1, longest / Math.max(whole.width, whole.height));
  const width = Math.max(1, Math.round(whole.width * by)), height = Math.max(1, Math.round(whole.height * by));
  const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(whole, 0, 0, width, height);
  let made = null;
  for (const [type, quality] of [[mime, 0.85], ['image/jpeg', 0.8], ['image/jpeg', 0.5]]) {{
    made = await canvas.convertToBlob({{ type, quality }});
    if (made.size <= mostBytes) break;
  }}
  const bytes = new Uint8Array(await made.arrayBuffer()), pieces = [];
  for (let at = 0; at < bytes.length; at += 32768) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32768)));
  return {{ data: btoa(pieces.join('')), mime: made.type }};
}}"""

_COMPARE = f"""async function (one, other, x, y, radius) {{{_READ}
  const [first, second] = await Promise.all([read(one), read(other)]);
  if (first.width !== second.width || first.height !== second.height) return 1;
  const left = Math.max(0, Math.floor(x - radius)), top = Math.max(0, Math.floor(y - radius));
  const width = Math.min(first.width, Math.ceil(x + radius)) - left;
  const height = Math.min(first.height, Math.ceil(y + radius)) - top;
  if (width < 1 || height < 1) return 1;
  const pixels = picture => {{
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.drawImage(picture, -left, -top);
    return pen.getImageData(0, 0, width, height).data;
  }};
  const a = pixels(first), b = pixels(second);
  const apart = at => Math.abs(a[at] - b[at]) > 40;
  let different = 0;
  for (let at = 0; at < a.length; at += 4) if (apart(at) || apart(at + 1) || apart(at + 2)) different += 1;
  return different / (width * height);
}}"""
