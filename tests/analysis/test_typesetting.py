"""Markdown to Typst: what reports write compiles, and the text that comes out is the text that went in."""

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.typesetting import to_typst


def compiles(markup: str) -> bool:
    return typst.compile(markup.encode()).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("markdown", "markup"),
    [
        ("# A title", "= A title"),
        ("### Third", "=== Third"),
        ("plain **strong** *stressed*", "plain #strong[strong] #emph[stressed]"),
        ('`a "b" \\ c`', '#raw("a \\"b\\" \\\\ c")'),
        ("[home](https://x.y/z)", '#link("https://x.y/z")[home]'),
        ("5 $ #3 @x _y_z 1-2", "5 \\$ \\#3 \\@x \\_y\\_z 1\\-2"),
    ],
)
def test_markup(markdown: str, markup: str) -> None:
    assert to_typst(markdown) == markup
    assert compiles(markup)


def test_table_keeps_columns_and_alignment() -> None:
    markup = to_typst("| a | b |\n| :-- | --: |\n| 1 | 2 |\n| 3 | 4 |")
    assert markup.startswith("#table(columns: 2, align: (left, right,),[#strong[a]],[#strong[b]],[1],[2],[3],[4],")
    assert compiles(markup)


def test_lists_and_code_blocks_compile() -> None:
    assert compiles(to_typst("- a\n- b\n\n1. x\n2. y\n\n> said\n\n```\ncode # $ [\n```\n"))


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), max_size=60))
def test_any_line_compiles(line: str) -> None:
    assert compiles(to_typst(line) or "empty")
