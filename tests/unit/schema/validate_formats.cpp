#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <initializer_list>
#include <string>

namespace ai = pyaichat;

namespace {

bool fits(const std::string& format, const std::string& text, const std::string& dialect = "https://json-schema.org/draft/2020-12/schema") {
    const ai::json schema = {{"format", format}};
    const ai::result<ai::compiled_schema> compiled = ai::compile_schema(schema, {.formats = true, .dialect = dialect});
    REQUIRE(compiled);
    return ai::validate(*compiled, ai::json(text)).empty();
}

void check(const std::string& format, std::initializer_list<std::string> right, std::initializer_list<std::string> wrong) {
    for (const std::string& text : right) {
        INFO(format << " accepts " << text);
        CHECK(fits(format, text));
    }
    for (const std::string& text : wrong) {
        INFO(format << " refuses " << text);
        CHECK_FALSE(fits(format, text));
    }
}

}  // namespace

TEST_CASE("a format is validated in the drafts that have it") {
    const auto refuses = [](const std::string& format, const std::string& draft) { return !fits(format, "%", draft); };
    CHECK(refuses("uri", "http://json-schema.org/draft-04/schema"));
    CHECK_FALSE(refuses("uri-reference", "http://json-schema.org/draft-04/schema"));
    CHECK(refuses("uri-reference", "http://json-schema.org/draft-06/schema"));
    CHECK_FALSE(refuses("date", "http://json-schema.org/draft-06/schema"));
    CHECK(refuses("date", "http://json-schema.org/draft-07/schema"));
    CHECK_FALSE(refuses("uuid", "http://json-schema.org/draft-07/schema"));
    CHECK(refuses("uuid", "https://json-schema.org/draft/2019-09/schema"));
    CHECK(refuses("duration", "https://json-schema.org/draft/2019-09/schema"));
}

TEST_CASE("durations have units in order, without gaps and fractions") {
    check("duration", {"P4DT12H30M5S", "P1Y2M3D", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W", "P12W", "PT1H2M3S", "P1Y2M"},
          {"PT1D", "4DT12H30M5S", "P", "P1YT", "PT", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P1", "P1Y2D", "PT1H3S", "P1.5D", "P\u09e8Y", "PW",
           "P-1D", "P1D ", "p1d", ""});
}

TEST_CASE("host names are letters, digits and hyphens in labels of at most 63 bytes") {
    const std::string longest(63, 'a');
    check("hostname",
          {"www.example.com", "a", "1", "1host", "a-b", "a--b", "XN--IHQWCRB4CV8A8DQG056PQJYE", "xn--4gbwdl.xn--wgbh1c", longest,
           longest + "." + longest + "." + longest + "." + std::string(61, 'b')},
          {"",
           ".",
           "-bad-",
           "a-",
           "-a",
           "a.-b",
           ".a",
           "a.",
           "a..b",
           "not_valid",
           "a b",
           "ex\u00e4mple",
           "a\uff0eb",
           longest + "a",
           longest + "." + longest + "." + longest + "." + std::string(62, 'b'),
           "xn--X",
           "xn--",
           "XN--aa---o47jg78q",
           "xn--hello-txk",
           "xn--hello-zed",
           "xn--a",
           "xn--99999999"});
    CHECK(fits("hostname", "xn--X", "http://json-schema.org/draft-04/schema"));
}

TEST_CASE("international host names are of U-labels, A-labels and ASCII") {
    check("idn-hostname",
          {"example.com",
           "\uc2e4\ub840.\ud14c\uc2a4\ud2b8",
           "xn--ihqwcrb4cv8a8dqg056pqjye",
           "\u00df\u03c2\u0f0b\u3007",
           "\u06fd\u06fe",
           "l\u00b7l",
           "\u03b1\u0375\u03b2",
           "\u05d0\u05f3\u05d1",
           "\u05d0\u05f4\u05d1",
           "\u30fb\u3041",
           "\u30fb\u30a1",
           "\u30fb\u4e08",
           "\u0628\u0660\u0628",
           "\u06f00",
           "\u0915\u094d\u200d\u0937",
           "\u0915\u094d\u200c\u0937",
           "\u0628\u064a\u200c\u0628\u064a",
           "b\u00fccher.example",
           "a\u3002\u4e08\uff61c",
           "fa\u00df"},
          {"",
           ".",
           "\u3002",
           "a.",
           ".a",
           "\u302e\uc2e4\ub840",
           "\uc2e4\u302e\ub840.\ud14c\uc2a4\ud2b8",
           "-> $1.00 <--",
           "xn--X",
           "-hello",
           "hello-",
           "\u00fc-",
           "aa--\u00fc",
           "\u0903hello",
           "\u0300hello",
           "\u0488hello",
           "\u0640\u07fa",
           "\u3031\u3032\u3033\u3034\u3035\u302e\u302f\u303b",
           "a\u00b7l",
           "\u00b7l",
           "l\u00b7a",
           "l\u00b7",
           "\u03b1\u0375S",
           "\u03b1\u0375",
           "A\u05f3\u05d1",
           "\u05f3\u05d1",
           "A\u05f4\u05d1",
           "\u05f4\u05d1",
           "def\u30fbabc",
           "\u30fb",
           "\u0628\u0660\u06f0",
           "\u0915\u200d\u0937",
           "\u200d\u0937",
           "\u0915\u200c\u0937",
           "\u00fc\u2615",
           "\ufb01x",
           "B\u00fccher",
           "\u00a0",
           "a b",
           std::string(60, '\xc3') + "x",
           "\uac00\ub098\ub2e4\ub77c\ub9c8\ubc14\uc0ac\uc544\uc790\ucc28\uce74\ud0c0\ud30c\ud558\uac70\ub108\ub354\ub7ec\uba38\ubc84"});
}

TEST_CASE("e-mail addresses are mailboxes of RFC 5321") {
    check("email",
          {"joe.bloggs@example.com", "te~st@example.com", "~test@example.com", "test~@example.com", "te.s.t@example.com", "a@localhost",
           "\"joe bloggs\"@example.com", "\"joe..bloggs\"@example.com", "\"joe@bloggs\"@example.com", "\"a\\\"b\"@example.com",
           "joe.bloggs@[127.0.0.1]", "joe.bloggs@[IPv6:::1]", "a+b@example.com", "o'neil@example.com"},
          {"2962",
           "",
           "@",
           "a@",
           "@b",
           ".test@example.com",
           "test.@example.com",
           "te..st@example.com",
           "joe.bloggs@invalid=domain.com",
           "joe.bloggs@[127.0.0.300]",
           "joe.bloggs@[::1]",
           "joe bloggs@example.com",
           "\"joe\"bloggs\"@example.com",
           "\"joe@example.com",
           "a@b@example.com",
           "a@-b.com",
           "a@b..com",
           "\uc2e4\ub840@example.com",
           "user1@oceania.org, user2@oceania.org",
           "\"Winston Smith\" <winston.smith@recdep.minitrue>",
           "\"\\\"@example.com"});
    check("idn-email", {"\uc2e4\ub840@\uc2e4\ub840.\ud14c\uc2a4\ud2b8", "joe.bloggs@example.com", "\"\uc2e4 \ub840\"@example.com"},
          {"2962", "\uc2e4\ub840", "a@\u302e.com", "a b@example.com"});
}

TEST_CASE("URIs and IRIs are checked character by character") {
    check("uri",
          {"http://foo.bar/?baz=qux#quux", "http://foo.com/blah_(wikipedia)_blah#cite-1", "http://foo.bar/?q=Test%20URL-encoded%20stuff",
           "http://xn--nw2a.xn--j6w193g/", "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "http://223.255.255.254", "ftp://a/b",
           "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix",
           "tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://[v1.a:b]/", "file:///etc/x",
           "a:", "http:///p", "http://host:/", "s3://b/k"},
          {"//foo.bar/?baz=qux#quux",
           "/abc",
           "\\\\WINDOWS\\fileshare",
           "abc",
           "http:// shouldfail.com",
           ":// should fail",
           "bar,baz:foo",
           "http://[1::2%25eth0]/",
           "http://a/%",
           "http://a/%4",
           "http://a/%zz",
           "http://a/<b>",
           "http://a/{b}",
           "http://a/a^b",
           "http://a/`",
           "http://a/a|b",
           "http://a/a\"b",
           "http://example.com:8a",
           "http://[::1",
           "http://::1/",
           "http://a@b@c/",
           "http://a/[b]",
           "http://a/#b#c",
           "http://f\u00f6\u00f6/",
           "http://a/ b",
           "1http://a",
           "",
           "http://2001:0db8:85a3::8a2e",
           "https://[@example.org/test.txt",
           "http://a/\x7f"});
    check("uri-reference",
          {"http://foo.bar/?baz=qux#quux", "//foo.bar/?baz=qux#quux", "/abc", "abc", "#fragment", "", "?q", "../a", "./a:b", "a/b:c",
           "a?b:c"},
          {"\\\\WINDOWS\\fileshare", "#frag\\ment", "a b", "1:b", "%", "/\u00e9", "a#b#c"});
    check("iri",
          {"http://\u0192\u00f8\u00f8.\u00df\u00e5r/?\u2202\u00e9\u0153=\u03c0\u00eex#\u03c0\u00ee\u00fcx", "http://ex.com/?\ue000",
           "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "http://[2001:0db8:85a3:0000:0000:8a2e:0370:7334]", "x:\U00020000"},
          {"http://2001:0db8:85a3:0000:0000:8a2e:0370:7334", "/abc", "\\\\WINDOWS\\fil\u00eb\u00df\u00e5r\u00e9", "\u00e2\u03c0\u03c0",
           ":// \u0192\u00ee\u0142\u00eb\u00df\u00e5r\u00e9", "http://a/\ue000", "http://a/\ufffe", "http://a/\x80", "http://a/\u0085"});
    check("iri-reference", {"/\u00e2\u03c0\u03c0", "\u00e2\u03c0\u03c0", "#\u0192r\u00e4gm\u00eant", ""},
          {"\\\\WINDOWS\\fil\u00eb\u00df\u00e5r\u00e9", "#\u0192r\u00e4g\\m\u00eant", "\u00e4 \u00e4"});
}

TEST_CASE("URI templates have balanced expressions") {
    check("uri-template",
          {"http://example.com/dictionary/{term:1}/{term}", "http://example.com/dictionary", "dictionary/{term:1}/{term}", "{+a,b*}",
           "{?x,y}", "{&a.b}", "", "{#a%20}", "\u00e9{a}"},
          {"http://example.com/dictionary/{term:1}/{term", "a}", "{}", "{a", "{{a}}", "{a,}", "{a:0}", "{a:12345}", "{a b}", "a b", "{a-b}",
           "%", "<a>", "{.}", "{a..b}", "{\u00e9}"});
}

TEST_CASE("relative JSON pointers begin with a number") {
    check("relative-json-pointer", {"1", "0/foo/bar", "2/0/baz/1/zip", "0#", "120/foo/bar", "0-1", "1+2/a", "0"},
          {"/foo/bar", "-1/foo/bar", "+1/foo/bar", "0##", "01/a", "01#", "", "multi/foo", "0/~", "0+0", "1-", "1a"});
}

TEST_CASE("dates and times have ASCII digits and real leap seconds") {
    check("time", {"08:30:06.283185Z", "23:59:60+00:00", "15:59:60-08:00", "00:29:60+00:30", "12:00:00.52Z"},
          {"22:59:60Z", "23:59:60+01:00", "08:30:06 PST", "01:01:01,1111", "12:00:00", "1\u09e8:00:00Z", "08:30:06-8:000",
           "08:30:06z+00:30", "24:00:00Z"});
    check("date-time",
          {"1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00", "1963-06-19t08:30:06.283185z", "1937-01-01T12:00:27.87+00:20"},
          {"1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z", "1990-02-31T15:59:59.123-08:00", "1990-12-31T15:59:59-24:00",
           "06/19/1963 08:30:06 PST", "2013-350T01:01:01", "1963-6-19T08:30:06.283185Z", "1963-06-1\u09eaT00:00:00Z",
           "1990-12-31 15:59:59Z", "1963-06-19T08:30:06"});
}

TEST_CASE("the check of a hostile text takes little time") {
    const std::string ends[] = {"\u200c", "\u00b7", "\u0660", "-", "."};
    for (const char* format : {"idn-hostname", "idn-email", "hostname", "email", "uri-template", "iri", "duration", "regex"}) {
        for (const std::string& end : ends) {
            std::string text;
            while (text.size() < 100'000) {
                text += end;
            }
            static_cast<void>(fits(format, text));
            static_cast<void>(fits(format, std::string(100'000, 'a') + end));
        }
    }
    CHECK_FALSE(fits("idn-hostname", std::string(100'000, 'a') + "\u00fc"));
}
