"""Tells what a file is from its first bytes, and whether it could do harm when it is opened."""

import re

from app.domain.files import FileType

HEAD_BYTES = 4_096  # that are enough to tell

_PROGRAM = "it is a program"
_SCRIPT = "it can run commands"
_MACROS = "it can hold macros"

_STARTS: tuple[tuple[bytes, FileType], ...] = (
    (b"MZ", FileType("Windows program", _PROGRAM)),
    (b"\x7fELF", FileType("Linux program", _PROGRAM)),
    (b"\xcf\xfa\xed\xfe", FileType("macOS program", _PROGRAM)),
    (b"\xce\xfa\xed\xfe", FileType("macOS program", _PROGRAM)),
    (b"\xca\xfe\xba\xbe", FileType("macOS or Java program", _PROGRAM)),
    (b"#!", FileType("script", _SCRIPT)),
    (b"L\x00\x00\x00\x01\x14\x02\x00", FileType("Windows shortcut", _SCRIPT)),
    (b"MSCF", FileType("cabinet archive", "it can install programs")),
    (b"!<arch>\ndebian", FileType("Debian package", "it installs programs")),
    (b"\xed\xab\xee\xdb", FileType("RPM package", "it installs programs")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileType("old Office document or installer", _MACROS)),
    (b"\x89PNG\r\n\x1a\n", FileType("PNG picture")),
    (b"\xff\xd8\xff", FileType("JPEG picture")),
    (b"GIF8", FileType("GIF picture")),
    (b"BM", FileType("BMP picture")),
    (b"PK\x05\x06", FileType("empty ZIP archive")),
    (b"\x1f\x8b", FileType("gzip archive")),
    (b"7z\xbc\xaf\x27\x1c", FileType("7z archive")),
    (b"Rar!", FileType("RAR archive")),
    (b"ID3", FileType("MP3 sound")),
    (b"OggS", FileType("Ogg media")),
    (b"fLaC", FileType("FLAC sound")),
    (b"\x1aE\xdf\xa3", FileType("Matroska or WebM video")),
    (b"SQLite format 3\x00", FileType("SQLite database")),
)
_IN_ZIP: tuple[tuple[bytes, FileType], ...] = (
    (b"AndroidManifest.xml", FileType("Android program", _PROGRAM)),
    (b"META-INF/MANIFEST.MF", FileType("Java program", _PROGRAM)),
    (b"vbaProject.bin", FileType("Office document with macros", _MACROS)),
    (b"word/", FileType("Word document")),
    (b"xl/", FileType("Excel workbook")),
    (b"ppt/", FileType("PowerPoint presentation")),
    (b"mimetypeapplication/epub+zip", FileType("EPUB book")),
    (b"mimetypeapplication/vnd.oasis.opendocument", FileType("OpenDocument file")),
)
_ENDINGS = {
    **dict.fromkeys(("exe", "com", "scr", "pif", "cpl", "msi", "msix", "appx", "app", "dmg", "pkg"), _PROGRAM),
    **dict.fromkeys(("deb", "rpm", "appimage", "apk", "jar", "jnlp", "dll", "iso", "img"), _PROGRAM),
    **dict.fromkeys(("bat", "cmd", "ps1", "psm1", "vbs", "vbe", "js", "jse", "wsf", "wsh", "hta", "sh"), _SCRIPT),
    **dict.fromkeys(("command", "desktop", "lnk", "url", "webloc", "reg", "scf", "inf", "py", "pl"), _SCRIPT),
    **dict.fromkeys(("docm", "dotm", "xlsm", "xltm", "xlam", "pptm", "xll"), _MACROS),
}
_TEXTS = {
    "csv": "CSV table",
    "tsv": "TSV table",
    "json": "JSON text",
    "md": "Markdown text",
    "html": "HTML page",
    "htm": "HTML page",
    "xml": "XML text",
    "svg": "SVG picture",
    "ics": "calendar entry",
}
_PLAIN = "plain text"
_READABLE = frozenset((_PLAIN, "script", *_TEXTS.values()))
_HTML = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def type_of(name: str, head: bytes, size_bytes: int) -> FileType:
    """What it is by its content; a name that would make the system run it is dangerous whatever is inside."""
    found = _by_content(name, head, size_bytes)
    if not found.danger and (danger := _ENDINGS.get(_ending(name), "")):
        return FileType(found.words, f"its name ends in .{_ending(name)}, by which {danger}")
    return found


def is_paper(type: FileType | None) -> bool:
    """Whether it is a PDF."""
    return type is not None and type.words == PDF.words


def is_text(type: FileType) -> bool:
    """Whether it can be read as text."""
    return type.words in _READABLE


PDF = FileType("PDF document")
EMPTY = FileType("empty file")


def _by_content(name: str, head: bytes, size_bytes: int) -> FileType:
    if not size_bytes:
        return EMPTY
    if b"%PDF-" in head[:1_024]:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return next((found for mark, found in _IN_ZIP if mark in head), FileType("ZIP archive"))
    if head[:4] == b"RIFF":
        return {b"WEBP": FileType("WebP picture"), b"WAVE": FileType("WAV sound")}.get(head[8:12], FileType("media"))
    if head[4:8] == b"ftyp":
        return FileType("AVIF or HEIC picture" if head[8:12] in (b"avif", b"heic", b"mif1") else "MP4 video")
    for start, found in _STARTS:
        if head.startswith(start):
            return found
    return _text_type(name, head) or FileType("data of an unknown kind")


def _text_type(name: str, head: bytes) -> FileType | None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return FileType(_TEXTS.get(_ending(name), _PLAIN))
    if _CONTROL.search(head):
        return None
    if _HTML.match(head):
        return FileType(_TEXTS["html"])
    return FileType(_TEXTS.get(_ending(name), _PLAIN))


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower().rstrip(" .") if "." in name else ""
