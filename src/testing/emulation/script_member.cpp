#include "testing/emulation/script_member.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::testing {

std::string script_member::text() const {
    const auto out = as_string(value_);
    expect(out.has_value(), "Write a text.");
    return std::string(out.value_or(""));
}

std::size_t script_member::count() const {
    const auto out = as_integer(value_);
    expect(out && *out >= 0, "Write a whole number from 0.");
    return out && *out >= 0 ? static_cast<std::size_t>(*out) : 0;
}

void script_member::flag() const {
    expect(as_bool(value_) == true, "Write true, or leave the member out.");
}

duration script_member::time() const {
    constexpr double limit = 1e15;  // nanoseconds: eleven days
    const std::string_view text = as_string(value_).value_or("");
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const double scale = unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 0;
    const bool fits = error == std::errc() && scale > 0 && number >= 0 && number * scale < limit;
    expect(fits, "Write a duration with its unit: \"500us\", \"20ms\" or \"1.5s\".");
    return fits ? duration(static_cast<duration::rep>(number * scale)) : duration();
}

std::vector<script_member> script_member::list() const {
    expect(value_.is_array(), "Write a list.");
    std::vector<script_member> out;
    for (std::size_t index = 0; value_.is_array() && index < value_.size(); ++index) {
        out.emplace_back(value_[index], where_ + "[" + std::to_string(index) + "]", problem_);
    }
    return out;
}

std::size_t script_member::choice(const std::vector<std::string>& names) const {
    const auto found = std::find(names.begin(), names.end(), text());
    if (found == names.end()) {
        report("unknown value \"" + text() + "\"", suggestion(text(), names));
        return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
}

void script_member::allow(const std::vector<std::string>& known) const {
    expect(value_.is_object(), "Write an object.");
    for (auto entry = value_.begin(); value_.is_object() && entry != value_.end(); ++entry) {
        if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
            report("unknown member \"" + entry.key() + "\"", suggestion(entry.key(), known));
        }
    }
}

script_member script_member::field(const char* name) const {
    static const json null = nullptr;
    const json* found = find_member(value_, name);
    return {found == nullptr ? null : *found, (where_.empty() ? "" : where_ + ".") + name, problem_};
}

bool script_member::has(const char* name) const {
    return find_member(value_, name) != nullptr;
}

void script_member::expect(bool fits, const char* hint) const {
    if (!fits) {
        report("invalid value: " + detail::one_line(dump_json(value_), 60), hint);
    }
}

void script_member::report(const std::string& error, std::string hint) const {
    if (!problem_) {
        problem_ =
            failure{.code = errc::invalid_argument, .message = (where_.empty() ? "" : where_ + ": ") + error, .hint = std::move(hint)};
    }
}

std::string script_member::suggestion(std::string_view name, const std::vector<std::string>& known) {
    if (const std::string_view near = detail::nearest_name(name, known); !near.empty()) {
        return "Did you mean \"" + std::string(near) + "\"?";
    }
    std::string all;
    for (const std::string& candidate : known) {
        all += (all.empty() ? "" : ", ") + candidate;
    }
    return "Use one of: " + all + ".";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
