#include <pyaichat/schema/schema_profiles.hpp>

#include <pyaichat/schema/reduce.hpp>
#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ai = pyaichat;

namespace {

const std::array<ai::schema_profile, 8> profiles{ai::schema_profiles::openai,   ai::schema_profiles::anthropic, ai::schema_profiles::gemini,
                                                 ai::schema_profiles::llamacpp, ai::schema_profiles::vllm,      ai::schema_profiles::ollama,
                                                 ai::schema_profiles::groq,     ai::schema_profiles::mistral};

/// Random schemas and values of a few names and numbers, so that they meet.
class generator {
public:
    explicit generator(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

    ai::json value(int depth) {
        switch (below(depth > 0 ? 8 : 6)) {
            case 0: return nullptr;
            case 1: return below(2) == 0;
            case 2: return static_cast<int>(below(5)) - 1;
            case 3: return 0.5 * static_cast<double>(below(5));
            case 4:
            case 5: return std::string(below(4), below(2) == 0 ? 'a' : '1');
            case 6: {
                ai::json list = ai::json::array();
                for (std::size_t i = below(4); i > 0; --i) {
                    list.push_back(value(depth - 1));
                }
                return list;
            }
            default: {
                ai::json members = ai::json::object();
                for (std::size_t i = below(4); i > 0; --i) {
                    members[name()] = value(depth - 1);
                }
                return members;
            }
        }
    }

    ai::json schema(int depth) {
        if (below(12) == 0) {
            return below(4) != 0;
        }
        ai::json out = ai::json::object();
        for (std::size_t i = 1 + below(4); i > 0; --i) {
            add_keyword(out, depth);
        }
        return out;
    }

    ai::json document() {
        ai::json out = schema(3);
        out = out.is_object() ? out : ai::json::object();
        out["$defs"] = {{"a", schema(2)}, {"b", schema(2)}};
        if (below(3) == 0) {
            close_loop(out["$defs"]["a"], "#/$defs/b");
            close_loop(out["$defs"]["b"], "#/$defs/a");
            out["anyOf"] = {{{"$ref", "#/$defs/a"}}, schema(1)};
        }
        return out;
    }

private:
    /// Makes a loop of references, which often only another keyword ends.
    void close_loop(ai::json& definition, const char* target) {
        const ai::json reference = {{"$ref", target}};
        definition = definition.is_object() ? definition : ai::json::object();
        definition["anyOf"] = {reference, schema(1)};
        definition["minLength"] = 1 + static_cast<int>(below(3));
    }

    std::string name() { return {"abc"[below(3)]}; }

    ai::json type() { return std::array<const char*, 7>{"null", "boolean", "integer", "number", "string", "array", "object"}[below(7)]; }

    ai::json schemas(int depth) {
        ai::json list = ai::json::array();
        for (std::size_t i = 1 + below(3); i > 0; --i) {
            list.push_back(schema(depth - 1));
        }
        return list;
    }

    ai::json named_schemas(int depth) {
        ai::json map = ai::json::object();
        for (std::size_t i = 1 + below(3); i > 0; --i) {
            map[name()] = schema(depth - 1);
        }
        return map;
    }

    ai::json names() { return below(2) == 0 ? ai::json::array({"a"}) : ai::json::array({"b", "c"}); }

    void add_keyword(ai::json& out, int depth) {
        const auto number = [&] { return static_cast<int>(below(4)); };
        switch (below(depth > 0 ? 36 : 18)) {
            case 0:
            case 1:
            case 2: out["type"] = type(); break;
            case 3:
                out["type"] = below(2) == 0 ? ai::json::array({"string", "null"}) : ai::json::array({"object", "array", "integer"});
                break;
            case 4: out["enum"] = ai::json::array({value(1), value(1), value(0)}); break;
            case 5: out["const"] = value(1); break;
            case 6: out["minimum"] = number(); break;
            case 7: out["exclusiveMaximum"] = number(); break;
            case 8: out["multipleOf"] = 0.5 * (1 + number()); break;
            case 9: out["maxLength"] = number(); break;
            case 10: out["minLength"] = number(); break;
            case 11: out["pattern"] = below(2) == 0 ? "^(?=a)a+$" : "^[a-z]{1,3}$"; break;
            case 12: out["uniqueItems"] = true; break;
            case 13: out["maxItems"] = number(); break;
            case 14: out["minProperties"] = number(); break;
            case 15: out["required"] = names(); break;
            case 16: out["dependentRequired"] = {{name(), names()}}; break;
            case 17: out["$ref"] = below(3) == 0 ? "#" : below(2) == 0 ? "#/$defs/a" : "#/$defs/b"; break;
            case 18:
            case 19:
            case 20: out["properties"] = named_schemas(depth); break;
            case 21: out["patternProperties"] = {{"^[ab]$", schema(depth - 1)}}; break;
            case 22:
            case 23: out["additionalProperties"] = below(2) == 0 ? ai::json(false) : schema(depth - 1); break;
            case 24: out["propertyNames"] = schema(depth - 1); break;
            case 25:
            case 26: out["items"] = below(4) == 0 ? ai::json(false) : schema(depth - 1); break;
            case 27: out["prefixItems"] = schemas(depth); break;
            case 28:
                out["contains"] = schema(depth - 1);
                out[below(2) == 0 ? "minContains" : "maxContains"] = number();
                break;
            case 29: out["allOf"] = schemas(depth); break;
            case 30: out["anyOf"] = schemas(depth); break;
            case 31: out["oneOf"] = schemas(depth); break;
            case 32: out["not"] = schema(depth - 1); break;
            case 33:
                out["if"] = schema(depth - 1);
                out["then"] = schema(depth - 1);
                out["else"] = schema(depth - 1);
                break;
            case 34: out["dependentSchemas"] = named_schemas(depth); break;
            default: out[below(2) == 0 ? "unevaluatedProperties" : "unevaluatedItems"] = false; break;
        }
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("each profile accepts every value that the full schema accepts") {
    generator random(20261123);
    int accepted = 0;
    for (int round = 0; round < 300; ++round) {
        const ai::json schema = random.document();
        const ai::result<ai::compiled_schema> full = ai::compile_schema(schema, {.max_steps = 100'000});
        if (!full) {
            continue;  // its references lead nowhere
        }
        std::vector<ai::json> values;
        for (int i = 0; i < 12; ++i) {
            ai::json value = random.value(3);
            if (ai::validate(*full, value).empty()) {
                values.push_back(std::move(value));
            }
        }
        accepted += static_cast<int>(values.size());
        for (ai::schema_profile profile : profiles) {
            profile.object_root = round % 2 == 0;
            profile.type_lists = round % 3 != 0;
            const ai::reduced_schema small = ai::reduce_schema(schema, profile);
            const ai::result<ai::compiled_schema> compiled = ai::compile_schema(small.schema);
            INFO(profile.name << ": " << ai::dump_json(schema) << " reduced to " << ai::dump_json(small.schema));
            INFO((compiled ? "" : compiled.error().message));
            REQUIRE(compiled);
            for (const ai::json& value : values) {
                if (!profile.object_root || value.is_object()) {
                    INFO(ai::dump_json(value));
                    REQUIRE(ai::validate(*compiled, value).empty());
                }
            }
        }
    }
    CHECK(accepted > 500);
}
