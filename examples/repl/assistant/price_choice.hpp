#pragma once
#include <pyaichat/choice/provider_choice.hpp>
#include <pyaichat/provider/price_table.hpp>

#include "options.hpp"

#include <string>

namespace repl {

/// Reads the price table from a file. Returns the built-in table if no file is named. Fails with a sentence that names the file and the
/// line or the member.
[[nodiscard]] ai::result<ai::price_table> read_prices(const std::string& file);

/// Returns the price of the chosen model. The offline provider, and a local server on the own machine, cost nothing. Fails with
/// `not_found` if the table has no price.
[[nodiscard]] ai::result<ai::model_price> price_of(const ai::provider_choice& provider, const ai::price_table& prices);

/// Fails with `invalid_argument` if there is a maximum cost and the chosen model has no price: the maximum could not be kept.
[[nodiscard]] ai::result<void> check_max_cost(const options& chosen, const ai::provider_choice& provider, const ai::price_table& prices);

}  // namespace repl
