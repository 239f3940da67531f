#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// How `schema_of`, `decode` and `encode` see a type that they do not know, such as a class with private members or a class template: as
/// a value of another type, its form. Specialize it with the form and the conversions in both directions:
///
///     template <>
///     struct pyaichat::reflect<money> {
///         using form = double;
///         static form write(const money& value) { return value.euros(); }
///         static pyaichat::result<money> read(form euros) {      // or `money`, if each form is a value
///             return euros < 0 ? pyaichat::result<money>(pyaichat::failure{.message = "must not be negative"}) : money(euros);
///         }
///     };
///
/// The form may be a struct, whose fields are described by `about`. The type itself needs a default constructor and must be assignable.
template <class T>
struct reflect {};

}  // namespace pyaichat::inline PYAICHAT_ABI
