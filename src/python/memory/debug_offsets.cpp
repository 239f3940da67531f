#include "python/memory/debug_offsets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The table of CPython 3.13, member by member.
struct offset_table {
    char cookie[8];
    std::uint64_t version, free_threaded;
    struct {
        std::uint64_t size, finalizing, interpreters_head;
    } runtime;
    struct {
        std::uint64_t size, id, next, threads_head, gc, modules, sysdict, builtins, gil, gil_state, gil_enabled, gil_locked, gil_holder;
    } interpreter;
    struct {
        std::uint64_t size, prev, next, interp, current_frame, thread_id, native_thread_id, datastack_chunk, status;
    } thread;
    struct {
        std::uint64_t size, previous, executable, instr_ptr, localsplus, owner;
    } frame;
    struct {
        std::uint64_t size, filename, name, qualname, linetable, firstlineno, argcount, localsplusnames, localspluskinds, instructions;
    } code;
    struct {
        std::uint64_t size, type;
    } object;
    struct {
        std::uint64_t size, name, repr, flags;
    } type;
    struct {
        std::uint64_t size, items, count;
    } tuple, list;
    struct {
        std::uint64_t size, keys, values;
    } dict;
    struct {
        std::uint64_t size, value;
    } floating;
    struct {
        std::uint64_t size, tag, digits;
    } integer;
    struct {
        std::uint64_t size, count, data;
    } bytes;
    struct {
        std::uint64_t size, state, length, ascii_size;
    } text;
    struct {
        std::uint64_t size, collecting;
    } collector;
};

constexpr std::string_view cookie = "xdebugpy";
constexpr std::uint64_t supported_version = 0x030D;
constexpr std::uint64_t max_offset = 1 << 20;

// CPython 3.13, as its headers have it on 64-bit systems.
constexpr memory_layout::offset heap_type_qualified_name = 872;
constexpr memory_layout::offset heap_type_cached_keys = 880;
constexpr memory_layout::offset type_dict_offset_after_flags = 120;
constexpr memory_layout::offset type_dict_after_flags = 96;
constexpr memory_layout::offset compact_after_ascii = 16;
constexpr std::uint8_t frame_owned_by_c_stack = 3;
constexpr std::array<std::uint8_t, 14> calls_of_3_13 = {53, 54, 57, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176};

std::string version_text(std::uint64_t version) {
    return std::to_string(version >> 24 & 0xFF) + "." + std::to_string(version >> 16 & 0xFF) + "." + std::to_string(version >> 8 & 0xFF);
}

failure unsupported(std::string message, std::string hint) {
    return {.code = errc::not_allowed, .message = std::move(message), .hint = std::move(hint)};
}

void fill_from_table(const offset_table& table, memory_layout& layout) {
    const auto at = [](std::uint64_t value) { return static_cast<memory_layout::offset>(value); };
    layout.runtime.interpreters_head = at(table.runtime.interpreters_head);
    layout.interpreter = {.next = at(table.interpreter.next),
                          .id = at(table.interpreter.id),
                          .threads_head = at(table.interpreter.threads_head),
                          .modules = at(table.interpreter.modules),
                          .builtins = at(table.interpreter.builtins)};
    // The table has the members of the GIL as part of the interpreter, where the main interpreter's is.
    layout.gil = {.base = memory_layout::gil_members::place::interpreter_pointer,
                  .at = at(table.interpreter.gil),
                  .locked = at(table.interpreter.gil_locked - table.interpreter.gil_state),
                  .last_holder = at(table.interpreter.gil_holder - table.interpreter.gil_state)};
    layout.thread = {.next = at(table.thread.next),
                     .thread_id = at(table.thread.thread_id),
                     .native_thread_id = at(table.thread.native_thread_id),
                     .current_frame = at(table.thread.current_frame)};
    layout.frame = {.previous = at(table.frame.previous),
                    .code = at(table.frame.executable),
                    .instruction = at(table.frame.instr_ptr),
                    .first_local = at(table.frame.localsplus),
                    .owner = at(table.frame.owner),
                    .owner_c_stack = frame_owned_by_c_stack};
    layout.object = {.type = at(table.object.type), .count = at(table.tuple.count), .end = at(table.object.size)};
    layout.integer = {.has_tag = true, .tag = at(table.integer.tag), .digits = at(table.integer.digits)};
    layout.float_value = at(table.floating.value);
    layout.bytes_data = at(table.bytes.data);
    layout.list_items = at(table.list.items);
    layout.tuple_items = at(table.tuple.items);
}

void fill_composed(const offset_table& table, memory_layout& layout) {
    const auto at = [](std::uint64_t value) { return static_cast<memory_layout::offset>(value); };
    layout.code = {.flags = at(table.code.firstlineno) - 20,
                   .stack_size = at(table.code.firstlineno) - 4,
                   .first_line = at(table.code.firstlineno),
                   .names = at(table.code.firstlineno) - 36,
                   .local_names = at(table.code.localsplusnames),
                   .local_kinds = at(table.code.localspluskinds),
                   .file_name = at(table.code.filename),
                   .qualified_name = at(table.code.qualname),
                   .line_table = at(table.code.linetable),
                   .instructions = at(table.code.instructions)};
    for (const std::uint8_t each : calls_of_3_13) {
        layout.code.calls.set(each);
    }
    layout.type = {.name = at(table.type.name),
                   .basic_size = at(table.type.name) + 8,
                   .flags = at(table.type.flags),
                   .dict_offset = at(table.type.flags) + type_dict_offset_after_flags,
                   .dict = at(table.type.flags) + type_dict_after_flags,
                   .qualified_name = heap_type_qualified_name,
                   .cached_keys = heap_type_cached_keys,
                   .storage = attribute_storage::inline_values};
    layout.text = {.length = at(table.text.length),
                   .state = at(table.text.state),
                   .ascii_data = at(table.text.ascii_size),
                   .compact_data = at(table.text.ascii_size) + compact_after_ascii,
                   .data_pointer = at(table.text.ascii_size) + compact_after_ascii};
    layout.dict = {.used = at(table.dict.keys) - 16,
                   .version = at(table.dict.keys) - 8,
                   .keys = at(table.dict.keys),
                   .values = at(table.dict.values),
                   .index_bytes = 9,
                   .kind = 10,
                   .entry_count = 24,
                   .indices = 32,
                   .first_value = 8,
                   .values_valid = 3};
}

// Objects that the table does not have.
void fill_others(memory_layout& layout) {
    const memory_layout::offset head = layout.object.end;
    layout.set = {.used = head + 8, .mask = head + 16, .table = head + 24};
    layout.complex_value = head;
    layout.bytearray_start = head + 24;
    layout.range_start = head;
    layout.module_dict = head;
    layout.cell_value = head;
    layout.function_qualified_name = head + 24;
    layout.method_function = head;
    layout.builtin_definition = head;
    layout.descriptor_name = head + 8;
}

}  // namespace

result<memory_layout> read_debug_offsets(memory_source& memory, address runtime, std::uint32_t version) {
    offset_table table = {};
    if (!memory.read(runtime, std::as_writable_bytes(std::span(&table, 1)))) {
        return failure{.code = errc::not_allowed, .message = "the runtime of Python cannot be read", .hint = "Try again."};
    }
    if (std::string_view(table.cookie, sizeof table.cookie) != cookie) {
        return unsupported((version != 0 ? "Python " + version_text(version) : std::string("the Python of the process")) +
                               " has no table of offsets, so it cannot be read from outside",
                           "Attach to a process with CPython 3.13.");
    }
    if (table.version >> 16 != supported_version) {
        return unsupported("Python " + version_text(table.version) + " is not supported: only 3.13 can be read from outside",
                           "Attach to a process with CPython 3.13.");
    }
    if (table.free_threaded != 0) {
        return unsupported("the process has a free-threaded build of Python, which is not supported",
                           "Attach to a process with the standard build of CPython 3.13.");
    }
    std::array<std::uint64_t, sizeof table / sizeof(std::uint64_t)> words = {};
    std::memcpy(words.data(), &table, sizeof table);
    const bool plausible = std::all_of(words.begin() + 3, words.end(), [](std::uint64_t word) { return word < max_offset; }) &&
                           table.code.firstlineno >= 36 && table.object.type >= 8 && table.object.type + 8 <= table.object.size &&
                           table.object.size <= 48 && table.dict.keys >= 16 &&
                           table.interpreter.gil_locked >= table.interpreter.gil_state &&
                           table.interpreter.gil_holder >= table.interpreter.gil_state && table.text.state >= table.text.length;
    if (!plausible) {
        return unsupported("the table of offsets in the process is not valid", "Attach to a process with CPython 3.13.");
    }
    memory_layout layout;
    fill_from_table(table, layout);
    fill_composed(table, layout);
    fill_others(layout);
    return layout;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
