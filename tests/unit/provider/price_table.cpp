#include <pyaichat/provider/price_table.hpp>

#include <pyaichat/core/json.hpp>

#include "catch.hpp"

#include <string>
#include <utility>

namespace ai = pyaichat;

namespace {

std::string table_with(const std::string& services) {
    return R"({"as_of": "2026-10-09", "currency": "USD", "services": )" + services + "}";
}

/// Returns the price of a million input tokens, or a negative amount if there is none.
ai::money input_price(const ai::price_table& table, std::string_view service, std::string_view model) {
    const auto price = table.find(service, model);
    return price ? price->tokens.input : ai::dollars(-1);
}

std::string refusal(const std::string& text) {
    const auto table = ai::price_table::from_json(text);
    if (table) {
        return "accepted";
    }
    CHECK(table.error().code == ai::errc::invalid_argument);
    const std::string start = "the price table cannot be used: ";
    CHECK(table.error().message.starts_with(start));
    return table.error().message.substr(std::min(start.size(), table.error().message.size()));
}

}  // namespace

TEST_CASE("a price table has the prices of a model by service, and their date") {
    const auto table = ai::price_table::from_json(table_with(
        R"({"a": {"m": {"input": 0.075, "cached_input": 0.01, "cache_write": 0.1, "output": 5, "note": "a test",
                        "long_prompt": {"above": 1000, "input": 2, "output": 10}}}})"));
    REQUIRE(table);
    CHECK(table->as_of() == "2026-10-09");
    const auto price = table->find("a", "m");
    REQUIRE(price);
    CHECK(price->tokens == ai::token_prices{.input = {.micro_dollars = 75'000},
                                            .output = ai::dollars(5),
                                            .cached_input = ai::dollars(0.01),
                                            .cache_write = ai::dollars(0.1)});
    CHECK(price->long_prompt == 1000);
    CHECK(price->long_prompt_tokens == ai::token_prices{.input = ai::dollars(2), .output = ai::dollars(10)});
}

TEST_CASE("the exact name of a model comes before the name without its date, and the longest pattern last") {
    const auto table = ai::price_table::from_json(
        table_with(R"({"a": {"*": {"input": 1, "output": 1}, "big-*": {"input": 2, "output": 1}, "big-5": {"input": 3, "output": 1},
                             "big-5-20260101": {"input": 4, "output": 1}, "big-5-*": {"input": 5, "output": 1}}})"));
    REQUIRE(table);
    CHECK(input_price(*table, "a", "small") == ai::dollars(1));
    CHECK(input_price(*table, "a", "big-4") == ai::dollars(2));
    CHECK(input_price(*table, "a", "big-5") == ai::dollars(3));
    CHECK(input_price(*table, "a", "big-5-20260101") == ai::dollars(4));
    CHECK(input_price(*table, "a", "big-5-20260203") == ai::dollars(3));
    CHECK(input_price(*table, "a", "big-5-2026-02-03") == ai::dollars(3));
    CHECK(input_price(*table, "a", "big-5-pro") == ai::dollars(5));
}

TEST_CASE("a model that is not in the table has no price, and the failure names both") {
    const auto table = ai::price_table::from_json(table_with(R"({"a": {"m": {"input": 1, "output": 1}}})"));
    REQUIRE(table);
    for (const auto& [service, model] : {std::pair{"a", "n"}, std::pair{"a", "m-pro"}, std::pair{"b", "m"}, std::pair{"a", ""}}) {
        const auto price = table->find(service, model);
        REQUIRE_FALSE(price);
        CHECK(price.error().code == ai::errc::not_found);
        CHECK(price.error().message ==
              "the price table of 2026-10-09 has no price for the model '" + std::string(model) + "' of '" + service + "'");
    }
}

TEST_CASE("a table that cannot be used is refused with the line or the member") {
    CHECK(refusal("{\n\"as_of\": \"2026-10-09\",\n\"currency\": USD}") == "line 3 is not valid JSON");
    CHECK(refusal("") == "line 1 is not valid JSON");
    CHECK(refusal("[]") == "the document is not an object");
    CHECK(refusal(R"({"as_of": "2026-10-09", "currency": "USD", "service": {}})") == "the document has the unknown member `service`");
    CHECK(refusal(R"({"as_of": "yesterday", "currency": "USD", "services": {}})") == "/as_of is not a date such as 2026-10-09");
    CHECK(refusal(R"({"as_of": "2026-10-09", "currency": "EUR", "services": {}})") ==
          "/currency is not \"USD\", the only one that is known");
    CHECK(refusal(R"({"as_of": "2026-10-09", "currency": "USD"})") == "/services is not an object");
    CHECK(refusal(table_with(R"({"a": 1})")) == "/services/a is not an object");
    CHECK(refusal(table_with(R"({"a": {"m": 1}})")) == "/services/a/m is not an object");
    CHECK(refusal(table_with(R"({"a": {"m": {"input": 1}}})")) == "/services/a/m needs the members `input` and `output`");
    CHECK(refusal(table_with(R"({"a": {"m": {"input": 1, "ouput": 1}}})")) == "/services/a/m has the unknown member `ouput`");
    for (const char* value : {"-1", "1e9", "\"1\"", "null"}) {
        CHECK(refusal(table_with(R"({"a": {"m": {"input": 1, "output": )" + std::string(value) + "}}}")) ==
              "/services/a/m/output is not a number of dollars from 0 to 100000");
    }
    CHECK(refusal(table_with(R"({"a": {"m": {"input": 1, "output": 1, "long_prompt": {"input": 1, "output": 1}}}})")) ==
          "/services/a/m/long_prompt/above is not a number of tokens from 1");
    CHECK(refusal(table_with(R"({"a": {"m": {"input": 1, "output": 1, "long_prompt": {"above": 5, "input": 1}}}})")) ==
          "/services/a/m/long_prompt needs the members `input` and `output`");
}

TEST_CASE("the built-in table prices the default models, and no model of a server on the own machine") {
    const ai::price_table& table = ai::price_table::built_in();
    CHECK(table.find("anthropic", "claude-haiku-5-5"));
    CHECK(table.find("gemini", "gemini-3.8-flash"));
    CHECK(table.find("openai", "gpt-5.4-mini"));
    CHECK_FALSE(table.find("ollama", "qwen3"));
    CHECK(table.as_of() >= "2026-10-09");
}
