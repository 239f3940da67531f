#pragma once
#include <pyaichat/core/failure.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/message.hpp>
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The members of a type that is stored in another way than by its fields. A specialization has one function for both directions:
///
///     static void members(auto& value, auto& member);    // calls member(name, field); writes when `value` is const, else reads
template <class T>
struct stored_members {
    static constexpr bool by_fields = true;
};

/// How snapshots, journals and conversations are encoded and decoded.
struct stored_form {
    static constexpr bool writes_null = false;
    template <class T>
    static constexpr bool by_fields = requires { stored_members<T>::by_fields; };
    template <class T>
    static constexpr bool has_members = !by_fields<T> || plain_struct<T> || std::is_empty_v<T>;

    template <class T, class Member>
    static void members(T& value, Member& member) {
        using type = std::remove_const_t<T>;
        if constexpr (!by_fields<type>) {
            stored_members<type>::members(value, member);
        } else if constexpr (!std::is_empty_v<type>) {
            for_each_field(value, member);
        }
    }
};

/// As it is stored.
template <class T>
[[nodiscard]] json written(const T& value) {
    json document;
    failure none;  // nothing that is stored can fail
    static_cast<void>(encode_as<stored_form>(value, document, none));
    return document;
}

[[nodiscard]] inline std::string in_words(const schema_error& error) {
    return (error.path.empty() ? "the document" : "`" + error.path + "`") + " " + error.message;
}

/// Reads what `written` wrote, or says what is wrong and where.
template <class T>
[[nodiscard]] std::optional<std::string> fault_in(const json& document, T& into) {
    schema_error error;
    return decode_as<stored_form>(document, into, error) ? std::nullopt : std::optional(in_words(error));
}

/// A member that is not stored as it is: `keep()` is written, and `take` is given what was read.
template <class Member, class Keep, class Take>
void converted(Member& member, std::string_view name, Keep keep, Take take) {
    if constexpr (!Member::reads) {
        member(name, keep());
    } else {
        std::remove_cvref_t<decltype(keep())> kept{};
        if (member(name, kept); member.fits) {
            take(std::move(kept));
        }
    }
}

/// A member that is left out when it has its default value.
template <class Member, class T>
void unless_default(Member& member, std::string_view name, T& field) {
    if (Member::reads ? member.has(name) : field != T{}) {
        member(name, field);
    }
}

/// One of several members, each of which is an alternative of `value`, or what `content` makes of it.
template <class Member, class Variant, std::size_t N, class Content>
void one_of(Member& member, Variant& value, const std::array<std::string_view, N>& names, Content content) {
    static_assert(N == std::variant_size_v<std::remove_const_t<Variant>>);
    if constexpr (Member::reads) {
        const auto read = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            const bool there = member.has(names[I]);
            if (there) {
                member(names[I], content(value.template emplace<I>()));
            }
            return there;
        };
        const bool any = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (read(std::integral_constant<std::size_t, I>{}) || ...);
        }(std::make_index_sequence<N>{});
        if (!any) {
            member.refuse({{}, "required", "has no member of a name that is known here"});
        }
    } else {
        std::visit([&](const auto& alternative) { member(names[value.index()], content(alternative)); }, value);
    }
}

/// A value, or the failure that there is instead of it.
template <class Member, class Result>
void outcome(Member& member, Result& value, std::string_view good, std::string_view bad) {
    if constexpr (!Member::reads) {
        value ? member(good, *value) : member(bad, value.error());
    } else if (member.has(bad)) {
        failure error;
        member(bad, error);
        value = std::move(error);
    } else {
        typename Result::value_type read{};
        member(good, read);
        value = std::move(read);
    }
}

template <>
struct stored_members<part> {
    static void members(auto& piece, auto& member) {
        constexpr std::array<std::string_view, 5> names{"text", "thought", "call", "response", "opaque"};
        one_of(member, piece.content, names, [](auto& content) -> auto& {
            if constexpr (count_fields<std::remove_cvref_t<decltype(content)>>() == 1) {
                return std::get<0>(fields_of(content));  // a text, or wire form: it is the member
            } else {
                return content;
            }
        });
    }
};

template <>
struct stored_members<message> {
    static void members(auto& one, auto& member) {
        member("role", one.role);
        member("parts", one.parts);
        member("wire", one.wire);
        unless_default(member, "synthetic", one.synthetic);
    }
};

template <>
struct stored_members<capability_reply> {
    static void members(auto& reply, auto& member) {
        member("code", reply.code);
        if (reply.ok()) {
            member("result", reply.result);
        } else {
            member("message", reply.message);
            member("details", reply.details);
        }
        unless_default(member, "note", reply.note);
        unless_default(member, "truncated", reply.truncated);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
