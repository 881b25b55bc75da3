"""PDFs made by hand for tests: any number of pages with lines of text, without text, locked, or made to do harm."""

import zlib
from collections.abc import Sequence

from pypdf import PdfReader, PdfWriter


def paper(*pages: Sequence[str]) -> bytes:
    """A PDF whose pages hold these lines; a page without lines holds no text at all."""
    objects = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    kids = []
    for lines in pages:
        objects.append(_stream(_drawn(lines)))
        content = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % content
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), b" ".join(kids))
    return _assembled(objects)


def long_paper(count: int, lines: int = 40) -> bytes:
    """So many pages, each with a sentence of its own."""
    return paper(
        *(
            [f"Entry {number}.{line}: the buoy at mile {number * 100 + line} was seen." for line in range(1, lines + 1)]
            for number in range(1, count + 1)
        )
    )


def locked_paper(*pages: Sequence[str]) -> bytes:
    """One that opens with a password only."""
    import io

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(paper(*pages))))
    writer.encrypt("secret", algorithm="RC4-128")
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def bomb(megabytes: int) -> bytes:
    """A page of a few kilobytes that unpacks to this many megabytes of drawing."""
    drawing = b"BT /F1 12 Tf (x) Tj ET\n" + b"0 0 m 1 1 l S\n" * (megabytes * 70_000)
    packed = zlib.compress(drawing, 9)
    page = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        page,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>",
    ]
    return _assembled(objects)


def _drawn(lines: Sequence[str]) -> bytes:
    if not lines:
        return b"0.5 g 100 100 300 300 re f\n"
    shown = b"".join(b"1 0 0 1 50 %d Tm (%s) Tj\n" % (750 - 14 * at, _escaped(line)) for at, line in enumerate(lines))
    return b"BT /F1 12 Tf\n" + shown + b"ET\n"


def _escaped(line: str) -> bytes:
    data = line.encode("cp1252", errors="replace")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _stream(data: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n" % len(data) + data + b"endstream"


def _assembled(objects: Sequence[bytes]) -> bytes:
    made = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table
    return made + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
