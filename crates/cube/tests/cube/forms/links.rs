//! Links to pages that show a cube.

use superflip_cube::forms::{Link, Links, Site};
use superflip_cube::{Form, FormError, Holding};

use super::{after, assert_read, detect, read_as};

fn link(site: Site, setup: &str, alg: &str, setup_is_at_end: bool) -> Link {
    Link { site, setup: setup.into(), alg: alg.into(), setup_is_at_end }
}

#[test]
fn links_of_every_page_are_read() {
    use Site::{AlgCubingNet, CubeDb, Twizzle};
    for (text, cube, wanted) in [
        ("https://alg.cubing.net/?setup=R_U_F&alg=F-_U-_R-", "R U F", link(AlgCubingNet, "R U F", "F' U' R'", false)),
        ("http://alg.cubing.net?alg=R_U_R-", "", link(AlgCubingNet, "", "R U R'", false)),
        ("https://alg.cubing.net/?alg=R_U_R-&type=alg", "R U' R'", link(AlgCubingNet, "", "R U R'", true)),
        (
            "https://alg.cubing.net/?setup=y&alg=R_U&type=reconstruction-end-with-setup",
            "y U' R'",
            link(AlgCubingNet, "y", "R U", true),
        ),
        (
            "https://alg.cubing.net/?alg=R_%2F%2F_one%0AU&setup=F%26%2345%3B&view=playback",
            "F'",
            link(AlgCubingNet, "F-", "R // one\nU", false),
        ),
        (
            "alpha.twizzle.net/edit/?setup-alg=R+U+F&alg=F%27+U%27+R%27",
            "R U F",
            link(Twizzle, "R U F", "F' U' R'", false),
        ),
        ("https://alpha.twizzle.net/edit/?alg=R+U&setup-anchor=end", "U' R'", link(Twizzle, "", "R U", true)),
        ("https://alpha.twizzle.net/explore/?experimental-setup-alg=x+R", "x R", link(Twizzle, "x R", "", false)),
        (
            "https://www.cubedb.net/?puzzle=3&scramble=R_U_F&alg=F-_U-_R-&title=&time=",
            "R U F",
            link(CubeDb, "R U F", "F' U' R'", false),
        ),
    ] {
        assert_read(text, Form::Link, after(cube));
        assert_eq!(detect(text).map(|found| found.link), Ok(Some(wanted)), "{text}");
    }
    let held = detect("https://alpha.twizzle.net/edit/?setup-alg=x+R").expect("a link");
    assert_eq!(held.holding, Holding::from_name("FD"));
}

/// `experimentalAlgCubingNetLink` of cubing.js writes the same address.
#[test]
fn links_are_written_as_the_pages_write_them() {
    let links = Links::of("R U F", Some("F' U' R'"));
    assert_eq!(links.alg_cubing_net, "https://alg.cubing.net/?setup=R_U_F&alg=F-_U-_R-");
    assert_eq!(links.twizzle, "https://alpha.twizzle.net/edit/?setup-alg=R+U+F&alg=F%27+U%27+R%27");
    assert_eq!(links.cubedb, "https://cubedb.net/?puzzle=3&scramble=R_U_F&alg=F-_U-_R-");
    let alone = Links::of("R'", None);
    assert_eq!(alone.alg_cubing_net, "https://alg.cubing.net/?setup=R-");
    for text in ["R U' F2", "[R U: F'] // a_b + c-d\nL", "(R U')3 é"] {
        for link in [Links::of(text, Some(text)), Links::of(text, None)] {
            for address in [&link.alg_cubing_net, &link.twizzle, &link.cubedb] {
                match (detect(address), read_as(text, Form::Scramble)) {
                    (Ok(found), Ok(wanted)) => {
                        assert_eq!(found.cube, wanted.cube, "{address}");
                        assert_eq!(found.link.map(|link| link.setup).as_deref(), Some(text));
                    }
                    (found, wanted) => assert!(found.is_err() && wanted.is_err(), "{address}: {found:?}"),
                }
            }
        }
    }
}

#[test]
fn wrong_links_say_where() {
    for (text, position) in [
        ("https://example.org/?alg=R", 8),
        ("https://alg.cubing.net/?puzzle=4x4x4&alg=R", 24),
        ("https://alg.cubing.net/?setup=R&alg=Q", 32),
        ("https://alg.cubing.net/?setup=(R&alg=U)", 33),
        (" https://cubedb.net/?puzzle=3&scramble=R_Q", 30),
    ] {
        match detect(text) {
            Err(FormError::Unreadable { format: Some(Form::Link), position: at, .. }) => {
                assert_eq!(at, position, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
