// Reads the layout from Python's internal headers, which work only if this macro is set before any Python header is included. So this file
// is compiled on its own.
#define Py_BUILD_CORE 1
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#undef HAVE_STD_ATOMIC  // <stdatomic.h> is for C
#include <internal/pycore_dict.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_moduleobject.h>
#include <internal/pycore_runtime.h>
#if PY_VERSION_HEX >= 0x030D0000
    #include <opcode_ids.h>
#else
    #include <opcode.h>
#endif

#include "python/memory/memory_layout.hpp"

#include <cstddef>
#include <initializer_list>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr memory_layout::offset pointer_size = sizeof(void*);

std::bitset<256> call_operations() {
    std::bitset<256> calls;
    for (const int each : {
             CALL,
             CALL_FUNCTION_EX,
#if PY_VERSION_HEX < 0x030C0000
             PRECALL,
             PRECALL_ADAPTIVE,
             PRECALL_BUILTIN_CLASS,
             PRECALL_BUILTIN_FAST_WITH_KEYWORDS,
             PRECALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS,
             PRECALL_NO_KW_BUILTIN_FAST,
             PRECALL_NO_KW_BUILTIN_O,
             PRECALL_NO_KW_ISINSTANCE,
             PRECALL_NO_KW_LEN,
             PRECALL_NO_KW_LIST_APPEND,
             PRECALL_NO_KW_METHOD_DESCRIPTOR_FAST,
             PRECALL_NO_KW_METHOD_DESCRIPTOR_NOARGS,
             PRECALL_NO_KW_METHOD_DESCRIPTOR_O,
             CALL_ADAPTIVE,
#elif PY_VERSION_HEX < 0x030D0000
             CALL_BUILTIN_FAST_WITH_KEYWORDS,
             CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS,
             CALL_NO_KW_BUILTIN_FAST,
             CALL_NO_KW_BUILTIN_O,
             CALL_NO_KW_ISINSTANCE,
             CALL_NO_KW_LEN,
             CALL_NO_KW_LIST_APPEND,
             CALL_NO_KW_METHOD_DESCRIPTOR_FAST,
             CALL_NO_KW_METHOD_DESCRIPTOR_NOARGS,
             CALL_NO_KW_METHOD_DESCRIPTOR_O,
#else
             CALL_KW,
             CALL_BUILTIN_FAST,
             CALL_BUILTIN_FAST_WITH_KEYWORDS,
             CALL_BUILTIN_O,
             CALL_ISINSTANCE,
             CALL_LEN,
             CALL_LIST_APPEND,
             CALL_METHOD_DESCRIPTOR_FAST,
             CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS,
             CALL_METHOD_DESCRIPTOR_NOARGS,
             CALL_METHOD_DESCRIPTOR_O,
             CALL_NON_PY_GENERAL,
#endif
         }) {
        calls.set(static_cast<std::size_t>(each));
    }
    return calls;
}

// The layout that differs between versions.
void fill_versioned(memory_layout& layout) {
#if PY_VERSION_HEX < 0x030C0000
    layout.gil = {.base = memory_layout::gil_members::place::runtime,
                  .at = offsetof(_PyRuntimeState, ceval.gil),
                  .locked = offsetof(_gil_runtime_state, locked),
                  .last_holder = offsetof(_gil_runtime_state, last_holder)};
    layout.interpreter.modules = offsetof(PyInterpreterState, modules);
    layout.interpreter.builtins = offsetof(PyInterpreterState, builtins);
    layout.integer = {.has_tag = false, .tag = 0, .digits = offsetof(PyLongObject, ob_digit), .digit_bits = PyLong_SHIFT};
    layout.type.storage = attribute_storage::values_pointer;
#else
    layout.gil = {.base = memory_layout::gil_members::place::interpreter_pointer,
                  .at = offsetof(PyInterpreterState, ceval.gil),
                  .locked = offsetof(_gil_runtime_state, locked),
                  .last_holder = offsetof(_gil_runtime_state, last_holder)};
    layout.interpreter.modules = offsetof(PyInterpreterState, imports.modules);
    layout.interpreter.builtins = offsetof(PyInterpreterState, builtins);
    layout.integer = {.has_tag = true,
                      .tag = offsetof(PyLongObject, long_value.lv_tag),
                      .digits = offsetof(PyLongObject, long_value.ob_digit),
                      .digit_bits = PyLong_SHIFT};
    layout.type.storage = attribute_storage::tagged_pointer;
    layout.frame.owner_c_stack = FRAME_OWNED_BY_CSTACK;
#endif
#if PY_VERSION_HEX < 0x030D0000
    layout.thread.current_frame = offsetof(PyThreadState, cframe);
    layout.thread.frame_is_behind_c_frame = true;
    layout.thread.c_frame_current = offsetof(_PyCFrame, current_frame);
    layout.frame.code = offsetof(_PyInterpreterFrame, f_code);
    layout.frame.instruction = offsetof(_PyInterpreterFrame, prev_instr);
#else
    layout.type.storage = attribute_storage::inline_values;
    layout.thread.current_frame = offsetof(PyThreadState, current_frame);
    layout.frame.code = offsetof(_PyInterpreterFrame, f_executable);
    layout.frame.instruction = offsetof(_PyInterpreterFrame, instr_ptr);
    layout.dict.values_valid = offsetof(_dictvalues, valid);
#endif
}

void fill_runtime(memory_layout& layout) {
    layout.runtime.interpreters_head = offsetof(_PyRuntimeState, interpreters.head);
    layout.interpreter.next = offsetof(PyInterpreterState, next);
    layout.interpreter.id = offsetof(PyInterpreterState, id);
    layout.interpreter.threads_head = offsetof(PyInterpreterState, threads.head);
    layout.thread.next = offsetof(PyThreadState, next);
    layout.thread.thread_id = offsetof(PyThreadState, thread_id);
    layout.thread.native_thread_id = offsetof(PyThreadState, native_thread_id);
    layout.frame.previous = offsetof(_PyInterpreterFrame, previous);
    layout.frame.first_local = offsetof(_PyInterpreterFrame, localsplus);
    layout.frame.owner = offsetof(_PyInterpreterFrame, owner);
    layout.code = {.flags = offsetof(PyCodeObject, co_flags),
                   .stack_size = offsetof(PyCodeObject, co_stacksize),
                   .first_line = offsetof(PyCodeObject, co_firstlineno),
                   .names = offsetof(PyCodeObject, co_names),
                   .local_names = offsetof(PyCodeObject, co_localsplusnames),
                   .local_kinds = offsetof(PyCodeObject, co_localspluskinds),
                   .file_name = offsetof(PyCodeObject, co_filename),
                   .qualified_name = offsetof(PyCodeObject, co_qualname),
                   .line_table = offsetof(PyCodeObject, co_linetable),
                   .instructions = offsetof(PyCodeObject, co_code_adaptive),
                   .calls = call_operations()};
}

void fill_objects(memory_layout& layout) {
    layout.object = {.type = offsetof(PyObject, ob_type), .count = offsetof(PyVarObject, ob_size), .end = sizeof(PyObject)};
    layout.type.name = offsetof(PyTypeObject, tp_name);
    layout.type.basic_size = offsetof(PyTypeObject, tp_basicsize);
    layout.type.flags = offsetof(PyTypeObject, tp_flags);
    layout.type.dict_offset = offsetof(PyTypeObject, tp_dictoffset);
    layout.type.dict = offsetof(PyTypeObject, tp_dict);
    layout.type.qualified_name = offsetof(PyHeapTypeObject, ht_qualname);
    layout.type.cached_keys = offsetof(PyHeapTypeObject, ht_cached_keys);
    layout.text = {.length = offsetof(PyASCIIObject, length),
                   .state = offsetof(PyASCIIObject, state),
                   .ascii_data = sizeof(PyASCIIObject),
                   .compact_data = sizeof(PyCompactUnicodeObject),
                   .data_pointer = offsetof(PyUnicodeObject, data)};
    layout.dict.used = offsetof(PyDictObject, ma_used);
    layout.dict.version = offsetof(PyDictObject, ma_version_tag);
    layout.dict.keys = offsetof(PyDictObject, ma_keys);
    layout.dict.values = offsetof(PyDictObject, ma_values);
    layout.dict.index_bytes = offsetof(_dictkeysobject, dk_log2_index_bytes);
    layout.dict.kind = offsetof(_dictkeysobject, dk_kind);
    layout.dict.entry_count = offsetof(_dictkeysobject, dk_nentries);
    layout.dict.indices = offsetof(_dictkeysobject, dk_indices);
    layout.dict.first_value = offsetof(_dictvalues, values);
    layout.set = {.used = offsetof(PySetObject, used), .mask = offsetof(PySetObject, mask), .table = offsetof(PySetObject, table)};
    layout.float_value = offsetof(PyFloatObject, ob_fval);
    layout.complex_value = offsetof(PyComplexObject, cval);
    layout.bytes_data = offsetof(PyBytesObject, ob_sval);
    layout.bytearray_start = offsetof(PyByteArrayObject, ob_start);
    layout.list_items = offsetof(PyListObject, ob_item);
    layout.tuple_items = offsetof(PyTupleObject, ob_item);
    layout.range_start = sizeof(PyObject);  // the structure is in no header; its members follow the head in all these versions
    layout.module_dict = offsetof(PyModuleObject, md_dict);
    layout.cell_value = offsetof(PyCellObject, ob_ref);
    layout.function_qualified_name = offsetof(PyFunctionObject, func_qualname);
    layout.method_function = offsetof(PyMethodObject, im_func);
    layout.builtin_definition = offsetof(PyCFunctionObject, m_ml);
    layout.descriptor_name = offsetof(PyDescrObject, d_name);
}

template <class T>
address address_of(const T& object) {
    return reinterpret_cast<address>(&object);
}

python_addresses own_addresses() {
    return {.runtime = address_of(_PyRuntime),
            .integer = address_of(PyLong_Type),
            .boolean = address_of(PyBool_Type),
            .floating = address_of(PyFloat_Type),
            .complex = address_of(PyComplex_Type),
            .text = address_of(PyUnicode_Type),
            .bytes = address_of(PyBytes_Type),
            .bytearray = address_of(PyByteArray_Type),
            .list = address_of(PyList_Type),
            .tuple = address_of(PyTuple_Type),
            .dict = address_of(PyDict_Type),
            .set = address_of(PySet_Type),
            .frozenset = address_of(PyFrozenSet_Type),
            .range = address_of(PyRange_Type),
            .module = address_of(PyModule_Type),
            .function = address_of(PyFunction_Type),
            .method = address_of(PyMethod_Type),
            .builtin = address_of(PyCFunction_Type),
            .method_descriptor = address_of(PyMethodDescr_Type),
            .type = address_of(PyType_Type),
            .cell = address_of(PyCell_Type),
            .code = address_of(PyCode_Type),
            .none = reinterpret_cast<address>(Py_None),
            .true_value = reinterpret_cast<address>(Py_True),
            .false_value = reinterpret_cast<address>(Py_False),
            .ellipsis = reinterpret_cast<address>(Py_Ellipsis),
            .not_implemented = reinterpret_cast<address>(Py_NotImplemented)};
}

static_assert(pointer_size == 8, "the memory reader reads 64-bit processes");

}  // namespace

const memory_map& own_memory_map() {
    static const memory_map map = [] {
        memory_map filled;
        fill_runtime(filled.layout);
        fill_objects(filled.layout);
        fill_versioned(filled.layout);
        filled.addresses = own_addresses();
        return filled;
    }();
    return map;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
