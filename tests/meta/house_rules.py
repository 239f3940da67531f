"""Greps for what the house forbids: `house_rules.py ROOT`.

- members of nlohmann::json that throw (an inline function of it would have two meanings in a program that mixes exception settings);
- public headers without a test of their name; sleeping in unit tests; headers without `#pragma once`; libraries that print.
"""

import pathlib
import re
import sys

RULES = [
    # what, where, and why
    (re.compile(r"\bjson::parse\((?!.*nullptr, false\))"), ("include", "src"), "json::parse throws; use parse_json"),
    (re.compile(r"\.dump\((?!.*error_handler|.*replace\))"), ("include", "src"), "dump throws on invalid UTF-8; use dump_json"),
    (re.compile(r"\.get<|\.get_to\(|\.get_ref<|\.at\(\""), ("include", "src"), "throws on another type; use the checked functions of core/json.hpp"),
    (re.compile(r"\bstd::(cout|cerr|clog)\b|\bstd::?printf\(|[^\w]printf\("), ("include", "src"), "the library does not print"),
    (re.compile(r"\bsleep_for\b|\busleep\("), ("tests/unit",), "a unit test does not sleep"),
    (re.compile(r"\bstd::regex\b"), ("include", "src"), "std::regex recurses on what it reads"),
    (re.compile(r"\bco_(await|yield|return)\b|std::expected\b|<format>"), ("include", "src"), "not for the compilers that are the floor"),
]


# Headers that only declare values, or assertions: what they are for is tested where they are used. Any other public header has a test file of its name.
WITHOUT_MIRROR = {
    "config/config", "schema/unsupported", "message/request", "message/response", "agent/recover", "agent/run_policies", "message/call_decision", "schema/schema_error",
}


def strip_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)


def problems(root):
    root = pathlib.Path(root)
    for pattern, folders, why in RULES:
        for folder in folders:
            for path in sorted((root / folder).rglob("*.[ch]pp")):
                for number, line in enumerate(strip_comments(path.read_text(encoding="utf-8")).split("\n"), 1):
                    if pattern.search(line):
                        yield f"{path}:{number}: {why}"
    for path in sorted((root / "include").rglob("*.hpp")):
        if not path.read_text(encoding="utf-8").startswith("#pragma once\n"):
            yield f"{path}: does not begin with #pragma once"
    for path in sorted((root / "include" / "pyaichat").rglob("*.hpp")):
        room = path.relative_to(root / "include" / "pyaichat").parts[0]
        mirrors = [root / "tests" / folder / f"{path.stem}.cpp" for folder in (f"unit/{room}", "concepts", "conformance")]
        if room != path.name and f"{room}/{path.stem}" not in WITHOUT_MIRROR and not any(mirror.is_file() for mirror in mirrors):
            yield f"{path}: has no test of its name under tests/unit/{room}"
    for path in sorted((root / "tests" / "unit").rglob("*.cpp")):
        room, name = path.parent.name, path.stem
        first = re.search(r"#include [<\"]([^>\"]+)[>\"]", path.read_text(encoding="utf-8")).group(1)
        if (root / "include" / "pyaichat" / room / f"{name}.hpp").is_file() and first != f"pyaichat/{room}/{name}.hpp":
            yield f"{path}: its first include is not the header that it tests"


found = list(problems(sys.argv[1]))
print("\n".join(found) if found else "no house rule is broken")
sys.exit(1 if found else 0)
