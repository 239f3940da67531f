#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include "object_ref.hpp"

#include <vector>

namespace bindings {

/// An event as `(name, number, run_id, time, data)`; `pyaichat._events` makes an object of it.
[[nodiscard]] py::tuple event_to_python(const ai::event& value);

/// The members of an answer as a dict, for `pyaichat._answer`.
[[nodiscard]] py::dict answer_to_python(const ai::answer& value);

/// A call that is proposed, or that runs, as a dict.
[[nodiscard]] py::dict call_to_python(const ai::proposed_call& call);
[[nodiscard]] py::dict call_to_python(const ai::capability_call& call);

/// The request for a provider in Python, as a dict.
[[nodiscard]] py::dict request_to_python(const ai::model_request& request);

/// Makes a response of the dict that `pyaichat._provider` builds.
[[nodiscard]] ai::model_response response_from_python(const py::dict& response);

/// A reply of a capability from its envelope: `{"ok": true, "result": ...}` or `{"ok": false, "error": {...}}`.
[[nodiscard]] ai::capability_reply reply_from_python(const py::dict& envelope);

/// Images from a sequence of pairs of a MIME type and bytes.
[[nodiscard]] std::vector<ai::image> images_from_python(py::handle images);

/// Registers the class `Conversation` and the function `image_type`.
void add_messages(py::module_& module);

}  // namespace bindings
