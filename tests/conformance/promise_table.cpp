#include "promise_table.hpp"

#include "catch.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace fake = pyaichat::testing;

namespace {

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return cells;
}

/// The cells of one column, by promise.
std::map<std::string, std::string> column_of(std::string_view title) {
    std::ifstream page(PYAICHAT_HTTP_TRANSPORT_PAGE);
    std::map<std::string, std::string> found;
    std::size_t column = 0;
    for (std::string line; std::getline(page, line);) {
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() > 2 && cells[1] == "Promise") {
            for (std::size_t index = 2; index < cells.size(); ++index) {
                column = cells[index].find(title) != std::string::npos ? index : column;
            }
        } else if (column != 0 && cells.size() > column) {
            found[cells[1]] = cells[column];
        } else if (column != 0) {
            break;
        }
    }
    return found;
}

}  // namespace

std::vector<fake::transport_promise> promises_with(bool yes, std::string_view column) {
    std::vector<fake::transport_promise> found;
    const std::map<std::string, std::string> cells = column_of(column);
    for (const fake::transport_promise each : fake::all_transport_promises()) {
        const auto cell = cells.find(std::string(fake::to_string(each)));
        if ((cell != cells.end() && cell->second == "yes") == yes) {
            found.push_back(each);
        }
    }
    return found;
}

TEST_CASE("the table of transports has a row for each promise, and no other") {
    for (const char* title : {"net::https_transport", "net::httplib_transport", "net::curl_transport"}) {
        std::map<std::string, std::string> cells = column_of(title);
        cells.erase("---");
        for (const fake::transport_promise each : fake::all_transport_promises()) {
            INFO(title << ": " << fake::to_string(each));
            CHECK(cells.erase(std::string(fake::to_string(each))) == 1);
        }
        CHECK(cells.empty());
    }
}
