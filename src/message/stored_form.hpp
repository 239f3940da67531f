#pragma once
#include "core/base64.hpp"

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

/// Specialize it for a type that is not stored as its fields. A specialization has one function for both directions:
///
///     static void members(auto& value, auto& member);    // calls member(name, field); writes if `value` is const, else reads
template <class T>
struct stored_members {
    static constexpr bool by_fields = true;
};

/// The encoding of snapshots, journals and conversations.
struct stored_form {
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

/// Encodes a value in its stored form.
template <class T>
[[nodiscard]] json written(const T& value) {
    json document;
    failure none;  // stored types have no member whose encoding can fail
    static_cast<void>(encode_as<stored_form>(value, document, none));
    return document;
}

[[nodiscard]] inline std::string in_words(const schema_error& error) {
    return (error.path.empty() ? "the document" : "`" + error.path + "`") + " " + error.message;
}

/// Decodes what `written` returned. Returns what is wrong and where, or `nullopt`.
template <class T>
[[nodiscard]] std::optional<std::string> fault_in(const json& document, T& into) {
    schema_error error;
    return decode_as<stored_form>(document, into, error) ? std::nullopt : std::optional(in_words(error));
}

/// A member that is stored as another type: `keep()` returns the stored value, and `take` gets it back.
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

/// A variant, stored as one member per alternative. `content` returns the part of an alternative that is stored.
template <class Member, class Variant, std::size_t N, class Content>
void one_of(Member& member, Variant& value, const std::array<std::string_view, N>& names, Content content) {
    static_assert(N == std::variant_size_v<std::remove_const_t<Variant>>);
    if constexpr (Member::reads) {
        const auto read = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            const bool found = member.has(names[I]);
            if (found) {
                member(names[I], content(value.template emplace<I>()));
            }
            return found;
        };
        const bool any = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (read(std::integral_constant<std::size_t, I>{}) || ...);
        }(std::make_index_sequence<N>{});
        if (!any) {
            member.refuse({{}, "required", "has no member with a known name"});
        }
    } else {
        std::visit([&](const auto& alternative) { member(names[value.index()], content(alternative)); }, value);
    }
}

/// A `result`, stored as the member `good` or `bad`.
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
struct stored_members<image> {
    static void members(const image& value, auto& member) {
        member("mime_type", value.mime_type());
        member("data", encode_base64(value.data()));
    }
    static void members(image& value, auto& member) {
        std::string mime_type;
        std::string text;
        member("mime_type", mime_type);
        member("data", text);
        if (std::optional<std::string> bytes = decode_base64(text)) {
            value = image(std::move(mime_type), *std::move(bytes));
        } else {
            member.refuse({"/data", "contentEncoding", "is not base64"});
        }
    }
};

template <>
struct stored_members<response_part> {
    static void members(auto& reply, auto& member) {
        member("id", reply.id);
        member("name", reply.name);
        member("response", reply.response);
        unless_default(member, "images", reply.images);
    }
};

/// The stored text beside an image: earlier versions, which do not know images, read it as the part.
inline constexpr std::string_view image_mark = "(an image)";

template <>
struct stored_members<part> {
    static void members(auto& piece, auto& member) {
        if constexpr (std::remove_cvref_t<decltype(member)>::reads) {
            if (member.has("image")) {
                member("image", piece.content.template emplace<image_part>().image);
                return;
            }
        } else if (piece.template as<image_part>() != nullptr) {
            member("text", image_mark);
        }
        constexpr std::array<std::string_view, 6> names{"text", "thought", "call", "response", "opaque", "image"};
        one_of(member, piece.content, names, [](auto& content) -> auto& {
            if constexpr (count_fields<std::remove_cvref_t<decltype(content)>>() == 1) {
                return std::get<0>(fields_of(content));  // the text or wire form itself is the member
            } else {
                return content;
            }
        });
    }
};

template <>
struct stored_members<message> {
    static void members(auto& value, auto& member) {
        member("role", value.role);
        member("parts", value.parts);
        member("wire", value.wire);
        unless_default(member, "synthetic", value.synthetic);
    }
};

template <>
struct stored_members<capability_reply> {
    static void members(auto& reply, auto& member) {
        member("code", reply.code);
        if (reply.ok()) {
            member("result", reply.result);
            unless_default(member, "images", reply.images);
        } else {
            member("message", reply.message);
            member("details", reply.details);
        }
        unless_default(member, "note", reply.note);
        unless_default(member, "truncated", reply.truncated);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
