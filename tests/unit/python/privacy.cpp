#include "python_bench.hpp"

#include "python/privacy/key_masks.hpp"
#include "python/privacy/secret_names.hpp"

#include <unistd.h>
#include <array>

using namespace bench;
using py::detail::mask_keys;

namespace {

/// Every capability, asked about everything that has a canary.
std::vector<std::pair<std::string, std::string>> replies_about(py::session& session, const std::vector<std::string>& expressions) {
    std::vector<std::pair<std::string, std::string>> replies;
    for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect", "eval_expr", "list_globals",
                                   "get_last_exception", "situation"}) {
        const std::string_view name = capability;
        const bool takes_expression = name.starts_with("get_") || name == "inspect" || name == "eval_expr";
        const bool has_arguments = takes_expression && name != "get_last_exception";
        for (const std::string& expression : has_arguments ? expressions : std::vector<std::string>{""}) {
            const ai::json arguments = has_arguments ? about(expression) : ai::json::object();
            replies.emplace_back(std::string(capability) + "(" + expression + ")",
                                 ai::dump_json(invoke(session, capability, arguments).envelope()));
        }
    }
    return replies;
}

const char* const canaries = R"py(
class Player:
    'A docstring with CANARY.'
    level = 'CANARY'
    __slots__ = ('tag', '__dict__')
    def __init__(self): self.name = 'CANARY'; self.tag = 'CANARY'; self.deep = [{'CANARY': ('CANARY', b'CANARY')}]
    def heal(self, text='CANARY', *, more='CANARY'):
        'CANARY'
        return 'CANARY'
class Text(str): pass
class Names(dict): pass
import collections, datetime
Point = collections.namedtuple('Point', 'x y')
player, text, items, table, keys = Player(), 'CANARY', ['CANARY'], {'CANARY': 'CANARY'}, {('CANARY', 1): 1}
point, sub, names = Point('CANARY', 1), Text('CANARY'), Names(CANARY='CANARY')
raw, array, frozen, long = b'CANARY', bytearray(b'CANARY'), frozenset(['CANARY']), 'CANARY' * 1000
heal = player.heal
function = lambda first='CANARY': first
error = ValueError('CANARY')
print('CANARY'); import sys; print('CANARY', file=sys.stderr)
)py";

const std::vector<std::string> canary_paths = {"player",
                                               "player.name",
                                               "player.tag",
                                               "player.deep",
                                               "player.deep[0]",
                                               "player.level",
                                               "player.missing",
                                               "Player",
                                               "Player.heal",
                                               "player.heal",
                                               "heal",
                                               "text",
                                               "text[0]",
                                               "items",
                                               "items[0]",
                                               "items[5]",
                                               "table",
                                               "table['no']",
                                               "table['CANAR']",
                                               "table['a'].x",
                                               "keys",
                                               "point",
                                               "point.x",
                                               "sub",
                                               "names",
                                               "raw",
                                               "array",
                                               "frozen",
                                               "long",
                                               "function",
                                               "error",
                                               "error.args",
                                               "missing",
                                               "text + text",
                                               "text == 'CANARY'",
                                               "len(text)",
                                               "text.upper()",
                                               "[text]",
                                               "text[0] + 'ANARY'",
                                               "1 +",
                                               ""};

struct named_key {
    const char* kind;
    std::string text;
    std::string secret;  ///< the part that must not appear
};

/// Made up for this test, in parts, so that no scanner of repositories takes them for keys.
std::vector<named_key> made_up_keys() {
    const std::string body = "Zx81Qw72Er63Ty54Ui45Op36As27Df18Gh09Jk";
    return {{"google",
             "AI"
             "za" +
                 body.substr(0, 35),
             body.substr(0, 35)},
            {"openai",
             "s"
             "k-proj-" +
                 body,
             body},
            {"stripe",
             "sk_"
             "live_" +
                 body,
             body},
            {"github",
             "gh"
             "p_" +
                 body,
             body},
            {"github fine-grained",
             "github"
             "_pat_" +
                 body,
             body},
            {"slack",
             "xo"
             "xb-" +
                 body,
             body},
            {"amazon",
             "AK"
             "IA"
             "Z81Q72E63T54U45O",
             "Z81Q72E63T54U45O"},
            {"gitlab",
             "gl"
             "pat-" +
                 body,
             body},
            {"jwt",
             "ey"
             "JhbGciOiJIUzI1NiJ9." +
                 body + "." + body,
             body},
            {"bearer", "Authorization: Bearer " + body, body},
            {"named", "password=" + body, body},
            {"pem",
             "-----BEGIN RSA PRIVATE"
             " KEY-----\nMIIE" +
                 body + "\n" + body +
                 "\n-----END RSA PRIVATE"
                 " KEY-----\n",
             body}};
}

}  // namespace

TEST_CASE("with the policy schema no value leaves the session, whatever is asked") {
    python_bench bench(canaries);
    REQUIRE(bench.session.exec("def fail(argument):\n    local = 'CANARY'\n    raise ValueError('CANARY' + argument)").ok());
    REQUIRE(bench.session.exec("fail('CANARY')").ending == py::ending::raised);
    std::size_t shown = 0;
    for (const auto& [call, reply] : replies_about(bench.session, canary_paths)) {
        shown += reply.find("CANARY") != std::string::npos ? 1 : 0;
    }
    CHECK(shown > 60);  // the canaries are where the capabilities look

    bench.session.set_values(py::values_policy::schema());
    REQUIRE(bench.session.exec("items.append('CANARY'); added = 'CANARY'; text = 'CANARY!'; print('CANARY')").ok());
    for (const auto& [call, reply] : replies_about(bench.session, canary_paths)) {
        INFO(call << ": " << reply);
        const bool asked = call.find("CANARY") != std::string::npos;  // a refusal may repeat the expression
        CHECK((asked || reply.find("CANARY") == std::string::npos));
    }
    const ai::json facts = bench.look("inspect", "player");
    CHECK(python_bench::text(python_bench::member(facts, "type"), "name") == "Player");
    CHECK(python_bench::text(python_bench::member(facts, "attributes")[0], "name") == "deep");
    CHECK(python_bench::text(python_bench::member(facts, "attributes")[0], "type") == "list");
    CHECK(python_bench::text(python_bench::member(facts, "attributes")[0], "value").starts_with("[withheld"));
    CHECK(ai::integer_member(bench.look("inspect", "items"), "size") == 2);
    CHECK(python_bench::member(bench.result("list_globals", ai::json::object()), "globals").size() > 10);
}

TEST_CASE("with the policy schema expressions that are not paths are refused, also those that the policy for expressions allows") {
    python_bench bench("text = 'abc'");
    bench.session.set_policy(py::eval_policy::unrestricted);
    bench.session.set_values(py::values_policy::schema());
    for (const char* capability : {"get_repr", "get_type", "inspect", "get_source", "get_doc", "get_dir", "eval_expr"}) {
        for (const char* expression : {"text == 'abc'", "text[0] < 'b'", "len(text)", "text + 'x'", "[text]", "f'{text}'"}) {
            INFO(capability << " " << expression);
            CHECK(invoke(bench.session, capability, about(expression)).code == ai::reply_code::not_allowed);
        }
    }
    CHECK(invoke(bench.session, "eval_expr", about("text")).code == ai::reply_code::not_allowed);
    bench.session.set_values(py::values_policy::full());
    CHECK(bench.repr("text") == "'abc'");
}

TEST_CASE("a refusal of a busy session does not quote code with the policy schema") {
    python_bench bench("import os\ngo = 1");
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    bench.session.set_values(py::values_policy::schema());
    std::future<py::outcome> running = start(bench.session, "'CANARY'; os.read(" + std::to_string(ends[0]) + ", 1)");
    // The deadline has passed when the call is made, so the reply is a refusal.
    const std::string reply = ai::dump_json(invoke(bench.session, "get_type", about("go"), 1ms).envelope());
    bench.session.set_values(py::values_policy::full());
    const std::string full = ai::dump_json(invoke(bench.session, "get_type", about("go"), 1ms).envelope());
    REQUIRE(write(ends[1], "x", 1) == 1);
    CHECK(running.get().ok());
    close(ends[0]);
    close(ends[1]);
    CHECK(reply.find("CANARY") == std::string::npos);
    CHECK(reply.find("withheld") != std::string::npos);
    CHECK(full.find("CANARY") != std::string::npos);
}

TEST_CASE("a sample has at most so many items, rows and characters") {
    python_bench bench(
        "items = list(range(100)); text = 'abcdefghij' * 10; table = {f'k{i}': i for i in range(100)}\n"
        "class A: pass\na = A(); a.__dict__.update({f'a{i}': i for i in range(50)})\nrows = [list(range(50))] * 50");
    bench.session.set_values(py::values_policy::sample(3));
    CHECK(bench.session.values() == py::values_policy::sample(3));
    CHECK(bench.repr("items") == "[0, 1, 2, ... 97 more]");
    CHECK(bench.repr("text") == "'abc'... 97 more");
    CHECK(bench.repr("table") == "{'k0': 0, 'k1': 1, 'k2': 2, ... 97 more}");
    const ai::json facts = bench.result("inspect", [] {
        ai::json arguments = about("table");
        arguments["rows"] = 400;
        arguments["columns"] = 400;
        return arguments;
    }());
    CHECK(python_bench::member(facts, "items").size() == 3);
    CHECK(ai::integer_member(facts, "items_total") == 100);
    CHECK(python_bench::member(bench.look("inspect", "a"), "attributes").size() == 3);
    CHECK(python_bench::text(bench.look("eval_expr", "[x for x in range(1000)]"), "value_repr") == "[0, 1, 2, ... 997 more]");
    CHECK(bench.repr("rows").size() < 150);
}

TEST_CASE("a hidden name is as if it did not exist") {
    python_bench bench(R"(
secret_key_of_bank = 'HIDDENVALUE1'
visible = 1
class A: secret_level = 'HIDDENVALUE3'
a = A(); a.secret_name = 'HIDDENVALUE2'; a.open = 1
table = {'secret_entry': 'HIDDENVALUE4', 'open': 1}
def use(secret_argument='HIDDENVALUE5'):
    secret_local = 'HIDDENVALUE6'
    text = secret_key_of_bank
    print(secret_key_of_bank)
    raise ValueError(secret_key_of_bank)
)");
    REQUIRE(bench.session.exec("use()").ending == py::ending::raised);
    static_cast<void>(bench.result("situation", ai::json::object()));
    bench.session.hide("secret_*");
    const std::vector<std::string> expressions = {
        "visible", "a", "A", "table", "use", "a.open", "secret", "visibl", "a.secre", "table['secret_entr']", "a.__dict__"};
    for (const auto& [call, reply] : replies_about(bench.session, expressions)) {
        INFO(call << ": " << reply);
        CHECK(reply.find("HIDDENVALUE1") == std::string::npos);
        CHECK(reply.find("HIDDENVALUE2") == std::string::npos);
        CHECK(reply.find("HIDDENVALUE3") == std::string::npos);
        CHECK(reply.find("HIDDENVALUE4") == std::string::npos);
        CHECK(reply.find("HIDDENVALUE5") == std::string::npos);
        CHECK(reply.find("HIDDENVALUE6") == std::string::npos);
        for (const char* name : {"secret_key_of_bank", "secret_name", "secret_level", "secret_argument", "secret_local"}) {
            CHECK(reply.find(name) == std::string::npos);
        }
    }
    const ai::json listed = bench.result("list_globals", ai::json::object());
    CHECK(ai::integer_member(listed, "total") == 5);
    CHECK(bench.repr("table") == "{'open': 1}");
    CHECK(ai::integer_member(bench.look("inspect", "table"), "size") == 1);
    CHECK(ai::integer_member(bench.look("inspect", "a"), "attributes_total") == 1);
    // The reply is the one for a name that was never defined.
    const auto reply_for = [&](const std::string& name) {
        std::string text = ai::dump_json(invoke(bench.session, "get_repr", about(name)).envelope());
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
            text.replace(at, name.size(), "N");
        }
        return text;
    };
    CHECK(reply_for("secret_key_of_bank") == reply_for("secret_key_of_nobody"));
    CHECK(invoke(bench.session, "get_repr", about("a.secret_name")).code == ai::reply_code::python_exception);
    CHECK(invoke(bench.session, "get_repr", about("a.secret_level")).code == ai::reply_code::python_exception);
    CHECK(invoke(bench.session, "get_repr", about("table['secret_entry']")).code == ai::reply_code::python_exception);
    bench.session.set_policy(py::eval_policy::unrestricted);
    CHECK(invoke(bench.session, "eval_expr", about("str(secret_key_of_bank)")).code == ai::reply_code::python_exception);
}

TEST_CASE("the rules of the guide can be given at the start and changed later") {
    namespace python = ai::python;
    const python::interpreter& interpreter = shared_python();
    // [rules]
    python::session session(interpreter, {.values = python::values_policy::sample(5),  // at most five items of each container
                                          .hidden = {"secret_*", "_internal*"},        // as if these names did not exist
                                          .mask_secrets = true});                      // the default
    session.hide("customer_*");
    session.set_values(python::values_policy::schema());  // from now on names, types and sizes only
    // [/rules]
    REQUIRE(session.exec("customer_name = 'Ada'; secret_plan = 'none'; rows = [1, 2, 3]").ok());
    const std::string listed = ai::dump_json(invoke(session, "list_globals", ai::json::object()).envelope());
    CHECK(listed.find("customer") == std::string::npos);
    CHECK(listed.find("secret_plan") == std::string::npos);
    CHECK(listed.find("\"name\":\"rows\"") != std::string::npos);
    CHECK(listed.find("[1, 2") == std::string::npos);
}

TEST_CASE("hidden names are set with the session, and all its copies and nobody else share them") {
    python_bench bench;
    py::session hiding(shared_python(), {.values = py::values_policy::sample(2), .hidden = {"h*"}, .mask_secrets = false});
    py::session copy = hiding;
    REQUIRE(hiding.exec("hidden = 1; shown = [1, 2, 3]; other = 3; password = 'Xk29fjs84hf8s3kd'").ok());
    copy.hide("oth??");
    const ai::json listed = invoke(hiding, "list_globals", ai::json::object()).result;
    CHECK(ai::integer_member(listed, "total") == 2);
    CHECK(ai::dump_json(listed).find("[1, 2, ... 1 more]") != std::string::npos);
    REQUIRE(bench.session.exec("hidden = 1; other = 2").ok());
    CHECK(ai::integer_member(bench.result("list_globals", ai::json::object()), "total") == 2);
}

TEST_CASE("texts that look like keys are masked, also behind escapes and when they were cut") {
    for (const named_key& key : made_up_keys()) {
        INFO(key.kind);
        for (const std::string& before :
             {std::string(), std::string("value: "), std::string("'\\n"), std::string("\\x1b"), std::string("\\u2028")}) {
            const std::string masked = mask_keys(before + key.text + "' and more");
            INFO(masked);
            CHECK(masked.find(key.secret.substr(0, 12)) == std::string::npos);
            CHECK(masked.find("***(looks like a ") != std::string::npos);
            CHECK(masked.starts_with(before));
            CHECK(mask_keys(masked) == masked);
        }
        if (key.kind != std::string("named") && key.kind != std::string("amazon")) {
            const std::string cut = mask_keys(key.text.substr(0, key.text.find(key.secret) + 8) + "...");
            INFO(cut);
            CHECK(cut.find(key.secret.substr(0, 8)) == std::string::npos);
        }
    }
}

TEST_CASE("values are masked in every usual form of source that names them as secrets") {
    const std::string secret = "Zk39dkQpL0vXn2mA8rTy";
    for (const char* form :
         {"os.environ[\"OPENAI_API_KEY\"] = \"<K>\"", "cfg['password'] = '<K>'", "api_key: str = \"<K>\"", "api_key = (\"<K>\")",
          "api_key = f\"<K>\"", "setattr(c, \"password\", \"<K>\")", "{'password': '<K>'}", "f(password=\"<K>\")", "(api_key := '<K>')",
          "postgres://bob:<K>@host/db", "\"os.environ[\\\"API_KEY\\\"] = \\\"<K>\\\"\""}) {
        std::string source = form;
        source.replace(source.find("<K>"), 3, secret);
        INFO(source);
        const std::string masked = mask_keys(source);
        INFO(masked);
        CHECK(masked.find(secret) == std::string::npos);
        CHECK(mask_keys(masked) == masked);
    }
    for (const char* plain : {"https://host:8080/a@b", "https://example.org/user@host", "x: str = \"abc123def456\"", "f(\"password\", n)",
                              "if key in d: token = d[key]"}) {
        CHECK(mask_keys(plain) == plain);
    }
}

TEST_CASE("ordinary texts are not taken for keys") {
    for (const char* text :
         {"", "risk-averse-people-in-2024-and-later", "import sk-learn", "task-list", "the bearer of news", "password: required",
          "token = None", "secret_count=1234567890123456", "https://example.org/AIzawa", "eye", "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0",
          "-----BEGIN CERTIFICATE-----\nMIIE", "hf_hub", "tokens: [1, 2, 3]", "'\\n\\t\\\\'"}) {
        CHECK(mask_keys(text) == text);
    }
    for (const char* name :
         {"key", "keys", "tokens", "max_tokens", "token_count", "secret_name_types", "tokenizer", "passenger", "pwdx", "", "_"}) {
        INFO(name);
        CHECK_FALSE(py::detail::says_secret(name));
    }
    for (const char* name :
         {"password", "API_KEY", "apiKey", "accessToken", "db_password_2", "_secret", "client_secret", "github_token", "SSH_KEY"}) {
        INFO(name);
        CHECK(py::detail::says_secret(name));
    }
}

TEST_CASE("keys of each kind are masked in every capability, unless the host switches that off") {
    for (const named_key& key : made_up_keys()) {
        python_bench bench;
        std::string escaped;
        for (const char c : key.text) {
            escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
        }
        REQUIRE(bench.session
                    .exec("value = '" + escaped + "'\nraw = b'" + escaped +
                          "'\nitems = [value, repr(value), '\\n' + value, {'a': value}]\nd = {value: value}\n"
                          "class A: 'about'\na = A(); a.field = value; A.__doc__ = value\ndef f(preset='" +
                          escaped + "'):\n    '" + escaped + "'\n    return '" + escaped +
                          "'\nprint(value)\ndef fail(v): raise ValueError(v)")
                    .ok());
        REQUIRE(bench.session.exec("fail(value)").ending == py::ending::raised);
        const std::vector<std::string> expressions = {"value", "raw", "items", "items[1]", "d", "a", "A", "a.field", "f", "value + 'x'"};
        for (const auto& [call, reply] : replies_about(bench.session, expressions)) {
            INFO(key.kind << " " << call << ": " << reply);
            CHECK(reply.find(key.secret.substr(0, 12)) == std::string::npos);
        }
        bench.session.set_mask_secrets(false);
        CHECK(ai::dump_json(invoke(bench.session, "get_repr", about("value")).envelope()).find(key.secret) != std::string::npos);
    }
}

TEST_CASE("values whose names say that they are secrets are masked in every capability") {
    python_bench bench(R"(
password = 'open sesame'
pin_code_token = 12345678
class User: pass
user = User(); user.api_key = 'open sesame'; user.name = 'Ada'
settings = {'db_password': 'open sesame', 'host': 'here', 'client_secret': ['open sesame']}
def log_in(name, password='open sesame'): raise ValueError('refused')
def get_token(): pass
no_password, has_password = None, True
)");
    REQUIRE(bench.session.exec("log_in('Ada')").ending == py::ending::raised);
    const std::vector<std::string> expressions = {
        "password", "pin_code_token", "user",      "user.api_key", "settings", "settings['db_password']", "settings['client_secret'][0]",
        "log_in",   "password + ''",  "[password]"};
    for (const auto& [call, reply] : replies_about(bench.session, expressions)) {
        INFO(call << ": " << reply);
        const bool quotes_code = call.starts_with("get_source") || call.starts_with("situation") || call.starts_with("get_last_exception");
        CHECK((quotes_code || reply.find("open sesame") == std::string::npos));
        CHECK((quotes_code || reply.find("12345678") == std::string::npos));
    }
    CHECK(bench.repr("user") == "<User object with api_key='***(named like a secret)', name='Ada'>");
    CHECK(bench.repr("user.name") == "'Ada'");
    CHECK(bench.repr("no_password") == "None");
    CHECK(bench.repr("has_password") == "True");
    CHECK(bench.repr("get_token") == "<function get_token()>");
    const ai::json exception = python_bench::member(bench.result("get_last_exception", ai::json::object()), "exception");
    const ai::json locals = python_bench::member(python_bench::member(exception, "frames").back(), "locals");
    CHECK(python_bench::text(locals, "password") == "'***(named like a secret)'");
    CHECK(python_bench::text(locals, "name") == "'Ada'");
}

TEST_CASE("a reply of the host's own capability follows the rules of the session") {
    bench::py::session session(bench::shared_python());
    REQUIRE(session.exec("salary_of_ann = 'forty thousand'").ok());
    session.hide("salary_*");
    const ai::json seen = ai::json::object({{"input", "salary_of_ann = 1\nx = 2"}, {"output", "it is forty thousand"}, {"n", 3}});
    const ai::capability_reply released = session.released(ai::reply_with(seen));
    const std::string text = ai::dump_json(released.result);
    CHECK(released.ok());
    CHECK(text.find("forty") == std::string::npos);
    CHECK(text.find("salary_of_ann") == std::string::npos);
    CHECK(text.find("x = 2") != std::string::npos);
    CHECK(ai::integer_member(released.result, "n") == 3);
    const ai::json key = ai::json::object({{"input", "token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'"}});
    CHECK(ai::dump_json(session.released(ai::reply_with(key)).result).find("ghp_0123") == std::string::npos);
    session.set_mask_secrets(false);
    CHECK(ai::dump_json(session.released(ai::reply_with(key)).result).find("ghp_0123") != std::string::npos);
}
