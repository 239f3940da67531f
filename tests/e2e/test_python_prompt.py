"""Python at the prompt and in scripts behaves as `python3` does: standard input, imports, environments, exit statuses, streams, hooks."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from conftest import PROGRAM, plain

VERSION = subprocess.run([PROGRAM, "--exec", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True,
                         check=True, stdin=subprocess.DEVNULL).stdout.strip()


def write(program, name, text):
    path = program.work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path


def environment(program, name=".venv", version=VERSION):
    """A virtual environment with a package and a `.pth` file."""
    packages = program.work / name / "lib" / f"python{version}" / "site-packages"
    packages.mkdir(parents=True)
    (program.work / name / "bin").mkdir()
    (program.work / name / "pyvenv.cfg").write_text(f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {version}.1\n")
    (packages / "in_environment.py").write_text("value = 'from the environment'\n")
    (program.work / "elsewhere").mkdir()
    (program.work / "elsewhere" / "by_pth.py").write_text("value = 'by a .pth file'\n")
    (packages / "more.pth").write_text(str(program.work / "elsewhere") + "\n")
    return program.work / name

#Standard input


def test_input_reads_the_next_line_of_a_pipe(program):
    done = program.run(stdin="name = input('who? ')\nAnna\nprint('hello', name)\nimport sys\nsys.stdin.readline()\nsecond line\n"
                             "sys.stdin.read(3), sys.stdin.readline()\nabcdef\nlist(sys.stdin)\none\ntwo\n")
    assert done.stdout.splitlines() == ["who? ", "hello Anna", "'second line\\n'", "('abc', 'def\\n')", "['one\\n', 'two\\n']"]
    assert done.stderr.count("Error") == 0 and done.returncode == 0


def test_the_end_of_a_pipe_is_an_eoferror(program):
    done = program.run(stdin="input('who? ')\n")
    assert "EOFError: EOF when reading a line" in done.stderr and done.returncode == 1


@pytest.mark.parametrize("arguments", [("--json", "--exec", "input()"), ("--exec", "input()", "--ask", "-")])
def test_without_standard_input_reading_is_refused_in_words(program, arguments):
    done = program.run(*arguments, stdin="line\n")
    assert "EOFError: this Python session has no standard input" in done.stderr


def test_the_bytes_of_standard_input_can_be_read_over_a_pipe(program):
    done = program.run(stdin="import sys\nsys.stdin.buffer.readline()\nGrüße\n1 + 1\n")
    assert done.stdout.splitlines() == ["b'Gr\\xc3\\xbc\\xc3\\x9fe\\n'", "2"]


def test_a_script_has_the_real_standard_input(program):
    write(program, "script.py", """
        import sys
        print(input("first? "), sys.stdin.readline().strip(), sys.stdin.fileno(), sys.stdin.isatty())
    """)
    done = program.run("script.py", stdin="a\nb\n")
    assert done.stdout == "first? a b 0 False\n" and done.returncode == 0
    write(program, "script.py", "import sys\nprint(sys.stdin.buffer.read())\n")
    assert program.run("script.py", stdin="c\nd").stdout == "b'c\\nd'\n"


def test_input_reads_a_line_at_the_terminal(program):
    screen = program.start()
    screen.prompt()
    assert "'blue'" in screen.enter("input('colour? ')", then="colour? ") + screen.enter("blue")
    assert "(True, 0)" in screen.enter("import sys; sys.stdin.isatty(), sys.stdin.fileno()")
    screen.send("sys.stdin.readline()\r")
    screen.expect_text("\n")
    assert "'typed\\n'" in screen.enter("typed")


def test_ctrl_c_and_ctrl_d_end_the_wait_for_input(program):
    screen = program.start()
    screen.prompt()
    screen.enter("input('one? ')", then="one? ")
    screen.send("\x03")
    assert "KeyboardInterrupt" in screen.prompt()
    assert "4" in screen.enter("2 + 2")
    screen.enter("input('two? ')", then="two? ")
    screen.send("\x04")
    assert "EOFError" in screen.prompt()
    assert "6" in screen.enter("3 + 3")


def test_the_debugger_works_at_the_terminal(program):
    write(program, "broken.py", "def f(n):\n    inside = n + 1\n    return inside / 0\n")
    screen = program.start()
    screen.prompt()
    screen.enter("import broken, pdb")
    assert "ZeroDivisionError" in screen.enter("broken.f(41)")
    screen.enter("pdb.pm()", then="(Pdb) ")
    assert "42" in screen.enter("p inside", then="(Pdb) ")
    screen.enter("q")
    screen.enter("x = 5; breakpoint(); y = x + 1", then="(Pdb) ")
    assert "5" in screen.enter("p x", then="(Pdb) ")
    screen.enter("c")
    assert "6" in screen.enter("y")


def test_the_debugger_does_not_step_into_code_of_the_program(program):
    screen = program.start()
    screen.prompt()
    shown = screen.enter("x = 5; breakpoint(); print(x); x", then="(Pdb) ")  # stops at the end of the line, which shows a value
    assert "<input" in shown and "<pyaichat>" not in shown
    screen.enter("s")
    screen.enter("1 + 1", then="(Pdb) ")  # as in Python: the next statement is the next step
    assert "2" in screen.enter("c")


def test_the_debugger_and_an_inner_prompt_work_over_a_pipe(program):
    done = program.run(stdin="1 / 0\nimport pdb, code\npdb.pm()\np 'post mortem'\nq\ncode.interact(banner='inner')\n6 * 7\n\x04")
    assert "'post mortem'" in done.stdout and "42" in done.stdout and "inner" in done.stderr


def test_help_is_shown_without_a_pager(program):
    screen = program.start(PAGER="false")
    screen.prompt()
    assert "Return the absolute value of the argument." in screen.enter("help(abs)")
    assert "Help on built-in function len" in screen.enter("help()", then="help> ") + screen.enter("len", then="help> ")
    screen.enter("q")
    assert "2" in screen.enter("1 + 1")


def test_getpass_reads_without_echo(program):
    screen = program.start()
    screen.prompt()
    screen.enter("from getpass import getpass; len(getpass('word: '))", then="word: ")
    time.sleep(0.1)  # until getpass has switched the echo off
    shown = screen.enter("swordfish")
    assert "9" in shown and "swordfish" not in shown
    done = subprocess.run([PROGRAM], input="from getpass import getpass\ngetpass('word: ')\nswordfish\n", capture_output=True, text=True,
                          cwd=program.work, env=program.environment({}), start_new_session=True, timeout=40, check=False)
    assert "'swordfish'" in done.stdout

#Imports, environments, arguments, exit statuses


def test_modules_of_the_working_folder_and_of_pythonpath_can_be_imported(program):
    write(program, "own.py", "value = 'own'\n")
    write(program, "library/far.py", "value = 'far'\n")
    show = ("--exec", "import own, far, sys; print(own.value, far.value, repr(sys.path[0]), sys.argv)")
    done = program.run(*show, PYTHONPATH=str(program.work / "library"))
    assert done.stdout == "own far '' ['']\n", done.stderr
    for safe in ("-P", "--safe-path"):
        refused = program.run(safe, *show, PYTHONPATH=str(program.work / "library"))
        assert "No module named 'own'" in refused.stderr


def test_packages_of_the_user_can_be_imported(program):
    site = program.home / ".local" / "lib" / f"python{VERSION}" / "site-packages"
    site.mkdir(parents=True)
    (site / "mine.py").write_text("value = 'mine'\n")
    assert program.run("--exec", "import mine; print(mine.value)").stdout == "mine\n"


def test_a_virtual_environment_beside_is_used_and_named(program):
    folder = environment(program)
    code = "import in_environment, by_pth, sys; print(in_environment.value, by_pth.value, sys.prefix, sys.prefix != sys.base_prefix)"
    done = program.run("--exec", code)
    assert done.stdout == f"from the environment by a .pth file {folder} True\n" and done.stderr == ""
    assert "No module" in program.run("-P", "--exec", code).stderr
    screen = program.start()
    assert f"virtual environment {folder}" in screen.prompt().replace("\n", "")


def test_the_environment_that_is_activated_wins(program):
    environment(program)
    named = environment_only(program, "named")
    done = program.run("--exec", "import sys; print(sys.prefix)", VIRTUAL_ENV=str(named))
    assert done.stdout == f"{named}\n"


def environment_only(program, name):
    folder = program.work / name
    (folder / "lib" / f"python{VERSION}" / "site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion_info = {VERSION}.4.final.0\n")
    return folder


def test_an_environment_of_another_version_is_reported_and_not_used(program):
    folder = environment(program, version="3.7")
    done = program.run("--exec", "import sys; print(sys.prefix == sys.base_prefix)")
    assert done.stdout == "True\n"
    assert len(done.stderr.splitlines()) == 1 and str(folder) in done.stderr
    assert "Python 3.7" in done.stderr and f"python{VERSION} -m venv" in done.stderr
    missing = program.run("--exec", "1", VIRTUAL_ENV="/no/such/folder")
    assert "/no/such/folder" in missing.stderr and "VIRTUAL_ENV" in missing.stderr


def test_a_script_gets_its_arguments(program):
    write(program, "script.py", "import sys\nprint(sys.argv, __name__)\n")
    assert program.run("script.py", "a", "b", "--flag").stdout == "['script.py', 'a', 'b', '--flag'] __main__\n"
    assert program.run("script.py", "--help").stdout == "['script.py', '--help'] __main__\n"
    assert program.run("script.py", "--no-color", "--", "--json").stdout == "['script.py', '--json'] __main__\n"
    assert program.run("--", "script.py", "--json").stdout == "['script.py', '--json'] __main__\n"
    asked = program.run("script.py", "--ask", "compute 6 * 7", "a", "--ask", "b")
    assert asked.stdout.startswith("['script.py', 'a', '--ask', 'b'] __main__\n") and "42" in asked.stdout and asked.returncode == 0


@pytest.mark.parametrize("code, status", [("raise SystemExit(7)", 7), ("import sys; sys.exit()", 0), ("1 / 0", 1), ("x = = 1", 1), ("", 0),
                                          ("import sys; sys.exit(300)", 44), ("exit(3)", 3)])
def test_a_script_ends_with_the_status_of_python(program, code, status):
    write(program, "script.py", code + "\n")
    done = program.run("script.py")
    assert done.returncode == status


def test_a_text_as_exit_status_is_printed(program):
    write(program, "script.py", "import sys\nsys.exit('no data')\n")
    done = program.run("script.py")
    assert (done.returncode, done.stderr) == (1, "no data\n")
    assert program.run("missing.py").returncode == 2


def test_ctrl_c_ends_a_script_by_the_signal(program):
    write(program, "script.py", "import time\nprint('begun')\ntime.sleep(100)\n")
    process = subprocess.Popen([PROGRAM, "script.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=program.work,
                               env=program.environment({}))
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT and "KeyboardInterrupt" in errors


def test_secrets_stay_out_of_the_environment_of_python(program):
    done = program.run("--exec", "import os; print(os.environ.get('GEMINI_API_KEY'))", "--provider=offline", GEMINI_API_KEY="k" * 30)
    assert done.stdout == "None\n"
