//! `superflip convert`, and forms of other programs in the commands that take a cube.

use crate::common::prelude::*;

const FACELETS: &str = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
const REID: &str = "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR";
const B32: &str = "GETVSBAH=ZFCXBAGLYTKE=A";

#[test]
fn a_cube_is_printed_in_every_form() {
    let text = run(&["convert", "R U F"], 0).out;
    let wanted = format!(
        "facelets  {FACELETS}
ulfrbd    UUUUUULLDFFDLLDLLBFFRFFRDDRFBBFRRFRRLLLUBBUBBRRUDDBDDB
net           UUU
              UUU
              LLD
          FFD FFR FBB LLL
          LLD FFR FRR UBB
          LLB DDR FRR UBB
              RRU
              DDB
              DDB
digits    0111111226336226225334334664355344344222155155441665665
reid      {REID}
b32       {B32}
kpattern  {{\"experimentalPuzzleName\":\"3x3x3\",\"patternData\":"
    );
    assert!(text.starts_with(&wanted), "{text}");
    for line in [
        "\nspeffz    dgtbcvc.onmqeilJ\n",
        "\ntwizzle   af 1e 24 f4 46 2a c2 82 d8 00 00\n",
        "\nlink      https://alg.cubing.net/?setup=R_U_F\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // Links contain moves, so there are none for pieces.
    assert!(!run(&["convert", B32], 0).out.contains("link"));
}

#[test]
fn only_the_named_forms_are_printed() {
    let text = run(&["convert", "R U F", "--to", "reid,b32"], 0).out;
    assert_eq!(text, format!("reid      {REID}\nb32       {B32}\n"));
}

#[test]
fn one_form_is_printed_alone_for_the_next_program() {
    let to = |cube: &str, form: &str| run(&["convert", cube, "--to", form], 0).out;
    assert_eq!(to(REID, "b32"), format!("{B32}\n"));
    let pattern = to(B32, "kpattern");
    // The members are in the order of cubing.js, as in the answer of the service.
    let json = run(&["convert", B32, "--to", "kpattern", "--json"], 0).out;
    let compact: String = json.split_whitespace().collect();
    assert!(compact.contains(&format!("\"kpattern\":{}", pattern.trim())), "{pattern}");
    assert!(
        pattern.starts_with(r#"{"experimentalPuzzleName":"3x3x3","patternData":{"EDGES":{"pieces":["#),
        "{pattern}"
    );
    assert_eq!(to(&pattern, "facelets"), format!("{FACELETS}\n"));
    assert_eq!(to(&to(B32, "net"), "facelets"), format!("{FACELETS}\n"));
    assert_eq!(to(&to(B32, "cubies"), "reid, facelets"), format!("facelets  {FACELETS}\nreid      {REID}\n"));
}

#[test]
fn flags_are_those_of_the_service() {
    let held = run(&["convert", "x R", "--holding", "UF", "--to", "facelets"], 0).out;
    assert_eq!(held, run(&["convert", "R", "--to", "facelets"], 0).out);
    let niss = run(&["convert", "R U F F2 D", "--inverse-moves", "B' D' L'", "--to", "b32"], 0);
    assert_eq!(niss.out, "DJPCANUO=TKXCbAWVZYRE=A\n");
    let refused = run(&["convert", "f.b"], 2).err;
    assert!(refused.contains("speffz and scramble"), "{refused}");
    for format in ["speffz", "scramble"] {
        let read = run(&["convert", "f.b", "--format", format, "--to", "facelets"], 0).out;
        assert!(refused.contains(&format!("\n  as {format}: {read}")), "{refused}");
    }
    assert_eq!(run(&["convert", B32, "--to", "b32"], 0).out, format!("{B32}\n"));
    assert_eq!(
        run(&["convert", "f.b", "--format", "scramble", "--to", "facelets"], 0).out,
        run(&["convert", "Fw Bw", "--to", "facelets"], 0).out
    );
    for arguments in [&["convert", "R", "--bgr"][..], &["convert", "--bgr"], &["solve", "R", "--bgr"]] {
        assert!(run(arguments, 2).err.contains("--bgr"), "{arguments:?}");
    }
    for (flags, part) in [
        (["--to", "cubing"], "unknown form `cubing`"),
        (["--holding", "UD"], "`holding` is `UD`"),
        (["--format", "cubing"], "expected one of digits"),
        (["--buffers", "A"], "`buffers` is `A`"),
    ] {
        let errors = Ran::of(superflip(&["convert", "R U"]).args(flags), 2).err;
        assert!(errors.contains(part), "{errors}");
    }
    let json = run(&["convert", "R U F", "--json", "--to", "b32"], 0).json();
    assert_eq!((&json["forms"]["b32"], &json["format"]), (&B32.into(), &"scramble".into()));
}

#[test]
fn a_cube_of_another_program_is_solved() {
    for cube in [REID, &format!("{REID} U L F R B D"), B32, "dgtbcvc.onmqeilJ", "https://cubedb.net/?scramble=R_U_F"] {
        assert_eq!(run_on_tables(&["solve", cube], 0).out, "F' U' R'\n", "{cube}");
    }
    let chosen = run_on_tables(&["solve", "f.b", "--format", "scramble"], 0);
    assert_eq!(chosen.out.split_whitespace().count(), 2);
    let lines = format!("{REID}\n{B32}\nR U F\n{{\"cube\": \"{B32}\"}}\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines).unwrap();
    let batch = Ran::of(on_tables(&["solve", "--batch"]).arg(file.path()), 0);
    assert_eq!(batch.out, "F' U' R'\n".repeat(4));
}

#[test]
fn a_text_that_is_too_long_is_refused_and_never_cut() {
    for command in ["convert", "solve", "repair"] {
        let message = run_with_input(&[command, "-"], &format!("R{}U", " ".repeat(70_000)), 2).err;
        assert!(message.contains("more than 65536 bytes"), "{command}: {message}");
    }
}
