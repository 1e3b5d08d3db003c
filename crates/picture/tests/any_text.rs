//! Any text in any parameter gives a well-formed SVG, or an error that names the parameter.

use proptest::prelude::*;
use superflip_cube::Holding;
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::svg;

/// Attributes that a picture may have.
const ATTRIBUTES: &str = "version width height viewBox fill x y points d opacity stroke stroke-width stroke-linejoin stroke-linecap \
    xmlns transform id class";

/// Checks that a text is XML with known elements and attributes, and no references.
fn check(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(["svg", "title", "rect", "g", "polygon", "polyline", "path"].contains(&name), "{name}");
        for attribute in node.attributes() {
            assert!(ATTRIBUTES.split(' ').any(|known| known == attribute.name()), "{}", attribute.name());
            let value = attribute.value();
            let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || " .,-#".contains(c));
            assert!(is_plain && !value.contains("NaN") && !value.contains("inf"), "{value}");
        }
    }
    assert!(!text.contains("http:") || text.matches("http:").count() == 1, "{text}");
}

/// Texts that are almost values, attacks, and anything else.
fn value() -> impl Strategy<Value = Option<String>> {
    let near = "0 3 10 11 -1 1e3 NaN inf 1e999 99 100 plan trans oll f2l_1-x2 cross- - y45x-34 x z-999 RUR'U' \
        R\"/><script> red t #fff wrgyob w,r,g,y,o,b ',',',',', uuufff ntoud U0U2,R6R2R0-s8-i5-yellow \
        U99999999999999999999U0 U0U0 B8-i50-s20 ]]> &amp; \u{0} é url(http://example.org) <!-- --></svg>";
    let near: Vec<&str> = near.split(' ').chain(["", "3Rw2 M"]).collect();
    let near = prop::sample::select(near).prop_map(str::to_owned);
    prop_oneof![3 => Just(None), 5 => near.prop_map(Some), 2 => any::<String>().prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_picture_or_an_error(values in prop::collection::vec(value(), 17), is_strict: bool, has_cube: bool) {
        let get = |at: usize| values[at].as_deref();
        let parameters = Parameters {
            pzl: get(0), size: get(1), view: get(2), stage: get(3), r: get(4), alg: get(5), case: get(6), fd: get(7), fc: get(8),
            sch: get(9), bg: get(10), cc: get(11), ac: get(12), co: get(13), fo: get(14), dist: get(15), arw: get(16),
        };
        let reading = if is_strict { Reading::Strict } else { Reading::Forgiving };
        let cube = superflip_cube::Cube::SOLVED;
        let read = if has_cube { parameters.read_cube(&cube, Holding::HOME, reading) } else { parameters.read(reading) };
        match read {
            Ok(picture) => check(&svg::write(&picture.scene())),
            Err(error) => {
                prop_assert!(is_strict || has_cube, "{error}");
                prop_assert!(!error.parameter.is_empty() && error.message.len() > 20 && error.message.len() < 500, "{error}");
            }
        }
    }
}
