#include "python_bench.hpp"

#include <pyaichat/core/json.hpp>

#include <iostream>

using namespace bench;

namespace {

/// Runs `code` after `import numpy as np`; false, with a remark, if numpy is not installed.
bool prepare_numpy(python_bench& bench, const std::string& code) {
    const py::outcome imported = bench.session.exec("import numpy as np");
    if (!imported.ok()) {
        std::cout << "SKIPPED: numpy cannot be imported: " << (imported.exception ? imported.exception->message : imported.why) << "\n";
        return false;
    }
    const py::outcome ended = bench.session.exec(code);
    INFO((ended.exception ? ended.exception->traceback : ended.why));
    REQUIRE(ended.ok());
    return true;
}

}  // namespace

TEST_CASE("arrays of every dtype are printed with dtype, shape and first cells") {
    python_bench bench;
    if (!prepare_numpy(bench, R"py(
ints = np.arange(12).reshape(3, 4)
floats = np.array([1.5, np.nan, -2.0]); small = np.array([0.1, 2], dtype='f4'); halves = np.array([0.5, 65504, -2**-24, np.inf], dtype='f2')
long_floats = np.array([1.25], dtype=np.longdouble)
bools = np.array([True, False, True]); complexes = np.array([1+2j, 3-4j]); bytes_ = np.array([b'ab', b'c']); texts = np.array(['äb', "c'"])
big_endian = np.array([1, 2, 300], dtype='>i4'); unsigned = np.array([2**64 - 1], dtype='u8'); tiny = np.array([-128], dtype='i1')
days = np.array(['2024-05-06', 'NaT', '1969-12-31'], dtype='M8[D]')
times = np.array(['2024-05-06T07:08:09.000000001', '1677-09-22'], dtype='M8[ns]')
months = np.array(['2024-05'], dtype='M8[M]'); years = np.array(['1969'], dtype='M8[Y]'); quarters = np.array([5], dtype='M8[15m]')
spans = np.array([0, 90061, -1, 172800], dtype='m8[s]'); plain_spans = np.array([7], dtype='m8'); pico = np.array([7], dtype='m8[ps]')
records = np.array([(1, 2.5, 'x'), (3, 4.5, 'y')], dtype=[('id', 'i4'), ('value', 'f8'), ('name', 'U3')])
nested = np.zeros(2, dtype=[('at', [('x', 'f4'), ('y', 'f4')]), ('when', 'M8[s]')])
opaque = np.zeros(1, dtype='V5'); zero = np.array(3.5); empty = np.zeros((0, 3)); strided = np.arange(20)[::-3]
objects = np.array([1, 'a', None, {1}, object(), float('nan')], dtype=object); transposed = np.arange(6).reshape(2, 3).T
)py")) {
        return;
    }
    struct printed {
        const char* expression;
        const char* text;
    };
    for (const printed& each : std::initializer_list<printed>{
             {"ints", "<ndarray int64 (3, 4): 0, 1, 2, 3, 4, ...>"},
             {"floats", "<ndarray float64 (3,): 1.5, nan, -2.0>"},
             {"small", "<ndarray float32 (2,): 0.1, 2.0>"},
             {"halves", "<ndarray float16 (4,): 0.5, 65504.0, -5.9604645e-08, inf>"},
             {"bools", "<ndarray bool (3,): True, False, True>"},
             {"complexes", "<ndarray complex128 (2,): 1.0+2.0j, 3.0-4.0j>"},
             {"bytes_", "<ndarray S2 (2,): b'ab', b'c'>"},
             {"texts", "<ndarray U2 (2,): 'äb', \"c'\">"},
             {"big_endian", "<ndarray int32 (swapped bytes) (3,): 1, 2, 300>"},
             {"unsigned", "<ndarray uint64 (1,): 18446744073709551615>"},
             {"tiny", "<ndarray int8 (1,): -128>"},
             {"days", "<ndarray datetime64[D] (3,): 2024-05-06, NaT, 1969-12-31>"},
             {"times", "<ndarray datetime64[ns] (2,): 2024-05-06T07:08:09.000000001, 1677-09-22>"},
             {"months", "<ndarray datetime64[M] (1,): 2024-05>"},
             {"years", "<ndarray datetime64[Y] (1,): 1969>"},
             {"quarters", "<ndarray datetime64[15m] (1,): 1970-01-01T01:15:00>"},
             {"spans", "<ndarray timedelta64[s] (4,): 00:00:00, 1 day 01:01:01, -1 days 23:59:59, 2 days>"},
             {"plain_spans", "<ndarray timedelta64 (1,): 7>"},
             {"pico", "<ndarray timedelta64[ps] (1,): 00:00:00.000000000007>"},
             {"records", "<ndarray {id: int32, value: float64, name: U3} (2,): (1, 2.5, 'x'), (3, 4.5, 'y')>"},
             {"nested",
              "<ndarray {at: {x: float32, y: float32}, when: datetime64[s]} (2,): ((0.0, 0.0), 1970-01-01), ((0.0, 0.0), 1970-01-01)>"},
             {"opaque", "<ndarray void40 (1,): <5 bytes>>"},
             {"zero", "<ndarray float64 (): 3.5>"},
             {"empty", "<ndarray float64 (0, 3): >"},
             {"strided", "<ndarray int64 (7,): 19, 16, 13, 10, 7, ...>"},
             {"transposed", "<ndarray int64 (3, 2): 0, 3, 1, 4, 2, ...>"},
             {"objects", "<ndarray object (6,): 1, 'a', None, <set>, <object>, ...>"}}) {
        INFO(each.expression);
        CHECK(bench.repr(each.expression) == each.text);
    }
    CHECK(bench.repr("long_floats").starts_with("<ndarray float"));
}

TEST_CASE("paths go through arrays by integers, by fields and by attributes") {
    python_bench bench;
    if (!prepare_numpy(bench,
                       "a = np.arange(12.0).reshape(3, 4)\nr = np.array([(1, 2.5)], dtype=[('id', 'i4'), ('value', 'f8')])\n"
                       "o = np.array(['x', [1]], dtype=object)\nholder = {'a': a}")) {
        return;
    }
    CHECK(bench.repr("a[1, 2]") == "numpy.float64(6.0)");
    CHECK(bench.repr("a[-1][0]") == "numpy.float64(8.0)");
    CHECK(bench.repr("a[1]") == "<ndarray float64 (4,): 4.0, 5.0, 6.0, 7.0>");
    CHECK(bench.repr("holder['a'].T") == "<ndarray float64 (4, 3): 0.0, 4.0, 8.0, 1.0, 5.0, ...>");
    CHECK(bench.repr("a.shape") == "(3, 4)");
    CHECK(bench.repr("a.shape[1]") == "4");
    CHECK(bench.repr("a.dtype") == "dtype('float64')");
    CHECK(bench.repr("a.dtype.kind") == "'f'");
    CHECK(bench.repr("a.size") == "12");
    CHECK(bench.repr("r['value'][0]") == "numpy.float64(2.5)");
    CHECK(bench.repr("r['id']") == "<ndarray int32 (1,): 1>");
    CHECK(bench.repr("o[1]") == "[1]");
    for (const char* wrong : {"a[3]", "a[0, 9]", "a[-4]"}) {
        INFO(wrong);
        const ai::capability_reply reply = invoke(bench.session, "get_repr", about(wrong));
        CHECK(reply.code == ai::reply_code::python_exception);
        CHECK(python_bench::text(reply.details, "exc_type") == "IndexError");
    }
    for (const char* wrong : {"a['x']", "a[1, 2, 3]", "a[True]", "a[None]", "r['no']", "a[1.0]"}) {
        INFO(wrong);
        CHECK(invoke(bench.session, "get_repr", about(wrong)).code == ai::reply_code::python_exception);
    }
    const ai::json reply = bench.look("get_repr", "a.shape");
    CHECK(ai::integer_member(reply, "tier") == 1);
    CHECK(ai::bool_member(reply, "ran_user_code") == false);
    const ai::json evaluated = bench.look("eval_expr", "a.shape");
    CHECK(python_bench::text(evaluated, "value_repr") == "(3, 4)");
    CHECK(ai::integer_member(evaluated, "tier") == 1);
}

TEST_CASE("inspect and lists tell range, mean, missing and samples of arrays") {
    python_bench bench;
    if (!prepare_numpy(
            bench,
            "a = np.array([1.0, np.nan, 3.0, 5.0])\nbig = np.arange(5_000_000.0)\no = np.array([1, 2, 'x', None, object()], dtype=object)\n"
            "b = np.array([True, True, False])\nc = np.array([1, np.nan], dtype=complex)")) {
        return;
    }
    const ai::json facts = bench.look("inspect", "a");
    CHECK(ai::integer_member(facts, "size") == 4);
    CHECK(ai::integer_member(facts, "tier") == 1);
    CHECK(python_bench::text(facts, "summary") == "ndarray float64 (4,), range 1.0 to 5.0, mean 3, 1 missing: 1.0, nan, 3.0, ...");
    CHECK(python_bench::member(facts, "details") ==
          parsed(R"({"dtype": "float64", "shape": [4], "bytes": 32, "min": "1.0", "max": "5.0", "mean": "3", "missing": 1,
                     "samples": ["1.0", "nan", "3.0", "5.0"]})"));
    const ai::json big = python_bench::member(bench.look("inspect", "big"), "details");
    CHECK(ai::integer_member(big, "sampled") == 400'000);
    CHECK(python_bench::text(big, "min") == "0.0");
    CHECK(ai::integer_member(big, "samples_left_out") == 4'999'990);
    const ai::json objects = python_bench::member(bench.look("inspect", "o"), "details");
    CHECK(python_bench::member(objects, "object_types") == parsed(R"({"int": 2, "object": 1, "str": 1})"));
    CHECK(ai::integer_member(objects, "missing") == 1);
    CHECK(ai::integer_member(python_bench::member(bench.look("inspect", "b"), "details"), "true") == 2);
    CHECK(ai::integer_member(python_bench::member(bench.look("inspect", "c"), "details"), "missing") == 1);
}

TEST_CASE("numpy scalars show their value; masked arrays and other subclasses only their structure") {
    python_bench bench;
    if (!prepare_numpy(bench, R"py(
scalars = [np.float64(1.5), np.int32(-3), np.bool_(True), np.float16(0.5), np.complex64(1+1j), np.datetime64('2024-05-06'), np.timedelta64(5, 's'),
           np.str_('t'), np.bytes_(b'b'), np.array([(1, 2.0)], dtype='i4,f8')[0]]
masked = np.ma.array([1, 2], mask=[True, False]); matrix = np.matrix([[1]])
trips = []
class Sub(np.ndarray):
    def __getattribute__(self, name): trips.append(name); return np.ndarray.__getattribute__(self, name)
    def __array_finalize__(self, other): trips.append('finalize')
    def __getitem__(self, key): trips.append('getitem')
    def __repr__(self): trips.append('repr'); return 'r'
    def __len__(self): trips.append('len'); return 1
sub = np.arange(3).view(Sub)
class SubFloat(np.float64):
    def __repr__(self): trips.append('float repr'); return 'r'
sub_float = SubFloat(1.5)
inner = np.empty(2, dtype=object); inner[0] = sub; inner[1] = sub_float
trips.clear()
)py")) {
        return;
    }
    const std::string texts[] = {"numpy.float64(1.5)",          "numpy.int32(-3)",           "numpy.bool_(True)",
                                 "numpy.float16(0.5)",          "numpy.complex64(1.0+1.0j)", "numpy.datetime64(2024-05-06)",
                                 "numpy.timedelta64(00:00:05)", "numpy.str_('t')",           "numpy.bytes_(b'b')",
                                 "numpy.void((1, 2.0))"};
    for (std::size_t i = 0; i < std::size(texts); ++i) {
        const std::string text = bench.repr("scalars[" + std::to_string(i) + "]");
        CHECK((text == texts[i] || (i == 2 && text == "numpy.bool(True)")));
    }
    CHECK(bench.repr("matrix").starts_with("<numpy.matrix object"));
    CHECK(bench.repr("masked").starts_with("<numpy.ma."));
    for (const char* expression :
         {"sub", "sub.shape", "sub[0]", "sub_float", "inner", "inner[0]", "inner[0].shape", "masked.shape", "masked[0]"}) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "inspect"}) {
            static_cast<void>(invoke(bench.session, capability, about(expression)));
        }
    }
    CHECK(bench.session.eval("trips").value == "[]");
}

TEST_CASE("a replaced function of numpy and a forged numpy are not called") {
    python_bench bench;
    if (!prepare_numpy(bench, R"py(
import sys, types
trips = []
def trap(name):
    def called(*arguments, **named): trips.append(name); raise RuntimeError(name)
    return called
records = np.zeros(3, dtype=[('x', 'f8'), ('y', 'M8[ns]')]); array = np.arange(4); text = np.array(['a']); when = np.array(['2024'], dtype='M8[s]')
class Title(str):
    __hash__ = str.__hash__
    def __eq__(self, other): trips.append('title'); return True
titled = np.zeros(1, dtype=[((Title('t'), 'x'), 'f8')])
saved = {}
for module in [m for n, m in list(sys.modules.items()) if n.startswith('numpy') and (n.endswith('_dtype') or n.endswith('_internal') or n.endswith('arrayprint'))]:
    for name, value in list(vars(module).items()):
        if type(value) is types.FunctionType: saved[module, name] = value; setattr(module, name, trap(name))
class Fake:
    __module__, __qualname__ = 'numpy', 'ndarray'
    shape = property(trap('shape')); dtype = property(trap('dtype')); __repr__ = __len__ = __getitem__ = __getattr__ = __array_struct__ = trap('fake')
Fake.__name__ = 'numpy.ndarray'
fake = Fake()
trips.clear()
)py")) {
        return;
    }
    for (const char* expression : {"records", "records['x']", "records.dtype", "array", "array.dtype", "array[1]", "text", "when",
                                   "when[0]", "titled", "titled['x']", "fake", "fake.shape", "fake[0]"}) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "inspect"}) {
            static_cast<void>(invoke(bench.session, capability, about(expression)));
        }
    }
    static_cast<void>(bench.result("list_globals", ai::json::object()));
    REQUIRE(bench.session.exec("found = list(trips)\nfor (module, name), value in saved.items(): setattr(module, name, value)").ok());
    CHECK(bench.session.eval("found").value == "[]");
    CHECK(bench.session.eval("len(saved) > 3").value == "True");
}
