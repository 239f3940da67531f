#include "offline/question_table.hpp"

#include <algorithm>
#include <iterator>

namespace pyaichat::inline PYAICHAT_ABI::detail {

const question_rows& question_table() {
    static const question_rows all = [] {
        question_rows out;
        for (const auto& group :
             {help_rows, failure_rows, change_rows, comparison_rows, table_rows, listing_rows, operation_rows, object_rows, value_rows}) {
            const question_rows part = group();
            std::copy(part.begin(), part.end(), std::back_inserter(out));
        }
        return out;
    }();
    return all;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
