"""The mouse pointers of style sheets as Qt knows them."""

from PySide6.QtCore import Qt

_Shape = Qt.CursorShape
_SHAPES = {
    "default": _Shape.ArrowCursor,
    "auto": _Shape.ArrowCursor,
    "none": _Shape.BlankCursor,
    "pointer": _Shape.PointingHandCursor,
    "text": _Shape.IBeamCursor,
    "vertical-text": _Shape.IBeamCursor,
    "wait": _Shape.WaitCursor,
    "progress": _Shape.BusyCursor,
    "help": _Shape.WhatsThisCursor,
    "crosshair": _Shape.CrossCursor,
    "cell": _Shape.CrossCursor,
    "move": _Shape.SizeAllCursor,
    "all-scroll": _Shape.SizeAllCursor,
    "grab": _Shape.OpenHandCursor,
    "grabbing": _Shape.ClosedHandCursor,
    "not-allowed": _Shape.ForbiddenCursor,
    "no-drop": _Shape.ForbiddenCursor,
    "copy": _Shape.DragCopyCursor,
    "alias": _Shape.DragLinkCursor,
    "col-resize": _Shape.SplitHCursor,
    "row-resize": _Shape.SplitVCursor,
    "n-resize": _Shape.SizeVerCursor,
    "s-resize": _Shape.SizeVerCursor,
    "ns-resize": _Shape.SizeVerCursor,
    "e-resize": _Shape.SizeHorCursor,
    "w-resize": _Shape.SizeHorCursor,
    "ew-resize": _Shape.SizeHorCursor,
    "ne-resize": _Shape.SizeBDiagCursor,
    "sw-resize": _Shape.SizeBDiagCursor,
    "nesw-resize": _Shape.SizeBDiagCursor,
    "nw-resize": _Shape.SizeFDiagCursor,
    "se-resize": _Shape.SizeFDiagCursor,
    "nwse-resize": _Shape.SizeFDiagCursor,
}


def cursor_shape(css: str) -> Qt.CursorShape:
    """Of a list such as `url(x.png), pointer` the last name counts: the picture before it is not loaded here."""
    name = css.rsplit(",", 1)[-1].strip().lower()
    return _SHAPES.get(name, _Shape.ArrowCursor)
