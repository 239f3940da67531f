#!/usr/bin/env python3
"""Runs the benchmarks in one go and prints the tables of docs/reference/performance.md.

    cmake --preset bench && cmake --build build/bench --target pyaichat_bench
    python3 tests/bench/report.py build/bench/tests/bench/pyaichat_bench

Every time is a median of several repetitions, in which all benchmarks take turns, and stands beside what it is in calibration loops
(reading and writing 900 bytes of JSON) of the same run: that figure is what can be compared between machines.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent

# (heading, [(benchmark, what it is, the aim)])
tables = [
    ("The loop", [
        ("question_through_run_machine", "a question of three model calls and two capability calls, through `run_machine`", ""),
        ("question_through_basic_agent", "the same through `basic_agent` and `inline_executor`", "15 us"),
        ("step_of_long_run/10", "step 10 of 200, replies of 1 KB", ""),
        ("step_of_long_run/50", "step 50", "as step 10"),
        ("step_of_long_run/100", "step 100", "as step 10"),
        ("step_of_long_run/200", "step 200", "as step 10"),
        ("pump_with_nothing_to_do", "`pump()` with nothing to do", ""),
    ]),
    ("JSON Schema", [
        ("compile_typical_schema", "compiling a typical schema", "50 us"),
        ("validate_typical_arguments", "checking a typical capability's arguments", "1 us"),
        ("validate_wrong_arguments", "the same with four mistakes", ""),
        ("validate_list/10", "a list of 10 of them", ""),
        ("validate_list/100", "a list of 100", "linear"),
        ("validate_list/1000", "a list of 1,000", "linear"),
        ("validate_list/10000", "a list of 10,000", "linear"),
    ]),
    ("Gemini over loopback", [
        ("gemini_over_loopback", "a question of three requests through `ai::gemini`", "1.3 x httplib"),
        ("bare_httplib_over_loopback", "the same requests through a bare httplib client, one JSON dump and parse each", ""),
        ("bare_socket_over_loopback", "the same bytes through a bare socket", ""),
        ("gemini_without_network", "the question through `ai::gemini` with a transport that answers from memory", ""),
    ]),
    ("Other services without a network", [
        ("openai_without_network", "the question through `ai::openai` with a transport that answers from memory", "Gemini's"),
        ("anthropic_without_network", "the same through `ai::anthropic`", "Gemini's"),
    ]),
    ("Lua plugins", [
        ("lua_trivial_call", "a call of a trivial capability, through conversion and sandbox", "5 us"),
        ("lua_load_100_plugins", "loading 100 plugins", "50 ms"),
        ("contained/lua_compute", "an honest loop that computes", "2.6 x plain Lua"),
        ("contained/lua_recursion", "recursion", "2.6 x plain Lua"),
        ("contained/lua_arrays", "filling and reading a list", "2.6 x plain Lua"),
    ]),
]

# What a benchmark is compared with, where the aim is a ratio.
compared_with = {
    "gemini_over_loopback": "bare_httplib_over_loopback",
    "openai_without_network": "gemini_without_network",
    "anthropic_without_network": "gemini_without_network",
    "contained/lua_compute": "plain/lua_compute",
    "contained/lua_recursion": "plain/lua_recursion",
    "contained/lua_arrays": "plain/lua_arrays",
}


def run_benchmarks(program, repetitions, leaving_out):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        chosen = [f"--benchmark_filter=-{leaving_out}"] if leaving_out else []
        subprocess.run([program, *chosen, f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true",
                        "--benchmark_min_time=0.05", f"--benchmark_out={out.name}", "--benchmark_out_format=json"],
                       check=True, stdout=subprocess.DEVNULL)
        document = json.load(open(out.name, encoding="utf-8"))
    factor = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    found = {}
    for one in document["benchmarks"]:
        if one.get("error_occurred"):
            sys.exit(f"{one['name']}: {one['error_message']}")
        if one.get("aggregate_name") != "median":
            continue
        manual = "manual_time" in one["run_name"]
        one["ns"] = one["real_time" if manual else "cpu_time"] * factor[one["time_unit"]]
        name = one["run_name"].replace("/manual_time", "")
        found["/".join(part for part in name.split("/") if not part.startswith("iterations:"))] = one
    return found, document["context"]


def shown(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 999.5 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns"


def compile_seconds(compiler, flags, file):
    before = os.times()
    subprocess.run([compiler, "-std=c++20", *flags, f"-I{here.parent.parent / 'include'}", "-c", str(file), "-o", os.devnull], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def compile_time(compiler, rounds):
    print("## Compile time\n")
    print("| | a file that reads and writes one JSON value | a file that builds and asks an `ai::agent` | ratio | aim |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for flags in (["-O0"], ["-O2"]):
        seconds = {"json": [], "agent": []}
        for _ in range(rounds):
            for name, all_of_it in seconds.items():
                all_of_it.append(compile_seconds(compiler, flags, here / "compile_time" / f"{name}.cpp"))
        one, other = (statistics.median(seconds[name]) for name in ("json", "agent"))
        print(f"| `{' '.join([compiler, *flags])}` | {one:.2f} s | {other:.2f} s | {other / one:.2f} | 1.25 |")
    print()


def main():
    arguments = argparse.ArgumentParser(description="Prints the tables of docs/reference/performance.md.")
    arguments.add_argument("program", help="the program pyaichat_bench, built optimised")
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--leave-out", default="", help="a regular expression: benchmarks to leave out")
    arguments.add_argument("--compiler", default="g++", help="for the compile times")
    arguments.add_argument("--compilations", type=int, default=11, help="how often each file is compiled; 0 = leave that out")
    chosen = arguments.parse_args()

    found, context = run_benchmarks(chosen.program, chosen.repetitions, chosen.leave_out)
    calibration = found.pop("calibration")["ns"]
    print(f"{context['num_cpus']} processors of {context['mhz_per_cpu']} MHz, load {context['load_avg'][0]:.1f}, {time.strftime('%Y-%m-%d')}. "
          f"One calibration loop: {shown(calibration)}.\n")

    ratios = {name: found[name]["ns"] / found[other]["ns"] for name, other in compared_with.items() if name in found and other in found}
    for other in compared_with.values():
        if other.startswith("plain/"):
            found.pop(other, None)

    def row(name, what, aim):
        one = found.pop(name, None)
        if one is not None:
            if name in ratios:
                aim += f": {ratios[name]:.2f} x"
            allocations = f"{one['allocations']:.0f}" if "allocations" in one else ""
            print(f"| {what} | {shown(one['ns'])} | {one['ns'] / calibration:.3g} | {allocations} | {aim} |")

    for heading, rows in tables:
        print(f"## {heading}\n\n| | CPU | calibration loops | allocations | aim |\n| --- | ---: | ---: | ---: | ---: |")
        for each in rows:
            row(*each)
        print()

    if frame := found.pop("frame_of_1000_runs", None):
        print("## A frame with 1,000 runs\n\n| | CPU | calibration loops | aim |\n| --- | ---: | ---: | ---: |")
        for counter, what, aim in (("median_us", "median", "200 us"), ("p999_us", "99.9th percentile", "")):
            print(f"| {what} of 10,000 frames | {shown(frame[counter] * 1e3)} | {frame[counter] * 1e3 / calibration:.3g} | {aim} |")
        print(f"\nAnswers a frame: {frame['answers_per_frame']:.1f}.\n")

    streams = {name: one for name, one in found.items() if "bytes_per_second" in one}
    if streams:
        print("## Throughput\n\n| | MB/s | bytes in one calibration loop | aim |\n| --- | ---: | ---: | ---: |")
        for name, one in streams.items():
            rate = found.pop(name)["bytes_per_second"]
            print(f"| `{name}` | {rate / 1e6:.0f} | {rate * calibration / 1e9:.0f} | 500 |")
        print()

    if found:
        print("## More\n\n| | CPU | calibration loops | allocations | aim |\n| --- | ---: | ---: | ---: | ---: |")
        for name in list(found):
            row(name, f"`{name}`", "")
        print()

    if chosen.compilations > 0:
        compile_time(chosen.compiler, chosen.compilations)


main()
