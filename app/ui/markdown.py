"""Markdown into a document that loads nothing: no pictures, no markup of its own, only web links."""

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
)

from app.ui.colours import Colours
from app.ui.safe_text import calm_markdown, shown, web_link

LINE_HEIGHT = 135.0
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_PROPERTY = QTextFormat.Property


def write_markdown(document: QTextDocument, text: str, colours: Colours) -> None:
    """Replace what the document holds."""
    document.setMarkdown(calm_markdown(shown(text)), _FEATURES)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for block in _blocks(document):
        _shape_block(block, colours)
    for block in _blocks(document):
        for fragment in reversed(_fragments(block)):
            _shape_fragment(document, fragment, colours)
    _shape_tables(document.rootFrame(), colours)
    cursor.endEditBlock()
    document.setUndoRedoEnabled(False)


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


def _shape_block(block: QTextBlock, colours: Colours) -> None:
    shape = QTextBlockFormat(block.blockFormat())
    if _is_code(shape):
        shape.setBackground(QColor(colours.code_background))
        shape.setNonBreakableLines(False)
        shape.setTextIndent(8)
        shape.setTopMargin(0)
        shape.setBottomMargin(0)
    else:
        shape.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if shape.intProperty(_PROPERTY.BlockQuoteLevel) > 0:
        shape.setLeftMargin(18.0 * shape.intProperty(_PROPERTY.BlockQuoteLevel))
    if not block.text() and block.length() == 1 and QTextCursor(block).currentTable() is None:
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
    if look.fontFixedPitch() or _is_code(_block_of(document, fragment).blockFormat()):
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
    look.setToolTip(look.anchorHref())


def _shape_tables(frame: QTextFrame, colours: Colours) -> None:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
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


def _is_code(shape: QTextBlockFormat) -> bool:
    return shape.hasProperty(_PROPERTY.BlockCodeFence) or shape.hasProperty(_PROPERTY.BlockCodeLanguage)


def _block_of(document: QTextDocument, fragment: QTextFragment) -> QTextBlock:
    return document.findBlock(fragment.position())


def _selected(document: QTextDocument, fragment: QTextFragment) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(fragment.position())
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
    return cursor
