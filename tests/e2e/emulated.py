"""The real program in a pseudo-terminal whose screen an emulator shows: what a person sees, and where the cursor is."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

import pyte

SECONDS = 20  # generous: only a failing test waits so long


class Terminal:
    def __init__(self, command, cwd, env, columns=60, rows=12):
        self.screen = pyte.HistoryScreen(columns, rows, history=5000)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows, tell=False)
        self.modes_before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(command, stdin=self.slave, stdout=self.slave, stderr=self.slave, cwd=cwd, env=env,
                                        preexec_fn=self._own_terminal)

    def _own_terminal(self):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, columns, rows, tell=True):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.screen.resize(rows, columns)
            os.kill(self.process.pid, signal.SIGWINCH)

    def send(self, keys):
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            written = os.write(self.master, data[:1024])
            data = data[written:]
            self.read(0)

    def read(self, seconds):
        """Shows what arrives within the time; returns whether something did."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.bytes += data
        self.stream.feed(data)
        return bool(data)

    def until(self, condition):
        """Reads until the condition holds."""
        end = time.monotonic() + SECONDS
        while not condition():
            if time.monotonic() > end:
                raise AssertionError("never seen; the screen:\n" + self.text())
            self.read(0.05)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines()).rstrip("\n")

    def cursor(self):
        return (self.screen.cursor.y, self.screen.cursor.x)

    def last(self, count=1):
        """The last rows that are not blank."""
        return self.text().split("\n")[-count:]

    def modes(self):
        return termios.tcgetattr(self.slave)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
