#pragma once
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/conversation.hpp>

#include <array>
#include <random>

namespace support {

/// Any history, good or bad: few names and ids, so that they meet.
inline pyaichat::conversation random_history(std::mt19937& random) {
    namespace ai = pyaichat;
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    const auto any_id = [&] { return std::array{"", "1", "2"}[static_cast<std::size_t>(below(3))]; };
    const auto any_name = [&] { return std::array{"f", "g", ""}[static_cast<std::size_t>(below(10) == 0 ? 2 : below(2))]; };
    ai::conversation history;
    for (int i = below(10); i > 0; --i) {
        ai::message one;
        one.role = below(2) == 0 ? ai::role::user : ai::role::model;
        one.synthetic = below(8) == 0;
        for (int j = below(4); j > 0; --j) {
            const bool expected = below(8) != 0;
            switch (below(6)) {
                case 0: one.parts.emplace_back(ai::text_part{.text = below(4) == 0 ? "" : std::to_string(below(100))}); break;
                case 1: one.parts.emplace_back(ai::thought_part{.text = "hm"}); break;
                case 2: one.parts.emplace_back(ai::opaque_part{.wire = {{"x", below(9)}}}); break;
                default:
                    if ((one.role == ai::role::model) == expected) {
                        one.parts.emplace_back(ai::call_part{.id = any_id(), .name = any_name()});
                    } else {
                        one.parts.emplace_back(
                            ai::response_part{.id = any_id(), .name = any_name(), .response = ai::reply_with(below(9)).envelope()});
                    }
            }
        }
        if (below(3) == 0) {
            one.wire = ai::wire_form{.provider = "test", .body = {{"n", i}}};
        }
        history.push_back(std::move(one));
    }
    return history;
}

}  // namespace support
