"""Checks that the C++ in README and docs is quoted from files that build: `snippets.py ROOT`.

A block is announced by `<!-- from: examples/01_hello.cpp -->` (the whole file) or `<!-- from: tests/concepts/x.cpp#name -->` (the lines between
`// [name]` and `// [/name]`, indentation removed). A C++ block without an announcement is refused. `snippets.py ROOT --write` puts the files' lines
into the pages.
"""

import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"(?:<!-- from: (?P<source>\S+) -->\n)?```cpp\n(?P<code>.*?)```", re.DOTALL)


def quoted(root, source):
    name, _, marker = source.partition("#")
    text = (root / name).read_text(encoding="utf-8")
    if not marker:
        return text
    found = re.search(rf"^\s*// \[{re.escape(marker)}\]\n(.*?)^\s*// \[/{re.escape(marker)}\]$", text, re.DOTALL | re.MULTILINE)
    if not found:
        raise LookupError(f"no lines between [{marker}] and [/{marker}] in {name}")
    return textwrap.dedent(found.group(1))


def pages(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def write(root):
    def fresh(block):
        return f"<!-- from: {block['source']} -->\n```cpp\n{quoted(root, block['source'])}```" if block["source"] else block.group()

    for page in pages(root):
        page.write_text(BLOCK.sub(fresh, page.read_text(encoding="utf-8")), encoding="utf-8")


def problems(root):
    count = 0
    for page in pages(root):
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            count += 1
            where = f"{page}:{page.read_text(encoding='utf-8')[:block.start()].count(chr(10)) + 1}"
            if not block["source"]:
                yield f"{where}: a C++ block that is not quoted from a file; announce it with <!-- from: FILE#marker -->"
                continue
            try:
                if quoted(root, block["source"]) != block["code"]:
                    yield f"{where}: differs from {block['source']}; copy the file's lines"
            except (OSError, LookupError) as error:
                yield f"{where}: {error}"
    if count == 0:
        yield "no C++ block was found in README and docs: the check looks in the wrong place"


if sys.argv[2:] == ["--write"]:
    write(pathlib.Path(sys.argv[1]))
found = list(problems(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "every snippet is a file that builds")
sys.exit(1 if found else 0)
