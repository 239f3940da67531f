"""Checks the public names of the SDK against a list, so that a new one is a decision: `public_names.py ROOT`.

The names are those that `pyaichat/pyaichat.hpp` declares, itself or through its includes, in namespace pyaichat and the namespaces within it
except `detail`: types, functions, concepts, variables, and macros. `public_names.py ROOT --write` brings tests/meta/public_names.txt up to
date; `--self-test` tests the check itself.
"""

import pathlib
import re
import sys
import tempfile

LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(pyaichat/[^>]+)>", re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|<=>|<=|>=|&&|\|\||\d[\w.']*|\S")
PAIRS = {"(": ")", "[": "]", "{": "}"}


def without_literals(text):
    """Comments become a space and strings an empty string; a quote between digits is no literal."""
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text)
    return LITERALS.sub(lambda found: " " if found.group().startswith("/") else "0", text)


def headers(root):
    """The text of the umbrella header and of all headers that it reaches."""
    waiting, seen = ["pyaichat/pyaichat.hpp"], {}
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen[name] = (root / "include" / name).read_text(encoding="utf-8")
            waiting += INCLUDE.findall(seen[name])
    return seen


class reader:
    def __init__(self, name, text):
        self.name = name
        self.tokens = TOKEN.findall(DIRECTIVE.sub("", text))
        self.at = 0

    def closing(self, at):
        """Where the bracket at `at` is closed."""
        waiting = []
        for end in range(at, len(self.tokens)):
            token = self.tokens[end]
            if token in PAIRS:
                waiting.append(PAIRS[token])
            elif token in PAIRS.values():
                if waiting.pop() != token:
                    break
                if not waiting:
                    return end
        raise SyntaxError(f"{self.name}: `{' '.join(self.tokens[at:at + 8])} ...` is not closed")

    def after_angle(self, at):
        """Behind the `>` that closes the `<` at `at`."""
        depth = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token in PAIRS:
                at = self.closing(at)
            depth += (token == "<") - (token == ">")
            at += 1
            if depth == 0:
                return at
        raise SyntaxError(f"{self.name}: a `<` is not closed")

    def is_requirement(self, at):
        """Whether the brace at `at` opens the body of a requires expression."""
        before = self.tokens[at - 1]
        if before == ")":
            opening = at - 1
            while self.tokens[opening] != "(" or self.closing(opening) != at - 1:
                opening -= 1
            return self.tokens[opening - 1] == "requires" and self.tokens[opening - 2] in ("requires", "=", "&&", "||", "!", "(")
        return before == "requires"

    def declaration(self):
        """The tokens of the next declaration outside of brackets, up to its end; a bracket stands for all that is in it."""
        out, initialised, constructor = [], False, False
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token == ";":
                self.at += 1
                return out
            if token == "<" and out and not initialised and (out[-1] != "operator" and re.match(r"\w", out[-1])):
                self.at = self.after_angle(self.at)
                out.append("<>")
                continue
            if token in PAIRS:
                if token == "{" and out[:1] in (["namespace"], ["inline"]) and "namespace" in out[:2]:
                    return out
                end = self.closing(self.at)
                body = token == "{" and not initialised and not self.is_requirement(self.at) and not (constructor and re.match(r"\w", out[-1]))
                self.at = end + 1
                out.append(token + PAIRS[token])
                if body and "()" in out and not {"class", "struct", "union", "enum"} & set(out[:out.index("()")]):
                    return out  # the body of a function: no `;` ends it
                continue
            initialised = initialised or (token == "=" and out[-1:] != ["operator"])
            constructor = constructor or (token == ":" and "()" in out)
            out.append(token)
            self.at += 1
        if out:
            raise SyntaxError(f"{self.name}: `{' '.join(out[:8])} ...` does not end")
        return out

    def names(self):
        namespaces = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token == "}":
                namespaces.pop()
                self.at += 1
                continue
            declared = self.declaration()
            if "namespace" in declared[:2] and self.at < len(self.tokens) and self.tokens[self.at] == "{":
                path = [part for part in " ".join(declared).replace("inline PYAICHAT_ABI", "").split() if part not in ("namespace", "inline", "::")]
                namespaces.append(path or ["detail"])  # a nameless one is as private as that
                self.at += 1
                continue
            path = [part for group in namespaces for part in group]
            name = declared_name(declared)
            if name and path[:1] == ["pyaichat"] and "detail" not in path:
                yield "::".join([*path[1:], name])


def declared_name(tokens):
    """The name that a declaration declares; None for a member's definition and for what declares nothing."""
    while tokens[:1] == ["template"]:
        tokens = tokens[2:]
    if not tokens or tokens[0] in ("static_assert", "extern") and tokens[1:2] == ["()"] or tokens[:2] == ["using", "namespace"]:
        return None
    if "concept" in tokens:
        return tokens[tokens.index("concept") + 1]
    if tokens[0] == "using":
        return tokens[1] if "=" in tokens else tokens[-1]
    if tokens[0] == "template" or tokens[:2] == ["extern", "template"]:
        return None  # an instantiation
    if "operator" in tokens:
        at = tokens.index("operator")
        symbol = tokens[at + 1:at + 2 + tokens[at + 1:].index("()")] if "()" in tokens[at + 1:] else tokens[at + 1:]
        return None if tokens[at - 1] == "::" else "operator" + ("".join(symbol[:-1]) or "()")
    for at, token in enumerate(tokens):
        if token in ("class", "struct", "union", "enum"):
            words = [word for word in tokens[at + 1:] if re.match(r"[A-Za-z_]", word) and word not in ("class", "struct", "alignas", "final")]
            return words[0] if words else None
        if token == "()" and re.match(r"[A-Za-z_]", tokens[at - 1]) and tokens[at - 1] not in ("requires", "noexcept", "decltype", "alignas", "explicit"):
            return None if tokens[at - 2:at - 1] == ["::"] else tokens[at - 1]
        if token == "=" or token == "{}" and "requires" not in tokens[at - 2:at]:
            return variable(tokens[:at])
    return variable(tokens)


def variable(tokens):
    named = [at for at, word in enumerate(tokens) if re.match(r"[A-Za-z_]", word)]
    return None if not named or tokens[named[-1] - 1:named[-1]] == ["::"] else tokens[named[-1]]


def public_names(root):
    out = set()
    for name, text in headers(root).items():
        text = without_literals(text)
        out.update(MACRO.findall(text))
        out.update(reader(name, text).names())
    return out


def check(root, listed, write):
    names = public_names(root)
    if write:
        listed.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
    before = set(listed.read_text(encoding="utf-8").split())
    lines = [f"added: {name}" for name in sorted(names - before)] + [f"removed: {name}" for name in sorted(before - names)]
    if lines:
        lines.append("A public name is a promise. Put what the host does not need into namespace detail. If the change is meant, name it in CHANGELOG.md"
                     " and run: python3 tests/meta/public_names.py . --write")
    return lines


PLANTED = """#pragma once
#include <pyaichat/core/other.hpp>
#define PYAICHAT_PLANTED(x) \\
    struct not_a_name { x }
#if defined(A)
    #include <cassert>
#endif
namespace pyaichat::inline PYAICHAT_ABI::detail { struct hidden { int x; }; inline void hidden_function() {} }
namespace pyaichat::inline PYAICHAT_ABI {
// struct in_comment {}; /* a brace { in a comment
/* class in_block { */
class forward;
enum class colour : unsigned char { red, green = 2 };
struct [[nodiscard]] plain final : public detail::hidden { void member() { struct inner {}; } int field = 3; };
template <class T, class U = std::vector<std::pair<T, int>>>
class generic { template <class V> requires std::same_as<V, T> void f(V); };
template <>
class generic<int> {};
template <class F>
    requires requires { &F::operator(); }
struct constrained<F> : base<decltype(&F::operator())> {};
template <class T>
concept likes = std::copyable<T> && requires(T& t, const int& i) { { t.f(i) } -> std::same_as<void>; };
template <class T>
concept likes_nothing = !likes<T> && (requires { &T::f; } || requires { typename T::x; });
using alias = std::function<void(int)>;
template <class T> using alias_of = generic<T>;
inline constexpr std::string_view text = "} struct in_string { ";
inline constexpr int braced{1'000};
inline constexpr char quote = '"';
inline constexpr std::array<int, 2> table = {{1, 2}};
extern const int declared;
[[nodiscard]] result<std::vector<int>> function(const std::map<int, int>& a = {}, int b = (1 < 2));
[[nodiscard]] inline bool defined(int a) noexcept { if (a) { return true; } return false; }
template <class T> requires (sizeof(T) > 1) && likes<T> [[nodiscard]] constexpr auto with_requires(T t) -> std::vector<T> { return {t}; }
template <class T> [[nodiscard]] auto trailing(T t) requires(sizeof(T) > 1) { return t; }
template <class T> guided(T) -> guided<T>;
bool operator==(const plain&, const plain&) = default;
std::ostream& operator<<(std::ostream&, plain);
inline plain::plain(int a) : field{a}, other(a) {}
void plain::member();
static_assert(sizeof(int) == 4);
extern template class generic<char>;
const char* raw = R"x( { struct in_raw {}; )x";
inline namespace literals { int operator""_s(const char*); }
namespace room { struct of_room; }
}  // namespace pyaichat::inline PYAICHAT_ABI
namespace std { template <> struct hash<pyaichat::plain> {}; }
"""
EXPECTED = """PYAICHAT_PLANTED alias alias_of braced colour constrained declared defined forward function generic guided likes likes_nothing
literals::operator0_s operator<< operator== other plain quote raw room::of_room table text trailing with_requires"""


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "include/pyaichat/core").mkdir(parents=True)
        (root / "include/pyaichat/pyaichat.hpp").write_text(PLANTED, encoding="utf-8")
        (root / "include/pyaichat/core/other.hpp").write_text("namespace pyaichat { struct other; }", encoding="utf-8")
        found, expected = public_names(root), set(EXPECTED.split())
        if found != expected:
            sys.exit(f"missed: {sorted(expected - found)}; found what is not there: {sorted(found - expected)}")
        listed = root / "names.txt"
        assert check(root, listed, True) == []
        (root / "include/pyaichat/core/other.hpp").write_text("namespace pyaichat { int renamed(); }", encoding="utf-8")
        if check(root, listed, False)[:2] != ["added: renamed", "removed: other"]:
            sys.exit("a new name and a missing one were not told")
    print(f"{len(expected)} planted names found")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        problems = check(pathlib.Path(sys.argv[1]), pathlib.Path(__file__).with_suffix(".txt"), sys.argv[2:] == ["--write"])
        print("\n".join(problems) if problems else "the public names are those of tests/meta/public_names.txt")
        sys.exit(1 if problems else 0)
