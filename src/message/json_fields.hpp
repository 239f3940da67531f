#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What is wrong with a document that came from outside: the first thing that was found.
class document_fault {
public:
    void report(std::string where, std::string_view what) {
        if (text_.empty()) {
            text_ = (where.empty() ? std::string("the document") : "`" + std::move(where) + "`") + " " + std::string(what);
        }
    }
    [[nodiscard]] bool found() const noexcept { return !text_.empty(); }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Reads the members of an object that came from outside. One that is missing or of another kind is reported, and reads as nothing, so that
/// the code that reads is straight and asks once, at its end, whether all was well.
class json_fields {
public:
    json_fields(const json& object, std::string where, document_fault& fault) : object_(&object), where_(std::move(where)), fault_(&fault) {
        if (!object.is_object()) {
            fault.report(where_, "is no object");
        }
    }

    [[nodiscard]] bool has(std::string_view key) const noexcept { return find_member(*object_, key) != nullptr; }

    [[nodiscard]] const json& value(std::string_view key) const {
        static const json nothing;
        const json* found = find_member(*object_, key);
        if (found == nullptr) {
            report(key, "is missing");
            return nothing;
        }
        return *found;
    }
    [[nodiscard]] std::string text(std::string_view key) const {
        return std::string(checked(key, as_string(value(key)), "is no string").value_or(std::string_view()));
    }
    [[nodiscard]] bool flag(std::string_view key) const {
        return checked(key, as_bool(value(key)), "is neither true nor false").value_or(false);
    }
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t least = 0,
                                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
        const std::optional<std::int64_t> read = checked(key, as_integer(value(key)), "is no integer");
        if (read && (*read < least || *read > most)) {
            report(key, "is out of range");
            return least;
        }
        return read.value_or(least);
    }
    [[nodiscard]] int count(std::string_view key) const { return static_cast<int>(integer(key, 0, std::numeric_limits<int>::max())); }
    [[nodiscard]] duration span(std::string_view key) const { return duration(integer(key, std::numeric_limits<std::int64_t>::min())); }
    [[nodiscard]] std::string text_or_nothing(std::string_view key) const { return has(key) ? text(key) : std::string(); }
    [[nodiscard]] bool flag_or_false(std::string_view key) const { return has(key) && flag(key); }

    /// Calls `read(fields)` for each object in the list `key`.
    template <class Read>
    void each(std::string_view key, Read&& read) const {
        const json& list = value(key);
        if (!list.is_array()) {
            report(key, "is no list");
            return;
        }
        for (std::size_t i = 0; i < list.size() && !fault_->found(); ++i) {
            read(json_fields(list[i], path(key) + "/" + std::to_string(i), *fault_));
        }
    }
    [[nodiscard]] json_fields object(std::string_view key) const { return {value(key), path(key), *fault_}; }

    /// The enumerator of `Enum`, from its first to `last`, whose `to_string` is the member's text.
    template <class Enum>
    [[nodiscard]] Enum word(std::string_view key, Enum last) const {
        const std::string name = text(key);
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            if (to_string(static_cast<Enum>(i)) == name) {
                return static_cast<Enum>(i);
            }
        }
        report(key, "is a word that this version does not know");
        return Enum{};
    }

    void report(std::string_view key, std::string_view what) const { fault_->report(path(key), what); }
    [[nodiscard]] document_fault& fault() const noexcept { return *fault_; }
    [[nodiscard]] const json& whole() const noexcept { return *object_; }

private:
    template <class T>
    [[nodiscard]] std::optional<T> checked(std::string_view key, std::optional<T> read, std::string_view what) const {
        if (!read) {
            report(key, what);
        }
        return read;
    }
    [[nodiscard]] std::string path(std::string_view key) const { return where_ + "/" + std::string(key); }

    const json* object_;
    std::string where_;
    document_fault* fault_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
