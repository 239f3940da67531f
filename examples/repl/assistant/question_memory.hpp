#pragma once
#include <pyaichat/agent/answer.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The conversation that `/memory on` keeps, within a budget. When it grows over the budget, the oldest turns are shortened by rule: first
/// a turn keeps its question and the begin of its answer, without calls and replies; later only one line of both.
class question_memory {
public:
    explicit question_memory(std::size_t token_budget = 12'000) : budget_(token_budget) {}

    /// Switches it on or off. Forgets the turns.
    void set(bool on);
    [[nodiscard]] bool is_on() const noexcept { return on_; }

    /// The messages for the next question. Empty if the memory is off.
    [[nodiscard]] ai::conversation history() const;
    /// Keeps the turn that ended with `reply`. `sent` is the history that its question was asked with. Does nothing if the memory is off.
    void add(const std::string& question, const ai::answer& reply, const ai::conversation& sent);

    [[nodiscard]] std::size_t turns() const noexcept { return turns_.size(); }
    /// The size of the history in tokens, estimated from its bytes.
    [[nodiscard]] std::size_t tokens() const;
    /// The state for a person.
    [[nodiscard]] std::string report() const;

    /// The turns as JSON, for `restore`.
    [[nodiscard]] ai::json stored() const;
    /// Replaces the turns. Fails with `bad_response`, and then changes nothing.
    [[nodiscard]] ai::result<void> restore(const ai::json& document);

private:
    enum class detail_level : unsigned char { whole, shortened, one_line };
    struct turn {
        std::string question = {};
        std::string answer = {};
        ai::conversation messages = {};  ///< only of a whole turn
        detail_level level = detail_level::whole;
    };

    [[nodiscard]] static std::size_t tokens_of(const turn& each);
    void shorten_oldest();

    std::size_t budget_;
    bool on_ = false;
    std::vector<turn> turns_;
};

}  // namespace repl
