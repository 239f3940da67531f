#pragma once
#include "message/json_fields.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline v0::detail {

/// "Confirmed so far:" with a line for each call that gave a result. What a run that reached a limit can still say for certain.
class findings {
public:
    /// `headline` is the member of the result that says it in one line; empty = the whole result.
    void add(std::string_view name, const json& arguments, const capability_reply& reply, std::string_view headline);

    /// The block of text; empty when there are no findings.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] json snapshot() const;
    void restore(const json_fields& from);

private:
    std::vector<std::string> lines_;
    std::size_t more_ = 0;
};

}  // namespace pyaichat::inline v0::detail
