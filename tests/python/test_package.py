"""The package: what it exports, its types, its help, and where it refuses to be imported."""

import doctest
import importlib
import os
import pathlib
import pickle
import pkgutil
import pydoc
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import pyaichat as ai

PACKAGE = pathlib.Path(ai.__file__).parent
SOURCE = pathlib.Path(os.environ.get("PYAICHAT_SOURCE", PACKAGE.resolve().parents[2]))


def python(code, **options):
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60, **options)


def test_everything_that_is_exported_exists_and_is_documented():
    for name in ai.__all__:
        thing = getattr(ai, name)
        if name != "CALLER":
            assert pydoc.getdoc(thing), name
        assert not isinstance(thing, type) or thing.__module__ == "pyaichat"


def test_members_of_the_main_classes_are_documented():
    for kind in (ai.Agent, ai.Answer, ai.Stream, ai.Messages, ai.Model, ai.Hooks):
        for name, member in vars(kind).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert pydoc.getdoc(member), f"{kind.__name__}.{name}"


def test_the_help_of_an_agent_reads_well():
    text = pydoc.render_doc(ai.Agent, renderer=pydoc.plaintext)
    # From Python 3.13 on, a long signature has a line for each parameter.
    text = re.sub(r"\s*\n \|\s+", " ", text).replace("( ", "(").replace(" ) ->", ") ->")
    assert "ask(self, question: 'str', *, returns: 'Any' = None, history: 'Messages | None' = None, context: 'str' = '', images: 'Iterable[Picture]' = ()) -> 'Any'" in text
    assert "pybind" not in text and "_native" not in text.split("__init__")[0]


@pytest.mark.parametrize("name", [each.name for each in pkgutil.iter_modules([str(PACKAGE)]) if each.name != "_native"])
def test_the_examples_of_the_docstrings_are_right(name):
    module = importlib.import_module(f"pyaichat.{name}")
    failed, _ = doctest.testmod(module, extraglobs=vars(ai))
    assert failed == 0


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").is_file() and (PACKAGE / "_native.pyi").is_file()


def test_the_stub_names_what_the_compiled_module_has():
    from pyaichat import _native

    stub = (PACKAGE / "_native.pyi").read_text()
    declared = set(re.findall(r"^(?:class|def) (\w+)", stub, re.MULTILINE)) | {"version"}
    assert declared == {name for name in vars(_native) if not name.startswith("__")}
    for kind in (getattr(_native, name) for name in declared):
        if isinstance(kind, type):
            body = re.search(rf"^class {kind.__name__}(?:\(\w+\))?:(?: \.\.\.)?\n((?:    .*\n)*)", stub, re.MULTILINE).group(1)
            members = {name for name in vars(kind) if not name.startswith("__") and name != "_pybind11_conduit_v1_"}
            assert members == set(re.findall(r"def (\w+)", body)) - {"__init__", "__len__"}


def test_the_types_are_strict():
    pytest.importorskip("mypy")
    checked = [str(SOURCE / "bindings/python/pyaichat"), str(SOURCE / "tests/python/typed_sample.py")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *checked],
        capture_output=True,
        text=True,
        timeout=250,
        env={**os.environ, "MYPYPATH": str(SOURCE / "bindings/python")},
    )
    assert done.returncode == 0, done.stdout


def test_the_typed_sample_runs():
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(SOURCE / "tests/python/typed_sample.py")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.splitlines()[0] == "3.50 EUR [None] None gate later 3.5"


def test_only_the_entry_point_is_exported():
    module = next(PACKAGE.glob("_native.*.so"))
    if shutil.which("nm") is None:
        pytest.skip("there is no nm")
    symbols = subprocess.run(["nm", "-D", "--defined-only", str(module)], capture_output=True, text=True, check=True).stdout
    names = [line.split()[2] for line in symbols.splitlines() if " T " in line or " B " in line or " D " in line]
    assert names == ["PyInit__native"]


def test_the_module_does_not_link_python():
    module = next(PACKAGE.glob("_native.*.so"))
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf")
    needed = subprocess.run(["readelf", "-d", str(module)], capture_output=True, text=True, check=True).stdout
    assert "libpython" not in needed and "NEEDED" in needed


def test_importing_is_quick_and_light():
    heavy = "asyncio typing inspect dataclasses json re logging ssl socket threading importlib.metadata"
    code = f"import sys; before = set(sys.modules); import pyaichat; print(*[n for n in '{heavy}'.split() if n in set(sys.modules) - before])"
    assert python(code).stdout.split() == []


def test_the_time_of_an_import_is_bounded(tmp_path):
    # The time of the processor: other programs may run on this machine.
    code = "import time; b = time.process_time(); import pyaichat; print(time.process_time() - b)"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times = [float(python(code, env=environment).stdout) for _ in range(6)]
    assert min(times[1:]) < 0.04


def test_a_subinterpreter_is_refused_with_a_sentence():
    code = """
import sys
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
name = interpreters.create()
script = '''
try:
    import pyaichat
except ImportError as error:
    print(error, flush=True)
'''
run = getattr(interpreters, "run_string", None) or interpreters.exec
run(name, script)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "interpreter" in done.stdout


def test_another_version_of_python_gets_a_sentence(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "pyaichat", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    done = subprocess.run([sys.executable, "-c", "import pyaichat"], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert "ImportError: pyaichat was not built for Python 3." in done.stderr


def test_records_are_compared_by_their_members():
    usage = ai.Usage(input_tokens=1, output_tokens=2, cached_tokens=0, thought_tokens=0)
    assert usage == pickle.loads(pickle.dumps(usage)) and usage.total == 3
    assert usage != ai.Usage(input_tokens=1, output_tokens=3, cached_tokens=0, thought_tokens=0)
    with pytest.raises(TypeError, match="misses the argument 'output_tokens'"):
        ai.Usage(input_tokens=1)


def test_objects_have_a_text():
    assert repr(ai.Agent("offline")) == "<Agent offline, 0 capabilities>"
    assert repr(ai.CALLER) == "CALLER" and pickle.loads(pickle.dumps(ai.CALLER)) is ai.CALLER
    assert repr(ai.Limits(max_steps=3)).startswith("Limits(max_steps=3, step_timeout=8.0")
    assert repr(ai.Messages()) == "<Messages: 0 messages>"
    assert repr(ai.Call("look")) == "Call(name='look', arguments={}, id='')"


def test_exceptions_are_one_tree():
    kinds = (ai.ConfigurationError, ai.ProviderError, ai.Refuse, ai.Degraded, ai.Cancelled, ai.LimitReached, ai.ModelFailed, ai.RateLimited)
    assert all(issubclass(kind, ai.Error) for kind in kinds) and issubclass(ai.RateLimited, ai.ModelFailed)
    assert issubclass(ai.Cancelled, ai.Degraded) and str(ai.Error("broken", hint="mend it")) == "broken (mend it)"


def test_attaching_to_a_process_that_does_not_exist_is_an_error():
    with pytest.raises(ai.Error):
        ai.attach(2**22 + 1)


def test_the_wheel_has_the_package_and_nothing_else(tmp_path):
    sys.path.insert(0, str(SOURCE / "bindings/python/packaging"))
    try:
        import cmake_wheel
    finally:
        sys.path.pop(0)
    folder = tmp_path / "package"
    shutil.copytree(PACKAGE, folder / "pyaichat", ignore=shutil.ignore_patterns("__pycache__"))
    cmake_wheel._build = lambda prefix, settings: folder
    name = cmake_wheel.build_wheel(str(tmp_path))
    assert re.fullmatch(r"pyaichat-0\.1\.0-(cp3\d+)-\1-\w+\.whl", name)
    with zipfile.ZipFile(tmp_path / name) as wheel:
        assert wheel.testzip() is None
        names = set(wheel.namelist())
        entry_points = wheel.read("pyaichat-0.1.0.dist-info/entry_points.txt").decode()
        record = wheel.read("pyaichat-0.1.0.dist-info/RECORD").decode().splitlines()
    described = {f"pyaichat-0.1.0.dist-info/{each}" for each in ("METADATA", "WHEEL", "LICENSE", "RECORD", "entry_points.txt")}
    assert described < names and {line.split(",")[0] for line in record} == names
    assert entry_points == "[pytest11]\npyaichat = pyaichat.pytest_plugin\n"
    assert {each.split("/")[0] for each in names - described} == {"pyaichat"}
    assert {pathlib.PurePath(each).suffix for each in names - described} == {".py", ".pyi", ".so", ".typed"}


def test_an_installation_is_found_with_its_plugin(tmp_path):
    build = os.environ.get("PYAICHAT_BUILD")
    if build is None or shutil.which("cmake") is None:
        pytest.skip("there is no build folder to install from")
    for component in ("bindings", "bindings_metadata"):
        command = ["cmake", "--install", build, "--component", component, "--prefix", str(tmp_path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    (folder,) = tmp_path.glob("**/site-packages")
    code = """
import importlib.metadata, pyaichat
(found,) = [each for each in importlib.metadata.entry_points(group="pytest11") if each.name == "pyaichat"]
print(found.load().__file__, importlib.metadata.version("pyaichat"))
"""
    done = python(code, env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.stdout == f"{folder}/pyaichat/pytest_plugin.py 0.1.0\n", done.stderr
