#include "python_bench.hpp"

using namespace bench;

namespace {

struct printed_value {
    const char* expression;
    const char* text;
};

void check_all(python_bench& bench, std::initializer_list<printed_value> values) {
    for (const printed_value& each : values) {
        INFO(each.expression);
        CHECK(bench.repr(each.expression) == each.text);
    }
}

/// A line of Python that prints what `trips` has.
const char* const no_trips = "print(trips)";

}  // namespace

TEST_CASE("dates and times are printed as Python prints them") {
    python_bench bench(R"py(
import datetime, zoneinfo
day = datetime.date(2024, 5, 6); moment = datetime.datetime(2024, 5, 6, 7, 8); exact = datetime.datetime(2024, 5, 6, 7, 8, 9, 10, fold=1)
utc = datetime.datetime(2024, 5, 6, tzinfo=datetime.timezone.utc); clock = datetime.time(7, 8, 9); midnight = datetime.time()
span = datetime.timedelta(days=1, seconds=2, microseconds=3); back = datetime.timedelta(seconds=-1); none = datetime.timedelta()
east = datetime.timezone(datetime.timedelta(hours=5, minutes=30)); west = datetime.timezone(datetime.timedelta(hours=-3))
trips = []
class Zone(datetime.tzinfo):
    def utcoffset(self, when): trips.append('utcoffset'); return None
    def __repr__(self): trips.append('repr'); return 'z'
class Name(str):
    def __repr__(self): trips.append('name repr'); return 'n'
class Span(datetime.timedelta):
    def __repr__(self): trips.append('span repr'); return 's'
    days = property(lambda self: trips.append('days'))
odd = datetime.datetime(2024, 5, 6, tzinfo=Zone()); named = datetime.timezone(datetime.timedelta(hours=1), Name('x'))
own = datetime.timezone(Span(hours=2)); odd_moment = datetime.datetime(2024, 5, 6, tzinfo=named)
plain = [repr(x) for x in (day, moment, exact, clock, midnight, span, back, none)]
trips.clear()
)py");
    check_all(bench, {{"day", "datetime.date(2024, 5, 6)"},
                      {"moment", "datetime.datetime(2024, 5, 6, 7, 8)"},
                      {"exact", "datetime.datetime(2024, 5, 6, 7, 8, 9, 10, fold=1)"},
                      {"utc", "datetime.datetime(2024, 5, 6, 0, 0, tzinfo=datetime.timezone.utc)"},
                      {"clock", "datetime.time(7, 8, 9)"},
                      {"midnight", "datetime.time(0, 0)"},
                      {"span", "datetime.timedelta(days=1, seconds=2, microseconds=3)"},
                      {"back", "datetime.timedelta(days=-1, seconds=86399)"},
                      {"none", "datetime.timedelta(0)"},
                      {"east", "datetime.timezone(+05:30:00)"},
                      {"west", "datetime.timezone(-03:00:00)"},
                      {"odd", "datetime.datetime(2024, 5, 6, 0, 0, tzinfo=<Zone object>)"},
                      {"own", "datetime.timezone(+02:00:00)"},
                      {"odd_moment", "datetime.datetime(2024, 5, 6, 0, 0, tzinfo=datetime.timezone(+01:00:00))"}});
    const char* const names[] = {"day", "moment", "exact", "clock", "midnight", "span", "back", "none"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        CHECK("'" + bench.repr(names[i]) + "'" == bench.session.eval("plain[" + std::to_string(i) + "]").value);
    }
    CHECK(bench.repr("day.year") == "2024");
    CHECK(bench.session.exec(no_trips).out == "[]\n");
}

TEST_CASE("the locals of the last exception are described by adapters too") {
    python_bench bench("import datetime");
    REQUIRE(bench.session.exec("def f():\n    day = datetime.datetime(2024, 5, 6)\n    return 1 / 0\nf()").ending == py::ending::raised);
    const ai::json last = bench.result("get_last_exception", ai::json::object());
    CHECK(ai::dump_json(last).find("datetime.datetime(2024, 5, 6, 0, 0)") != std::string::npos);
    CHECK(ai::integer_member(last, "tier") == 1);
}

TEST_CASE("values of the standard library are printed with their facts") {
    python_bench bench(R"py(
import decimal, fractions, pathlib, uuid, re, enum, dataclasses, collections, array
number = decimal.Decimal('1.50'); huge = decimal.Decimal(10 ** 40000); ratio = fractions.Fraction(3, 4)
path = pathlib.Path('/usr/lib'); joined = pathlib.PurePosixPath('a') / 'b' / 'c.txt'; here = pathlib.Path(); absolute = pathlib.Path('a', '/b')
ident = uuid.UUID('00000000-0000-4000-8000-00000000abcd')
pattern = re.compile(r'a+b'); loud = re.compile('x', re.I | re.M); raw = re.compile(b'x')
class Color(enum.Enum):
    RED = 1
    BLUE = 'blue'
class Level(enum.IntEnum):
    LOW = 3
class Access(enum.Flag):
    READ = 1
    WRITE = 2
red, blue, low, both = Color.RED, Color.BLUE, Level.LOW, Access.READ | Access.WRITE
@dataclasses.dataclass
class Point:
    x: int
    y: list
    secret: str = dataclasses.field(default='s', repr=False)
    kind: 'dataclasses.ClassVar[int]' = 5
@dataclasses.dataclass(slots=True)
class Slotted:
    x: int
point, slotted = Point(1, [2, 3]), Slotted(4); cyclic = Point(1, []); cyclic.y.append(cyclic); part = Point(1, 2); del part.x
Pair = collections.namedtuple('Pair', 'left right'); pair = Pair(1, 'r')
queue = collections.deque([1, 'two', [3]]); ring = collections.deque(range(10), maxlen=4); long = collections.deque(range(5000)); ring_of = collections.deque(); ring_of.append(ring_of)
ordered = collections.OrderedDict(a=1); counter = collections.Counter('abracadabra'); defaults = collections.defaultdict(list, a=[1])
doubles = array.array('d', [1.5, 2.5]); letters = array.array('u', 'hé'); numbers = array.array('i', range(100)); view = memoryview(b'abc'); square = memoryview(bytes(6)).cast('B', [2, 3])
released = memoryview(b'x'); released.release(); steps = range(0, 10, 2)
)py");
    check_all(bench, {{"number", "Decimal('1.50')"},
                      {"huge", "<Decimal with many digits>"},
                      {"ratio", "Fraction(3, 4)"},
                      {"path", "PosixPath('/usr/lib')"},
                      {"joined", "PurePosixPath('a/b/c.txt')"},
                      {"here", "PosixPath('.')"},
                      {"absolute", "PosixPath('/b')"},
                      {"ident", "UUID('00000000-0000-4000-8000-00000000abcd')"},
                      {"pattern", "re.compile('a+b')"},
                      {"loud", "re.compile('x', flags=10)"},
                      {"raw", "re.compile(b'x')"},
                      {"red", "<Color.RED: 1>"},
                      {"blue", "<Color.BLUE: 'blue'>"},
                      {"blue.value", "'blue'"},
                      {"red.name", "'RED'"},
                      {"low", "<Level.LOW: 3>"},
                      {"both", "<Access.READ|WRITE: 3>"},
                      {"point", "Point(x=1, y=[2, 3], kind=5)"},
                      {"slotted", "Slotted(x=4)"},
                      {"part", "Point(x=?, y=2, kind=5)"},
                      {"cyclic", "Point(x=1, y=[<Point object>], kind=5)"},
                      {"pair", "Pair(left=1, right='r')"},
                      {"queue", "deque([1, 'two', [3]])"},
                      {"queue[2][0]", "3"},
                      {"queue[-2]", "'two'"},
                      {"ring", "deque([6, 7, 8, 9], maxlen=4)"},
                      {"ring_of", "deque([<collections.deque object>])"},
                      {"ordered", "collections.OrderedDict({'a': 1})"},
                      {"defaults", "collections.defaultdict({'a': [1]})"},
                      {"doubles", "<array.array float64 (2,): 1.5, 2.5>"},
                      {"doubles[1]", "2.5"},
                      {"letters", "<array.array U1 (2,): 'h', 'é'>"},
                      {"view", "<memoryview uint8 (3,): 97, 98, 99>"},
                      {"view[1]", "98"},
                      {"square", "<memoryview uint8 (2, 3): 0, 0, 0, 0, 0, ...>"},
                      {"released", "<memoryview without memory>"},
                      {"steps", "range(0, 10, 2)"}});
    CHECK(bench.repr("long").ends_with("98, 99, ... 4900 more])"));
    CHECK(python_bench::text(bench.look("inspect", "numbers"), "summary") ==
          "array.array int32 (100,), range 0 to 99, mean 49.5: 0, 1, 2, ...");
    CHECK(python_bench::text(bench.look("inspect", "ring"), "summary") == "deque of 4 (at most 4): 6, 7, 8");
    CHECK(ai::integer_member(bench.look("inspect", "long"), "size") == 5000);
    CHECK(ai::integer_member(python_bench::member(bench.look("inspect", "long"), "details"), "samples_left_out") == 4980);
    CHECK(python_bench::member(python_bench::member(bench.look("inspect", "counter"), "details"), "most_common")[0] ==
          parsed(R"({"key": "'a'", "count": 5})"));
    CHECK(ai::integer_member(bench.look("get_repr", "red"), "tier") == 1);
    CHECK(ai::integer_member(bench.look("get_repr", "pair"), "tier") == 0);
    for (const char* wrong : {"queue[3]", "queue[-4]", "queue['a']", "doubles[2]", "ring[99999999999999999999]"}) {
        CHECK(invoke(bench.session, "get_repr", about(wrong)).code == ai::reply_code::python_exception);
    }
}

TEST_CASE("generators, files, locks and threads tell their state and stay as they are") {
    python_bench bench(R"py(
import threading, tempfile, os
def count():
    yield 1
    yield 2
async def work(): pass
async def feed():
    yield 1
created, suspended, closed = count(), count(), count(); next(suspended); closed.close()
coroutine, stream = work(), feed()
folder = tempfile.mkdtemp(); name = os.path.join(folder, 'a.txt')
text = open(name, 'w+', encoding='utf-8'); binary = open(name, 'rb'); unbuffered = open(name, 'rb', buffering=0); shut = open(name); shut.close()
text.write('abc'); text.flush()
lock = threading.Lock(); held = threading.Lock(); held.acquire()
gate = threading.Event()
idle = threading.Thread(name='idle', target=gate.wait); alive = threading.Thread(name='alive', target=gate.wait, daemon=True); alive.start()
done = threading.Thread(name='done', target=int); done.start(); done.join()
)py");
    CHECK(bench.repr("created").starts_with("<generator count, created at <session"));
    CHECK(bench.repr("created").ends_with(":3>"));
    CHECK(bench.repr("suspended").starts_with("<generator count, suspended at <session"));
    CHECK(bench.repr("suspended").ends_with(":4>"));
    CHECK(bench.repr("closed") == "<generator count, closed>");
    CHECK(bench.repr("coroutine").starts_with("<coroutine work, created at "));
    CHECK(bench.repr("stream").starts_with("<async generator feed, created at "));
    CHECK(bench.session.eval("next(created), next(suspended)").value == "(1, 2)");
    CHECK(bench.session.exec("coroutine.close()").ok());
    CHECK(bench.repr("coroutine") == "<coroutine work, closed>");
    CHECK(bench.repr("text").starts_with("<_io.TextIOWrapper name='"));
    CHECK(bench.repr("text").ends_with("a.txt' mode='w+' encoding='utf-8', open>"));
    CHECK(bench.repr("binary").ends_with("a.txt' mode='rb', open>"));
    CHECK(bench.repr("unbuffered").ends_with("a.txt' mode='rb', open>"));
    CHECK(bench.repr("shut").ends_with(", closed>"));
    CHECK(bench.session.eval("binary.read()").value == "b'abc'");
    CHECK(bench.repr("lock") == "<lock, unlocked>");
    CHECK(bench.repr("held") == "<lock, locked>");
    CHECK(bench.repr("idle") == "<Thread 'idle', not started>");
    CHECK(bench.repr("alive") == "<Thread 'alive', alive, daemon>");
    CHECK(bench.repr("done") == "<Thread 'done', finished>");
    CHECK(bench.session
              .exec("gate.set(); alive.join(); held.release(); text.close(); binary.close(); unbuffered.close(); os.remove(name); "
                    "os.rmdir(folder)")
              .ok());
    CHECK(bench.repr("alive") == "<Thread 'alive', finished, daemon>");
}

TEST_CASE("hostile values inside known types, and classes that look like them, run no code") {
    python_bench bench(R"py(
import collections, dataclasses, decimal, enum, fractions, io, pathlib, re, sys, threading, types, uuid
trips = []; watching = False
def trap(name, answer=None):
    def called(*arguments, **named): trips.append(name); return answer
    return called
hooks = '''__repr__ __str__ __len__ __eq__ __getattr__ __iter__ __bool__ __index__ __int__ __float__ __format__ __getitem__ __lt__ __hash__ __ne__ __abs__
__neg__ __mul__ __add__ __rmul__ __floordiv__ __mod__ __fspath__ __dir__ __missing__ __contains__'''.split()
answers = {'__repr__': 'r', '__str__': 's', '__len__': 1, '__hash__': 1, '__bool__': True, '__index__': 1, '__int__': 1, '__float__': 1.0, '__dir__': [], '__fspath__': 'p'}
body = {name: trap(name, answers.get(name)) for name in hooks}
def make(name, *bases): return type(name, bases or (object,), dict(body))
Hostile, Int, Text = make('Hostile'), make('Int', int), make('Text', str)
ratio = fractions.Fraction(1, 2); ratio._numerator = Int(5); ratio._denominator = Hostile()
queue = collections.deque([Hostile(), Int(1)]); queues = make('deque', collections.deque)([1]); ordered = make('OrderedDict', collections.OrderedDict)()
counter = collections.Counter(); dict.__setitem__(counter, 'k', Int(3)); counters = make('Counter', collections.Counter)()
@dataclasses.dataclass
class Data:
    value: object
    @property
    def lazy(self): trips.append('lazy'); return 1
    def __repr__(self): trips.append('data repr'); return 'd'
Data.__dataclass_fields__['lazy'] = Hostile(); data = Data(Hostile())
class Lookalike:
    __dataclass_fields__ = {Text('a'): 1, 'b': Hostile(), 'c': None}
    b = property(trap('b'))
    def __getattr__(self, name): trips.append('getattr ' + name)
lookalike = Lookalike()
class Meta(enum.EnumMeta):
    def __getattribute__(cls, name):
        if watching: trips.append('enum metaclass ' + name)
        return super().__getattribute__(name)
class Color(enum.Enum, metaclass=Meta):
    RED = 1
    def __str__(self): trips.append('enum str'); return 's'
    def __repr__(self): trips.append('enum repr'); return 'r'
    @property
    def value(self): trips.append('enum value')
red = Color.RED
class Number(enum.IntEnum):
    ONE = 1
Number.ONE._value_ = Number.ONE; one = Number.ONE
class Names(enum.Enum):
    A = Hostile()
member = Names.A
pattern = re.compile(Text('a')); ident = uuid.UUID(int=1); object.__setattr__(ident, 'int', Int(7)); path = pathlib.PurePosixPath('a'); path._str = Text('odd')
class Raw(io.RawIOBase):
    name = property(trap('raw name')); closed = property(trap('raw closed', False)); mode = property(trap('raw mode'))
    def readable(self): return True
wrapped = io.TextIOWrapper(io.BufferedReader(Raw()))
thread = threading.Thread(); thread._started = Hostile(); thread._name = Hostile(); threads = make('Thread', threading.Thread); lone_thread = threads.__new__(threads)
fakes = [make(n)() for n in ('Fraction', 'UUID', 'PosixPath', 'Decimal', 'deque', 'Thread', 'Counter', 'Timestamp', 'DataFrame', 'ndarray', 'Enum')]
class Forged(uuid.UUID): pass
real_fraction, real_path = fractions.Fraction, sys.modules['pathlib']
fractions.Fraction = type(fakes[0]); sys.modules['decimal_fake'] = Hostile(); sys.modules['pathlib'] = Hostile()
forged = fakes[0]
def audit(event, arguments):
    if watching and not event.startswith(('compile', 'exec')): trips.append('audit ' + event)
sys.addaudithook(audit)
def generate(): yield
generator = generate(); next(generator)
lock, text, decimal_number = threading.Lock(), sys.__stdout__, decimal.Decimal('1.5')
trips.clear()
)py");
    REQUIRE(bench.session.exec("watching = True; trips.clear()").ok());
    for (const char* expression :
         {"ratio",        "ratio._numerator", "queue",  "queue[0]",    "queues",        "queues[0]",    "ordered",     "counter",
          "counter['x']", "counters",         "data",   "data.lazy",   "data.value",    "lookalike",    "lookalike.b", "red",
          "red.value",    "red.name",         "Color",  "one",         "member",        "member.value", "pattern",     "ident",
          "path",         "wrapped",          "thread", "lone_thread", "fakes",         "fakes[1]",     "fakes[2]",    "fakes[8].shape",
          "forged",       "generator",        "lock",   "text",        "decimal_number"}) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "inspect"}) {
            static_cast<void>(invoke(bench.session, capability, about(expression)));
        }
    }
    static_cast<void>(bench.result("list_globals", ai::json::object()));
    const py::outcome ended = bench.session.exec(
        "watching = False; found = sorted(set(trips) - {'audit compile', 'audit exec'})\n"
        "fractions.Fraction = real_fraction; sys.modules['pathlib'] = real_path; del sys.modules['decimal_fake']\nprint(found)");
    CHECK(ended.out == "[]\n");
}
