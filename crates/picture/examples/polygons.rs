//! Prints the projected stickers of a view as JSON, from back to front.
//!
//! The arguments are parameters, such as `r=y45x-34 dist=5 pzl=3`. `facelet` counts the stickers in the order U R F D L B, each face row by
//! row. The four points are clockwise from the top left corner as seen from outside the face; x points right and y down.

use superflip_picture::parameters::{Parameters, Reading};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let get = |name: &str| {
        arguments.iter().find_map(|argument| argument.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')))
    };
    let parameters = Parameters { r: get("r"), dist: get("dist"), pzl: get("pzl"), ..Parameters::default() };
    let picture = parameters.read(Reading::Strict)?;
    let lines: Vec<String> = picture
        .polygons()
        .into_iter()
        .map(|(facelet, points)| {
            let points = points.map(|[x, y]| format!("[{x:.6}, {y:.6}]"));
            format!("  {{\"facelet\": {facelet}, \"points\": [{}]}}", points.join(", "))
        })
        .collect();
    println!("[\n{}\n]", lines.join(",\n"));
    Ok(())
}
