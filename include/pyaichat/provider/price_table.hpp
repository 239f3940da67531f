#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/provider/model_price.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// The prices of models, by service and model, as of a date. Thread-safe to read.
class price_table {
public:
    /// Returns the table that this version of the library has. Prices change: compare `as_of`, and replace the table if necessary.
    [[nodiscard]] static const price_table& built_in();
    /// Parses a table (docs/reference/price_table.md). Fails with `invalid_argument`; the message names the line or the member.
    [[nodiscard]] static result<price_table> from_json(std::string_view text);

    /// Returns the price of a model of a service: "gemini", "anthropic", or the name of an `openai_profile`. Of several entries that match,
    /// the exact name applies, else the name without its date, else the longest pattern. Fails with `not_found` if there is none: such a
    /// model is not free, its price is not known.
    [[nodiscard]] result<model_price> find(std::string_view service, std::string_view model) const;
    /// Returns the date of the prices, such as "2026-10-09".
    [[nodiscard]] const std::string& as_of() const noexcept { return as_of_; }

private:
    using models = std::map<std::string, model_price, std::less<>>;

    std::string as_of_;
    std::map<std::string, models, std::less<>> services_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
