//! Pictures over HTTP.

use crate::common::prelude::*;
use superflip::api::types::fields::{Fields as _, Place};

/// The colours of the default scheme of `VisualCube` and of the World Cube Association.
const YELLOW: &str = "#fefe00";
const WHITE: &str = "#ffffff";

/// Fills of the polygons of an SVG without outlines: its stickers in drawing order.
fn fills(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let polygons = document.descendants().filter(|node| node.has_tag_name("polygon"));
    let stickers = polygons.filter(|node| node.parent().is_some_and(|group| !group.has_attribute("stroke")));
    stickers.map(|node| node.attribute("fill").unwrap().to_owned()).collect()
}

async fn svg(query: &str) -> String {
    let answer = get(starting(), &format!("/image.svg?{query}")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "image/svg+xml"), "{query}");
    answer.text().to_owned()
}

#[tokio::test]
async fn the_examples_of_visualcube_are_drawn() {
    for (query, stickers) in [
        ("size=200&alg=S2M2E2", 27),
        ("size=200&view=plan&case=RUR'U'R'U2RUR'UR2U2R'y2&arw=U1U5,U5U1,U3U7,U7U3", 9 + 4),
        ("size=200&co=30&co=12&fo=50", 54),
        ("size=200&r=y45x34&cc=n&fo=100&co=35&fd=tototototttttttttttttofotfttdtodotdtttttttttttttobotbt", 17),
        ("size=200&pzl=7&cc=grey&r=z-15x-105&sch=yyyyyy&fc=ynyyynynnnynnnyyyyyyyyynnnyynyynyynnnyyynnynnnnny", 3 * 49),
    ] {
        let drawn = get(starting(), &format!("/visualcube.php?fmt=svg&{query}")).await;
        assert_eq!((drawn.status.as_u16(), drawn.header("content-type")), (200, "image/svg+xml"), "{query}");
        assert_eq!(fills(drawn.text()).len(), stickers, "{query}");
        assert_eq!(get(starting(), &format!("/visualcube.svg?{query}")).await.body, drawn.body, "{query}");
        let png = get(starting(), &format!("/visualcube.php?fmt=png&{query}")).await;
        assert_eq!((png.status.as_u16(), png.header("content-type")), (200, "image/png"), "{query}");
        // The header of a PNG: its name, then width and height.
        assert_eq!((&png.body[1..4], &png.body[16..24]), (&b"PNG"[..], &[0, 0, 0, 200, 0, 0, 0, 200][..]), "{query}");
    }
    // Values that VisualCube does not accept mean the default.
    let default = get(starting(), "/visualcube.svg").await;
    for query in ["size=abc&pzl=11&view=x&stage=x&r=q&fd=UUU&sch=abc&bg=x&cc=x&co=100&fo=x&dist=x&arw=x", "unknown=1"] {
        assert_eq!(get(starting(), &format!("/visualcube.svg?{query}")).await.body, default.body, "{query}");
    }
    assert_eq!(
        get(starting(), "/visualcube.svg?size=9999").await.text(),
        default.text().replace("\"128\"", "\"1024\"")
    );
    get(starting(), "/visualcube.php?fmt=gif").await.problem_with(415, "unsupported_media_type", &["`svg` and `png`"]);
    let page = get(starting(), "/visualcube.php?alg=R").await;
    assert_eq!((page.status.as_u16(), page.header("location")), (302, "/docs#image"));
}

#[tokio::test]
async fn a_cube_in_any_form_is_drawn_in_its_colours() {
    let moved = svg("alg=R+U+F&sch=wrgyob").await;
    let b32 = "GETVSBAH=ZFCXBAGLYTKE=A";
    let facelets = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
    for query in [
        "scramble=R+U+F".to_owned(),
        format!("cube={b32}"),
        format!("cube={facelets}&format=facelets"),
        format!("facelets={facelets}"),
        "cube=R+U&alg=F".to_owned(),
        "cube=R1+U1+F1".to_owned(),
    ] {
        assert_eq!(svg(&query).await, moved, "{query}");
    }
    assert_eq!(fills(&moved).iter().filter(|fill| *fill == WHITE).count(), 6);
    // A rotated cube shows the colours of its centres.
    assert_eq!(svg("scramble=x+R").await, svg("alg=x+R&sch=wrgyob").await);
    assert!(fills(&svg("").await).contains(&YELLOW.to_owned()));
    for (query, status, code, field) in [
        (format!("cube={SOLVED}&fd=uuu"), 422, "option_out_of_range", "fd"),
        (format!("cube={SOLVED}&fc=www"), 422, "option_out_of_range", "fc"),
        (format!("cube={SOLVED}&case=R"), 422, "option_out_of_range", "case"),
        (format!("cube={SOLVED}&pzl=4"), 422, "option_out_of_range", "pzl"),
        ("fd=u&fc=w".to_owned(), 422, "option_out_of_range", "fc"),
        ("pzl=0".to_owned(), 422, "option_out_of_range", "pzl"),
        ("size=1025".to_owned(), 422, "option_out_of_range", "size"),
        ("size=big".to_owned(), 400, "invalid_field", "size"),
        ("pzl=1.5".to_owned(), 400, "invalid_field", "pzl"),
        ("dist=far".to_owned(), 400, "invalid_field", "dist"),
        ("view=side".to_owned(), 422, "option_out_of_range", "view"),
        ("stage=pll".to_owned(), 422, "option_out_of_range", "stage"),
        ("pzl=2&stage=cross".to_owned(), 422, "option_out_of_range", "stage"),
        ("r=q45".to_owned(), 422, "option_out_of_range", "r"),
        ("alg=RUQ".to_owned(), 422, "notation", "alg"),
        ("case=M&pzl=4".to_owned(), 422, "notation", "case"),
        ("fd=UUU".to_owned(), 422, "option_out_of_range", "fd"),
        ("fc=xyz".to_owned(), 422, "option_out_of_range", "fc"),
        ("sch=wrgyo".to_owned(), 422, "option_out_of_range", "sch"),
        ("bg=nothing".to_owned(), 422, "option_out_of_range", "bg"),
        ("cc=t".to_owned(), 422, "option_out_of_range", "cc"),
        ("ac=12".to_owned(), 422, "option_out_of_range", "ac"),
        ("co=101".to_owned(), 422, "option_out_of_range", "co"),
        ("fo=-1".to_owned(), 422, "option_out_of_range", "fo"),
        ("dist=0.5".to_owned(), 422, "option_out_of_range", "dist"),
        ("arw=U0".to_owned(), 422, "option_out_of_range", "arw"),
        ("fmt=png".to_owned(), 422, "option_out_of_range", "fmt"),
        ("colour=red".to_owned(), 400, "unknown_field", "colour"),
        ("co=1&co=2".to_owned(), 400, "duplicate_field", "co"),
    ] {
        let problem = get(starting(), &format!("/image.svg?{query}")).await.problem(status, code);
        assert_eq!(problem["field"], field, "{query}: {problem}");
    }
    get(starting(), "/image.svg?facelets=U").await.problem(422, "impossible_cube");
    get(starting(), "/image.png?size=0").await.problem(422, "option_out_of_range");
}

#[tokio::test]
async fn the_steps_of_a_solution_are_drawn() {
    let strip = get(starting(), "/image/steps.svg?cube=R+U+F&solution=F'+U'+R'&bg=t").await;
    assert_eq!(strip.status, 200);
    let document = roxmltree::Document::parse(strip.text()).unwrap();
    let svg = document.root_element();
    assert_eq!((svg.attribute("width"), svg.attribute("height")), (Some("512"), Some("156")));
    assert_eq!(svg.children().find(|node| node.has_tag_name("title")).unwrap().text(), Some("F' U' R'"));
    // An arrow is a line and a head, each with an edge.
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("path")).count(), 3 * 2);
    // The last picture is the solved cube: nine stickers of one colour each.
    let fills = fills(strip.text());
    let last = &fills[fills.len() - 27..];
    assert!(last.chunks(9).all(|face| face.iter().all(|fill| *fill == face[0])), "{last:?}");
    let png = get(ready(), "/image/steps.png?cube=R+U+F&solution=F'+U'+R'").await;
    assert_eq!((png.status.as_u16(), &png.body[16..24]), (200, &[0, 0, 2, 0, 0, 0, 0, 156][..]));
    for (query, status, code) in [
        ("cube=R", 400, "invalid_field"),
        ("solution=R", 422, "cube_form"),
        ("cube=R&solution=Q", 422, "notation"),
        ("cube=R&solution=R&size=300", 422, "option_out_of_range"),
        ("cube=R&solution=R&size=8", 422, "option_out_of_range"),
    ] {
        get(starting(), &format!("/image/steps.svg?{query}")).await.problem(status, code);
    }
    let many = "R".repeat(31);
    get(starting(), &format!("/image/steps.svg?cube=R&solution={many}")).await.problem(422, "option_out_of_range");
}

#[tokio::test]
async fn pictures_are_cached_by_their_tags() {
    let asked = async |uri: &str, headers: &[(&str, &str)]| get_with(ready(), uri, headers).await;
    let mut tags = std::collections::BTreeSet::new();
    for uri in [
        "/image.svg",
        "/image.png?size=400&pzl=10&co=50",
        "/image.svg?alg=R",
        "/visualcube.svg?fmt=png",
        "/api/v0/view/333/svg",
    ] {
        let whole = asked(uri, &[]).await;
        let tag = whole.header("etag").to_owned();
        assert!(whole.status == 200 && tag.starts_with('"') && tags.insert(tag.clone()), "{uri} {tag}");
        assert_eq!(whole.header("cache-control"), "public, max-age=86400");
        assert_eq!(asked(uri, &[]).await.body, whole.body, "{uri}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let same = asked(uri, &[("if-none-match", &known)]).await;
            assert_eq!(
                (same.status.as_u16(), same.body.len(), same.header("etag")),
                (304, 0, tag.as_str()),
                "{uri} {known}"
            );
        }
        assert_eq!(asked(uri, &[("if-none-match", "\"other\"")]).await.status, 200);
        assert_eq!(send(ready(), request(&Method::HEAD, uri, &[])).await.header("etag"), tag);
    }
    // The bytes of a compressed picture are others, so its tag is weak.
    let compressed = asked("/image.svg", &[("accept-encoding", "gzip")]).await;
    assert_eq!(compressed.header("content-encoding"), "gzip");
    assert!(compressed.header("etag").starts_with("W/\""), "{}", compressed.header("etag"));
    assert_eq!(asked("/image.svg", &[("if-none-match", compressed.header("etag"))]).await.status, 304);
}

/// Another version may draw another picture, and a shared cache must not give out a picture that needs a key.
#[tokio::test]
async fn pictures_are_immutable_by_version_and_private_with_keys() {
    let key = format!("ci:{}", KeyDigest::of(b"secret").to_hex());
    let locked = load::load(None, [("SUPERFLIP_ACCESS__KEYS".to_owned(), key)], &[]).unwrap();
    for (router, scope) in [(starting(), "public"), (app(state(locked, Readiness::starting())), "private")] {
        for path in [
            "/image.svg?alg=R",
            "/image/steps.svg?cube=R&solution=R",
            "/visualcube.svg?alg=R",
            "/api/v0/view/333/svg?scramble=R",
        ] {
            for (version, age) in [
                (String::new(), "max-age=86400"),
                ("&v=another".to_owned(), "max-age=86400"),
                (format!("&v={}", env!("CARGO_PKG_VERSION")), "max-age=31536000, immutable"),
            ] {
                let uri = format!("{path}{version}");
                let answer = get_with(&router, &uri, &[("x-api-key", "secret")]).await;
                assert_eq!(answer.status, 200, "{path}{version}: {}", answer.text());
                assert_eq!(answer.header("cache-control"), format!("{scope}, {age}"), "{path}{version}");
            }
        }
    }
}

#[tokio::test]
async fn hostile_queries_give_a_picture_or_a_problem() {
    let attacks =
        "%22/%3E%3Cscript%3Ealert(1)%3C/script%3E %3C %26amp; url(%23a) %00 %F0%9F%92%A9 %5D%5D%3E 'onload='x \
        http://example.org NaN 1e999 -0 99999999999999999999 %2e%2e t %EF%BF%BE"
            .split(' ')
            .collect::<Vec<_>>();
    let names = superflip::operations::image::Query::names(Place::Query);
    let parameters = names.iter().chain(&["solution", "unknown"]);
    for name in parameters {
        for attack in &attacks {
            for path in ["/image.svg", "/visualcube.svg", "/image/steps.svg", "/api/v0/view/333/svg"] {
                let (first, also) = if path.contains("steps") && *name != "cube" { ("cube=R&", "") } else { ("", "") };
                let uri = format!("{path}?{first}{name}={attack}{also}");
                let answer = get(starting(), &uri).await;
                match answer.header("content-type") {
                    "image/svg+xml" => {
                        fills(answer.text());
                        assert!(!answer.text().contains("script") && !answer.text().contains("example"), "{uri}");
                    }
                    "application/problem+json" => {
                        assert!((400..=422).contains(&answer.status.as_u16()), "{uri} {}", answer.status);
                    }
                    other => assert!(other.starts_with("text/plain") && path.starts_with("/api/v0/"), "{uri} {other}"),
                }
            }
        }
    }
    // Long texts are bounded before they cost time.
    let long = "R".repeat(60_000);
    get(starting(), &format!("/visualcube.svg?alg={long}")).await.problem(422, "notation");
    let many = "U0U1,".repeat(10_000);
    get(starting(), &format!("/visualcube.svg?arw={many}")).await.problem(422, "option_out_of_range");
}

#[tokio::test]
async fn nets_are_drawn_as_by_tnoodle() {
    let net = get(starting(), "/api/v0/view/333/svg?scramble=R+U+F").await;
    let document = roxmltree::Document::parse(net.text()).unwrap();
    let svg = document.root_element();
    assert_eq!((svg.attribute("width"), svg.attribute("height")), (Some("130"), Some("98")));
    let polygons: Vec<_> = document.descendants().filter(|node| node.has_tag_name("polygon")).collect();
    // The facelets after R U F, in the order U R F D L B.
    let colour = |letter| match letter {
        'U' => "#ffffff",
        'R' => "#ff0000",
        'F' => "#00ff00",
        'D' => "#ffff00",
        'L' => "#ff8000",
        _ => "#0000ff",
    };
    let expected: Vec<&str> = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB".chars().map(colour).collect();
    assert!(polygons.iter().map(|node| node.attribute("fill").unwrap()).eq(expected));
    // Faces are 32 apart: U above F, then L F R B, then D. The first sticker of each face begins there.
    for (face, place) in
        [(0, "34.5,2.5"), (1, "66.5,34.5"), (2, "34.5,34.5"), (3, "34.5,66.5"), (4, "2.5,34.5"), (5, "98.5,34.5")]
    {
        let points = polygons[face * 9].attribute("points").unwrap();
        assert!(points.starts_with(place), "{face}: {points}");
    }
    // A scheme lists the colours of B D F L R U.
    let scheme = "100000,200000,300000,400000,500000,600000";
    let own = get(starting(), &format!("/api/v0/view/333/svg?scheme={scheme}")).await;
    let centres: Vec<String> = own
        .text()
        .lines()
        .filter(|line| line.contains("polygon"))
        .skip(4)
        .step_by(9)
        .map(|line| line[15..22].to_owned())
        .collect();
    assert_eq!(centres, ["#600000", "#500000", "#300000", "#200000", "#400000", "#100000"]);
    let solved = get(starting(), "/api/v0/view/333fm/svg").await;
    assert_eq!(get(starting(), "/api/v0/view/333/svg?scheme=nonsense").await.body, solved.body);
    let png = get(starting(), "/api/v0/view/333/png?scramble=R").await;
    assert_eq!((png.header("content-type"), &png.body[16..24]), ("image/png", &[0, 0, 0, 130, 0, 0, 0, 98][..]));
    for (path, text) in [
        ("444/svg", "444 is not available"),
        ("nonsense/svg", "Invalid scrambler: nonsense"),
        ("333/png?scramble=Q", "Invalid scramble: at character 1"),
    ] {
        let refusal = get(starting(), &format!("/api/v0/view/{path}")).await;
        assert_eq!((refusal.status.as_u16(), refusal.header("content-type")), (200, "text/plain; charset=utf-8"));
        assert!(refusal.text().starts_with(text), "{}", refusal.text());
    }
    get(starting(), "/api/v0/view/333/json").await.problem(404, "not_found");
}

/// Each picture of the documentation is the answer of the URL beside it.
#[tokio::test]
async fn the_documented_pictures_are_those_of_their_queries() {
    let page = include_str!("../../../docs/pictures.md");
    let mut compared = 0;
    for row in page.lines().filter(|line| line.starts_with("| ![")) {
        let file = row.split("](").nth(1).unwrap().split(')').next().unwrap();
        let uri = row.split('`').nth(1).unwrap();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
        let answer = get(starting(), uri).await;
        assert_eq!(answer.text(), std::fs::read_to_string(path).unwrap(), "{uri}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}
