"""Lua plugins: loading them, what they say, trying them out without a model, reloading."""

import json
import pathlib
import re
import shutil

import pytest

from conftest import needs_plugins, without_plugins
from fake_gemini import FakeGemini, calls, text

SHIPPED = pathlib.Path(__file__).resolve().parents[2] / "plugins" / "lua"

LAMP = """
return {
    name = "lamp", api = 1, version = "1.0",
    capabilities = {
        { name = "lamp_state", description = "Whether the lamp burns.", effects = "read",
          run = function(args, ctx) ctx.log("somebody\\27[31m looks") return { burns = true } end },
    },
}
"""
BROKEN = 'return {\n    name = "lamp", api = 1,\n    capabilites = {},\n}\n'
LOOKS = """
return {
    name = "looker", api = 1, uses = { "get_type", "eval_expr" },
    capabilities = {
        { name = "type_of", description = "The type of a variable.", effects = "read",
          parameters = { type = "object", required = { "name" }, properties = { name = { type = "string" } } },
          run = function(args, ctx)
              local value, why = ctx.call("get_type", { expr = args.name })
              if not value then return nil, why end
              local code, refused = ctx.call("eval_expr", { expr = "1 + 1" })
              return { type = value.name, refused = refused }
          end },
    },
}
"""
RULES = 'return {{ name = "rules", api = 1, hooks = {{ before_call = function(call) {} end }} }}\n'


def put(program, name, words):
    path = program.work / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(words)
    return name


@without_plugins
def test_a_build_without_lua_says_so(program):
    for arguments in (("--plugin", "x.lua", "--exec", "1"), ("plugin", "check", "x.lua")):
        done = program.run(*arguments)
        assert done.returncode == 2 and "no Lua plugins" in done.stderr


@needs_plugins
class TestCommands:
    def test_check_prints_what_a_file_declares(self, program):
        done = program.run("plugin", "check", str(SHIPPED / "doors.lua"))
        assert done.returncode == 0 and done.stderr == ""
        assert done.stdout.splitlines() == [
            f"doors 1.0 ({SHIPPED}/doors.lua)",
            "  open_door(force?, id) [idempotent, needs approval]: Open one door. Locked doors need force."]

    def test_check_says_the_file_the_line_and_the_change_to_make(self, program):
        done = program.run("plugin", "check", put(program, "lamp.lua", BROKEN))
        assert done.returncode == 1 and done.stdout == ""
        first, second = done.stderr.splitlines()
        assert first.startswith("lamp.lua:3: ") and "capabilites" in first
        assert "`capabilities`" in second

    def test_check_of_several_files_checks_them_all(self, program):
        put(program, "lamp.lua", LAMP)
        done = program.run("plugin", "check", put(program, "broken.lua", BROKEN), "lamp.lua", "nowhere.lua")
        assert done.returncode == 1
        assert "lamp_state()" in done.stdout and "broken.lua:3:" in done.stderr and "nowhere.lua" in done.stderr

    def test_check_of_a_folder_checks_what_loading_it_would_load(self, program):
        put(program, "some/lamp.lua", LAMP)
        put(program, "some/notes.txt", "no plugin")
        done = program.run("plugin", "check", "some")
        assert done.returncode == 0 and done.stderr == "" and "lamp_state()" in done.stdout
        put(program, "some/broken.lua", BROKEN)
        broken = program.run("plugin", "check", "some")
        assert broken.returncode == 1 and "some/broken.lua:3:" in broken.stderr and "lamp_state()" in broken.stdout
        (program.work / "empty").mkdir()
        empty = program.run("plugin", "check", "empty")
        assert empty.returncode == 1 and empty.stdout == "" and "empty: there is no *.lua" in empty.stderr

    def test_a_file_name_cannot_write_lines_of_its_own(self, program):
        done = program.run("plugin", "check", put(program, "lamp.lua\nlamp 2.0 (good.lua)\x1b[2J", BROKEN))
        assert done.returncode == 1 and "\x1b" not in done.stderr
        assert done.stderr.startswith("lamp.lua\\x0alamp 2.0 (good.lua)\\x1b[2J:3: ") and len(done.stderr.splitlines()) == 2

    def test_a_slip_in_a_schema_is_told_with_what_was_meant(self, program):
        slip = LAMP.replace("run =", 'parameters = { type = "object", propertys = {} }, run =')
        done = program.run("plugin", "check", put(program, "lamp.lua", slip))
        assert done.returncode == 1 and "parameters.propertys" in done.stderr and "Did you mean `properties`?" in done.stderr

    def test_list_shows_folders_and_files_and_what_is_broken_in_them(self, program):
        done = program.run("plugin", "list", str(SHIPPED), put(program, "lamp.lua", LAMP))
        assert done.returncode == 0, done.stderr
        for words in ("doors 1.0", "open_door(", "hooks: before_call", "lamp_state() [read]: Whether the lamp burns."):
            assert words in done.stdout
        again = program.run("plugin", "list", put(program, "some/broken.lua", BROKEN).split("/")[0], "lamp.lua")
        assert again.returncode == 1 and "broken.lua:3:" in again.stderr and "lamp_state" in again.stdout

    def test_call_prints_the_reply_as_the_model_would_get_it(self, program):
        doors = str(SHIPPED / "doors.lua")
        done = program.run("plugin", "call", doors, "open_door", '{"id":"attic"}')
        assert done.returncode == 0
        assert json.loads(done.stdout) == {"ok": True, "result": {"opened": True, "was": "closed"}}
        refused = program.run("plugin", "call", doors, "open_door", '{"id":"cellar"}')
        assert refused.returncode == 1
        assert json.loads(refused.stdout)["error"]["message"] == "it is locked; set `force`"
        unfit = program.run("plugin", "call", doors, "open_door", "{}")
        assert unfit.returncode == 1 and json.loads(unfit.stdout)["error"]["code"] == "invalid_args"

    def test_call_shows_the_log_on_standard_error_without_escapes(self, program):
        done = program.run("plugin", "call", put(program, "lamp.lua", LAMP), "lamp_state")
        assert done.returncode == 0 and json.loads(done.stdout)["result"] == {"burns": True}
        assert done.stderr.startswith("lamp: somebody") and "\x1b" not in done.stderr

    def test_a_plugin_that_never_ends_is_stopped_and_named(self, program):
        loop = put(program, "loop.lua", LAMP.replace('ctx.log("somebody\\27[31m looks")', "while true do end"))
        done = program.run("plugin", "call", loop, "lamp_state")
        assert done.returncode == 1 and done.seconds < 5
        assert json.loads(done.stdout)["error"]["code"] == "plugin_error"
        assert "loop.lua:" in done.stderr and "stopped" in done.stderr

    @pytest.mark.parametrize("arguments, word", [
        ((), "check, list or call"), (("chekc", "a.lua"), "did you mean check"), (("frobnicate",), "check, list or call"), (("check",), "files"),
        (("list",), "folders"), (("call", "x.lua"), "name of a capability"), (("call", "lamp.lua", "lamp_state", "{}", "more"), "at most one"),
        (("call", "lamp.lua", "lamp_state", "[1]"), "JSON object"), (("call", "lamp.lua", "lamp_state", "{id}"), "JSON object"),
        (("call", "lamp.lua", "lamp_stat"), "did you mean lamp_state?"), (("check", "--all"), "--all"),
    ])
    def test_wrong_usage_says_why_and_ends_with_2(self, program, arguments, word):
        put(program, "lamp.lua", LAMP)
        done = program.run("plugin", *arguments)
        assert done.returncode == 2 and done.stdout == ""
        assert word in done.stderr and "--help" in done.stderr

    @pytest.mark.parametrize("arguments", [("--help",), ("check", "--help"), ("list", "-h"), ("call", "--help")])
    def test_each_has_help(self, program, arguments):
        done = program.run("plugin", *arguments)
        assert done.returncode == 0 and "usage: pyaichat plugin check" in done.stdout and done.stderr == ""


@needs_plugins
def test_a_broken_plugin_is_an_error_without_a_terminal(program):
    done = program.run("--plugin", put(program, "lamp.lua", BROKEN), "--exec", "print('ran')")
    assert done.returncode == 2 and done.stdout == ""
    assert re.search(r"lamp\.lua:3: .*capabilites", done.stderr) and "`capabilities`" in done.stderr
    missing = program.run("--plugin", "nowhere.lua", "--exec", "1")
    assert missing.returncode == 2 and "nowhere.lua" in missing.stderr


@needs_plugins
def test_a_broken_plugin_is_a_warning_at_a_terminal_and_reload_takes_the_mended_one(program):
    screen = program.start("--plugin", put(program, "lamp.lua", BROKEN))
    assert "lamp.lua:3:" in screen.prompt()
    assert "not loaded: lamp.lua:3:" in screen.enter("/plugins")
    put(program, "lamp.lua", LAMP)
    assert "lamp: new, from lamp.lua" in screen.enter("/reload")
    assert "lamp_state() [read]" in screen.enter("/plugins")


@needs_plugins
def test_reload_says_what_has_changed_what_is_new_what_is_gone_and_what_is_broken(program):
    put(program, "some/lamp.lua", LAMP)
    screen = program.start("--plugin", "some")
    screen.prompt()
    assert "nothing has changed" in screen.enter("/reload")
    put(program, "some/lamp.lua", LAMP.replace("Whether the lamp burns.", "Whether it is light."))
    assert "lamp: reloaded" in screen.enter("/reload")
    assert "Whether it is light." in screen.enter("/plugins")
    put(program, "some/lamp.lua", BROKEN + "-- and longer\n")
    shown = screen.enter("/reload")
    assert "lamp: the new version has an error, the old version is kept: some/lamp.lua:3:" in shown and shown.count("lamp.lua:3:") == 1
    listed = screen.enter("/plugins")
    assert "Whether it is light." in listed and "the old version is kept" in listed
    put(program, "some/rules.lua", RULES.format("return nil"))
    (program.work / "some/lamp.lua").unlink()
    shown = screen.enter("/reload")
    assert "rules: new" in shown and "lamp: removed" in shown
    assert "hooks: before_call" in screen.enter("/plugins")


@needs_plugins
def test_plugins_and_reload_without_any_say_how_to_load_some(program):
    done = program.run(stdin="/plugins\n/reload\n")
    assert done.returncode == 0 and done.stdout.count("--plugin FILE|DIR") == 2


@needs_plugins
def test_a_capability_that_only_looks_runs_unasked_and_its_log_is_a_line_without_escapes(program):
    with FakeGemini(calls(("lamp_state", {})), text("It burns.")) as service:
        done = program.run("--plugin", put(program, "lamp.lua", LAMP), "--ask", "does it burn?", **service.environment())
        declared = [one["name"] for tool in service.requests[0]["tools"] for one in tool["functionDeclarations"]]
    assert done.returncode == 0 and "It burns." in done.stdout
    assert re.search(r"^· lamp: somebody.* looks$", done.stdout, re.MULTILINE) and "\x1b" not in done.stdout
    assert re.search(r"^· lamp_state\(\) \d+\.\d ms$", done.stdout, re.MULTILINE)
    assert "lamp_state" in declared and "get_repr" in declared


@needs_plugins
def test_a_plugin_may_look_at_the_session_and_never_run_code_there(program):
    with FakeGemini(calls(("type_of", {"name": "x"})), text("A list.")) as service:
        done = program.run("--plugin", put(program, "looker.lua", LOOKS), "--exec", "x = [1]", "--ask", "type?", **service.environment())
        reply = service.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
    assert done.returncode == 0, done.stdout + done.stderr
    assert reply["ok"] and reply["result"]["type"] == "list"
    assert "eval_expr" in reply["result"]["refused"]


@needs_plugins
def test_hooks_deny_calls_and_add_notes(program):
    put(program, "rules.lua", RULES.format('if call.name == "get_repr" then return { deny = "nobody looks" } end'))
    done = program.run("--plugin", "rules.lua", "--exec", "x = 1", "--ask", "what is x?")
    assert "· get_repr(x) not run: denied" in done.stdout
    put(program, "note.lua", 'return { name = "note", api = 1, hooks = { on_answer = function(answer) return "(seen)" end } }')
    noted = program.run("--plugin", "note.lua", "--ask", "compute 1 + 1")
    assert noted.returncode == 0 and noted.stdout.count("`1 + 1` is 2") == 1 and noted.stdout.count("(seen)") == 1


@needs_plugins
def test_a_capability_that_python_has_already_is_left_out_and_said(program):
    words = LAMP.replace("lamp_state", "get_repr")
    done = program.run("--plugin", put(program, "lamp.lua", words), "--exec", "x = 1")
    assert done.returncode == 2 and "`get_repr`" in done.stderr and "lamp.lua" in done.stderr
    screen = program.start("--plugin", "lamp.lua", "--exec", "x = [1, 2]")
    assert "get_repr" in screen.prompt()
    screen.send("\t")
    screen.prompt("ai> ")
    assert "[1, 2]" in screen.enter("what is x?", then="ai> ")


@needs_plugins
def test_every_plugin_that_is_shipped_loads_beside_the_others(program):
    shutil.copytree(SHIPPED, program.work / "lua")
    done = program.run("--plugin", "lua", stdin="/plugins\n")
    assert done.returncode == 0 and done.stderr.count("pyaichat:") == 0
    for name in (path.stem for path in SHIPPED.glob("*.lua")):
        assert re.search(rf"^{name} ", done.stdout, re.MULTILINE), name
