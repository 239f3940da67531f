#include "core/json_builder.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

void json_builder::stop_at_the_budget() {
    stopped_ = failure{.code = errc::too_large,
                       .message = "the document has too many JSON values",
                       .hint = "The service's response has more values than allowed."};
}

void json_builder::stop_at_the_depth() {
    stopped_ = failure{.code = errc::too_large,
                       .message = "JSON nested deeper than " + std::to_string(depth_) + " levels",
                       .hint = "Send flatter JSON: at most " + std::to_string(depth_) + " levels."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
