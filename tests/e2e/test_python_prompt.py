"""Python at the prompt and in scripts behaves as `python3` does: standard input, imports, environments, exit statuses, streams, hooks."""

import signal
import subprocess
import textwrap
import time

import pytest

from conftest import PROGRAM

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

def environment_only(program, name):
    folder = program.work / name
    (folder / "lib" / f"python{VERSION}" / "site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion_info = {VERSION}.4.final.0\n")
    return folder


# Standard input


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
    shown = screen.enter("x = 5; breakpoint(); print(x); x", then="(Pdb) ")  # stops in the line: at its end, from Python 3.13 on before that
    for _ in range(4):
        assert "<input" in shown and "<pyaichat>" not in shown
        screen.send("s\r")
        if screen.expect_exact(["(Pdb) ", "py> "]) == 1:
            break
        shown = screen.before
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

# Imports, environments, arguments, exit statuses


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


# Streams


def test_the_streams_say_what_they_are(program):
    code = ("import sys; print([(s.isatty(), s.fileno(), s.encoding, s.writable()) for s in (sys.stdout, sys.stderr)]); "
            "sys.stdout.reconfigure(line_buffering=True, encoding='utf8', errors='replace'); print(sys.stdout.errors)")
    assert program.run("--exec", code).stdout == "[(False, 1, 'utf-8', True), (False, 2, 'utf-8', True)]\nreplace\n"
    screen = program.start()
    screen.prompt()
    assert "[True, True, True]" in screen.enter("import sys; [s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)]")


def test_text_bytes_descriptors_and_child_processes_stay_in_order(program):
    code = """
        import ctypes, os, subprocess, sys
        print("1 text", end=" ")
        sys.stdout.buffer.write(b"2 bytes ")
        sys.stdout.flush()
        os.write(1, b"3 descriptor ")
        print("4 text", end=" ", flush=True)
        subprocess.run(["sh", "-c", "printf '5 child '"])
        sys.stdout.buffer.write("ü".encode()[:1]); sys.stdout.buffer.write("ü".encode()[1:])
        sys.stdout.buffer.write(b"\\xff\\x00|")
        print("6 text")
    """
    write(program, "script.py", code)
    done = subprocess.run([PROGRAM, "script.py"], capture_output=True, cwd=program.work, env=program.environment({}), timeout=40, check=True)
    assert done.stdout == b"1 text 2 bytes 3 descriptor 4 text 5 child \xc3\xbc\xff\x00|6 text\n"


def test_output_of_threads_appears_between_statements(program):
    screen = program.start()
    screen.prompt()
    screen.enter("import threading, time")
    screen.enter("threading.Timer(0.3, print, ['from', 'a thread']).start()")
    screen.expect_text("from a thread")
    screen.enter("threading.Timer(0.3, lambda: 1 / 0).start()")
    screen.expect_text("ZeroDivisionError")
    assert screen.enter("").count("from a thread") == 0


# The end of the program, and hooks


def test_atexit_functions_run_at_the_end_and_threads_are_waited_for(program):
    write(program, "script.py", """
        import atexit, threading, time
        atexit.register(print, "at exit")
        threading.Thread(target=lambda: (time.sleep(0.3), print("thread"))).start()
        print("main")
    """)
    done = program.run("script.py")
    assert done.stdout == "main\nthread\nat exit\n" and done.stderr == ""
    assert "at exit" in program.run(stdin="import atexit\natexit.register(print, 'at exit')\n").stdout


def test_the_hooks_that_code_replaces_are_called(program):
    done = program.run(stdin="import sys\nsys.excepthook = lambda kind, error, trace: print('hook', kind.__name__, trace.tb_lineno)\n1 / 0\n"
                             "sys.last_type.__name__, sys.last_value.args\n"
                             "sys.displayhook = lambda value: print('shown', value)\n6 * 7\n")
    assert done.stdout.splitlines() == ["hook ZeroDivisionError 1", "('ZeroDivisionError', ('division by zero',))", "shown 42"]
    write(program, "script.py", "import sys\nsys.excepthook = lambda *about: print('hook', about[1])\nraise ValueError('x')\n")
    done = program.run("script.py")
    assert (done.stdout, done.stderr, done.returncode) == ("hook x\n", "", 1)


def test_a_hook_that_fails_is_reported_with_the_error(program):
    done = program.run(stdin="import sys\ndef hook(*about): raise KeyError('broken')\n\nsys.excepthook = hook\n1 / 0\n'still here'\n")
    assert "Error in sys.excepthook:" in done.stderr and "KeyError: 'broken'" in done.stderr
    assert "Original exception was:" in done.stderr and "ZeroDivisionError" in done.stderr and "still here" in done.stdout


@pytest.mark.parametrize("code, wanted", [
    ("counter = 1\ncountr\n", "NameError: name 'countr' is not defined. Did you mean: 'counter'?"),
    ("import math\nmath.flor(1)\n", "AttributeError: module 'math' has no attribute 'flor'. Did you mean: 'floor'?"),
    ("x = (1 +\n2 2)\n", "SyntaxError: invalid syntax. Perhaps you forgot a comma?"),
    ("raise ExceptionGroup('several', [ValueError(1), TypeError(2)])\n", "  +-+---------------- 1 ----------------"),
    ("class A:\n    def __del__(self): 1 / 0\n\nA()\ndel _\n", "Exception ignored in: <function A.__del__"),
])
def test_errors_are_explained_as_in_python(program, code, wanted):
    assert wanted in program.run(stdin=code).stderr


# Entries


def test_the_source_of_a_function_from_the_prompt_is_known(program):
    done = program.run(stdin="def double(n):\n    return n * 2  # twice\n\nimport inspect\nprint(inspect.getsource(double))\n")
    assert "    return n * 2  # twice" in done.stdout


def test_await_works_at_the_prompt_in_one_event_loop(program):
    done = program.run(stdin="import asyncio\nasync def f(n):\n    await asyncio.sleep(0.01)\n    return n\n\nawait f(42)\n"
                             "task = asyncio.get_running_loop() is await f(None)\nx = await f(1); x\n"
                             "first = await asyncio.sleep(0, asyncio.get_running_loop())\n"
                             "await asyncio.sleep(0, first is asyncio.get_running_loop())\nawait f()\n")
    assert done.stdout.splitlines() == ["42", "1", "True"]
    assert "TypeError: f() missing" in done.stderr and done.stderr.count("File ") == 1
    screen = program.start()
    screen.prompt()
    screen.enter("import asyncio")
    screen.send("print('be' + 'gun'), await asyncio.sleep(100)\r")
    screen.expect_text("begun")
    time.sleep(0.2)
    screen.send("\x03")
    assert "KeyboardInterrupt" in screen.prompt()
    assert "5" in screen.enter("await asyncio.sleep(0, 5)")


def test_the_shown_values_are_kept_under_their_names(program):
    done = program.run(stdin="'a'\n'b'\n'c'\n_, __, ___\n_1 + _2\n_ = 5\n7\n_\ndel _\n_\n/vars\n")
    assert done.stdout.splitlines() == ["'a'", "'b'", "'c'", "('c', 'b', 'a')", "'ab'", "7", "5", "5", "no variables yet"]
    many = program.run(stdin="1\n" * 150 + "'_50' in dir(__builtins__), _51 + _150\n")
    assert "(False, 2)" in many.stdout
    asked = program.run("--exec", "1", "--ask", "which variables are there?")
    assert "_1" not in asked.stdout


def test_percent_time_shows_the_time_of_a_statement(program):
    done = program.run(stdin="%time sum(range(1000))\n%time for i in range(2):\n    print('in', i)\n\n%time 1 / 0\n")
    assert "499500" in done.stdout and "in 1" in done.stdout and "ZeroDivisionError" in done.stderr
    assert (done.stdout + done.stderr).count("CPU ") == 3 and (done.stdout + done.stderr).count(", wall ") == 3


def test_tracebacks_are_coloured_at_a_terminal_only(program):
    screen = program.start()
    screen.prompt()
    screen.send("1 / 0\r")
    screen.expect_text("\x1b[1;31mZeroDivisionError\x1b[0m")
    screen.prompt()
    assert "\x1b" not in program.run(stdin="1 / 0\n").stderr
    plain_screen = program.start(NO_COLOR="1")
    plain_screen.prompt()
    plain_screen.send("1 / 0\r")
    plain_screen.expect_text("ZeroDivisionError")
    assert "\x1b[1;31m" not in plain_screen.before
    plain_screen.prompt()


def test_a_dotenv_that_cannot_be_read_is_reported_in_one_line(program):
    (program.work / ".env").mkdir()
    done = program.run("--exec", "1")
    assert done.stderr == "pyaichat: .env is not used: it is not a file\n" and done.returncode == 0


@pytest.mark.parametrize("question, words", [("what is x?", "[1, 2, 41]"), ("what can x do?", "busy"), ("compute len(x)", "busy"),
                                             ("why did it fail?", "busy")])
def test_a_question_beside_a_statement_that_nothing_stops_is_answered_at_once(program, question, words):
    screen = program.start()
    screen.prompt()
    screen.enter("x = [1, 2, 41]")
    screen.send("print('be' + 'gun'); sum(range(10**12))\r")
    screen.expect_text("begun")
    time.sleep(0.2)
    screen.send("\x03")
    time.sleep(1.2)  # a second Ctrl-C after a second leaves the statement to itself
    screen.send("\x03")
    screen.prompt()
    screen.send("\t")
    screen.prompt("ai> ")
    begun = time.monotonic()
    assert words in screen.enter(question, then="ai> ")
    assert time.monotonic() - begun < 2  # without the fix, five seconds
