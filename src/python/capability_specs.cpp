#include "python/capabilities.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct parameter {
    const char* name;
    const char* type;
    const char* description;
    bool required = false;
    std::int64_t maximum = 0;  ///< for integers; 0 = no limit
};

json schema_of(std::initializer_list<parameter> parameters) {
    json properties = json::object();
    json required = json::array();
    for (const parameter& each : parameters) {
        json& property = properties[each.name];
        property["type"] = each.type;
        property["description"] = each.description;
        if (each.maximum > 0) {
            property["minimum"] = each.name == std::string_view("offset") ? 0 : 1;
            property["maximum"] = each.maximum;
        }
        if (each.required) {
            required.push_back(each.name);
        }
    }
    json schema = json::object();
    schema["type"] = "object";
    schema["properties"] = std::move(properties);
    schema["additionalProperties"] = false;
    if (!required.empty()) {
        schema["required"] = std::move(required);
    }
    return schema;
}

capability_spec declare(const char* name, const char* description, const char* headline, std::initializer_list<parameter> parameters) {
    capability_spec spec;
    spec.name = name;
    spec.description = description;
    spec.parameters = schema_of(parameters);
    spec.effects = effects::read;
    spec.headline = headline;
    spec.origin = "Python";
    return spec;
}

constexpr parameter path_parameter = {
    "expr", "string",
    "A path: a variable's name, then attributes and items by literal keys, e.g. df, player.items[\"key\"], rows[0]. No calls.", true};

std::vector<capability_spec> make_specs() {
    std::vector<capability_spec> specs;
    specs.push_back(declare(
        "list_globals",
        "Lists the variables of the live Python session: name, type and a short summary of each. Imported modules come last.", "globals",
        {{"filter", "string", "Only names that match this pattern (* and ? as in file names)."},
         {"limit", "integer", "Maximum number of variables (default 50).", false, 1000},
         {"offset", "integer", "Number of variables to skip, to read the next page when truncated is true.", false, 1'000'000}}));
    specs.push_back(declare("get_type", "The type of an object in the live Python session. Runs no code of the object.", "qualified",
                            {path_parameter}));
    specs.push_back(declare("get_repr",
                            "Prints an object in the live Python session from its structure, without running its code. "
                            "Long values are cut; original_len is the length of the whole text (null: very long).",
                            "repr",
                            {path_parameter, {"max_chars", "integer", "Maximum number of characters (default 2000).", false, 100'000}}));
    specs.push_back(declare("get_dir", "Lists the names of an object's attributes and methods, public names first. Runs no code.",
                            "members",
                            {path_parameter,
                             {"filter", "string", "Only names that match this pattern (* and ? as in file names)."},
                             {"limit", "integer", "Maximum number of names (default 200).", false, 5000}}));
    specs.push_back(declare("get_doc", "The documentation string of an object, class, function or module; null when it has none.", "doc",
                            {path_parameter}));
    specs.push_back(
        declare("inspect",
                "Everything about one object in one bounded reply: type, summary, size, signature and source location of a function, "
                "attributes with their values, methods, items. Properties are only named (lazy), never computed.",
                "summary",
                {path_parameter,
                 {"depth", "integer", "Maximum depth of nested values (default 2).", false, 8},
                 {"rows", "integer", "Maximum number of attributes and items (default 20).", false, 500},
                 {"columns", "integer", "Maximum number of entries in each nested value (default 10).", false, 500}}));
    specs.push_back(declare("eval_expr",
                            "Evaluates one Python expression in the live session and returns its value as text, with what it printed. "
                            "It may call functions, so prefer the other functions, which run no code, when a path is enough.",
                            "value_repr",
                            {{"expr", "string", "A Python expression, e.g. len(rows), df.describe(), sum(x for x in xs).", true}}));
    specs.push_back(declare("get_last_exception",
                            "The last uncaught exception in the session: type, message, traceback, and its innermost frames with "
                            "their local variables at that moment. exception is null if nothing has failed.",
                            "exception", {{"frames", "integer", "Maximum number of frames, innermost last (default 5).", false, 50}}));
    return specs;
}

}  // namespace

const capability_list& capability_specs() {
    static const capability_list specs = declare(make_specs()).value();
    return specs;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
