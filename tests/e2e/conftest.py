"""Drives the real program: over pipes with `Program.run`, in a pseudo-terminal with `Program.start`."""

import json
import os
import re
import subprocess
import time

import pexpect
import pytest

PROGRAM = os.environ["PYAICHAT_PROGRAM"]
SECONDS = 20  # generous: only a failing test waits so long

HAS_PLUGINS = subprocess.run([PROGRAM, "plugin", "--help"], capture_output=True, check=False).returncode == 0
needs_plugins = pytest.mark.skipif(not HAS_PLUGINS, reason="this build has no Lua")
without_plugins = pytest.mark.skipif(HAS_PLUGINS, reason="this build has Lua")


class Program:
    """The program in a folder of its own, with an environment that says nothing about keys unless the test does."""

    def __init__(self, folder):
        self.folder = folder
        self.work = folder / "work"
        self.home = folder / "home"
        self.work.mkdir()
        self.home.mkdir()
        self.started = []

    def environment(self, more):
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")}
        return {**kept, "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm-256color", **more}

    def run(self, *arguments, stdin="", timeout=40, **environment):
        """To its end over pipes."""
        begun = time.monotonic()
        done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=timeout, cwd=self.work,
                              env=self.environment(environment))
        done.seconds = time.monotonic() - begun
        return done

    def ask_json(self, *arguments, **more):
        """The objects that `--json` has printed, and the finished process."""
        done = self.run("--json", *arguments, **more)
        return [json.loads(line) for line in done.stdout.splitlines()], done

    def start(self, *arguments, **environment):
        """In a pseudo-terminal, at its first prompt."""
        screen = Screen(PROGRAM, list(arguments), cwd=str(self.work), env=self.environment(environment))
        self.started.append(screen)
        return screen


class Screen(pexpect.spawn):
    """A person at a terminal."""

    def __init__(self, program, arguments, **more):
        super().__init__(program, arguments, timeout=SECONDS, encoding="utf-8", codec_errors="replace", dimensions=(40, 120), **more)
        self.delaybeforesend = 0.05
        self.seen = ""

    def expect_text(self, wanted):
        self.expect_exact(wanted)
        self.seen += self.before + self.after
        return self.before

    def prompt(self, wanted="py> "):
        """Waits for a prompt; what came before it, without escape sequences."""
        return plain(self.expect_text(wanted))

    def enter(self, line, then="py> "):
        """A line, and what came of it until the prompt is back."""
        self.send(line + "\r")
        return self.prompt(then)

    def leave(self, keys="\x04"):
        """How long leaving took, and the exit status."""
        begun = time.monotonic()
        self.send(keys)
        self.expect(pexpect.EOF)
        self.seen += self.before
        self.wait()
        self.close()
        return time.monotonic() - begun - self.delaybeforesend, self.exitstatus


def plain(text):
    """Without escape sequences, and with '\\n' as line end. Status lines that were erased are gone."""
    text = re.sub(r"(?:\x1b\[2m)?· (?:asking|running) [^\r\n]*\r\x1b\[K", "", text)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    return text.replace("\r\n", "\n").replace("\r", "")


@pytest.fixture
def program(tmp_path):
    one = Program(tmp_path)
    yield one
    for screen in one.started:
        if screen.isalive():
            screen.close(force=True)
