"""A notebook, run by a kernel without a person."""

import importlib.util
import os
import pathlib
import sys
import warnings

import pytest

import pyaichat as ai

# The packages of Jupyter warn about each other.
pytestmark = pytest.mark.filterwarnings("ignore")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")

WIRE = """
class Wire:
    ran = 0
    def __getattribute__(self, name):
        Wire.ran += 1
        return object.__getattribute__(self, name)
    def __repr__(self):
        Wire.ran += 1
        return "ran"
    def _repr_html_(self):
        Wire.ran += 1
        return "ran"
wire = Wire()
doors = [1, 2, 3]
"""


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The cells of a notebook after it was run."""
    folder = tmp_path_factory.mktemp("notebook")
    kernel = folder / "share" / "jupyter" / "kernels" / "tested"
    kernel.mkdir(parents=True)
    command = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    (kernel / "kernel.json").write_text(f'{{"argv": {command}, "display_name": "tested", "language": "python"}}')
    notebook = nbformat.v4.new_notebook()
    sources = [
        "%load_ext pyaichat",
        WIRE,
        "%ai what is doors?",
        "%ai what is wire?",
        "%ai which variables are there?",
        "%%ai --no-values\nwhat is doors?",
        "import pyaichat as ai\nprint((await ai.Agent('offline').ask_async('what is doors?')).text)",
        "%ai_trace",
        "print('ran', Wire.ran)",
        "1 / 0",
        "%ai what failed?",
    ]
    notebook.cells = [nbformat.v4.new_code_cell(each) for each in sources]
    os.environ["JUPYTER_PATH"] = str(folder / "share" / "jupyter")
    os.environ["IPYTHONDIR"] = str(folder)
    client = nbclient.NotebookClient(notebook, kernel_name="tested", timeout=60, allow_errors=True)
    client.execute()
    return notebook.cells


def text_of(cell):
    """What a cell shows."""
    shown = []
    for output in cell.outputs:
        shown.append(output.get("text", ""))
        shown.append(output.get("data", {}).get("text/markdown", ""))
        shown += output.get("traceback", [])
    return "".join(shown)


def test_an_answer_is_one_display_of_markdown_with_its_calls_folded(cells):
    assert [output.output_type for output in cells[2].outputs] == ["display_data"]
    text = text_of(cells[2])
    assert text.startswith("`doors` is a list of 3 items: [1, 2, 3]")
    assert "<details><summary>2 calls, looked at doors, no code of the objects ran</summary>" in text and "tier 0, no code ran" in text


def test_no_code_of_an_object_has_run(cells):
    assert "wire" in text_of(cells[3]) and "Wire" in text_of(cells[4])
    assert text_of(cells[8]) == "ran 0\n"


def test_values_can_be_withheld_in_one_cell(cells):
    assert "[1, 2, 3]" not in text_of(cells[5]) and "doors" in text_of(cells[5])


def test_an_answer_can_be_awaited_in_a_cell(cells):
    assert text_of(cells[6]) == "`doors` is a list of 3 items: [1, 2, 3]\n"


def test_the_trace_is_that_of_the_last_magic(cells):
    assert "tier" in text_of(cells[7])


def test_a_question_after_a_traceback_is_about_it(cells):
    assert "ZeroDivisionError" in text_of(cells[9]) and "ZeroDivisionError" in text_of(cells[10])


def test_the_notebook_of_the_pictures_shows_what_the_guide_says(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("pandas")
    source = pathlib.Path(os.environ.get("PYAICHAT_SOURCE", pathlib.Path(ai.__file__).resolve().parents[3]))
    spec = importlib.util.spec_from_file_location("notebook", source / "docs" / "pictures" / "notebook.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    before = dict(os.environ)
    try:
        page = script.page(script.executed(tmp_path), "light")
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert "looked at df, no code of the objects ran" in page and page.count("<details open>") == 1
    assert "has 1 missing value" in page and "has 0 missing values" in page
