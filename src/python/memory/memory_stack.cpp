#include "python/memory/memory_stack.hpp"

#include "python/memory/frame_reader.hpp"
#include "python/memory/memory_printer.hpp"
#include "python/privacy/privacy_scope.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_remote_local_chars = 120;

/// The locals of a frame, each as text. Values that change are `<changing>`.
json read_locals(bounded_memory& memory, const memory_map& map, const remote_frame& frame, std::size_t limit) {
    struct local_text {
        std::string name;
        std::string text;
        std::uint64_t digest = 0;
        bool doubtful = false;
    };
    const auto pass = [&] {
        std::vector<local_text> texts;
        object_reader reader(memory, map);
        for (const remote_local& each : frame_reader(reader).locals(frame, limit)) {
            if (hides_name(each.name)) {
                continue;
            }
            object_reader fresh(memory, map);
            memory.begin_pass();
            std::string text = shown_text(each.name, short_text_from_memory(fresh, each.value, max_remote_local_chars));
            texts.push_back({each.name, std::move(text), memory.digest() ^ each.value, memory.doubtful()});
        }
        return texts;
    };
    std::vector<local_text> before = pass();
    json locals = json::object();
    for (const local_text& each : before) {
        locals[each.name] = changing;
    }
    for (int i = 1; i < max_passes && !memory.exhausted(); ++i) {
        std::vector<local_text> now = pass();
        if (memory.exhausted()) {
            break;
        }
        bool all_agree = true;
        for (std::size_t k = 0; k < now.size(); ++k) {
            const bool agrees = k < before.size() && now[k].name == before[k].name && now[k].digest == before[k].digest &&
                                !now[k].doubtful && !before[k].doubtful;
            if (agrees) {
                locals[now[k].name] = now[k].text;
            }
            all_agree = all_agree && agrees;
        }
        before = std::move(now);
        if (all_agree) {
            break;
        }
    }
    return locals;
}

json describe_remote_frame(const remote_frame& frame, json locals) {
    json described = json::object({{"file", frame.file},
                                   {"line", frame.line ? json(*frame.line) : json()},
                                   {"function", frame.function},
                                   {"locals", std::move(locals)}});
    if (!frame.c_call.empty()) {
        described["c_call"] = frame.c_call;
    }
    return described;
}

}  // namespace

json read_stack(bounded_memory& memory, const memory_map& map, const stack_limits& limits) {
    const auto threads = read_twice(memory, [&] {
        object_reader reader(memory, map);
        return frame_reader(reader).threads(limits.threads + 1);
    });
    json described = json::array();
    for (const remote_thread& thread : threads.value) {
        if (described.size() == limits.threads) {
            break;
        }
        const auto stack = read_twice(memory, [&] {
            object_reader reader(memory, map);
            return frame_reader(reader).frames(thread, limits.frames);
        });
        json frames = json::array();
        for (const remote_frame& frame : stack.value.frames) {
            frames.push_back(describe_remote_frame(frame, read_locals(memory, map, frame, limits.locals)));
        }
        json entry = json::object({{"id", thread.id},
                                   {"native_id", thread.native_id},
                                   {"name", thread.name},
                                   {"holds_gil", thread.holds_gil},
                                   {"frames", std::move(frames)},
                                   {"frames_truncated", stack.value.has_more}});
        if (!stack.agreed) {
            entry["torn"] = true;
        }
        described.push_back(std::move(entry));
    }
    json result = json::object(
        {{"threads", std::move(described)}, {"threads_truncated", threads.value.size() > limits.threads || memory.exhausted()}});
    if (!threads.agreed) {
        result["torn"] = true;
    }
    return result;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
