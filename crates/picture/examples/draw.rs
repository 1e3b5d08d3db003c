//! Writes a picture to a file, whose ending selects SVG or PNG.
//!
//! The first argument is the file, the others are parameters as `VisualCube` reads them, such as `alg=RUR'U' size=200`. With `steps=` the
//! picture shows these moves step by step, from the cube of the other parameters.

use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::{png, steps, svg, turns};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the name of a file that ends with .svg or .png")?;
    let given: Vec<String> = arguments.collect();
    let get =
        |name: &str| given.iter().find_map(|text| text.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')));
    let parameters = Parameters {
        pzl: get("pzl"),
        size: get("size"),
        view: get("view"),
        stage: get("stage"),
        r: get("r"),
        alg: get("alg"),
        case: get("case"),
        fd: get("fd"),
        fc: get("fc"),
        sch: get("sch"),
        bg: get("bg"),
        cc: get("cc"),
        ac: get("ac"),
        co: get("co"),
        fo: get("fo"),
        dist: get("dist"),
        arw: get("arw"),
    };
    let picture = parameters.read(Reading::Forgiving)?;
    let scene = match get("steps") {
        Some(moves) => steps::scene(&picture, &turns::read(moves, 3)?),
        None => picture.scene(),
    };
    let is_svg = std::path::Path::new(&file).extension().is_some_and(|ending| ending == "svg");
    std::fs::write(file, if is_svg { svg::write(&scene).into_bytes() } else { png::write(&scene)? })?;
    Ok(())
}
