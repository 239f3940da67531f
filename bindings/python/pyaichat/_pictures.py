"""Pictures in variables, for `%%ai --with NAME`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

from ._images import Image

# Where a library keeps its type of pictures, and how a picture becomes PNG. Drawing runs code of the library: the person has asked for it.
_LIBRARIES: tuple[tuple[str, str, Callable[[Any, io.BytesIO], object]], ...] = (
    ("matplotlib.figure", "Figure", lambda figure, file: figure.savefig(file, format="png")),
    ("matplotlib.axes", "Axes", lambda axes, file: axes.figure.savefig(file, format="png")),
    ("PIL.Image", "Image", lambda picture, file: picture.save(file, format="PNG")),
)


def picture_of(value: Any) -> Image | None:
    """The picture that a variable holds, or None. Code of an object runs only if it is a picture of a library that is known here."""
    kind = type(value)
    if kind is Image:
        image: Image = value
        return image
    if kind is bytes:
        return _of_bytes(value)
    shown = sys.modules.get("IPython.core.display")
    if shown is not None and kind is vars(shown).get("Image"):
        return _of_bytes(value.data)
    for module, name, draw in _LIBRARIES:
        known = sys.modules.get(module)
        if known is not None and name in vars(known) and issubclass(kind, vars(known)[name]):
            file = io.BytesIO()
            draw(value, file)
            return Image(file.getvalue())
    return None


def _of_bytes(data: Any) -> Image | None:
    try:
        return Image(data)
    except (TypeError, ValueError):
        return None
