// Random values of nested types: what is encoded fits the schema of its type, and is decoded to the same value.
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>
#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <limits>
#include <random>
#include <set>
#include <unordered_map>

namespace ai = pyaichat;

namespace round_trip_tests {
using ai::json;

namespace {

enum class mood : unsigned char { calm, alert, hostile };

struct place {
    double x = 0;
    float y = 0;
    std::optional<std::string> name = {};
    friend bool operator==(const place&, const place&) = default;
};
struct go {
    place target = {};
    std::chrono::milliseconds within = {};
    friend bool operator==(const go&, const go&) = default;
};
struct say {
    std::string text = {};
    std::optional<mood> tone = mood::alert;
    friend bool operator==(const say&, const say&) = default;
};
struct wait {
    std::optional<std::chrono::duration<double>> time = {};
    std::vector<std::optional<std::int8_t>> signals = {};
    friend bool operator==(const wait&, const wait&) = default;
};
using step = std::variant<std::monostate, go, say, wait, std::uint64_t, std::vector<mood>, std::string>;

struct plan {
    mood now = mood::calm;
    std::vector<step> steps = {};
    std::map<std::string, std::variant<bool, std::pair<std::int64_t, std::string>, std::filesystem::path>> notes = {};
    std::array<std::tuple<std::uint8_t, std::optional<place>, bool>, 2> pairs = {};
    std::set<std::string> tags = {};
    std::unordered_map<std::string, std::optional<std::variant<go, say>>> others = {};
    std::optional<std::vector<std::vector<std::int32_t>>> table = {};
    friend bool operator==(const plan&, const plan&) = default;
};

/// Makes random values; the same for the same seed.
class maker {
public:
    explicit maker(unsigned seed) : source_(seed) {}

    template <class T>
    T make() {
        if constexpr (ai::detail::is_optional<T>::value) {
            return chance(3) ? T() : T(make<typename T::value_type>());
        } else if constexpr (std::same_as<T, bool>) {
            return chance(2);
        } else if constexpr (std::integral<T>) {
            const auto any = static_cast<T>(source_());
            return chance(4) ? (chance(2) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min()) : any;
        } else if constexpr (std::floating_point<T>) {
            return static_cast<T>(std::uniform_real_distribution<T>(-1e6, 1e6)(source_));
        } else if constexpr (ai::detail::is_chrono<T>::value) {
            return T(make<typename T::rep>());
        } else if constexpr (ai::detail::text<T>) {
            static constexpr std::array pieces{"", "a", "calm", "\u00e4", "/", "~1", "\"", "null", " \n"};
            return std::string(pieces[below(pieces.size())]) + pieces[below(pieces.size())];
        } else if constexpr (std::is_enum_v<T>) {
            return ai::detail::enumerators<T>[below(ai::detail::enumerators<T>.size())].value;
        } else if constexpr (std::same_as<T, std::monostate>) {
            return {};
        } else if constexpr (ai::detail::is_variant<T>::value) {
            T made;
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                const std::size_t chosen = below(sizeof...(I));
                ((I == chosen ? static_cast<void>(made.template emplace<I>(make<std::variant_alternative_t<I, T>>())) : void()), ...);
            }(std::make_index_sequence<std::variant_size_v<T>>());
            return made;
        } else if constexpr (ai::detail::is_array<T>::value || ai::detail::is_tuple<T>::value) {
            T made;
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                ((std::get<I>(made) = make<std::tuple_element_t<I, T>>()), ...);
            }(std::make_index_sequence<std::tuple_size_v<T>>());
            return made;
        } else if constexpr (ai::detail::string_map<T>) {
            T made;
            for (std::size_t n = below(4); n > 0; --n) {
                made[make<std::string>()] = make<typename T::mapped_type>();
            }
            return made;
        } else if constexpr (std::ranges::range<T>) {
            T made;
            for (std::size_t n = below(4); n > 0; --n) {
                made.insert(made.end(), make<typename T::value_type>());
            }
            return made;
        } else {
            T made;
            ai::detail::for_each_field(made, [&]<class Field>(std::string_view, Field& field) { field = make<Field>(); });
            return made;
        }
    }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(source_() % count); }
    bool chance(std::size_t of) { return below(of) == 0; }

    std::mt19937_64 source_;
};

template <class T>
void check_values(int count) {
    const auto schema = ai::compile_schema(ai::schema_of<T>());
    REQUIRE(schema);
    for (int seed = 0; seed < count; ++seed) {
        const T value = maker(static_cast<unsigned>(seed)).make<T>();
        const ai::result<json> encoded = ai::encode(value);
        REQUIRE(encoded);
        INFO("seed " << seed << ": " << ai::dump_json(*encoded));
        // Through text, as a model reads and writes it.
        const ai::result<json> sent = ai::parse_json(ai::dump_json(*encoded));
        REQUIRE(sent);
        for (const ai::schema_error& error : ai::validate(*schema, *sent)) {
            FAIL(error.path << " " << error.message);
        }
        T read{};
        ai::schema_error error;
        if (!ai::decode(*sent, read, error)) {
            FAIL(error.path << " " << error.message);
        }
        REQUIRE(read == value);
    }
}

}  // namespace

TEST_CASE("random values of nested types fit their schema and come back from JSON as they were") {
    check_values<plan>(100);
    check_values<step>(100);
    check_values<std::tuple<mood, std::optional<std::variant<std::int64_t, double, std::string>>, std::vector<place>>>(200);
}

TEST_CASE("what random damage does to a value is refused by decoding, or gives another value of the type") {
    int refused = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        json damaged = *ai::encode(maker(seed).make<plan>());
        std::mt19937_64 source(seed);
        // Replaces a random value in the document.
        json* at = &damaged;
        while (at->is_structured() && !at->empty() && source() % 4 != 0) {
            at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(source() % at->size()));
        }
        const std::array<json, 5> replacements{nullptr, -1.5, "hostile", json::array({1}), json::object()};
        *at = replacements[source() % replacements.size()];
        plan read;
        ai::schema_error error;
        if (ai::decode(damaged, read, error)) {
            const ai::result<json> again = ai::encode(read);
            REQUIRE(again);
            plan same;
            REQUIRE(ai::decode(*again, same, error));
            REQUIRE(same == read);
        } else {
            ++refused;
            CHECK_FALSE(error.message.empty());
            CHECK_FALSE(error.keyword.empty());
        }
    }
    CHECK(refused > 100);
}

}  // namespace round_trip_tests
