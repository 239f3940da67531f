"""Sources that are not written in Python: the shell, Lua plugins, and another process."""

import asyncio
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

import pyaichat as ai

from models import calling, error_of, replies, result_of

SOURCE = pathlib.Path(os.environ.get("PYAICHAT_SOURCE", pathlib.Path(ai.__file__).resolve().parents[3]))

# the shell

needs_shell = pytest.mark.skipif(not hasattr(ai._native, "Shell"), reason="this build has no shell")


def running(command, **arguments):
    return calling("exec", {"command": command, **arguments})


@needs_shell
def test_an_allowed_command_runs():
    agent = ai.Agent(running("echo door"), namespace=None, capabilities=[ai.shell(allow=["echo"], pty=False)])
    result = result_of(agent.ask("say door"))
    assert result["stdout"] == "door\n" and result["exit_code"] == 0


@needs_shell
def test_a_command_that_no_rule_allows_does_not_run(tmp_path):
    agent = ai.Agent(running("touch made"), namespace=None, capabilities=[ai.shell(allow=["ls"], folder=str(tmp_path))])
    answer = agent.ask("make a file")
    assert answer.reason == "awaiting_approval" and not (tmp_path / "made").exists()


@needs_shell
def test_the_approval_function_decides_about_other_commands(tmp_path):
    asked = []

    def approve(call):
        asked.append(call.reason)
        return True

    shell = ai.shell(folder=str(tmp_path))
    answer = ai.Agent(running("touch made"), namespace=None, capabilities=[shell], approval=approve).ask("make a file")
    assert answer.reason == "complete" and (tmp_path / "made").exists() and any(asked)


@needs_shell
def test_a_denied_command_gets_its_reason(tmp_path):
    agent = ai.Agent(
        running("rm -r ."), namespace=None, capabilities=[ai.shell(deny=["rm"], folder=str(tmp_path))], approval=lambda call: True
    )
    answer = agent.ask("remove it")
    (denied,) = [event for event in answer.events if isinstance(event, ai.CallDenied)]
    assert "rm" in denied.reply["error"]["message"] and tmp_path.exists()


@needs_shell
def test_keys_of_the_program_do_not_reach_commands(monkeypatch):
    monkeypatch.setenv("DOOR_KEY", "secret")
    command = "printenv DOOR_KEY DOOR_COLOR"
    shell = ai.shell(allow=["printenv"], variables={"DOOR_COLOR": "red"}, pty=False)
    assert result_of(ai.Agent(running(command), namespace=None, capabilities=[shell]).ask("look"))["stdout"] == "red\n"
    shell = ai.shell(allow=["printenv"], pass_variables=["DOOR_KEY"], pty=False)
    assert result_of(ai.Agent(running(command), namespace=None, capabilities=[shell]).ask("look"))["stdout"] == "secret\n"


@needs_shell
def test_a_command_runs_in_a_coroutine_and_shows_its_output():
    shell = ai.shell(allow=["echo"], pty=False)
    answer = asyncio.run(ai.Agent(running("echo one"), namespace=None, capabilities=[shell]).ask_async("say one"))
    assert result_of(answer)["stdout"] == "one\n"
    assert [event.text for event in answer.events if isinstance(event, ai.CallOutput)] == ["one\n"]


@needs_shell
def test_a_command_has_a_deadline():
    shell = ai.shell(allow=["sleep"], timeout=0.1)
    assert error_of(ai.Agent(running("sleep 20"), namespace=None, capabilities=[shell]).ask("wait"))["code"] == "timeout"


@needs_shell
@pytest.mark.parametrize("options", [{"allow": ["ls | wc"]}, {"deny": [""]}, {"allow": ["a > b"]}])
def test_a_rule_that_is_not_plain_words_is_refused(options):
    with pytest.raises(ai.ConfigurationError):
        ai.shell(**options)


@needs_shell
def test_rules_are_a_list():
    with pytest.raises(TypeError, match="allow is a list"):
        ai.shell(allow="ls")


@needs_shell
def test_a_source_says_what_it_is_and_is_not_pickled():
    shell = ai.shell(allow=["ls", "git status"])
    assert repr(shell) == "<shell exec, allow=['ls', 'git status']>"
    assert repr(ai.Agent("offline", capabilities=[shell])) == "<Agent offline, 1 capabilities>"
    with pytest.raises(ai.Error, match="cannot be pickled"):
        pickle.dumps(shell)


@needs_shell
def test_two_shells_need_two_names():
    both = [ai.shell(), ai.shell(name="run")]
    assert ai.Agent(lambda request: "seen", namespace=None, capabilities=both).ask("hello").text == "seen"
    with pytest.raises(ai.ConfigurationError, match="exec"):
        ai.Agent(lambda request: "seen", namespace=None, capabilities=[ai.shell(), ai.shell()]).ask("hello")


# Lua plugins

needs_lua = pytest.mark.skipif(not hasattr(ai._native, "LuaPlugins"), reason="this build has no Lua")

DOUBLE = """
return {
    name = "double", api = 1, version = "1.0",
    capabilities = {
        { name = "double", description = "Twice a number.", effects = "read",
          parameters = { type = "object", required = { "x" }, properties = { x = { type = "integer" } } },
          run = function(args, ctx) ctx.log("doubles " .. args.x) return args.x * 2 end },
    },
}
"""


@needs_lua
def test_plugins_of_a_folder_are_capabilities():
    plugins = ai.lua.plugins(SOURCE / "plugins" / "lua")
    assert "dice" in plugins.names and "roll_dice" in plugins.capabilities and plugins.problems == {}
    answer = ai.Agent(calling("roll_dice", {"dice": "3d2+4"}), namespace=None, capabilities=[plugins]).ask("roll")
    assert 7 <= result_of(answer)["total"] <= 10


@needs_lua
def test_a_plugin_is_one_file_and_logs(tmp_path):
    file = tmp_path / "double.lua"
    file.write_text(DOUBLE)
    plugins = ai.lua.plugins(file)
    assert repr(plugins) == "<lua.Plugins: double>"
    assert result_of(ai.Agent(calling("double", {"x": 21}), namespace=None, capabilities=[plugins]).ask("double it")) == 42
    assert ("log", "double", "doubles 21") in plugins.take_notices() and plugins.take_notices() == []


@needs_lua
def test_hooks_of_plugins_work():
    secret = "sk-" + "a1B2" * 12

    def key() -> str:
        """The key of the shop."""
        return secret

    plugins = ai.lua.plugins(SOURCE / "plugins" / "lua" / "redact.lua")
    with_hooks = ai.Agent(calling("key"), namespace=None, capabilities=[key, plugins]).ask("what is the key?")
    without = ai.Agent(calling("key"), namespace=None, capabilities=[key]).ask("what is the key?")
    assert secret in str(without.calls[0].reply) and secret not in str(with_hooks.calls[0].reply)


@needs_lua
def test_a_file_that_cannot_be_loaded_is_an_error_with_its_line(tmp_path):
    (tmp_path / "broken.lua").write_text("return {\n    name = \n}")
    with pytest.raises(ai.ConfigurationError, match=r"broken\.lua:3"):
        ai.lua.plugins(tmp_path)
    with pytest.raises(ai.ConfigurationError):
        ai.lua.plugins(tmp_path / "missing.lua")
    with pytest.raises(ai.ConfigurationError, match="memory"):
        ai.lua.plugins(SOURCE / "plugins" / "lua", memory=3)


@needs_lua
def test_a_changed_file_is_loaded_again(tmp_path):
    file = tmp_path / "double.lua"
    file.write_text(DOUBLE)
    plugins = ai.lua.plugins(tmp_path, reload=True)
    agent = ai.Agent(calling("double", {"x": 2}), namespace=None, capabilities=[plugins])
    assert result_of(agent.ask("double it")) == 4
    file.write_text(DOUBLE.replace("* 2", "* 20000").replace("Twice a number", "Very many times a number"))
    os.utime(file, (1, 1))
    assert result_of(agent.ask("double it")) == 40000


@needs_lua
def test_threads_may_share_plugins(tmp_path):
    file = tmp_path / "double.lua"
    file.write_text(DOUBLE)
    plugins = ai.lua.plugins(file)
    results = []

    def work(number):
        agent = ai.Agent(calling("double", {"x": number}), namespace=None, capabilities=[plugins])
        results.extend(result_of(agent.ask("double it")) for _ in range(10))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert sorted(results) == sorted(2 * number for number in range(8) for _ in range(10))


# another process


def python_of_version_3_13():
    """A CPython 3.13, or None: only this version can be attached to."""
    places = ["python3.13", "/root/.pyenv/versions/3.13.0/bin/python3.13", sys.executable]
    code = "import sys; print(sys.version_info[:2] == (3, 13) and sys.implementation.name == 'cpython')"
    for place in places:
        try:
            done = subprocess.run([place, "-c", code], capture_output=True, text=True, timeout=20)
        except OSError:
            continue
        if done.stdout == "True\n":
            return place
    return None


@pytest.fixture
def other_process():
    """A process that has variables and waits."""
    python = python_of_version_3_13()
    if python is None or sys.platform != "linux":
        pytest.skip("there is no CPython 3.13 here, the only version that can be attached to")
    code = "doors = [1, 2, 3]\nname = 'shop'\nprint('ready', flush=True)\ninput()\nprint(doors)"
    process = subprocess.Popen([python, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout.readline() == "ready\n"
        yield process
        if process.returncode is None:
            process.communicate("\n", timeout=20)


def test_variables_of_another_process_are_shown(other_process):
    try:
        attached = ai.attach(other_process.pid)
    except ai.Error as error:
        pytest.skip(f"the system does not allow it: {error}")
    assert f"process {other_process.pid}" in repr(attached)
    agent = ai.Agent("offline", namespace=attached)
    answer = agent.ask("what is doors?")
    assert "[1, 2, 3]" in answer.text and not any(call.ran_user_code for call in answer.calls)
    assert "name" in agent.ask("which variables are there?").text
    assert "[1, 2, 3]" in asyncio.run(agent.ask_async("what is doors?")).text
    # The process goes on as before.
    assert other_process.communicate("\n", timeout=20)[0] == "[1, 2, 3]\n"


def test_a_process_that_has_ended_is_an_error_in_the_answer(other_process):
    try:
        agent = ai.Agent("offline", namespace=ai.attach(other_process.pid))
    except ai.Error as error:
        pytest.skip(f"the system does not allow it: {error}")
    other_process.communicate("\n", timeout=20)
    answer = agent.ask("what is doors?")
    assert "[1, 2, 3]" not in answer.text and not any(call.ok for call in answer.calls)


@pytest.mark.parametrize("arguments", [{"values": "schema"}, {"values": 2}, {"hide": ["doors"]}])
def test_what_cannot_be_withheld_of_another_process_is_refused(other_process, arguments):
    try:
        attached = ai.attach(other_process.pid)
    except ai.Error as error:
        pytest.skip(f"the system does not allow it: {error}")
    with pytest.raises(ai.ConfigurationError, match="do not apply to another process"):
        ai.Agent("offline", namespace=attached, **arguments)


def test_an_attached_process_is_not_pickled(other_process):
    try:
        attached = ai.attach(other_process.pid)
    except ai.Error as error:
        pytest.skip(f"the system does not allow it: {error}")
    with pytest.raises(ai.Error, match="cannot be pickled"):
        pickle.dumps(attached)


def test_a_process_without_python_is_an_error():
    with subprocess.Popen(["sleep", "30"]) as process:
        try:
            with pytest.raises(ai.Error):
                ai.attach(process.pid)
        finally:
            process.kill()


def test_replies_of_sources_are_seen_by_the_model(tmp_path):
    if not hasattr(ai._native, "Shell"):
        pytest.skip("this build has no shell")
    seen = []

    def model(request):
        seen[:] = replies(request)
        return "done" if seen else ai.Response(calls=[ai.Call("exec", {"command": "pwd"})])

    shell = ai.shell(allow=["pwd"], folder=str(tmp_path), pty=False)
    ai.Agent(model, namespace=None, capabilities=[shell]).ask("where?")
    assert seen[0]["result"]["stdout"].strip() == str(tmp_path.resolve())
