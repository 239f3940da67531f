#include "python/interpreter/interpreter_core.hpp"

#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

void interpreter_core::leave_if_forked(const outcome& ended) const {
    if (process_id() == own_process_) {
        return;
    }
    if (ended.ending == ending::raised && ended.exception) {
        std::fputs(ended.exception->traceback.c_str(), stderr);
    }
    leave_process(ended.ending == ending::exited ? ended.exit_status : ended.ending == ending::done ? 0 : 1);
}

void interpreter_core::at_end(std::weak_ptr<void> holder, task release) {
    std::erase_if(end_hooks_, [](const end_hook& each) { return each.holder.expired(); });
    end_hooks_.push_back({std::move(holder), std::move(release)});
}

void interpreter_core::release_now(const session_objects& objects) {
    if (objects.created_module && !runtime_.call("forget_session", objects.module)) {
        PyErr_Clear();
    }
    Py_XDECREF(objects.compiler);
    Py_XDECREF(objects.main);
    Py_XDECREF(objects.module);
    PyErr_Clear();
}

void interpreter_core::release_later(const session_objects& objects) {
    {
        const std::lock_guard lock(left_mutex_);
        left_objects_.push_back(objects);
    }
    // If this is refused, because Python is busy or ends, the next release or the end of Python does it.
    queue_.push({.what = "the end of a session",
                 .run = [self = shared_from_this()]() -> task {
                     self->release_left_objects();
                     return {};
                 },
                 .refuse = [](const refusal&) {}});
}

void interpreter_core::release_left_objects() {
    std::vector<session_objects> left;
    {
        const std::lock_guard lock(left_mutex_);
        left.swap(left_objects_);
    }
    for (const session_objects& each : left) {
        release_now(each);
    }
}

void interpreter_core::release_all() {
    for (end_hook& each : std::exchange(end_hooks_, {})) {
        if (const std::shared_ptr<void> holder = each.holder.lock()) {
            each.release();
        }
    }
    release_left_objects();
    runtime_.release();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
