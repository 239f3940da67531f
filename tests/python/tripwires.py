"""Objects that count each use of their special methods, properties, descriptors and hooks.

`from tripwires import *` makes them variables. A look at them must leave `trips` empty. `reset()` empties it.
"""

import functools
import sys
import types
import weakref

trips = []


def trip(name):
    """Counts one use."""
    trips.append(name)


def reset():
    """Forgets what was counted, such as what the making of the objects has used."""
    trips.clear()


# Every special method that a built-in type knows, and those that only classes in Python have.
_KINDS = (object, type, int, float, complex, str, bytes, list, tuple, dict, set, range, property, BaseException, types.FunctionType, types.ModuleType)
_OTHERS = """__getattr__ __missing__ __call__ __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __await__ __next__ __index__ __fspath__
__length_hint__ __bytes__ __instancecheck__ __subclasscheck__ __get__ __set__ __delete__ __set_name__ __prepare__ __matmul__ __imatmul__ __iadd__
__copy__ __deepcopy__ __getstate__ __setstate__ __getnewargs_ex__ __array__ __array_interface__ __dataframe__ _repr_html_ _repr_mimebundle_
_repr_markdown_ _repr_pretty_ _ipython_display_ _ipython_key_completions_ __rich_repr__ __rich__ __pretty__""".split()
_NEEDED_TO_MAKE = "__new__ __init__ __init_subclass__ __class__ __class_getitem__ __del__ __dict__ __doc__ __module__ __name__ __qualname__".split()
_NEEDED_TO_MAKE += "__bases__ __base__ __mro__ __basicsize__ __itemsize__ __flags__ __dictoffset__ __weakrefoffset__ __text_signature__".split()
_NEEDED_TO_MAKE += "__weakref__ __slots__ __annotations__ __type_params__ __globals__ __closure__ __code__ __defaults__ __kwdefaults__".split()
_NEEDED_TO_MAKE += "__builtins__ __loader__ __spec__ __static_attributes__ __firstlineno__ __subclasses__ mro __abstractmethods__".split()
NAMES = sorted({name for kind in _KINDS for name in dir(kind) if name[:2] == "__"} | set(_OTHERS) - set(_NEEDED_TO_MAKE))
NAMES = [name for name in NAMES if name not in _NEEDED_TO_MAKE]
_RESULTS = {"__repr__": "r", "__str__": "s", "__format__": "f", "__len__": 1, "__hash__": 1, "__bool__": True, "__index__": 1, "__int__": 1}
_RESULTS |= {"__float__": 1.0, "__contains__": True, "__eq__": True, "__sizeof__": 1, "__dir__": [], "__length_hint__": 1, "__complex__": 1j}


def _counted(name):
    def method(self, *arguments, **options):
        trip(name)
        return _RESULTS.get(name)

    return method


class _Descriptor:
    def __get__(self, instance, owner=None):
        trip("descriptor")
        return 1

    def __set__(self, instance, value):
        trip("descriptor set")


def _body(**more):
    """The members of a class of tripwires."""
    made = {name: _counted(name) for name in NAMES if name not in ("__getattribute__", "__setattr__", "__delattr__", "__set_name__")}
    made |= {
        "price": property(lambda self: trip("property")),
        "cached": functools.cached_property(lambda self: trip("cached property")),
        "described": _Descriptor(),
        "method": lambda self: trip("method"),
        "__signature__": property(lambda self: trip("__signature__")),
        "__wrapped__": property(lambda self: trip("__wrapped__")),
        "__doc__": property(lambda self: trip("__doc__")),
    }
    return made | more


def _get(self, name):
    trip("__getattribute__")
    return object.__getattribute__(self, name)


class Meta(type):
    """A type whose own attributes and texts are counted."""

    def __getattribute__(cls, name):
        trip("metaclass __getattribute__")
        return type.__getattribute__(cls, name)

    __repr__ = __str__ = lambda cls: trip("metaclass text") or "m"
    __eq__ = lambda cls, other: trip("metaclass __eq__") or True  # noqa: E731
    __hash__ = lambda cls: trip("metaclass __hash__") or 1  # noqa: E731
    __instancecheck__ = __subclasscheck__ = lambda cls, other: trip("metaclass check") or True  # noqa: E731
    __dir__ = lambda cls: trip("metaclass __dir__") or []  # noqa: E731


Plain = type("Plain", (object,), _body(__class__=property(lambda self: trip("__class__") or int)))
Guarded = type("Guarded", (object,), _body(__getattribute__=_get))
plain, guarded, meta = Plain(), Guarded(), Meta("WithMeta", (object,), _body())()
list_like = type("ListLike", (list,), _body())([1])
dict_like = type("DictLike", (dict,), _body())()
dict.__setitem__(dict_like, "k", 1)
text_like, int_like = type("TextLike", (str,), _body())("t"), type("IntLike", (int,), _body())(3)
float_like, tuple_like = type("FloatLike", (float,), _body())(1.5), type("TupleLike", (tuple,), _body())((1,))
module_like = type("ModuleLike", (types.ModuleType,), _body())("module_like")
module = types.ModuleType("with_getattr")
module.__getattr__ = lambda name: trip("module __getattr__")
plain.inside = [plain, guarded, meta]
inside = [plain, guarded, {"key": meta, "list": list_like}]
proxy = weakref.proxy(guarded)
function = lambda first=plain, *, second=guarded: trip("function")  # noqa: E731
function.__doc__ = text_like


class Colliding:
    """A key with the hash of a text."""

    def __init__(self, text):
        self.text = text

    def __hash__(self):
        trip("hash of a key")
        return hash(self.text)

    def __eq__(self, other):
        trip("eq of a key")
        return False


keys = {Colliding("k"): 1, "k": 2}
holder = types.SimpleNamespace()
holder.__dict__[Colliding("price")] = 1


class WireError(Exception):
    """An exception whose text is counted."""

    __str__ = __repr__ = lambda self: trip("text of an exception") or "e"
    args = property(lambda self: trip("arguments of an exception"))


def fail(first=plain, second=guarded):
    """Raises an exception with tripwires in its frame."""
    third = meta
    raise WireError(third)


WIRES = """plain guarded meta list_like dict_like text_like int_like float_like tuple_like module_like module inside proxy function keys holder
Plain Guarded Meta Colliding WireError fail""".split()
STEPS = ("", ".price", ".cached", ".described", ".method", ".inside", ".no_such", ".__class__", ".__doc__", ".__dict__", "[0]", "['k']")
EXPRESSIONS = [name + step for name in WIRES for step in STEPS]
QUESTIONS = [
    form.format(name)
    for name in WIRES
    for form in ("what is {}?", "what can {} do?", "what type is {}?", "how long is {}?", "show {}", "where is {} defined?", "{}.price?", "{} == 1?")
] + ["which variables are there?", "what is going on?", "what changed?"]
__all__ = [*WIRES, "trips", "reset", "WIRES", "QUESTIONS", "EXPRESSIONS"]
assert sys.flags.optimize == 0
reset()
