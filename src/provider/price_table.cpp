#include <pyaichat/provider/price_table.hpp>

#include "provider/built_in_prices.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// No price is higher, in dollars for a million tokens: a typing error, or the price of one token.
constexpr double highest_price = 100'000;

failure bad_table(const std::string& what) {
    return {.code = errc::invalid_argument, .message = "the price table cannot be used: " + what};
}

/// Finds the place of a syntax error.
struct error_finder final : nlohmann::json_sax<json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
        position = at;
        return false;
    }
    std::size_t position = 0;  ///< after the character that is wrong
};

std::string line_of_error(std::string_view text) {
    error_finder finder;
    static_cast<void>(json::sax_parse(text, &finder));
    const std::size_t before = std::min(finder.position > 0 ? finder.position - 1 : 0, text.size());
    return std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(before), '\n'));
}

/// Reads the members of an object and refuses unknown ones: a typing error must not change a price.
class object_reader {
public:
    object_reader(const json& object, std::string path) : object_(object), path_(std::move(path)) {}

    [[nodiscard]] result<void> check(std::initializer_list<std::string_view> known) const {
        if (!object_.is_object()) {
            return bad_table(path_ + " is not an object");
        }
        for (auto member = object_.begin(); member != object_.end(); ++member) {
            if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
                return bad_table(path_ + " has the unknown member `" + detail::one_line(member.key(), 40) + "`");
            }
        }
        return {};
    }

    [[nodiscard]] result<std::optional<money>> price(std::string_view name) const {
        const json* member = find_member(object_, name);
        if (member == nullptr) {
            return std::optional<money>();
        }
        const std::optional<double> amount = as_number(*member);
        if (!amount || !(*amount >= 0) || *amount > highest_price) {
            return bad_table(path_ + "/" + std::string(name) + " is not a number of dollars from 0 to 100000");
        }
        return std::optional(dollars(*amount));
    }

    /// Reads the prices for a million tokens.
    [[nodiscard]] result<token_prices> prices() const {
        const auto input = price("input");
        const auto output = price("output");
        const auto cached = price("cached_input");
        const auto written = price("cache_write");
        for (const auto* read : {&input, &output, &cached, &written}) {
            if (!*read) {
                return read->error();
            }
        }
        if (!*input || !*output) {
            return bad_table(path_ + " needs the members `input` and `output`");
        }
        return token_prices{.input = **input, .output = **output, .cached_input = *cached, .cache_write = *written};
    }

private:
    const json& object_;
    std::string path_;
};

result<model_price> read_price(const json& entry, const std::string& path) {
    const object_reader reader(entry, path);
    if (auto known = reader.check({"input", "cached_input", "cache_write", "output", "long_prompt", "note"}); !known) {
        return known.error();
    }
    result<token_prices> tokens = reader.prices();
    if (!tokens) {
        return tokens.error();
    }
    model_price out{.tokens = *tokens};
    if (const json* higher = find_member(entry, "long_prompt")) {
        const object_reader long_prompt(*higher, path + "/long_prompt");
        if (auto known = long_prompt.check({"above", "input", "cached_input", "cache_write", "output"}); !known) {
            return known.error();
        }
        const std::optional<std::int64_t> above = integer_member(*higher, "above");
        if (!above || *above < 1) {
            return bad_table(path + "/long_prompt/above is not a number of tokens from 1");
        }
        result<token_prices> raised = long_prompt.prices();
        if (!raised) {
            return raised.error();
        }
        out.long_prompt = *above;
        out.long_prompt_tokens = *raised;
    }
    return out;
}

bool is_digits(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns whether a text has the form 2026-10-09.
bool is_date(std::string_view text) noexcept {
    return text.size() == 10 && text[4] == '-' && text[7] == '-' && is_digits(text.substr(0, 4)) && is_digits(text.substr(5, 2)) &&
           is_digits(text.substr(8));
}

/// Returns the name without the date of a version: `-20261009` or `-2026-10-09`.
std::string_view without_date(std::string_view model) noexcept {
    for (const std::size_t length : {std::size_t{8}, std::size_t{10}}) {
        if (model.size() > length + 1 && model[model.size() - length - 1] == '-') {
            const std::string_view end = model.substr(model.size() - length);
            if (length == 8 ? is_digits(end) : is_date(end)) {
                return model.substr(0, model.size() - length - 1);
            }
        }
    }
    return model;
}

}  // namespace

const price_table& price_table::built_in() {
    static const price_table table = [] {
        result<price_table> read = from_json(detail::built_in_prices);
        PYAICHAT_ASSERT(read, "the built-in price table is valid");
        return read ? std::move(*read) : price_table();
    }();
    return table;
}

result<price_table> price_table::from_json(std::string_view text) {
    const result<json> document = parse_json(text);
    if (!document) {
        return bad_table(document.error().code == errc::too_large ? document.error().message
                                                                  : "line " + line_of_error(text) + " is not valid JSON");
    }
    if (auto known = object_reader(*document, "the document").check({"as_of", "currency", "services"}); !known) {
        return known.error();
    }
    price_table out;
    out.as_of_ = string_member(*document, "as_of").value_or("");
    if (!is_date(out.as_of_)) {
        return bad_table("/as_of is not a date such as 2026-10-09");
    }
    if (string_member(*document, "currency") != "USD") {
        return bad_table("/currency is not \"USD\", the only one that is known");
    }
    const json* services = find_member(*document, "services");
    if (services == nullptr || !services->is_object()) {
        return bad_table("/services is not an object");
    }
    for (auto service = services->begin(); service != services->end(); ++service) {
        const std::string path = "/services/" + detail::one_line(service.key(), 60);
        if (!service->is_object()) {
            return bad_table(path + " is not an object");
        }
        models& entries = out.services_[service.key()];
        for (auto model = service->begin(); model != service->end(); ++model) {
            result<model_price> price = read_price(*model, path + "/" + detail::one_line(model.key(), 60));
            if (!price) {
                return price.error();
            }
            entries.emplace(model.key(), *price);
        }
    }
    return out;
}

result<model_price> price_table::find(std::string_view service, std::string_view model) const {
    const auto of_service = services_.find(service);
    if (of_service != services_.end()) {
        const models& entries = of_service->second;
        for (const std::string_view name : {model, without_date(model)}) {
            if (const auto exact = entries.find(name); exact != entries.end()) {
                return exact->second;
            }
        }
        const model_price* best = nullptr;
        std::size_t longest = 0;
        for (const auto& [pattern, price] : entries) {
            const bool fits = pattern.ends_with('*') && model.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
            if (fits && pattern.size() > longest) {
                best = &price;
                longest = pattern.size();
            }
        }
        if (best != nullptr) {
            return *best;
        }
    }
    return failure{.code = errc::not_found,
                   .message = "the price table of " + as_of_ + " has no price for the model '" + detail::one_line(model, 80) + "' of '" +
                              detail::one_line(service, 40) + "'",
                   .hint = "Use a price table that has one."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
