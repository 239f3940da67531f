#include "python/memory/frame_reader.hpp"

#include "python/memory/line_table.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_interpreters = 64;
constexpr std::uint64_t max_line_table_bytes = 256 * 1024;
constexpr std::uint64_t max_code_units = 1 << 24;
constexpr std::uint64_t max_frame_slots = 256;
constexpr std::size_t max_skipped_frames = 1000;
constexpr std::uint32_t optimized_flag = 1;  // CO_OPTIMIZED: the locals of a function
constexpr std::uint8_t hidden_local = 0x10;  // of a comprehension that is part of the function
constexpr std::uint8_t cell_local = 0x40;
constexpr std::uint8_t free_local = 0x80;

}  // namespace

address frame_reader::main_interpreter() const {
    const memory_layout& layout = objects_.layout();
    address each = objects_.pointer_at(objects_.known().runtime + layout.runtime.interpreters_head);
    for (int i = 0; each != 0 && i < max_interpreters; ++i) {
        if (objects_.memory().load<std::int64_t>(each + layout.interpreter.id) == std::int64_t{0}) {
            return each;
        }
        each = objects_.pointer_at(each + layout.interpreter.next);
    }
    return 0;
}

address frame_reader::modules() const {
    const address interpreter = main_interpreter();
    return interpreter == 0 ? 0 : objects_.pointer_at(interpreter + objects_.layout().interpreter.modules);
}

address frame_reader::builtins() const {
    const address interpreter = main_interpreter();
    return interpreter == 0 ? 0 : objects_.pointer_at(interpreter + objects_.layout().interpreter.builtins);
}

address frame_reader::gil_holder(address interpreter) const {
    const memory_layout::gil_members& at = objects_.layout().gil;
    const address gil =
        at.base == memory_layout::gil_members::place::runtime ? objects_.known().runtime + at.at : objects_.pointer_at(interpreter + at.at);
    const bool locked = gil != 0 && objects_.memory().load<std::int32_t>(gil + at.locked) == std::int32_t{1};
    return locked ? objects_.pointer_at(gil + at.last_holder) : 0;
}

std::vector<remote_thread> frame_reader::threads(std::size_t max_threads) const {
    const memory_layout::thread_members& at = objects_.layout().thread;
    const address interpreter = main_interpreter();
    if (interpreter == 0) {
        return {};
    }
    const address holder = gil_holder(interpreter);
    const address threading = objects_.find_entry(modules(), "threading");
    const address active = objects_.find_entry(objects_.namespace_of(threading), "_active");
    std::vector<remote_thread> threads;
    address each = objects_.pointer_at(interpreter + objects_.layout().interpreter.threads_head);
    while (each != 0 && threads.size() < max_threads && !objects_.memory().exhausted()) {
        remote_thread thread = {.at = each,
                                .id = objects_.memory().load<std::uint64_t>(each + at.thread_id).value_or(0),
                                .native_id = objects_.memory().load<std::uint64_t>(each + at.native_thread_id).value_or(0),
                                .holds_gil = each == holder};
        thread.name = thread_name(active, thread.id);
        threads.push_back(std::move(thread));
        each = objects_.pointer_at(each + at.next);
        const auto seen = [&](const remote_thread& earlier) { return earlier.at == each; };
        if (std::any_of(threads.begin(), threads.end(), seen)) {
            break;
        }
    }
    return threads;
}

frame_reader::frame_list frame_reader::frames(const remote_thread& thread, std::size_t max_frames) const {
    const memory_layout& layout = objects_.layout();
    address frame = objects_.pointer_at(thread.at + layout.thread.current_frame);
    if (layout.thread.frame_is_behind_c_frame) {
        frame = frame == 0 ? 0 : objects_.pointer_at(frame + layout.thread.c_frame_current);
    }
    frame_list list;
    for (std::size_t i = 0; frame != 0 && i < max_frames + max_skipped_frames && !objects_.memory().exhausted(); ++i) {
        std::optional<remote_frame> read = read_frame(frame, list.frames.empty());
        if (read && list.frames.size() == max_frames) {
            list.has_more = true;
            break;
        }
        if (read) {
            list.frames.push_back(*std::move(read));
        }
        frame = objects_.pointer_at(frame + layout.frame.previous);
    }
    return list;
}

std::optional<remote_frame> frame_reader::read_frame(address frame, bool innermost) const {
    const memory_layout& layout = objects_.layout();
    remote_frame read = {.at = frame, .code = objects_.pointer_at(frame + layout.frame.code)};
    const auto owner = objects_.memory().load<std::uint8_t>(frame + layout.frame.owner);
    if (!owner || *owner == layout.frame.owner_c_stack || read.code == 0 || objects_.type_of(read.code) != objects_.known().code) {
        return std::nullopt;
    }
    read.file = objects_.read_text(objects_.pointer_at(read.code + layout.code.file_name), 1000).value_or("?");
    read.function = objects_.read_text(objects_.pointer_at(read.code + layout.code.qualified_name)).value_or("?");
    const auto first_line = objects_.memory().load<std::int32_t>(read.code + layout.code.first_line);
    const address table = objects_.pointer_at(read.code + layout.code.line_table);
    const auto table_size = objects_.memory().load<std::uint64_t>(table + layout.object.count);
    const address begin = read.code + layout.code.instructions;
    const address at = objects_.pointer_at(frame + layout.frame.instruction);
    if (!first_line || objects_.type_of(table) != objects_.known().bytes || !table_size || *table_size > max_line_table_bytes) {
        return read;
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(*table_size));
    if (at + 2 == begin || !objects_.memory().load_all(table + layout.bytes_data, bytes)) {
        read.line = first_line;  // it has not begun
        return read;
    }
    if (at < begin || (at - begin) / 2 > max_code_units) {
        return read;
    }
    const auto instruction = static_cast<std::uint32_t>((at - begin) / 2);
    const std::vector<code_range> ranges = decode_line_table(bytes, *first_line);
    if (const code_range* range = find_range(ranges, instruction)) {
        read.line = range->line;
        const code_range* callee = innermost ? find_callee(ranges, *range) : nullptr;
        read.c_call = callee == nullptr ? "" : called_builtin(read, instruction, begin + std::uint64_t{2} * callee->first, callee->count);
    }
    return read;
}

std::vector<std::string> frame_reader::names_at(address tuple, std::span<const std::uint32_t> indices) const {
    std::vector<std::string> names;
    const std::optional<remote_items> items = objects_.find_items(tuple);
    for (const std::uint32_t index : indices) {
        if (items && index < items->count) {
            names.push_back(objects_.read_text(objects_.pointer_at(items->first + index * sizeof(address))).value_or(""));
        }
    }
    return names;
}

// Where the frame's stack ends is in a register of the running thread, so the stack does not say which of its functions is called. The
// instructions that loaded the callee have its name. A built-in function of that name on the stack is the callee.
std::string frame_reader::called_builtin(const remote_frame& frame, std::uint32_t instruction, address callee_first,
                                         std::uint32_t callee_count) const {
    const memory_layout& layout = objects_.layout();
    bounded_memory& memory = objects_.memory();
    const auto operation = memory.load<std::uint8_t>(frame.code + layout.code.instructions + std::uint64_t{2} * instruction);
    if (!operation || !layout.code.calls.test(*operation)) {
        return {};
    }
    std::vector<std::uint8_t> units(std::size_t{2} * callee_count);
    if (!memory.load_all(callee_first, units)) {
        return {};
    }
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 1; i < units.size(); i += 2) {
        indices.push_back(units[i]);
        indices.push_back(units[i] / 2U);  // some operations use the lowest bit
    }
    std::vector<std::string> names = names_at(objects_.pointer_at(frame.code + layout.code.names), indices);
    const address local_names = objects_.pointer_at(frame.code + layout.code.local_names);
    const std::vector<std::string> variables = names_at(local_names, indices);
    names.insert(names.end(), variables.begin(), variables.end());

    const auto stack_size = memory.load<std::int32_t>(frame.code + layout.code.stack_size);
    const std::optional<remote_items> locals = objects_.find_items(local_names);
    if (!stack_size || !locals || *stack_size < 1 || locals->count > max_frame_slots) {
        return {};
    }
    const address stack = frame.at + layout.frame.first_local + locals->count * sizeof(address);
    std::vector<address> slots(std::min<std::size_t>(static_cast<std::size_t>(*stack_size), max_frame_slots));
    if (!memory.load_all(stack, slots)) {
        return {};
    }
    // A slot above the end of the stack may have the address of an object that was freed.
    const address called = memory.search([&]() -> address {
        const auto found = std::find_if(slots.begin(), slots.end(), [&](address slot) {
            const std::optional<std::string> name = slot == 0 ? std::nullopt : objects_.builtin_name(slot);
            return name && std::find(names.begin(), names.end(), *name) != names.end();
        });
        return found == slots.end() ? 0 : *found;
    });
    return called == 0 ? "" : objects_.builtin_name(called).value_or("");
}

std::vector<remote_local> frame_reader::locals(const remote_frame& frame, std::size_t max_locals) const {
    const memory_layout& layout = objects_.layout();
    const auto flags = objects_.memory().load<std::uint32_t>(frame.code + layout.code.flags);
    if (!flags || (*flags & optimized_flag) == 0) {
        return {};  // the locals of a module are its globals
    }
    const std::optional<remote_items> names = objects_.find_items(objects_.pointer_at(frame.code + layout.code.local_names));
    const address kinds = objects_.pointer_at(frame.code + layout.code.local_kinds);
    if (!names || objects_.type_of(kinds) != objects_.known().bytes) {
        return {};
    }
    const auto count = static_cast<std::size_t>(std::min(names->count, max_frame_slots));
    std::vector<address> name_objects(count);
    std::vector<address> values(count);
    std::vector<std::uint8_t> kind(count);
    if (!objects_.memory().load_all(names->first, name_objects) ||
        !objects_.memory().load_all(frame.at + layout.frame.first_local, values) ||
        !objects_.memory().load_all(kinds + layout.bytes_data, kind)) {
        return {};
    }
    std::vector<remote_local> locals;
    for (std::size_t i = 0; i < count && locals.size() < max_locals; ++i) {
        address value = values[i];
        if ((kind[i] & (cell_local | free_local)) != 0 && value != 0 && objects_.type_of(value) == objects_.known().cell) {
            value = objects_.pointer_at(value + layout.cell_value);
        }
        if (value != 0 && (kind[i] & hidden_local) == 0) {
            locals.push_back({.name = objects_.read_text(name_objects[i]).value_or("?"), .value = value});
        }
    }
    return locals;
}

std::string frame_reader::thread_name(address active_threads, std::uint64_t id) const {
    std::string name;
    objects_.for_each_entry(active_threads, [&](address key, address thread) {
        if (objects_.read_int64(key) != static_cast<std::int64_t>(id)) {
            return true;
        }
        objects_.for_each_attribute(thread, [&](address attribute, address value) {
            const bool found = objects_.is_text(attribute, "_name");
            name = found ? objects_.read_text(value).value_or("") : "";
            return !found;
        });
        return false;
    });
    return name;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
