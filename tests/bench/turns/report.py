#!/usr/bin/env python3
"""Prints the figures of HTTP in docs/reference/performance.md: what a question of three requests costs beside a bare socket with JSON, and
what ten thousand requests on one thread do.

    cmake --preset bench && cmake --build build/bench --target pyaichat_turns
    python3 tests/bench/turns/report.py build/bench/tests/bench/pyaichat_turns

Needs valgrind and strace. Costs of one question are differences between runs of few and of many questions, so that the start of the
process does not count.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, words))}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout)


def instructions(program, *words):
    """User instructions of the client's process, by callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out.%p", program, *map(str, words)],
                              check=True, capture_output=True, text=True)
    # The server is a forked child, and writes a line of its own if it ends by itself: the client's is the last.
    return int(re.findall(r"Collected : (\d+)", done.stderr)[-1])


def system_calls(program, *words):
    """System calls of all threads of the client, without the server's, which is the process that calls prctl."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["strace", "-ff", "-o", f"{folder}/calls", program, *map(str, words)], check=True, capture_output=True)
        texts = [path.read_text() for path in pathlib.Path(folder).iterdir()]
    return sum(len(re.findall(r"^\w+\(", text, re.M)) for text in texts if "PR_SET_PDEATHSIG" not in text)


def for_one(count, program, few, many, *words):
    return (count(program, *words, many) - count(program, *words, few)) / (many - few)


def row(what, value, aim=""):
    print(f"| {what} | {value} | {aim} |")


def main():
    arguments = argparse.ArgumentParser(description="Prints the figures of HTTP of docs/reference/performance.md.")
    arguments.add_argument("program", help="the program pyaichat_turns, built optimised")
    arguments.add_argument("--rounds", type=int, default=9, help="how often the CPU time is measured, the two programs in turns")
    arguments.add_argument("--runs", type=int, default=10_000, help="how many runs are in flight at once")
    chosen = arguments.parse_args()
    program = chosen.program

    print(f"{time.strftime('%Y-%m-%d')}, load {pathlib.Path('/proc/loadavg').read_text().split()[0]}\n")
    print("| a question of three requests, default `ai::agent`, `wait()` | figure | aim |\n| --- | ---: | ---: |")
    for form in ("whole", "streamed"):
        floor, ours, switches = [], [], []
        for _ in range(chosen.rounds):
            floor.append(run(program, "floor", form, 500)["cpu_us"])
            figures = run(program, "question", form, 500)
            ours.append(figures["cpu_us"])
            switches.append(figures["switches"])
        ratio = statistics.median(mine / least for mine, least in zip(ours, floor))
        row(f"CPU, {form}, over a bare socket with JSON",
            f"{statistics.median(ours):.0f} us / {statistics.median(floor):.0f} us = {ratio:.2f}", "1.5")
        row(f"context switches, {form}", f"{statistics.median(switches):.1f}", "4")
    for form, aim in (("streamed", "1.20"), ("whole", "1.15")):
        least = for_one(instructions, program, 50, 150, "floor", form)
        mine = for_one(instructions, program, 50, 150, "question", form)
        row(f"user instructions, {form}, over a bare socket with JSON", f"{mine:,.0f} / {least:,.0f} = {mine / least:.2f}", aim)
    for form in ("whole", "streamed"):
        row(f"system calls, {form}", f"{for_one(system_calls, program, 20, 120, 'question', form):.1f}", "12")

    print("\n| one thread | figure | aim |\n| --- | ---: | ---: |")
    for form, aim in (("plain", "12 KB"), ("tls", "40 KB")):
        figures = run(program, "in_flight", form, chosen.runs)
        row(f"memory for each of {chosen.runs:,} requests in flight, {form}", f"{figures['bytes'] / 1000:.1f} KB", aim)
    figures = run(program, "turns", chosen.runs, 300)
    row(f"CPU for each of {chosen.runs:,} runs that are answered after 300 ms", f"{figures['cpu_us']:.1f} us", "60 us")
    row("the latest answer, after its 300 ms", f"{figures['late_ms']:.0f} ms")
    figures = run(program, "deadlines", chosen.runs, 2000)
    row(f"the latest end of {chosen.runs:,} runs that are never answered, after their deadline", f"{figures['late_ms']:.0f} ms", "50 ms")
    for state in ("handshake", "head", "body"):
        figures = run(program, "abort", state, 1000)
        row(f"abort in the {state}, worst of 1,000", f"{figures['worst_us'] / 1000:.2f} ms", "5 ms")


main()
