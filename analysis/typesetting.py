"""Markdown to Typst, for what our reports write: headings, paragraphs, emphasis, code, links, lists and tables."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Characters that mean something to Typst, and -- and ... which it would join.
_SPECIAL = re.compile(r"[\\#$*_`<>@~\[\]/=+\-.]")

_OPEN = {
    "strong_open": "#strong[",
    "em_open": "#emph[",
    "s_open": "#strike[",
    "bullet_list_open": "#list(",
    "ordered_list_open": "#enum(",
    "list_item_open": "[",
    "blockquote_open": "#quote(block: true)[",
}
_CLOSE = {
    "strong_close": "]",
    "em_close": "]",
    "s_close": "]",
    "link_close": "]",
    "bullet_list_close": ")\n\n",
    "ordered_list_close": ")\n\n",
    "list_item_close": "],",
    "blockquote_close": "]\n\n",
    "paragraph_close": "\n\n",
    "heading_close": "\n\n",
    "table_close": ")\n\n",
    "th_close": "]],",
    "td_close": "],",
}


def to_typst(markdown: str) -> str:
    """Return Markdown text as Typst markup.

    >>> to_typst("A *fair* price: 1 #")
    'A #emph[fair] price: 1 \\\\#'
    """
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    return "".join(map(_block, tokens, [tokens] * len(tokens), range(len(tokens)))).strip()


def _block(token: Token, tokens: Sequence[Token], index: int) -> str:
    if token.type == "inline":
        return "".join(map(_inline, token.children or ()))
    if token.type == "heading_open":
        return "=" * int(token.tag[1]) + " "
    if token.type == "table_open":
        ends = (i for i in range(index, len(tokens)) if tokens[i].type == "tr_close")
        heads = [t for t in tokens[index : next(ends)] if t.type == "th_open"]
        aligned = ", ".join("right" if "right" in str(t.attrGet("style")) else "left" for t in heads)
        return f"#table(columns: {len(heads)}, align: ({aligned},),"
    if token.type == "th_open":
        return "[#strong["
    if token.type == "td_open":
        return "["
    if token.type in ("fence", "code_block"):
        return f"```\n{token.content}```\n\n"
    return _OPEN.get(token.type, _CLOSE.get(token.type, ""))


def _inline(token: Token) -> str:
    if token.type == "text":
        return _SPECIAL.sub(r"\\\g<0>", token.content)
    if token.type == "code_inline":
        return f"#raw({_quoted(token.content)})"
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "link_open":
        return f"#link({_quoted(str(token.attrGet('href')))})["
    return _OPEN.get(token.type, _CLOSE.get(token.type, ""))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
