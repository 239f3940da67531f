"""The build backend of `pip install .` (PEP 517): builds the module by CMake and packs what `cmake --install` gives into a wheel.

It needs nothing but Python and CMake, so that a build without isolation works in an empty virtual environment. Options for CMake:
`pip install . -C cmake.define.PYAICHAT_TESTING=OFF`. The build folder is `build/wheel-cpXY`, so that a second build is quick.
"""

import base64
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEFINE = "cmake.define."


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel and returns its name."""
    name = f"{_stem()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        folder = _build(pathlib.Path(prefix), config_settings or {})
        with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
            _write(wheel, {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()})
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Packs what git knows, and returns the name of the archive."""
    name = f"{_stem()}.tar.gz"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for each in filter(None, listed.split("\0")):
            archive.add(ROOT / each, f"{_stem()}/{each}", recursive=False)
        information = tarfile.TarInfo(f"{_stem()}/PKG-INFO")
        information.size = len(_metadata())
        archive.addfile(information, io.BytesIO(_metadata()))
    return name


def get_requires_for_build_wheel(config_settings=None):
    """Needs no package of Python."""
    return []


def write_metadata(folder):
    """Writes the `.dist-info` folder of an installation by CMake below `folder`: programs find the package and its plugin by it."""
    described = pathlib.Path(folder, f"{_stem()}.dist-info")
    described.mkdir(parents=True, exist_ok=True)
    for name, content in (("METADATA", _metadata()), ("entry_points.txt", _entry_points()), ("INSTALLER", b"cmake\n")):
        (described / name).write_bytes(content)


def _project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _stem():
    project = _project()
    return f"{project['name']}-{project['version']}"


def _tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _metadata():
    project = _project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / project["readme"]).read_text(encoding="utf-8"),
    ]
    return "\n".join(lines).encode()


def _entry_points():
    """The functions and modules that other programs find, such as the plugin of pytest."""
    groups = _project().get("entry-points", {})
    lines = []
    for group, names in groups.items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in names.items()), ""]
    return "\n".join(lines).encode()


def _build(prefix, settings):
    """Builds and installs the module below `prefix`, and returns the folder that has the package."""
    cmake = shutil.which("cmake")
    if cmake is None:
        sys.exit("pyaichat is built by CMake 3.25 or later: install cmake (on Debian: apt-get install cmake)")
    build = ROOT / "build" / f"wheel-cp{sys.version_info[0]}{sys.version_info[1]}"
    defines = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_UNITY_BUILD": "ON",
        "CMAKE_REQUIRE_FIND_PACKAGE_pybind11": "ON",
        "PYAICHAT_PYTHON_EXECUTABLE": sys.executable,
        "PYAICHAT_PYTHON_FOLDER": "package",
        "PYAICHAT_BINDINGS": "ON",
        "PYAICHAT_EXAMPLES": "OFF",
        "PYAICHAT_TESTS": "OFF",
        "PYAICHAT_LUA": "OFF",
        **_pybind11(),
        **{key.removeprefix(DEFINE): value for key, value in settings.items() if key.startswith(DEFINE)},
    }
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _run(cmake, "-S", ROOT, "-B", build, *generator, *(f"-D{name}={value}" for name, value in defines.items()))
    _run(cmake, "--build", build, "--target", "pyaichat_bindings", "--parallel", str(os.cpu_count() or 1))
    _run(cmake, "--install", build, "--component", "bindings", "--prefix", prefix, "--strip")
    return prefix / "package"


def _pybind11():
    """Where a pybind11 that pip has installed keeps its CMake files."""
    try:
        import pybind11
    except ImportError:
        return {}
    return {"pybind11_DIR": pybind11.get_cmake_dir()}


def _run(*command):
    subprocess.run([str(each) for each in command], check=True)


def _write(wheel, files):
    """Writes the files of the package, and what describes them."""
    described = f"{_stem()}.dist-info"
    tag = _tag()
    files[f"{described}/METADATA"] = _metadata()
    files[f"{described}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cmake_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{described}/entry_points.txt"] = _entry_points()
    files[f"{described}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}\n")
        entry = zipfile.ZipInfo(name)  # of 1980: the same content gives the same wheel
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        wheel.writestr(entry, content)
    wheel.writestr(f"{described}/RECORD", "".join(record) + f"{described}/RECORD,,\n")
