"""Markdown into a document that loads nothing: no pictures, no markup of its own, links to web or record only."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRegularExpression
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from app.domain.records import Claim
from app.ui.claim_marks import show_claims, with_claim_marks
from app.ui.colours import Colours
from app.ui.safe_text import calm_markdown, plain_tip, shown, web_link

LINE_HEIGHT = 135.0
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_PROPERTY = QTextFormat.Property
_NO_CITATIONS: Mapping[str, "Citation"] = {}
QUOTE_SCHEME = "quote:"
SUBMISSION_SCHEME = "submission:"
# In markdown [q1] could become a link of the text's own making; these letters of no script stand in until it is read.
_OPENING, _CLOSING = "\uf8f0", "\uf8f1"
_CITED = re.compile(r"\[([qs]\d+)\]")
_MARKED = QRegularExpression(f"{_OPENING}[qs]\\d+{_CLOSING}")
_CODE_MARK = int(_PROPERTY.UserProperty.value) + 1


@dataclass(frozen=True, slots=True)
class Citation:
    """What a text names in brackets: a quote as [q1], a submission as [s1].

    `tip` tells of it, `is_kept` whether it is on record, so that one can go to it.
    """

    tip: str
    is_kept: bool


def write_markdown(
    document: QTextDocument,
    text: str,
    colours: Colours,
    citations: Mapping[str, Citation] = _NO_CITATIONS,
    claims: Sequence[Claim] = (),
) -> None:
    """Replace what the document holds."""
    marked = with_claim_marks(text, claims)
    document.setMarkdown(_with_marks(calm_markdown(shown(marked)), citations), _FEATURES)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    document.setIndentWidth(24)
    _frame_code(document, colours)
    for block in _blocks(document):
        _shape_block(block)
    for block in _blocks(document):
        for fragment in reversed(_fragments(block)):
            _shape_fragment(document, fragment, colours)
    _shape_tables(document.rootFrame(), colours)
    _show_citations(document, citations, colours)
    if marked != text:
        show_claims(document, claims, colours)
    cursor.endEditBlock()
    document.setUndoRedoEnabled(False)


def _with_marks(text: str, citations: Mapping[str, Citation]) -> str:
    return _CITED.sub(lambda found: f"{_OPENING}{found[1]}{_CLOSING}" if found[1] in citations else found[0], text)


def _show_citations(document: QTextDocument, citations: Mapping[str, Citation], colours: Colours) -> None:
    """In code and inside links the name is only a name."""
    place = document.find(_MARKED)
    while not place.isNull():
        name = place.selectedText()[1:-1]
        look = place.charFormat()
        citation = citations.get(name)
        if citation is None or look.fontFixedPitch() or look.isAnchor():
            place.insertText(f"[{name}]", look)
        else:
            _insert_citation(place, name, citation, look, colours)
        place = document.find(_MARKED, place)


def _insert_citation(
    place: QTextCursor, name: str, citation: Citation, look: QTextCharFormat, colours: Colours
) -> None:
    look.setToolTip(plain_tip(citation.tip))
    if citation.is_kept:
        look.setAnchor(True)
        is_quote = name.startswith("q")
        look.setAnchorHref(f"{QUOTE_SCHEME if is_quote else SUBMISSION_SCHEME}{name}")
        look.setForeground(QColor(colours.quote if is_quote else colours.link))
        look.setFontUnderline(True)
        place.insertText(f"[{name}]", look)
    else:
        look.setForeground(QColor(colours.danger))
        place.insertText(f"[{name}: not {'kept' if name.startswith('q') else 'on record'}]", look)


def _blocks(document: QTextDocument) -> list[QTextBlock]:
    found = []
    block = document.begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def _fragments(block: QTextBlock) -> list[QTextFragment]:
    found = []
    place = block.begin()
    while not place.atEnd():
        found.append(place.fragment())
        place += 1
    return found


def _frame_code(document: QTextDocument, colours: Colours) -> None:
    """Each run of code lines becomes one shaded cell."""
    runs: list[list[QTextBlock]] = []
    for block in _blocks(document):
        if not _is_code(block.blockFormat()) or QTextCursor(block).currentTable() is not None:
            continue
        if runs and runs[-1][-1].blockNumber() == block.blockNumber() - 1:
            runs[-1].append(block)
        else:
            runs.append([block])
    for run in reversed(runs):
        _replace_code(document, run, colours)


def _replace_code(document: QTextDocument, run: list[QTextBlock], colours: Colours) -> None:
    code = "\n".join(block.text() for block in run).rstrip("\n")
    cursor = QTextCursor(document)
    cursor.setPosition(run[0].position())
    cursor.setPosition(run[-1].position() + run[-1].length() - 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor.setBlockFormat(QTextBlockFormat())
    shape = QTextTableFormat()
    shape.setProperty(_CODE_MARK, True)
    shape.setBorder(0)
    shape.setCellSpacing(0)
    shape.setTopMargin(4)
    shape.setBottomMargin(8)
    shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table = cursor.insertTable(1, 1, shape)
    cell = QTextTableCellFormat()
    cell.setBackground(QColor(colours.code_background))
    cell.setPadding(10)
    table.cellAt(0, 0).setFormat(cell)
    look = QTextCharFormat()
    look.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    look.setFontFixedPitch(True)
    look.setForeground(QColor(colours.code_text))
    cursor.insertText(code, look)


def _shape_block(block: QTextBlock) -> None:
    shape = QTextBlockFormat(block.blockFormat())
    is_in_table = QTextCursor(block).currentTable() is not None
    if not is_in_table:
        shape.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    else:
        shape.setTopMargin(0)
        shape.setBottomMargin(0)
    if shape.intProperty(_PROPERTY.BlockQuoteLevel) > 0:
        shape.setLeftMargin(18.0 * shape.intProperty(_PROPERTY.BlockQuoteLevel))
    if not block.text() and block.length() == 1 and not is_in_table:
        shape.setLineHeight(2, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        shape.setTopMargin(0)
        shape.setBottomMargin(0)
    QTextCursor(block).setBlockFormat(shape)


def _shape_fragment(document: QTextDocument, fragment: QTextFragment, colours: Colours) -> None:
    look = QTextCharFormat(fragment.charFormat())
    if look.isImageFormat():
        _replace_picture(_selected(document, fragment), look, colours)
        return
    if look.isAnchor():
        _shape_link(look, colours)
    if look.fontFixedPitch():
        look.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
        look.setBackground(QColor(colours.code_background))
        look.setForeground(QColor(colours.code_text))
    elif _block_of(document, fragment).blockFormat().intProperty(_PROPERTY.BlockQuoteLevel) > 0 and not look.isAnchor():
        look.setForeground(QColor(colours.muted_text))
    _selected(document, fragment).setCharFormat(look)


def _replace_picture(cursor: QTextCursor, look: QTextCharFormat, colours: Colours) -> None:
    alternative = look.stringProperty(_PROPERTY.ImageAltText) or look.stringProperty(_PROPERTY.ImageTitle)
    plain = QTextCharFormat()
    plain.setForeground(QColor(colours.muted_text))
    cursor.insertText(f"[picture not loaded{': ' + alternative if alternative else ''}]", plain)


def _shape_link(look: QTextCharFormat, colours: Colours) -> None:
    if web_link(look.anchorHref()) is None:
        look.setAnchor(False)
        look.setAnchorHref("")
        look.setFontUnderline(False)
        look.clearForeground()
        look.setToolTip("")
        return
    look.setForeground(QColor(colours.link))
    look.setFontUnderline(True)
    look.setToolTip(plain_tip(look.anchorHref()))


def _shape_tables(frame: QTextFrame, colours: Colours) -> None:
    for child in frame.childFrames():
        if isinstance(child, QTextTable) and not _holds_code(child):
            shape = child.format().toTableFormat()
            shape.setBorder(1)
            shape.setBorderBrush(QColor(colours.border))
            shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            shape.setBorderCollapse(True)
            shape.setCellPadding(6)
            shape.setWidth(QTextLength(QTextLength.Type.VariableLength, 0))
            child.setFormat(shape)
            _mend_header(child)
        _shape_tables(child, colours)


def _mend_header(table: QTextTable) -> None:
    """Qt 6.11 puts an empty line into the first cell after a code block or a quotation, and forgets its weight."""
    first = table.cellAt(0, 0)
    cursor = first.firstCursorPosition()
    if not cursor.block().text() and first.lastCursorPosition().position() > cursor.position():
        cursor.deleteChar()
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    cursor.setPosition(first.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(bold)


def _holds_code(table: QTextTable) -> bool:
    return table.format().hasProperty(_CODE_MARK)


def _is_code(shape: QTextBlockFormat) -> bool:
    return shape.hasProperty(_PROPERTY.BlockCodeFence) or shape.hasProperty(_PROPERTY.BlockCodeLanguage)


def _block_of(document: QTextDocument, fragment: QTextFragment) -> QTextBlock:
    return document.findBlock(fragment.position())


def _selected(document: QTextDocument, fragment: QTextFragment) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(fragment.position())
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
    return cursor
