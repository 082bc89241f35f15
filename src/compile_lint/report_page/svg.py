"""Drawing a chart as an SVG element that stands in a page: no style, script, identifier or address of its own.

pygal computes the picture; what it brings for a file of its own (styles, scripts, tooltips) is taken out, and the style
sheet of the page gives each part its colour, in light and dark.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any
from unicodedata import east_asian_width

from compile_lint.report.paint import safe
from compile_lint.report_page.drawing import Drawing, Series
from compile_lint.report_page.numbers import round_width

WIDTH, HEIGHT = 480, 300
"""Of the picture's own units. It is shown no narrower than 0.6 of that, so that its letters stay readable."""
LETTERS = 15
"""Height of letters in the same units that there is room for; the style sheet uses less on a wide screen."""
_LEVEL = 46
"""So many letters of labels fit below bars, with a blank between; if there are more they are written aslant."""
_LABELS = 14
"""So many labels at most are written below bars."""
_TICKS = 5
_SVG = "http://www.w3.org/2000/svg"
_KEPT = ("class", "transform", "x", "y", "width", "height", "d", "cx", "cy", "r", "x1", "x2", "y1", "y2", "rx", "ry")
_DROPPED = ("style", "script", "defs", "desc", "title")
_OVERLAYS = {"tooltip-overlay", "text-overlay", "tooltip", "text_overlay"}


def svg(drawing: Drawing, title: str, described_by: str) -> str:
    """The element, which a screen reader tells as its title and the text of the element `described_by`."""
    root = _chart(drawing).render_tree()
    _clean(root)
    _name_parts(root, drawing.series)
    root.attrib = {
        "class": f"chart {drawing.kind}",
        "viewBox": f"0 0 {WIDTH} {HEIGHT}",
        "role": "img",
        "aria-label": safe(title),
        "aria-describedby": described_by,
    }
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True)


def _chart(drawing: Drawing) -> Any:
    import pygal

    kinds = {"bars": pygal.Bar, "stacked": pygal.StackedBar, "lines": pygal.XY}
    chart = kinds[drawing.kind](**_options(drawing))
    if drawing.labels:
        chart.x_labels = [safe(label) for label in drawing.labels]
        if len(drawing.labels) > _LABELS:
            step = -(-len(drawing.labels) // _LABELS)
            chart.x_labels_major = chart.x_labels[::step]
            chart.show_minor_x_labels = False
    for one in drawing.series:
        mark = one.part == "mark"
        values: Any = list(one.points) if drawing.kind == "lines" else list(one.values)
        chart.add(safe(one.name), values, stroke=not mark, show_dots=mark, dots_size=5)
    return chart


def _options(drawing: Drawing) -> dict[str, Any]:
    from pygal.style import Style

    aslant = len(drawing.labels) * max((_width(label) + 1 for label in drawing.labels), default=0) > _LEVEL
    fonts = {f"{part}_font_size": LETTERS for part in ("label", "major_label", "title", "value", "legend")}
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "js": [],
        "css": [],
        "style": Style(**fonts),
        "show_legend": False,
        "margin": 8,
        "margin_right": 44 if aslant else 28,
        "spacing": 8,
        "truncate_label": -1,
        "x_title": safe(drawing.x_title) or None,
        "y_title": safe(drawing.y_title) or None,
        "x_label_rotation": 35 if aslant else 0,
        "x_value_formatter": drawing.x_shown,
        "value_formatter": drawing.y_shown,
        "include_x_axis": True,
        "y_labels": _ticks(drawing) if drawing.counts else None,
        "y_labels_major_count": 5,
        "max_scale": 6,
        "min_scale": 3,
        "no_data_text": "",
    }


def _ticks(drawing: Drawing) -> list[int]:
    """Whole numbers from 0 to the largest sum of a bar, five steps or fewer."""
    values = [[value or 0 for value in one.values] for one in drawing.series]
    bars = [sum(bar) if drawing.kind == "stacked" else max(bar) for bar in zip(*values, strict=True)]
    largest = math.ceil(max([1, *bars]))
    step = round_width(max(1.0, largest / _TICKS))
    return [round(step * place) for place in range(math.ceil(largest / step) + 1)]


def _width(label: str) -> int:
    """Letters, of which Chinese ones count twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in label)


def _clean(element: ET.Element) -> None:
    """Take out what is not the picture itself, in this element and below."""
    for child in list(element):
        if not isinstance(child.tag, str) or _local(child.tag) in _DROPPED or _OVERLAYS & set(_classes(child)):
            element.remove(child)
            continue
        _clean(child)
    element.attrib = {name: value for name, value in element.attrib.items() if name in _KEPT}


def _name_parts(root: ET.Element, series: tuple[Series, ...]) -> None:
    """Put the part that a series plays among the classes of its group."""
    for element in root.iter():
        classes = _classes(element)
        found = [int(one[6:]) for one in classes if one.startswith("serie-") and one[6:].isdigit()]
        if found and found[0] < len(series):
            element.set("class", " ".join([*classes, series[found[0]].part]))


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()
