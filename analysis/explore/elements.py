"""HTML elements of a page that NiceGUI has no component for: plain tags with text and attributes."""

from html import escape

from nicegui import ui


def put(tag: str, text: str = "", classes: str = "", **attributes: str | int) -> ui.html:
    """Put an element where the page is being built; `aria_label` is written as the attribute `aria-label`.

    An attribute that is True stands without a value, one that is False is left out.
    """
    return put_html(tag, escape(text), classes, **attributes)


def put_html(tag: str, html: str, classes: str = "", **attributes: str | int) -> ui.html:
    """Put an element as `put` does, its content being HTML."""
    element = ui.html(html, sanitize=False, tag=tag).classes(classes)
    set_attributes(element, **attributes)
    return element


def set_attributes(element: ui.element, **attributes: str | int) -> None:
    """Set attributes as `put` does; what is as it was sends nothing."""
    for key, value in attributes.items():
        name = key.replace("_", "-").strip("-")
        if value is False:
            if name in element.props:
                del element.props[name]
        elif element.props.get(name) != value:
            element.props[name] = value
