"""Models for tests: functions that respond from a script."""

import pyaichat as ai


def replies(request):
    """What the capabilities have replied so far, in order."""
    return [entry["reply"] for message in request.messages for entry in message.replies]


def calling(name, arguments=None, then=None):
    """A model that makes one call, and answers with its reply, or with `then`."""

    def model(request):
        made = replies(request)
        if not made:
            return ai.Response(calls=[ai.Call(name, arguments or {})])
        return then or repr(made[-1])

    return model


def result_of(answer):
    """The result of the only call of an answer."""
    (call,) = answer.calls
    assert call.ok, call.reply
    return call.reply["result"]


def error_of(answer):
    """The error of the only call of an answer."""
    (call,) = answer.calls
    assert not call.ok, call.reply
    return call.reply["error"]
