#include "assistant/price_choice.hpp"

#include "terminal/whole_file.hpp"

#include <pyaichat/net/url.hpp>

namespace repl {

ai::result<ai::price_table> read_prices(const std::string& file) {
    if (file.empty()) {
        return ai::price_table::built_in();
    }
    const ai::result<std::string> text = read_whole_file(file);
    if (!text) {
        return text.error();
    }
    ai::result<ai::price_table> table = ai::price_table::from_json(*text);
    if (!table) {
        table.error().message = file + ": " + table.error().message;
    }
    return table;
}

ai::result<ai::model_price> price_of(const ai::provider_choice& provider, const ai::price_table& prices) {
    if (provider.gemini) {
        return prices.find("gemini", provider.name);
    }
    if (provider.anthropic) {
        return prices.find("anthropic", provider.name);
    }
    if (!provider.openai) {
        return ai::model_price{};
    }
    const ai::openai_profile& profile = provider.openai->profile;
    if (profile.key_optional) {
        // A profile of a server that a person runs. On another machine, somebody may charge for it.
        const auto url = ai::net::parse_url(provider.openai->base_url.empty() ? profile.base_url : provider.openai->base_url);
        if (url && url->loopback()) {
            return ai::model_price{};
        }
    }
    return prices.find(profile.name, provider.name);
}

ai::result<void> check_max_cost(const options& chosen, const ai::provider_choice& provider, const ai::price_table& prices) {
    if (!chosen.max_cost) {
        return {};
    }
    if (const auto price = price_of(provider, prices); !price) {
        return ai::failure{.code = ai::errc::invalid_argument,
                           .message = "--max-cost cannot be kept: " + price.error().message + "; add one with --prices FILE"};
    }
    return {};
}

}  // namespace repl
