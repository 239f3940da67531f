"""Checks that a program prints what the docs say that it prints: `printed.py ROOT PROGRAM`.

A block is announced by `<!-- printed by: NAME ARGUMENTS -->` and stands between ```text fences. The blocks of one page are run in order, in one
new folder. `printed.py ROOT PROGRAM --write` puts what was printed into the pages.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"<!-- printed by: (?P<name>\S+)(?P<arguments>[^\n]*?) -->\n```text\n(?P<text>.*?)```", re.DOTALL)


def check(root, program, write):
    name = pathlib.Path(program).name
    found = 0
    problems = []
    for page in sorted((root / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            def printed(block):
                nonlocal found
                if block["name"] != name:
                    return block.group()
                found += 1
                command = [program, *shlex.split(block["arguments"])]
                out = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=60, check=False).stdout
                if out != block["text"]:
                    problems.append(f"{page}: `{name}{block['arguments']}` prints\n{out}and the page says\n{block['text']}")
                return f"<!-- printed by: {name}{block['arguments']} -->\n```text\n{out}```"

            fresh = BLOCK.sub(printed, text)
        if write and fresh != text:
            page.write_text(fresh, encoding="utf-8")
    if found == 0:
        problems.append(f"no page says what {name} prints")
    return [] if write else problems


found = check(pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve()), sys.argv[3:] == ["--write"])
print("\n".join(found) if found else "it prints what the docs say")
sys.exit(1 if found else 0)
