"""Pages of a report: its blocks set as Markdown, as one HTML file that needs no other, and as PDF."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from analysis.notebooks import Block

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #8886; }
figure { margin: 1.5rem 0; }
/* Figures are drawn for white paper. */
img { max-width: 100%; background: white; }
figcaption { font-size: .9rem; opacity: .8; }
.anchor-link { display: none; }
nav { margin: 1.5rem 0; padding: .5rem 1rem; border: 1px solid #8886; border-radius: .4rem; }
nav ul { margin: .3rem 0; padding-left: 1.2rem; }
</style>
</head>
<body>
$body
</body>
</html>
""")


# A section's heading as nbconvert sets it.
_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)<a class="anchor-link"')


def title(blocks: Sequence[Block], name: str) -> str:
    """Return the report's title: its first heading, else its name."""
    texts = (block["markdown"] for block in blocks if block["kind"] == "text")
    return next(
        (line.removeprefix("# ") for text in texts for line in text.splitlines() if line.startswith("# ")), name
    )


def markdown(blocks: Sequence[Block]) -> str:
    """Set the blocks as Markdown; figures are files beside it."""
    parts = []
    for block in blocks:
        if block["kind"] == "figure":
            caption = block["caption"]
            parts.append(f"![{caption}]({block['file']})\n\n*Figure {block['number']}. {caption}*")
        else:
            parts.append(_prose(block))
    return "\n\n".join(parts) + "\n"


def _prose(block: Block) -> str:
    return str(block["shown"] if block["kind"] in ("headline", "facts") else block["markdown"])


def html(blocks: Sequence[Block], heading: str) -> str:
    """Set the blocks as one page that needs no other file, with contents before the first section."""
    import nbformat.v4
    from nbconvert import HTMLExporter

    cells = []
    for block in blocks:
        if block["kind"] == "figure":
            image = base64.b64encode(block["svg"].encode()).decode()
            caption = block["caption"].replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            source = (
                f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{image}">'
                f"<figcaption>Figure {block['number']}. {caption}</figcaption></figure>"
            )
        else:
            source = _prose(block)
        cells.append(nbformat.v4.new_markdown_cell(source))
    # nbconvert's full page loads scripts from the network; its bare body needs none.
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    return _PAGE.substitute(title=escape(heading), body=_with_contents(body))


def _with_contents(body: str) -> str:
    sections = list(_HEADING.finditer(body))
    if len(sections) < 2:
        return body
    lines = "".join(f'<li><a href="#{section[1]}">{section[2]}</a></li>' for section in sections)
    at = sections[0].start()
    return f'{body[:at]}<nav aria-label="Contents"><b>Contents</b><ul>{lines}</ul></nav>{body[at:]}'


def pdf(blocks: Sequence[Block], heading: str, root: Path, target: Path) -> None:
    """Set the blocks as PDF, with contents before the first section; the figures' files lie below `root`."""
    import typst

    from analysis.plots import font_folder
    from analysis.typesetting import to_typst

    parts = [f"#set document(title: {json.dumps(heading, ensure_ascii=False)})"]
    parts += ['#set page(margin: 2cm, numbering: "1")', '#set text(font: "DejaVu Sans", size: 9.5pt)']
    parts.append("#show heading: set block(above: 1.4em, below: 0.8em)\n#set table(stroke: 0.4pt + gray)")
    contents = "#outline(title: [Contents], target: heading.where(level: 2), indent: 0pt)"
    sections = [block for block in blocks if block["kind"] == "text" and block["markdown"].startswith("## ")]
    for block in blocks:
        if len(sections) > 1 and block is sections[0]:
            parts.append(contents)
        if block["kind"] == "figure":
            caption = to_typst(block["caption"])
            alt = json.dumps(block["caption"], ensure_ascii=False)
            parts.append(f'#figure(image("{block["file"]}", alt: {alt}), caption: [{caption}])')
        else:
            parts.append(to_typst(_prose(block)))
    source = root / "report.typ"
    source.write_text("\n\n".join(parts), encoding="utf-8")
    typst.compile(str(source), output=str(target), root=str(root), font_paths=[str(font_folder())])


def index(manifests: Sequence[Mapping[str, Any]]) -> str:
    """Set the page that leads to all built reports."""
    parts = ["<h1>Reports</h1>"]
    for manifest in manifests:
        name = manifest["report"]
        address = quote(name)
        forms = " · ".join(f'<a href="{address}.{kind}">{kind.upper()}</a>' for kind in ("html", "pdf", "md"))
        parts.append(
            f'<h2><a href="{address}.html">{escape(manifest.get("title", name))}</a></h2>\n'
            f"<p>{escape(manifest['headline'])}</p>\n"
            f"<p><code>{escape(name)}</code>: {forms}, built {escape(manifest['built'][:10])}</p>"
        )
    return _PAGE.substitute(title="tonlab: reports", body="\n".join(parts))
