#pragma once
#include <pyaichat/config/config.hpp>

#include <bitset>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An address in the process that is read. It is never dereferenced.
using address = std::uint64_t;

/// Where an instance of a class with a managed dict keeps its attributes.
enum class attribute_storage : unsigned char {
    values_pointer,  ///< Python 3.11: a pointer to the dict and a pointer to the values
    tagged_pointer,  ///< Python 3.12: one pointer; its lowest bit says that it leads to the values
    inline_values,   ///< Python 3.13: a pointer to the dict; while it is null, the values are behind the object
};

/// Where Python's structures have their members: byte offsets in one build of CPython. A plain value, so that the same reader reads
/// processes with other versions.
struct memory_layout {
    using offset = std::uint32_t;

    struct runtime_members {
        offset interpreters_head = 0;
    } runtime = {};
    struct interpreter_members {
        offset next = 0;
        offset id = 0;
        offset threads_head = 0;
        offset modules = 0;
        offset builtins = 0;
    } interpreter = {};
    /// The GIL: its address is `base + at`, or is stored there.
    struct gil_members {
        enum class place : unsigned char { runtime, interpreter_pointer } base = place::runtime;
        offset at = 0;
        offset locked = 0;
        offset last_holder = 0;
    } gil = {};
    struct thread_members {
        offset next = 0;
        offset thread_id = 0;
        offset native_thread_id = 0;
        offset current_frame = 0;
        bool frame_is_behind_c_frame = false;  ///< `current_frame` has the address of a C frame, whose `c_frame_current` is read
        offset c_frame_current = 0;
    } thread = {};
    struct frame_members {
        offset previous = 0;
        offset code = 0;
        offset instruction = 0;
        offset first_local = 0;
        offset owner = 0;
        std::uint8_t owner_c_stack = 0xFF;  ///< the `owner` of frames that run no Python code
    } frame = {};
    struct code_members {
        offset flags = 0;
        offset stack_size = 0;
        offset first_line = 0;
        offset names = 0;
        offset local_names = 0;
        offset local_kinds = 0;
        offset file_name = 0;
        offset qualified_name = 0;
        offset line_table = 0;
        offset instructions = 0;
        std::bitset<256> calls = {};  ///< the operation codes that call
    } code = {};
    struct object_members {
        offset type = 0;
        offset count = 0;  ///< of a bytes, tuple, list or 3.11 integer
        offset end = 0;    ///< the size of the head
    } object = {};
    struct type_members {
        offset name = 0;
        offset basic_size = 0;
        offset flags = 0;
        offset dict_offset = 0;
        offset dict = 0;
        offset qualified_name = 0;  ///< of heap types only, as is `cached_keys`
        offset cached_keys = 0;
        attribute_storage storage = attribute_storage::values_pointer;
    } type = {};
    struct integer_members {
        bool has_tag = false;  ///< since 3.12, the number of digits is in a tag
        offset tag = 0;
        offset digits = 0;
        std::uint8_t digit_bits = 30;
    } integer = {};
    struct text_members {
        offset length = 0;
        offset state = 0;
        offset ascii_data = 0;
        offset compact_data = 0;
        offset data_pointer = 0;
    } text = {};
    struct dict_members {
        offset used = 0;
        offset version = 0;
        offset keys = 0;
        offset values = 0;
        offset index_bytes = 0;  ///< in the keys, as are the next three
        offset kind = 0;
        offset entry_count = 0;
        offset indices = 0;
        offset first_value = 0;   ///< in the values
        offset values_valid = 0;  ///< in inline values
    } dict = {};
    struct set_members {
        offset used = 0;
        offset mask = 0;
        offset table = 0;
    } set = {};
    offset float_value = 0;
    offset complex_value = 0;
    offset bytes_data = 0;
    offset bytearray_start = 0;
    offset list_items = 0;
    offset tuple_items = 0;
    offset range_start = 0;  ///< followed by stop and step
    offset module_dict = 0;
    offset cell_value = 0;
    offset function_qualified_name = 0;
    offset method_function = 0;
    offset builtin_definition = 0;  ///< a `PyMethodDef`, which begins with its name
    offset descriptor_name = 0;
};

/// The addresses of Python's own objects in the process that is read. An object that was not found has address 0, which no object has.
struct python_addresses {
    address runtime = 0;
    address integer = 0, boolean = 0, floating = 0, complex = 0, text = 0, bytes = 0, bytearray = 0;
    address list = 0, tuple = 0, dict = 0, set = 0, frozenset = 0, range = 0;
    address module = 0, function = 0, method = 0, builtin = 0, method_descriptor = 0, type = 0, cell = 0, code = 0;
    address none = 0, true_value = 0, false_value = 0, ellipsis = 0, not_implemented = 0;
};

/// A Python whose memory can be read.
struct memory_map {
    memory_layout layout = {};
    python_addresses addresses = {};
};

/// The Python that this program is linked with.
[[nodiscard]] const memory_map& own_memory_map();

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
