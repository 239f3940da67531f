#include "compressed.hpp"

#include "catch.hpp"

#include <zlib.h>

std::string compressed(std::string_view text, zlib_format format) {
    z_stream stream = {};
    const int bits = format == zlib_format::gzip ? 31 : format == zlib_format::zlib ? 15 : -15;
    REQUIRE(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string in(text);
    std::string out(deflateBound(&stream, in.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}
