#include "python_bench.hpp"

using namespace bench;

namespace {

/// Objects on which every way to run code of theirs is counted. What is counted is `trips`.
const char* const tripwires = R"py(
import functools, gc, types, weakref, sys
trips = []
def trip(name):
    trips.append(name)

hooks = '''__repr__ __str__ __len__ __eq__ __hash__ __dir__ __iter__ __next__ __bool__ __index__ __int__ __float__ __contains__ __getitem__
__missing__ __format__ __sizeof__ __reduce__ __reduce_ex__ __bytes__ __add__ __radd__ __lt__ __gt__ __call__ __enter__ __length_hint__
__instancecheck__ __subclasscheck__ __getattr__ __fspath__ __complex__ __reversed__ __get__'''.split()

def counted(name, result):
    def hook(self, *arguments):
        trip(name)
        return result
    return hook

results = {'__repr__': 'r', '__str__': 's', '__format__': 'f', '__len__': 1, '__hash__': 1, '__dir__': [], '__bool__': True, '__index__': 1,
           '__int__': 1, '__float__': 1.0, '__bytes__': b'', '__contains__': True, '__eq__': True, '__sizeof__': 1, '__length_hint__': 1,
           '__fspath__': 'p', '__complex__': 1j}
body = {name: counted(name, results.get(name)) for name in hooks}

class Meta(type):
    def __getattribute__(cls, name):
        trip('metaclass __getattribute__')
        return type.__getattribute__(cls, name)
    def __repr__(cls): trip('metaclass __repr__'); return 'm'
    def __instancecheck__(cls, other): trip('metaclass __instancecheck__'); return True
    def __dir__(cls): trip('metaclass __dir__'); return []
    def __eq__(cls, other): trip('metaclass __eq__'); return True
    def __hash__(cls): trip('metaclass __hash__'); return 1
    def __len__(cls): trip('metaclass __len__'); return 1
    def __getitem__(cls, key): trip('metaclass __getitem__'); return 1
    @property
    def __doc__(cls): trip('metaclass __doc__'); return 'd'
    @property
    def __name__(cls): trip('metaclass __name__'); return 'n'

class Descriptor:
    def __get__(self, instance, owner=None): trip('descriptor'); return 1
    def __set__(self, instance, value): trip('descriptor set')
class NonData:
    def __get__(self, instance, owner=None): trip('non-data descriptor'); return 1

def extras():
    return {
        'prop': property(lambda self: trip('property')),
        '__doc__': property(lambda self: trip('__doc__ property')),
        '__signature__': property(lambda self: trip('__signature__')),
        '__annotations__': property(lambda self: trip('__annotations__')),
        '__wrapped__': property(lambda self: trip('__wrapped__')),
        'cached': functools.cached_property(lambda self: trip('cached_property')),
        'descriptor': Descriptor(), 'nondata': NonData(),
        'partial': functools.partialmethod(lambda self: trip('partialmethod')),
        'wrapped_property': classmethod(property(lambda cls: trip('classmethod of a property'))),
        'method': lambda self: trip('method'),
    }

def make(name, base, **more):
    return type(name, (base,), {**body, **extras(), **more})

def class_property(self):
    trip('__class__'); return int
def get_attribute(self, name):
    trip('__getattribute__'); return object.__getattribute__(self, name)
def delete(self):
    trip('__del__')

Plain = make('Plain', object, __class__=property(class_property), __del__=delete)
Guarded = make('Guarded', object, __getattribute__=get_attribute)
WithMeta = Meta('WithMeta', (object,), {**body, **extras()})
DictLike, ListLike, TextLike, IntLike = make('DictLike', dict), make('ListLike', list), make('TextLike', str), make('IntLike', int)
FloatLike, TupleLike, SetLike, BytesLike = make('FloatLike', float), make('TupleLike', tuple), make('SetLike', set), make('BytesLike', bytes)
ModuleLike = make('ModuleLike', types.ModuleType)

plain, guarded, meta = Plain(), Guarded(), WithMeta()
plain.value = [Plain(), Guarded()]; meta.value = 1
object.__setattr__(guarded, 'value', 1)
dict_like = DictLike(); dict.__setitem__(dict_like, 'k', 1); dict_like.value = 1
list_like, text_like, int_like, float_like = ListLike([1]), TextLike('t'), IntLike(10**30), FloatLike(1.5)
tuple_like, set_like, bytes_like = TupleLike((1,)), SetLike(), BytesLike(b'b')
module_like = ModuleLike('module_like')
module = types.ModuleType('with_getattr'); module.__getattr__ = lambda name: trip('module __getattr__')

# Keys that collide with every text and number, in dicts and in the names of an instance.
class Colliding:
    def __init__(self, value): self.value = value
    def __hash__(self): trip('key hash'); return hash(self.value)
    def __eq__(self, other): trip('key eq'); return False
class TextKey(str):
    __hash__ = str.__hash__
    def __eq__(self, other): trip('text key eq'); return False
keys = {Colliding('k'): 1, Colliding(1): 2, Colliding('real'): 3, TextKey('k'): 4}
keys['real'] = 5
holder = types.SimpleNamespace()
holder.__dict__[Colliding('value')] = 1
class Names: pass
names = Names(); names.__dict__[Colliding('value')] = 1; names.real = 2
globals()[Colliding('plain')] = 1
globals()[Colliding('no_such')] = 1

class BadError(Exception):
    def __str__(self): trip('exception __str__'); return 'e'
    def __repr__(self): trip('exception __repr__'); return 'e'
    args = property(lambda self: trip('exception args'))
error = BadError(plain)
proxy = weakref.proxy(guarded)
def generate(): trip('generator'); yield 1
generator, iterator = generate(), iter([1, 2])
function = lambda first=plain, *, second=guarded: trip('function')
function.__doc__ = text_like
partial = functools.partial(trip, 'partial')
bound = plain.method if False else types.MethodType(trip, 'bound')
class Lazy:
    def __getattr__(self, name): trip('lazy __getattr__'); return self
lazy = Lazy()
Slotted = type('Slotted', (), {'__slots__': ('a', 'b')})
slotted = Slotted(); slotted.a = plain
hidden_audit = lambda event, arguments: trip('audit ' + event) if watching else None
watching = False
sys.addaudithook(hidden_audit)

# A cycle that the collector would finalize.
class Cycle:
    def __del__(self): trip('__del__ by the collector')
def litter():
    for _ in range(50):
        cycle = Cycle(); cycle.me = cycle
gc.collect()
gc.set_threshold(1)
gc.disable(); litter()

gc.enable()
paths = [name for name in list(globals()) if type(name) is str and not name.startswith('__') and name not in ('gc', 'sys')]
trips.clear()
)py";

}  // namespace

TEST_CASE("looking at an object runs no code of anybody's") {
    python_bench bench(tripwires);
    const std::string listed = bench.session.exec("print(' '.join(paths))").out;
    std::vector<std::string> expressions;
    for (std::size_t at = 0; at < listed.size();) {
        const std::size_t end = std::min(listed.find_first_of(" \n", at), listed.size());
        const std::string name = listed.substr(at, end - at);
        at = end + 1;
        for (const char* step :
             {"",          ".value",   ".prop",      ".cached",   ".descriptor", ".nondata",  ".partial", ".wrapped_property",
              ".method",   ".no_such", ".__class__", ".__dict__", ".__doc__",    ".__name__", ".__len__", ".__annotations__",
              ".__code__", ".a",       ".real",      "['k']",     "['real']",    "['no']",    "[1]",      "[0]",
              "[b'k']",    "[1.5]",    "[('k', 1)]", "[None]"}) {
            expressions.push_back(name + step);
        }
    }
    expressions.emplace_back("no_such");
    REQUIRE(expressions.size() > 1000);
    // `eval` itself is code: what it trips is taken off by clearing afterwards.
    REQUIRE(bench.session.exec("watching = True; trips.clear()").ok());
    std::size_t found = 0;
    for (const std::string& expression : expressions) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect"}) {
            found += invoke(bench.session, capability, about(expression)).ok() ? 1 : 0;
        }
    }
    static_cast<void>(bench.result("list_globals", ai::json::object()));
    static_cast<void>(bench.result("get_last_exception", ai::json::object()));
    static_cast<void>(bench.result("situation", ai::json::object()));
    bench.session.hide("no_*");  // with names to compare
    static_cast<void>(bench.result("situation", ai::json::object()));
    static_cast<void>(bench.result("list_globals", ai::json::object()));
    const py::outcome ended = bench.session.exec(
        "watching_trips = [t for t in trips if t not in ('audit compile', 'audit exec')]\nwatching = False\nprint(watching_trips)");
    CHECK(ended.out == "[]\n");
    CHECK(found > 500);
}

TEST_CASE("no operator, call, comprehension, text or key of a look runs code of anybody's") {
    python_bench bench(tripwires);
    const std::string listed = bench.session.exec("print(' '.join(paths))").out;
    // `@` stands for the object.
    std::vector<std::string> templates = {"@ + 1",
                                          "1 + @",
                                          "@ + @",
                                          "@ - 1",
                                          "{1} - @",
                                          "@ * 2",
                                          "[1] * @",
                                          "@ ** 2",
                                          "2 ** @",
                                          "@ // 1",
                                          "@ / 1",
                                          "1 / @",
                                          "@ % 2",
                                          "'%s' % @",
                                          "'%d' % (@,)",
                                          "'%r' % [@]",
                                          "'%(k)s' % @",
                                          "@ << 1",
                                          "1 << @",
                                          "@ >> 1",
                                          "@ & 1",
                                          "@ | {1}",
                                          "{'k': 1} | @",
                                          "@ ^ 1",
                                          "@ @ @",
                                          "-@",
                                          "+@",
                                          "~@",
                                          "not @",
                                          "@ < 1",
                                          "1 < @",
                                          "1.5 >= @",
                                          "@ == 1",
                                          "1 == @",
                                          "@ != 'k'",
                                          "b'b' == @",
                                          "@ == @",
                                          "@ == plain",
                                          "@ != None",
                                          "[@] == [@]",
                                          "(@,) < (@,)",
                                          "{1: @} == {1: @}",
                                          "{'k': @} == {'k': 1}",
                                          "@ in [1]",
                                          "1 in @",
                                          "'k' in @",
                                          "@ in @",
                                          "1 in [@]",
                                          "@ in (@,)",
                                          "@ in {1}",
                                          "@ in {'k': 1}",
                                          "@ in 'k'",
                                          "@ in b'k'",
                                          "@ in range(3)",
                                          "1 in {'k': @}.values()",
                                          "@ in (x for x in [1])",
                                          "@ is @",
                                          "@ and 1",
                                          "@ or 1",
                                          "1 if @ else 2",
                                          "[x for x in @]",
                                          "[x for x in [@]]",
                                          "[1 for x in [1] if @]",
                                          "{x for x in [@]}",
                                          "{x: 1 for x in [@]}",
                                          "{1: x for x in [@]}",
                                          "[a for a, b in [@]]",
                                          "sum(x for x in @)",
                                          "{@}",
                                          "{@: 1}",
                                          "{'k': @}['k']",
                                          "[1, 2][@]",
                                          "'ab'[@]",
                                          "{1: 2}[@]",
                                          "{1: 2}[(1, @)]",
                                          "keys[@]",
                                          "[1, 2][@:]",
                                          "[1, 2][:@]",
                                          "[1, 2][::@]",
                                          "@[0:1]",
                                          "@[@]",
                                          "@[...]",
                                          "@[()]",
                                          "@[1:@]",
                                          "f'{@}'",
                                          "f'{@!r}'",
                                          "f'{@!s}'",
                                          "f'{@!a}'",
                                          "f'{@:>10}'",
                                          "f'{1:{@}}'",
                                          "f'{@=}'",
                                          "f'{[@]}'",
                                          "isinstance(@, int)",
                                          "isinstance(1, @)",
                                          "isinstance(@, @)",
                                          "isinstance(1, (str, @))",
                                          "issubclass(@, int)",
                                          "issubclass(int, @)",
                                          "issubclass(@, @)",
                                          "getattr(@, 'value')",
                                          "getattr(@, 'prop')",
                                          "getattr(@, 'no_such', 1)",
                                          "hasattr(@, 'prop')",
                                          "hasattr(@, 'no_such')",
                                          "getattr(@, @)",
                                          "hasattr(1, @)",
                                          "round(1.5, @)",
                                          "round(@, 1)",
                                          "pow(@, 2)",
                                          "pow(2, @)",
                                          "pow(2, 3, @)",
                                          "divmod(@, 1)",
                                          "divmod(1, @)",
                                          "format(1, @)",
                                          "format(@, '>5')",
                                          "int('1', @)",
                                          "int('1', base=@)",
                                          "sum([@])",
                                          "sum([1], @)",
                                          "sum([[1]], start=@)",
                                          "max([@, @])",
                                          "max(@, 1)",
                                          "max([], default=@)",
                                          "sorted([@, @])",
                                          "sorted([1], reverse=@)",
                                          "sorted([1], key=@)",
                                          "list(enumerate([1], @))",
                                          "list(enumerate(@, @))",
                                          "list(zip([1], @))",
                                          "list(zip([1], [@]))",
                                          "list(zip([1], strict=@))",
                                          "list(reversed(@))",
                                          "list(range(1, @))",
                                          "slice(1, @)",
                                          "bytes([@])",
                                          "complex(1, @)",
                                          "dict(a=@)",
                                          "dict([(@, 1)])",
                                          "dict([@])",
                                          "dict([(1, @)])",
                                          "any([@])",
                                          "all([@, 0])",
                                          "'a'.join([@])",
                                          "'a'.join(@)",
                                          "'a'.center(@)",
                                          "'a'.center(3, @)",
                                          "'a'.replace('a', @)",
                                          "'abc'.find(@)",
                                          "'abc'.find('a', @)",
                                          "'abc'.startswith(@)",
                                          "'abc'.startswith((@,))",
                                          "'abc'.count(@)",
                                          "[1].index(@)",
                                          "[@].index(1)",
                                          "[@].count(@)",
                                          "(@,).count(1)",
                                          "[@].copy()",
                                          "{'k': 1}.get(@)",
                                          "{'k': 1}.get(1, @)",
                                          "keys.get(@)",
                                          "{1}.union(@)",
                                          "{1}.union([@])",
                                          "{1}.issubset(@)",
                                          "{1}.isdisjoint([@])",
                                          "'a'.encode(@)",
                                          "b'a'.decode(@)",
                                          "'a'.split(@)",
                                          "'a'.split('a', @)",
                                          "'a'.splitlines(@)",
                                          "'a'.strip(@)",
                                          "'a b'.partition(@)",
                                          "b'a'.join([@])",
                                          "b'a'.find(@)",
                                          "b'a'.hex(@)",
                                          "'a\\tb'.expandtabs(@)",
                                          "'7'.zfill(@)",
                                          "range(3).index(@)",
                                          "range(3).count(@)",
                                          "@.upper()",
                                          "@.copy()",
                                          "@.method()",
                                          "@.count(1)",
                                          "@.get('k')",
                                          "@.keys()",
                                          "@.values()",
                                          "@.bit_length()",
                                          "@.index(1)",
                                          "@.join([])",
                                          "@.split()",
                                          "@.union([1])",
                                          "@.hex()",
                                          "@()",
                                          "@(1)",
                                          "@.__class__()",
                                          "@.__len__()",
                                          "@.__class__.__name__",
                                          "type(@).__name__",
                                          "type(@)(1)",
                                          "type(@) == int",
                                          "type(@) == @",
                                          "@.__eq__(1)",
                                          "@.__repr__()",
                                          "@.__init__.__globals__",
                                          "@.__dict__.get('value')",
                                          "len(@.__dict__)",
                                          "sorted(@.__dict__)",
                                          "list(@.__dict__.items())",
                                          "@.value[0]",
                                          "[@.value for x in [1]]"};
    for (const char* function :
         {"len",  "sum",       "min",       "max",        "sorted",   "any",       "all",      "abs",      "round", "type",
          "bool", "int",       "float",     "complex",    "str",      "repr",      "ascii",    "bytes",    "list",  "tuple",
          "set",  "frozenset", "dict",      "range",      "slice",    "enumerate", "zip",      "reversed", "ord",   "chr",
          "bin",  "oct",       "hex",       "format",     "callable", "id",        "hash",     "next",     "iter",  "print",
          "vars", "dir",       "bytearray", "memoryview", "map",      "super",     "property", "object"}) {
        templates.push_back(std::string(function) + "(@)");
    }
    REQUIRE(bench.session.exec("watching = True; trips.clear()").ok());
    std::size_t looked = 0;
    std::size_t found = 0;
    for (std::size_t at = 0; at < listed.size();) {
        const std::size_t end = std::min(listed.find_first_of(" \n", at), listed.size());
        const std::string name = listed.substr(at, end - at);
        at = end + 1;
        for (const std::string& each : templates) {
            std::string expression;
            for (const char c : each) {
                expression += c == '@' ? name : std::string(1, c);
            }
            const ai::capability_reply reply = invoke(bench.session, "get_type", about(expression));
            ++looked;
            found += reply.ok() ? 1 : 0;
            INFO(expression);
            REQUIRE((reply.ok() || reply.code == ai::reply_code::not_allowed || reply.code == ai::reply_code::python_exception));
        }
    }
    for (const char* expression :
         {"keys == keys", "keys | keys", "keys.keys() & {1}", "'k' in keys", "1 in keys", "keys.get('no')", "{**keys}", "dict(keys)",
          "list(keys)", "sorted(keys)", "set(keys)", "len(keys)", "[k for k in keys]", "{k: v for k, v in keys.items()}", "keys.copy()",
          "'%(k)s' % keys", "holder.__dict__.get('value')", "names.__dict__ == {}"}) {
        found += invoke(bench.session, "get_repr", about(expression)).ok() ? 1 : 0;
    }
    const py::outcome ended = bench.session.exec(
        "watching_trips = [t for t in trips if t not in ('audit compile', 'audit exec')]\nwatching = False\nprint(watching_trips)");
    CHECK(ended.out == "[]\n");
    CHECK(looked > 5000);
    CHECK(found > 1000);
    CHECK(bench.session.eval("(next(iterator), list_like[:], len(trips) >= 0)").value.find("(1, ") == 0);  // nobody read the iterator
}

TEST_CASE("the tripwires do trip when code runs") {
    python_bench bench(tripwires);
    for (const char* code :
         {"repr(plain)", "plain.prop", "plain.__class__", "guarded.value", "WithMeta.value", "keys['k']", "str(error)", "len(proxy)",
          "module.x", "lazy.x", "import gc; litter(); gc.collect()", "plain.descriptor", "meta.nondata", "list_like[0]"}) {
        INFO(code);
        static_cast<void>(bench.session.exec("trips.clear()"));
        static_cast<void>(bench.session.exec(code));
        CHECK(bench.session.eval("len(trips) > 0").value == "True");
    }
}

TEST_CASE("text that cannot be encoded calls no error handler") {
    python_bench bench(R"py(
import codecs
trips = []
strict, replaced = codecs.lookup_error('strict'), {}
class A: pass
a = A()
setattr(a, '\udc80', 1); a.text = 'x\udc80'
def handler(error): trips.append(error); raise error
for name in ('strict', 'backslashreplace', 'replace', 'ignore', 'surrogatepass'):
    replaced[name] = codecs.lookup_error(name)
    codecs.register_error(name, handler)
)py");
    for (const char* capability : {"get_repr", "get_dir", "inspect"}) {
        for (const char* expression :
             {"a", "a.text", "a.text.encode()", "a.text.encode('ascii')", "ascii(a.text)", "repr(a.text)", "f'{a.text}'", "a.text + 'y'",
              "{a.text: 1}['no']", "b'\\xff'.decode()", "getattr(a, a.text)", "int(a.text)", "a.text.upper()", "[].index(a.text)"}) {
            static_cast<void>(invoke(bench.session, capability, about(expression)));
        }
    }
    const py::outcome ended =
        bench.session.exec("for name, each in replaced.items(): codecs.register_error(name, each)\nprint(len(trips))");
    CHECK(ended.out == "0\n");
}

TEST_CASE("reading an attribute of a class compares no foreign key of its dict") {
    python_bench bench(
        "trips = []\n"
        "class Colliding:\n"
        "    def __init__(self, value): self.value = value\n"
        "    def __hash__(self): return hash(self.value)\n"
        "    def __eq__(self, other): trips.append(self.value); return False\n"
        "names = ['__module__', '__name__', '__qualname__', '__bases__', '__dict__', '__doc__', '__mro__', '__annotations__', "
        "'__slots__']\n"
        "Foreign = type('Foreign', (), {**{Colliding(name): 1 for name in names}, '__module__': 'elsewhere'})\n"
        "foreign = Foreign()\ntrips.clear()");
    for (const char* name : {"__module__", "__name__", "__qualname__", "__bases__", "__dict__", "__doc__", "__mro__", "__annotations__"}) {
        for (const char* capability : {"get_repr", "inspect", "get_doc"}) {
            static_cast<void>(invoke(bench.session, capability, about("Foreign." + std::string(name))));
            static_cast<void>(invoke(bench.session, capability, about("foreign." + std::string(name))));
        }
    }
    CHECK(bench.repr("trips") == "[]");
    CHECK(bench.repr("Foreign.__module__, foreign.__module__, int.__module__, Colliding.__module__") ==
          "('elsewhere', 'elsewhere', 'builtins', '__main__')");
}

TEST_CASE("an unread iterator, file or generator is left where it was") {
    python_bench bench("it = iter([1, 2, 3])\ng = (x for x in [1, 2])\nm = map(str, [1])\nz = zip([1], [2])");
    for (const char* capability : {"get_repr", "get_dir", "inspect"}) {
        for (const char* name : {"it", "g", "m", "z"}) {
            CHECK(invoke(bench.session, capability, about(name)).ok());
        }
    }
    CHECK(bench.session.eval("(next(it), next(g), next(m), next(z))").value == "(1, 1, '1', (1, 2))");
}

TEST_CASE("looking changes nothing") {
    python_bench bench("import collections\nd = collections.defaultdict(list, a=1)\nclass A: pass\na = A()\nf = lambda: 0");
    REQUIRE(bench.session.exec("before = (dict(d), sorted(a.__dict__), sorted(f.__dict__), sorted(A.__dict__))").ok());
    for (const char* expression : {"d['b']", "d", "a", "a.x", "f", "f.x", "A", "A.x", "f.__annotations__", "A.__annotations__"}) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "inspect"}) {
            static_cast<void>(invoke(bench.session, capability, about(expression)));
        }
    }
    CHECK(bench.session.eval("before == (dict(d), sorted(a.__dict__), sorted(f.__dict__), sorted(A.__dict__))").value == "True");
}
