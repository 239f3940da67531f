#include <pyaichat/schema/reflect.hpp>

#include "schema_bench.hpp"

#include <variant>
#include <vector>

namespace ai = pyaichat;
using ai::json;
using schema_bench::comes_back;
using schema_bench::why_not;

namespace {
struct point {
    int x = 0;
    int y = 0;
    friend bool operator==(const point&, const point&) = default;
};
class celsius {
public:
    celsius() = default;
    explicit celsius(double degrees) : degrees_(degrees) {}
    [[nodiscard]] double degrees() const { return degrees_; }
    friend bool operator==(const celsius&, const celsius&) = default;

private:
    double degrees_ = 0;
};
template <class T>
class ring {
public:
    std::vector<T> elements() const { return elements_; }
    void add(T element) { elements_.push_back(std::move(element)); }
    friend bool operator==(const ring&, const ring&) = default;

private:
    std::vector<T> elements_;
};
}  // namespace

template <>
struct ai::reflect<celsius> {
    using form = double;
    static form write(const celsius& value) { return value.degrees(); }
    static ai::result<celsius> read(form degrees) {
        if (degrees < -273.15) {
            return ai::failure{.message = "is below the absolute zero"};
        }
        return celsius(degrees);
    }
};
template <class T>
struct ai::reflect<ring<T>> {
    using form = std::vector<T>;
    static form write(const ring<T>& value) { return value.elements(); }
    static ring<T> read(form elements) {
        ring<T> made;
        for (T& each : elements) {
            made.add(std::move(each));
        }
        return made;
    }
};

TEST_CASE("a type of another kind has the form that reflect gives it") {
    CHECK(ai::schema_of<celsius>() == json({{"type", "number"}}));
    CHECK(comes_back(celsius(20.5)));
    CHECK(why_not<std::vector<celsius>>({1, -300}) == "/1 format is below the absolute zero");
    CHECK(why_not<celsius>("x") == " type must be a number, not string");
    ring<point> points;
    points.add({1, 2});
    CHECK(comes_back(points));
    CHECK(comes_back(std::variant<std::string, ring<point>>(points)));
    CHECK(ai::schema_of<ring<int>>() == ai::schema_of<std::vector<int>>());
}
