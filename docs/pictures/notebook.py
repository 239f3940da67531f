#!/usr/bin/env python3
"""Takes the pictures of docs/guide/python.md from a real notebook: runs its cells in a kernel, writes the page that a notebook shows, and lets
a browser without a window draw it, light and dark.

usage: PYTHONPATH=build/release/bindings/python docs/pictures/notebook.py [--to docs/pictures] [--browser chromium]

Needs chromium, python3-ipykernel, python3-nbclient, python3-nbconvert and python3-pandas. The offline provider answers, so no key is needed.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import nbclient
import nbconvert
import nbformat

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HEIGHT = 860, 545

CELLS = [
    '%load_ext pyaichat\nimport pandas as pd\n\ndf = pd.DataFrame({"item": ["door", "gate", "fence"], "price": [3.5, None, 12.0]})',
    "%ai what is df?",
    'import pyaichat as ai\n\nw = ai.watch("missing values in df", every="cell")',
    'df.loc[1, "price"] = 7.0',
]
UNFOLDED = 0  # the answer whose calls are shown

# What the page has around its cells, and a border so that the picture ends somewhere.
STYLE = "<style>body { padding: 8px 16px 0 0 !important; overflow: hidden } .jp-Cell-inputWrapper { margin-top: 2px }</style>"


def executed(folder):
    """The notebook, after a kernel of this Python has run its cells."""
    kernel = folder / "jupyter" / "kernels" / "pyaichat"
    kernel.mkdir(parents=True)
    command = [sys.executable, "-W", "ignore", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))
    os.environ.update(JUPYTER_PATH=str(folder / "jupyter"), IPYTHONDIR=str(folder / "ipython"))
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        del os.environ[name]
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(each) for each in CELLS]
    nbclient.NotebookClient(notebook, kernel_name="pyaichat", timeout=60).execute()
    return notebook


def page(notebook, theme):
    """The page that shows the notebook."""
    exporter = nbconvert.HTMLExporter(template_name="lab", theme=theme)
    text, _ = exporter.from_notebook_node(notebook)
    parts = text.split("<details>")
    parts = ["<details>".join(parts[: UNFOLDED + 1]), "<details>".join(parts[UNFOLDED + 1 :])]
    return "<details open>".join(parts).replace("</head>", STYLE + "</head>", 1)


def draw(browser, file, picture, folder):
    """Lets the browser draw a page. It reaches no other machine: the page links scripts that this notebook does not need."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1.5"]
    options += ["--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={WIDTH},{HEIGHT}", f"--user-data-dir={folder / 'browser'}"]
    command = [browser, *options, f"--screenshot={picture}", file.as_uri()]
    subprocess.run(command, check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=pathlib.Path, default=HERE)
    parser.add_argument("--browser", default=shutil.which("chromium") or "chromium")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        notebook = executed(folder)
        for theme in ("light", "dark"):
            file = folder / f"{theme}.html"
            file.write_text(page(notebook, theme), encoding="utf-8")
            picture = arguments.to.resolve() / f"notebook-{theme}.png"
            draw(arguments.browser, file, picture, folder)
            print(picture)


if __name__ == "__main__":
    main()
