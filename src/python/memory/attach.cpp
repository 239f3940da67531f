#include <pyaichat/python/attach.hpp>

#include "python/capabilities/capability_table.hpp"
#include "python/memory/debug_offsets.hpp"
#include "python/memory/find_python.hpp"
#include "python/memory/frame_reader.hpp"
#include "python/memory/memory_answers.hpp"
#include "python/memory/process_memory.hpp"
#include "python/privacy/privacy_scope.hpp"
#include "python/privacy/reply_filter.hpp"
#include "python/privacy/secret_names.hpp"

#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {

/// A process and the layout of its Python.
class attached_memory {
public:
    attached_memory(long process, std::string program, const memory_map& map)
        : process_(process), program_(std::move(program)), map_(map), memory_(process) {}

    [[nodiscard]] std::string name() const { return "process " + std::to_string(process_) + " (" + program_ + ")"; }

    [[nodiscard]] result<capability_list> specs() const { return specs_; }

    [[nodiscard]] capability_reply answer(const capability_call& call) {
        if (const result<void> readable = memory_.check(map_.addresses.runtime); !readable) {
            return reply_error(reply_code::not_allowed, readable.error().message + "; it may have ended");
        }
        bounded_memory bounded(memory_);
        object_reader reader(bounded, map_);
        const frame_reader interpreter(reader);
        const address main_module = reader.find_entry(interpreter.modules(), "__main__");
        const memory_view view = {
            .source = memory_, .map = map_, .globals = reader.namespace_of(main_module), .builtins = interpreter.builtins()};
        const privacy_rules rules;
        const privacy_scope scope(rules, mentions_secret(string_member(call.arguments, "expr").value_or("")));
        return released(rules, call, answer_from_memory(view, call.name, call.arguments));
    }

private:
    /// The declarations of a session's capabilities that can be answered from memory.
    [[nodiscard]] static result<capability_list> declare_readable() {
        std::vector<capability_spec> readable;
        for (capability_spec spec : capability_specs(eval_policy::structural)) {
            if (has_memory_answer(spec.name)) {
                spec.origin = "attached Python";
                readable.push_back(std::move(spec));
            }
        }
        return declare(std::move(readable));
    }

    long process_;
    std::string program_;
    memory_map map_;
    process_memory memory_;
    result<capability_list> specs_ = declare_readable();
};

}  // namespace detail

attached_process::attached_process(std::shared_ptr<detail::attached_memory> memory) : memory_(std::move(memory)) {}

result<capability_list> attached_process::specs() const {
    return memory_->specs();
}

void attached_process::invoke(const capability_call& call, capability_responder responder) {
    responder(guarded([&] { return memory_->answer(call); },
                      [](std::string_view what) { return reply_error(reply_code::internal, std::string(what)); }));
}

std::string attached_process::name() const {
    return memory_->name();
}

result<attached_process> attach(long process) {
    const result<detail::found_python> found = detail::find_python(process);
    if (!found) {
        return found.error();
    }
    detail::process_memory memory(process);
    if (const result<void> readable = memory.check(found->addresses.runtime); !readable) {
        return readable.error();
    }
    std::uint32_t version = 0;
    if (found->version == 0 || !memory.read(found->version, std::as_writable_bytes(std::span(&version, 1)))) {
        version = 0;
    }
    const result<detail::memory_layout> layout = detail::read_debug_offsets(memory, found->addresses.runtime, version);
    if (!layout) {
        return layout.error();
    }
    return attached_process(std::make_shared<detail::attached_memory>(
        process, found->program, detail::memory_map{.layout = *layout, .addresses = found->addresses}));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
