#include "python/bound_names.hpp"

#include "catch.hpp"

namespace {

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("the names that an entry binds are read from its text") {
    CHECK(repl::bound_names("x = 1") == names{"x"});
    CHECK(repl::bound_names("a = b = c") == names{"a", "b"});
    CHECK(repl::bound_names("a, (b, *c) = f(k=1)") == names{"a", "b", "c"});
    CHECK(repl::bound_names("x: int = 3") == names{"x"});
    CHECK(repl::bound_names("x += 1; y = 2") == names{"x", "y"});
    CHECK(repl::bound_names("if (n := f()) > 3: y = 2") == names{"n", "y"});
    CHECK(repl::bound_names("for i, v in enumerate(x):\n    total = i\n") == names{"i", "v", "total"});
    CHECK(repl::bound_names("with open('a=b') as f, g() as (h, k):\n    pass") == names{"f", "h", "k"});
    CHECK(repl::bound_names("import os.path, numpy as np\nfrom a.b import (c as d,\n  e)") == names{"os", "np", "d", "e"});
    CHECK(repl::bound_names("@cache\ndef f(a=1):\n    inner = a\n    return inner\n\nasync def g(): pass\nclass K(B):\n    z = 1\n") ==
          names{"f", "g", "K"});
}

TEST_CASE("what binds no name of the entry's own gives none") {
    for (const char* entry : {"x", "f(a=1)", "x == 1", "d['k'] = 1", "o.a = 2", "a[i], o.b = 1, 2", "# x = 1", "'x = 1'", "print(x)", "",
                              "def", "from x import *", "\"\"\"\nx = 1\n\"\"\"", "lambda: 0", "((", "=", "x.y.z += 1"}) {
        INFO(entry);
        CHECK(repl::bound_names(entry).empty());
    }
}
