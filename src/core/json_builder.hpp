#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Builds the value of a document while it is parsed. Stops when its budget is spent, or below `depth` levels.
class json_builder final : public nlohmann::json_sax<json> {
public:
    json_builder(json_budget& budget, std::size_t depth) : budget_(budget), depth_(depth) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(value); }  // copied: the buffer of the parser is longer
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::value_t::object); }
    bool key(string_t& name) override {
        place_ = &(*open_.back()->get_ptr<json::object_t*>())[name];
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(json::value_t::array); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

    /// Returns why the builder has stopped, unless the text is not JSON.
    [[nodiscard]] const std::optional<failure>& stopped() const noexcept { return stopped_; }
    [[nodiscard]] json take() noexcept { return std::move(root_); }

private:
    static constexpr std::size_t values_between_checks = 4096;

    void stop_at_the_budget();
    void stop_at_the_depth();

    /// Returns where the next value goes, or null if there is to be none.
    json* place() {
        if (budget_.values == 0) {
            stop_at_the_budget();
            return nullptr;
        }
        if (--budget_.values % values_between_checks == 0 && budget_.interrupted) {
            stopped_ = budget_.interrupted();
            if (stopped_) {
                return nullptr;
            }
        }
        if (open_.empty()) {
            return &root_;
        }
        auto* elements = open_.back()->get_ptr<json::array_t*>();
        return elements != nullptr ? &elements->emplace_back() : place_;
    }

    template <class T>
    bool add(const T& value) {
        json* const at = place();
        if (at != nullptr) {
            *at = value;
        }
        return at != nullptr;
    }

    bool open(json::value_t type) {
        if (open_.size() == depth_) {
            stop_at_the_depth();
            return false;
        }
        json* const at = place();
        if (at != nullptr) {
            *at = json(type);
            open_.push_back(at);
        }
        return at != nullptr;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    json_budget& budget_;
    const std::size_t depth_;
    json root_ = {};
    std::vector<json*> open_ = {};  ///< the arrays and objects around the next value
    json* place_ = nullptr;         ///< of the next member of the innermost object
    std::optional<failure> stopped_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
