#include "python_bench.hpp"

#include <iostream>

using namespace bench;

namespace {

/// Runs `code` after `import pandas as pd`; false, with a remark, if pandas is not installed.
bool prepare_pandas(python_bench& bench, const std::string& code) {
    const py::outcome imported = bench.session.exec("import numpy as np, pandas as pd");
    if (!imported.ok()) {
        std::cout << "SKIPPED: pandas cannot be imported: " << (imported.exception ? imported.exception->message : imported.why) << "\n";
        return false;
    }
    const py::outcome ended = bench.session.exec(code);
    INFO((ended.exception ? ended.exception->traceback : ended.why));
    REQUIRE(ended.ok());
    return true;
}

const char* const frames = R"py(
df = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', None, 'z'], 'c': pd.Categorical(['u', 'v', None]), 'd': pd.to_datetime(['2020-01-01', None, '2021-06-01']),
                   'e': pd.array([1, None, 3], dtype='Int64'), 'f': [0.5, np.nan, 2.5], 'g': [True, False, True], 'h': pd.array(['s', None, 't'], dtype='string'),
                   'i': pd.to_datetime(['2020-01-01T12:00', None, None]).tz_localize('UTC'), 'size': [7, 8, 9]})
wide = pd.DataFrame(np.arange(300).reshape(3, 100))
by_name = pd.DataFrame({'v': [1, 2]}, index=['p', 'q']); by_number = pd.DataFrame({'v': [1, 2]}, index=[1, 0])
twice = pd.DataFrame([[1, 2]], columns=['a', 'a']); mixed = pd.DataFrame({'a': [1], 5: [2]}); empty = pd.DataFrame()
deep = pd.DataFrame({('x', 1): [1], ('y', 2): [2]})
series = pd.Series([1.5, None, 2.5], name='speed'); letters = pd.Series([10, 20], index=['p', 'q']); numbered = pd.Series([10, 20], index=[1, 0])
multi = pd.MultiIndex.from_tuples([(1, 'a'), (2, 'b')], names=['n', 'l']); dates = pd.date_range('2024-01-01', periods=5, tz='Europe/Paris')
steps = pd.RangeIndex(10, 40, 10); kinds = pd.CategoricalIndex(['u', 'v', 'u']); spans = pd.to_timedelta(['1 days', '2 hours'])
stamp = pd.Timestamp('2024-05-06 07:08:09.000000001'); zoned = pd.Timestamp('2024-05-06 07:08:09', tz='UTC')
span = pd.Timedelta(days=2, seconds=5); nat = pd.NaT; intervals = pd.interval_range(0, 3); periods = pd.period_range('2024', periods=2, freq='M')
sparse = pd.arrays.SparseArray([0, 0, 1])
calendar = pd.DataFrame({'from': pd.to_datetime(['2020-01-01', '2020-01-02']), 'n': [1, 2], 'to': pd.to_datetime(['2021-01-01', '2021-01-02'])}).copy()
calendar._consolidate_inplace() if hasattr(calendar, '_consolidate_inplace') else None
)py";

}  // namespace

TEST_CASE("frames, series, indexes and times of pandas are printed from their structure") {
    python_bench bench;
    if (!prepare_pandas(bench, frames)) {
        return;
    }
    CHECK(bench.repr("df") ==
          "<DataFrame 3 rows x 10 columns: 'a' int64, 'b' object, 'c' category, 'd' datetime64[ns], 'e' Int64, ... 5 more>");
    CHECK(bench.repr("empty") == "<DataFrame 0 rows x 0 columns: >");
    CHECK(bench.repr("wide") == "<DataFrame 3 rows x 100 columns: 0 int64, 1 int64, 2 int64, 3 int64, 4 int64, ... 95 more>");
    CHECK(bench.repr("deep") == "<DataFrame 1 row x 2 columns: ('x', 1) int64, ('y', 2) int64>");
    CHECK(bench.repr("series") == "<Series 'speed' of 3 float64: 1.5, nan, 2.5>");
    CHECK(bench.repr("letters") == "<Series of 2 int64: 10, 20>");
    CHECK(bench.repr("multi") == "<MultiIndex of 2 object: (1, 'a'), (2, 'b')>");
    CHECK(bench.repr("dates") ==
          "<DatetimeIndex of 5 datetime64[ns, Europe/Paris]: 2023-12-31T23:00:00, 2024-01-01T23:00:00, 2024-01-02T23:00:00, ...>");
    CHECK(bench.repr("steps") == "<RangeIndex of 3: 10, 20, 30>");
    CHECK(bench.repr("kinds") == "<CategoricalIndex of 3 category: 'u', 'v', 'u'>");
    CHECK(bench.repr("spans") == "<TimedeltaIndex of 2 timedelta64[ns]: 1 day, 02:00:00>");
    CHECK(bench.repr("stamp") == "Timestamp('2024-05-06T07:08:09.000000001')");
    CHECK(bench.repr("zoned").starts_with("Timestamp('2024-05-06T07:08:09Z', tz="));
    CHECK(bench.repr("span") == "Timedelta('2 days 00:00:05')");
    CHECK(bench.repr("nat") == "NaT");
    CHECK(bench.repr("intervals").starts_with("<IntervalIndex of 3 IntervalArray"));
    CHECK(bench.repr("periods") == "<PeriodIndex of 2 period (ordinals): 648, 649>");
    CHECK(bench.repr("sparse") == "<SparseArray object>");
}

TEST_CASE("paths go through frames, series and indexes") {
    python_bench bench;
    if (!prepare_pandas(bench, frames)) {
        return;
    }
    for (const auto& [expression, text] : std::initializer_list<std::pair<const char*, const char*>>{
             {"df.shape", "(3, 10)"},
             {"df.columns[0]", "'a'"},
             {"df.columns[-1]", "'size'"},
             {"df.index[2]", "2"},
             {"df.size", "30"},
             {"df.empty", "False"},
             {"df['a']", "<ndarray int64 (3,): 1, 2, 3>"},
             {"df['a'][2]", "numpy.int64(3)"},
             {"df.b[0]", "'x'"},
             {"df['size'][1]", "numpy.int64(8)"},
             {"df['c']", "<Categorical of 3 category: 'u', 'v', NaN>"},
             {"df['c'][1]", "'v'"},
             {"df['d']", "<DatetimeArray of 3 datetime64[ns]: 2020-01-01, NaT, 2021-06-01>"},
             {"df['e']", "<IntegerArray of 3 Int64: 1, <NA>, 3>"},
             {"df['e'][2]", "numpy.int64(3)"},
             {"df['g']", "<ndarray bool (3,): True, False, True>"},
             {"df['i']", "<DatetimeArray of 3 datetime64[ns, UTC]: 2020-01-01T12:00:00, NaT, NaT>"},
             {"calendar['from']", "<ndarray datetime64[ns] (2,): 2020-01-01, 2020-01-02>"},
             {"calendar['to']", "<ndarray datetime64[ns] (2,): 2021-01-01, 2021-01-02>"},
             {"wide[42][1]", "numpy.int64(142)"},
             {"by_name['v']", "<ndarray int64 (2,): 1, 2>"},
             {"mixed[5][0]", "numpy.int64(2)"},
             {"series.name", "'speed'"},
             {"series.shape", "(3,)"},
             {"series.dtype", "dtype('float64')"},
             {"series[2]", "numpy.float64(2.5)"},
             {"series.values[0]", "numpy.float64(1.5)"},
             {"series.index", "<RangeIndex of 3>"},
             {"letters['q']", "numpy.int64(20)"},
             {"numbered[0]", "numpy.int64(20)"},
             {"multi[1]", "(numpy.int64(2), 'b')"},
             {"dates[0]", "numpy.datetime64(2023-12-31T23:00:00)"},
             {"steps[1]", "20"},
             {"steps.start", "10"},
             {"kinds[2]", "'u'"},
         }) {
        INFO(expression);
        CHECK(bench.repr(expression) == text);
    }
    for (const char* missing : {"df['no']", "letters['z']", "series[9]", "df.columns[10]", "df['a'][3]", "df.no_such"}) {
        INFO(missing);
        CHECK(invoke(bench.session, "get_repr", about(missing)).code == ai::reply_code::python_exception);
    }
    // A wrong row would be shown, or a label would have to be chosen.
    for (const char* refused : {"by_number['v']", "twice['a']", "df.iloc", "df.loc", "df.T", "df.dtypes", "series.iloc"}) {
        INFO(refused);
        CHECK(invoke(bench.session, "get_repr", about(refused)).code == ai::reply_code::not_allowed);
    }
}

TEST_CASE("a column is shown as an array, and is a Series in every expression") {
    python_bench bench;
    if (!prepare_pandas(bench, frames)) {
        return;
    }
    for (const char* refused : {"type(df['a'])", "isinstance(df['a'], list)", "df['a'].name", "df.a.index", "df['a']['x']", "df['a'][:2]",
                                "df['a'].T", "[type(x) for x in [df['a']]]"}) {
        INFO(refused);
        CHECK(invoke(bench.session, "get_repr", about(refused)).code == ai::reply_code::not_allowed);
    }
    CHECK(bench.repr("df['a'].shape") == "(3,)");
    CHECK(bench.repr("[df['a'].ndim, df['a'][1]]") == "[1, numpy.int64(2)]");
}

TEST_CASE("inspect tells the columns of a frame with dtype, missing values, range and samples") {
    python_bench bench;
    if (!prepare_pandas(bench, frames)) {
        return;
    }
    const ai::json facts = bench.look("inspect", "df");
    CHECK(ai::integer_member(facts, "size") == 3);
    CHECK(ai::integer_member(facts, "tier") == 1);
    const ai::json details = python_bench::member(facts, "details");
    CHECK(python_bench::member(details, "shape") == parsed("[3, 10]"));
    CHECK(python_bench::text(details, "index") == "RangeIndex of 3");
    const ai::json columns = python_bench::member(details, "columns");
    REQUIRE(columns.size() == 10);
    CHECK(columns[0] ==
          parsed(R"({"name": "'a'", "dtype": "int64", "min": "1", "max": "3", "mean": "2", "missing": 0, "samples": ["1", "2", "3"]})"));
    CHECK(columns[1] ==
          parsed(R"({"name": "'b'", "dtype": "object", "object_types": {"str": 2}, "missing": 1, "samples": ["'x'", "None", "'z'"]})"));
    CHECK(columns[2] == parsed(R"({"name": "'c'", "dtype": "category", "categories": 2, "missing": 1, "samples": ["'u'", "'v'", "NaN"]})"));
    CHECK(columns[3] == parsed(R"({"name": "'d'", "dtype": "datetime64[ns]", "min": "2020-01-01", "max": "2021-06-01", "missing": 1,
                                   "samples": ["2020-01-01", "NaT", "2021-06-01"]})"));
    CHECK(columns[4] ==
          parsed(R"({"name": "'e'", "dtype": "Int64", "min": "1", "max": "3", "mean": "2", "missing": 1, "samples": ["1", "<NA>", "3"]})"));
    CHECK(ai::integer_member(columns[7], "missing") == 1);
    CHECK(python_bench::text(columns[7], "dtype") == "string");
    const ai::json wide = python_bench::member(bench.look("inspect", "wide"), "details");
    CHECK(ai::integer_member(wide, "columns_total") == 100);
    CHECK(ai::integer_member(wide, "columns_left_out") == 80);
    CHECK(ai::dump_json(facts).size() < 6000);
    const ai::json series = bench.look("inspect", "series");
    CHECK(python_bench::text(series, "summary") == "Series 'speed' of 3 float64, range 1.5 to 2.5, mean 2, 1 missing: 1.5, nan, 2.5");
}

TEST_CASE("patched and forged pandas classes run no code") {
    python_bench bench;
    if (!prepare_pandas(bench, frames)) {
        return;
    }
    const py::outcome ended = bench.session.exec(R"py(
import sys, types
trips = []
def trap(name, answer=None):
    def called(*arguments, **named): trips.append(name); return answer
    return called
patched = {}
for cls in (pd.DataFrame, pd.Series, pd.Index, pd.RangeIndex, pd.Categorical, type(df._mgr), type(series._mgr)):
    for name in ('__repr__', '__len__', '__getitem__', '__getattr__', '__iter__', '__bool__', '__eq__', '__hash__', '__contains__', '__array__', '__str__', '__dir__'):
        patched[cls, name] = cls.__dict__.get(name)
    for name in ('columns', 'shape', 'dtypes', 'index', 'size', 'dtype', 'values', 'name', 'array', 'empty', 'axes', 'blocks'):
        patched[cls, name] = cls.__dict__.get(name)
class Sub(pd.DataFrame): pass
sub = Sub({'a': [1]})
class Label:
    def __init__(self, text): self.text = text
    def __hash__(self): trips.append('label hash'); return hash(self.text)
    def __eq__(self, other): trips.append('label eq'); return True
    def __repr__(self): trips.append('label repr'); return 'l'
class Cell:
    __repr__ = __str__ = __len__ = __bool__ = __eq__ = __float__ = __int__ = __iter__ = trap('cell')
    __hash__ = trap('cell hash', 1)
odd = pd.DataFrame([[1, 2]]); odd.columns = pd.Index([Label('a'), 'b'], dtype=object)
cells = pd.DataFrame({'o': np.array([Cell(), Cell()], dtype=object)})
fake = types.ModuleType('fake')
saved_module, saved_frame = sys.modules['pandas.core.frame'], pd.DataFrame
class DataFrame:
    def __init__(self): self._mgr = df._mgr
    def __getattribute__(self, name): trips.append('fake ' + name); return object.__getattribute__(self, name)
    __len__ = __repr__ = __getitem__ = trap('fake')
class Manager:
    axes = property(trap('axes')); blocks = property(trap('blocks')); __getattr__ = trap('manager')
class Hollow:
    columns = property(trap('hollow')); __len__ = __repr__ = trap('hollow')
Hollow.__name__ = 'DataFrame'
hollow = Hollow(); hollow._mgr = Manager()
fake.DataFrame = DataFrame; own_name = pd.Series([1]); own_name._name = own_name; own_zone = pd.DatetimeIndex(['2024'], tz='UTC'); own_zone._data._dtype._tz = own_zone
own_level = pd.MultiIndex.from_tuples([(1, 2)]); own_level._levels = list(own_level._levels); own_level._levels[0] = own_level
own_category = pd.Categorical(['a']); own_category._dtype._categories = pd.CategoricalIndex(own_category)
forged = DataFrame.__new__(DataFrame); object.__setattr__(forged, '_mgr', df._mgr)
for (cls, name) in patched: setattr(cls, name, property(trap(name)) if not name.startswith('__') else trap(name))
sys.modules['pandas.core.frame'] = fake
trips.clear()
)py");
    INFO((ended.exception ? ended.exception->traceback : ended.why));
    REQUIRE(ended.ok());
    const auto look_at_all = [&](std::initializer_list<const char*> expressions) {
        for (const char* expression : expressions) {
            for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "inspect"}) {
                static_cast<void>(invoke(bench.session, capability, about(expression)));
            }
        }
        static_cast<void>(bench.result("list_globals", ai::json::object()));
    };
    look_at_all({"forged", "forged.shape", "forged['a']", "df", "df.shape"});
    REQUIRE(bench.session.exec("sys.modules['pandas.core.frame'] = types.SimpleNamespace(DataFrame=Hollow)").ok());
    look_at_all({"hollow", "hollow.columns", "hollow['a']"});
    REQUIRE(bench.session.exec("fake.DataFrame = Hollow; sys.modules['pandas.core.frame'] = fake").ok());
    look_at_all({"hollow", "hollow.columns", "hollow['a']"});
    REQUIRE(bench.session.exec("sys.modules['pandas.core.frame'] = saved_module").ok());
    look_at_all({"df",
                 "df.columns",
                 "df.columns[0]",
                 "df.shape",
                 "df['a']",
                 "df.c",
                 "df['c'][0]",
                 "series",
                 "series.values",
                 "series[0]",
                 "sub",
                 "sub.shape",
                 "sub['a']",
                 "odd",
                 "odd['a']",
                 "odd['b']",
                 "odd.columns[0]",
                 "cells",
                 "cells['o']",
                 "cells['o'][0]",
                 "wide",
                 "multi",
                 "dates",
                 "own_name",
                 "own_zone",
                 "own_level",
                 "own_level[0]",
                 "own_category",
                 "own_category[0]"});
    REQUIRE(bench.session
                .exec("found = list(trips)\nfor (cls, name), old in patched.items():\n"
                      "    delattr(cls, name) if old is None else setattr(cls, name, old)")
                .ok());
    CHECK(bench.session.eval("found").value == "[]");
    CHECK(bench.session.eval("len(df), df.shape").value == "(3, (3, 10))");
}

TEST_CASE("a long list of variables stays within its budget and says how to page") {
    python_bench bench;
    if (!prepare_pandas(bench,
                        "for i in range(50):\n    globals()[f'frame_{i}'] = pd.DataFrame({f'column_{j}': range(100) for j in range(8)})\n"
                        "    globals()[f'array_{i}'] = np.arange(10_000.0)\n    globals()[f'text_{i}'] = 'some text ' * 20\n"
                        "    globals()[f'list_{i}'] = list(range(100))")) {
        return;
    }
    std::size_t seen = 0;
    std::int64_t offset = 0;
    for (int page = 0; page < 20; ++page) {
        ai::json arguments = ai::json::object();
        arguments["limit"] = 1000;
        arguments["offset"] = offset;
        const ai::json listed = bench.result("list_globals", std::move(arguments));
        CHECK(ai::dump_json(listed).size() <= 6000);
        CHECK(ai::integer_member(listed, "total").value_or(0) > 200);
        seen += python_bench::member(listed, "globals").size();
        if (ai::bool_member(listed, "truncated") == false) {
            CHECK(ai::find_member(listed, "next_offset") == nullptr);
            CHECK(static_cast<std::int64_t>(seen) == ai::integer_member(listed, "total"));
            return;
        }
        offset = ai::integer_member(listed, "next_offset").value();
    }
    FAIL("the pages do not end");
}
