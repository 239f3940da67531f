"""Checks that links in README and docs lead somewhere: `links.py ROOT`. Files, and headings within pages; addresses on the web are not looked at."""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")


def prose(page):
    return re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(page):
    """The names that headings get: lower case, words joined by dashes."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problems(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    listed = set()
    for page in pages:
        for name, anchor in LINK.findall(prose(page)):
            target = (page.parent / name).resolve() if name else page
            if "://" in name:
                continue
            if not target.exists():
                yield f"{page}: links to {name}, which is not there"
            elif anchor and anchor not in anchors(target):
                yield f"{page}: links to {name}#{anchor}, and there is no such heading"
            elif page.name == "index.md":
                listed.add(target)
    for page in pages:
        if page.parent.name in ("design", "guide", "reference") and page.resolve() not in listed:
            yield f"{page}: docs/index.md does not link to it"


found = list(problems(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "every link leads somewhere")
sys.exit(1 if found else 0)
