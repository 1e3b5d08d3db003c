//! Scrambles: each leads to its cube on the sticker model, keeps the rules of its kind, and is reproducible from a seed.

use superflip_solver::search::scramble::{
    GENERATOR, RandomStates, Scramble, ScrambleError, ScrambleKind, ScrambleRequest, Scrambles, Subset, WideMoves,
    generate, generate_with,
};
use superflip_solver::tables::MetricTables;

use crate::common::chi_square::even;
use crate::common::prelude::*;

fn request(kind: ScrambleKind, count: usize) -> ScrambleRequest {
    ScrambleRequest { kind, count, ..ScrambleRequest::default() }
}

fn answer(request: &ScrambleRequest) -> Result<Scrambles, ScrambleError> {
    generate(&small_tables(), request, &Control::new())
}

fn seeded(seed: &str, kind: ScrambleKind, count: usize) -> Vec<Scramble> {
    let request = ScrambleRequest { seed: Some(seed.to_owned()), ..request(kind, count) };
    answer(&request).unwrap().scrambles
}

/// Splits a scramble into face moves and wide moves.
fn parts(text: &str) -> (Vec<&str>, Vec<&str>) {
    text.split_whitespace().partition(|word| !word.contains('w'))
}

fn axis(word: &str) -> usize {
    "UDRLFB".find(&word[..1]).expect("a face") / 2
}

/// Replays a scramble on the sticker model.
fn assert_leads_to_its_cube(scramble: &Scramble) {
    let shown = stickers::apply(stickers::SOLVED, &scramble.text);
    assert_eq!(stickers::brought_home(&shown), letters(&scramble.cube), "{}", scramble.text);
    assert_eq!(stickers::renamed(&shown), letters(&scramble.held()), "{}", scramble.text);
    assert_eq!(Cube::from_scramble(&scramble.text), Ok(scramble.held()), "{}", scramble.text);
    let (face_moves, wide) = parts(&scramble.text);
    assert_eq!(face_moves.join(" "), Moves::from(&scramble.moves).to_string());
    assert_eq!(wide, scramble.wide_moves.names());
    assert_eq!(stickers::form_fault(&face_moves.join(" ")), None);
}

/// Checks the length without the fixed moves, and that the cube needs at least two moves.
fn assert_within(scramble: &Scramble, kind: ScrambleKind, max_length: u8) {
    let fixed = 2 * kind.padding().len();
    assert!(scramble.moves.len() - fixed <= usize::from(max_length), "{}", scramble.text);
    let solved = stickers::SOLVED.to_owned();
    for mv in Move::ALL {
        assert_ne!(letters(&scramble.cube), stickers::apply(&solved, mv.name()));
    }
    assert_ne!(letters(&scramble.cube), solved);
}

#[test]
fn scrambles_of_every_kind_lead_to_their_cubes() {
    for kind in ScrambleKind::ALL {
        for max_length in [20, 21, 25] {
            let found = answer(&ScrambleRequest { max_length, ..request(kind, 60) }).unwrap();
            assert!(found.random && found.seed.is_none());
            for scramble in &found.scrambles {
                assert_leads_to_its_cube(scramble);
                assert_within(scramble, kind, max_length);
            }
            let cubes: HashSet<Cube> = found.scrambles.iter().map(|scramble| scramble.cube).collect();
            assert_eq!(cubes.len(), 60);
        }
    }
}

#[test]
fn scrambles_of_every_subset_lead_to_its_cubes() {
    for name in
        ["edges", "corners", "last_layer", "eo", "eo_ud", "eo_rl", "dr", "dr_fb", "htr", "UF UB UR", "URF UFL UF UL"]
    {
        let subset: Subset = name.parse().unwrap();
        for kind in ScrambleKind::ALL {
            let found = answer(&ScrambleRequest { subset, ..request(kind, 8) }).unwrap();
            for scramble in &found.scrambles {
                assert!(subset.contains(&scramble.cube), "{name}: {}", scramble.text);
                assert_leads_to_its_cube(scramble);
                assert_within(scramble, kind, 21);
            }
        }
    }
}

#[test]
fn fewest_moves_scrambles_are_padded_and_nothing_cancels() {
    let mut first = [0; 3];
    let mut last = [0; 3];
    for batch in 0..10 {
        for scramble in seeded(&format!("fm {batch}"), ScrambleKind::FewestMoves, 100) {
            let (words, wide) = parts(&scramble.text);
            assert!(wide.is_empty());
            assert_eq!((&words[..3], &words[words.len() - 3..]), (&["R'", "U'", "F"][..], &["R'", "U'", "F"][..]));
            let middle = &words[3..words.len() - 3];
            first[axis(middle[0])] += 1;
            last[axis(middle[middle.len() - 1])] += 1;
            assert_leads_to_its_cube(&scramble);
        }
    }
    // In the order UD, RL, FB: never F's axis first nor R's axis last, and each other axis often.
    assert!(first[2] == 0 && first[0] > 100 && first[1] > 100, "{first:?}");
    assert!(last[1] == 0 && last[0] > 100 && last[2] > 100, "{last:?}");
}

#[test]
fn blindfolded_scrambles_end_in_each_holding_equally_often() {
    let mut counts = [0; Holding::COUNT];
    for batch in 0..24 {
        for scramble in seeded(&format!("ni {batch}"), ScrambleKind::NoInspection, 100) {
            counts[scramble.wide_moves.index()] += 1;
            let (face_moves, wide) = parts(&scramble.text);
            if let Some(first) = wide.first() {
                assert_ne!(axis(face_moves[face_moves.len() - 1]), axis(first), "{}", scramble.text);
            }
            assert!(scramble.text.ends_with(&wide.join(" ")));
        }
    }
    let test = even("holdings", &counts);
    assert!(test.passes(), "{test:?} exceeds {}: {counts:?}", test.critical());
}

#[test]
fn the_24_holdings_are_those_of_wca_scrambles_and_all_differ() {
    let mut centres = HashSet::new();
    for (index, wide_moves) in WideMoves::all().enumerate() {
        let suffix = wide_moves.names().join(" ");
        let first = ["", "Rw", "Rw2", "Rw'", "Fw", "Fw'"][index / 4];
        let second = ["", "Uw", "Uw2", "Uw'"][index % 4];
        assert_eq!(suffix, [first, second].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
        let shown = stickers::apply(stickers::SOLVED, &suffix);
        centres.insert(stickers::centres(&shown));
        // The face moves hidden in the wide moves, and the cube as held.
        let cube = Cube::SOLVED.after(wide_moves.moves());
        assert_eq!(stickers::brought_home(&shown), letters(&cube), "{suffix}");
        assert_eq!(stickers::renamed(&shown), letters(&wide_moves.holding().from_home(&cube)), "{suffix}");
    }
    assert_eq!(centres.len(), 24);
}

/// The cubes of a seed must not change between releases. If a change is necessary, the name of the generator must change with it.
/// The expected values are from an independent implementation of the definition in the module documentation, in Python.
#[test]
fn seeds_give_the_same_cubes_in_every_release() {
    assert_eq!(GENERATOR, "superflip-scramble-1");
    let expected = [
        ("UDBFURLRRFDUURBLRRUUUDFFBDDLLFBDBDUFLLFRLFBLDRBBUBFDLR", 17),
        ("RRFUULULRBBLRRFURBLDDBFDRDLUFFBDFFUDFLBFLDDRBDUULBULBR", 10),
        ("UFRUULBRDBDFDRURBFRFLRFFLLDFBBUDRLFRFBUDLDULDDLLRBBUUB", 5),
    ];
    let found = seeded("2026", ScrambleKind::NoInspection, 3);
    let found: Vec<(String, usize)> = found.iter().map(|s| (letters(&s.cube), s.wide_moves.index())).collect();
    assert_eq!(found, expected.map(|(letters, wide_moves)| (letters.to_owned(), wide_moves)));
    let expected = [
        "RBUUUUULFLRFRRRRRRLUUFFFFFFDDDDDDDDDUFBLLLLLLRUBBBBBBB",
        "ULBUUUFFULBURRRRRRUUBFFFFFFDDDDDDDDDFRRLLLLLLRULBBBBBB",
        "FULUUUUUUBBURRRRRRFRRFFFFFFDDDDDDDDDULLLLLLLLBFRBBBBBB",
    ];
    let mut states = RandomStates::new(Subset::LAST_LAYER, Some("2026"), 2).unwrap();
    assert_eq!(expected.map(|_| letters(&states.next_cube().unwrap())), expected);
    let expected = [
        "UUUDUFUULURFRRBDFRLLFFFBFFRDDFDDUDDDBRBLLLLLLRRRUBBBBB",
        "RUFUUDLUDFRURRRRRRBFRFFFFFDDDBDDUDDUUBULLLLLLLLBBBBFBB",
    ];
    let turns = TurnSet::of_faces([Face::R, Face::U]);
    let mut states = RandomStates::of_turns(turns, Some("two"), 2).unwrap();
    assert_eq!(expected.map(|_| letters(&states.next_cube().unwrap())), expected);
}

#[test]
fn a_seed_is_reproducible_for_every_count() {
    let request = ScrambleRequest { seed: Some("a".into()), ..request(ScrambleKind::NoInspection, 20) };
    let found = answer(&request).unwrap();
    assert!(!found.random && found.seed.as_deref() == Some("a"));
    assert_eq!(answer(&request), Ok(found.clone()));
    assert_eq!(found.scrambles[..7], seeded("a", ScrambleKind::NoInspection, 7));
    assert_ne!(found.scrambles[..7], seeded("b", ScrambleKind::NoInspection, 7));
    let states = |seed| {
        let mut states = RandomStates::new(Subset::ALL, seed, 2).unwrap();
        (0..20).map(|_| states.next_cube().unwrap()).collect::<Vec<Cube>>()
    };
    for kind in [ScrambleKind::Normal, ScrambleKind::OneHanded, ScrambleKind::FewestMoves] {
        let cubes: Vec<Cube> = seeded("c", kind, 20).iter().map(|scramble| scramble.cube).collect();
        assert_eq!(cubes, states(Some("c")));
    }
    assert_ne!(states(None), states(None));
}

#[test]
fn a_small_subset_is_exhausted_and_no_more_can_be_requested() {
    let subset: Subset = "UF UB UR".parse().unwrap();
    for kind in ScrambleKind::ALL {
        let found = answer(&ScrambleRequest { subset, ..request(kind, 11) }).unwrap();
        let cubes: HashSet<Cube> = found.scrambles.iter().map(|scramble| scramble.cube).collect();
        assert_eq!(cubes.len(), 11);
    }
    let error = answer(&ScrambleRequest { subset, ..request(ScrambleKind::Normal, 12) }).unwrap_err();
    assert_eq!(error, few_cubes(11, 2, 12));
    assert!(
        error.to_string().starts_with("the subset `UR UF UB` has at most 11 cubes with a scramble of at least 2 moves"),
        "{error}"
    );
    let error = answer(&ScrambleRequest { subset, min_length: 4, ..request(ScrambleKind::Normal, 12) }).unwrap_err();
    assert_eq!(error, few_cubes(11, 4, 12));
}

/// No maneuver of one face needs two moves.
#[test]
fn an_empty_group_names_the_requested_number() {
    let request = ScrambleRequest { turns: TurnSet::of_faces([Face::R]), ..request(ScrambleKind::Normal, 50) };
    let error = request.check().unwrap_err().to_string();
    assert!(error.contains("at most 0 cubes") && error.contains("but 50 were requested"), "{error}");
}

fn few_cubes(cubes: u128, min_length: u8, count: usize) -> ScrambleError {
    ScrambleError::TooFewCubes { subset: "UR UF UB".into(), cubes, min_length, count }
}

/// All cubes of the subset are drawn, so each minimum must leave out those that a search solves in fewer moves, and no others.
#[test]
fn cubes_with_a_shorter_solution_are_drawn_again() {
    let subset: Subset = "UF UB UR".parse().unwrap();
    let tables = small_tables();
    // Up to ten moves, solutions are optimal.
    let length = |cube: &Cube| solve(&tables, cube, &Goal::default()).unwrap().moves.len();
    let cubes: Vec<Cube> = (0..12).map(|number| subset.state(number).unwrap()).collect();
    let mut numbers = HashSet::new();
    for min_length in [0, 1, 2, 3, 8, 9, 10, 11] {
        let wanted: HashSet<Cube> = cubes.iter().copied().filter(|cube| length(cube) >= min_length.into()).collect();
        let asked = |count| ScrambleRequest { subset, min_length, ..request(ScrambleKind::Normal, count) };
        let found = answer(&asked(wanted.len())).unwrap().scrambles;
        assert_eq!(found.iter().map(|scramble| scramble.cube).collect::<HashSet<_>>(), wanted, "{min_length}");
        found.iter().for_each(assert_leads_to_its_cube);
        let more = asked(wanted.len() + 1);
        assert_eq!(answer(&more), Err(few_cubes(wanted.len() as u128, min_length, more.count)));
        numbers.insert(wanted.len());
    }
    assert!(numbers.len() >= 4, "the minimum makes no difference: {numbers:?}");
}

#[test]
fn the_least_minimum_keeps_solved_and_its_neighbours() {
    let count = |min_length| RandomStates::new(Subset::LAST_LAYER, None, min_length).unwrap().count();
    assert_eq!([0, 1, 2, 3].map(count), [62_208, 62_207, 62_204, 62_204]);
}

#[test]
fn a_long_minimum_holds_for_the_scramble() {
    for kind in ScrambleKind::ALL {
        let found = answer(&ScrambleRequest { min_length: 20, max_length: 20, ..request(kind, 10) }).unwrap();
        for scramble in found.scrambles {
            assert_eq!(scramble.moves.len() - 2 * kind.padding().len(), 20, "{}", scramble.text);
            assert_leads_to_its_cube(&scramble);
        }
    }
    let subset: Subset = "UF UB UR".parse().unwrap();
    let none = ScrambleRequest { subset, min_length: 20, ..request(ScrambleKind::Normal, 1) };
    assert_eq!(answer(&none), Err(few_cubes(0, 20, 1)));
}

#[test]
fn the_scramble_to_a_given_cube_leads_to_it() {
    let mut rng = rng(19);
    let cubes = (0..10).map(|_| random_cube(&mut rng));
    for cube in cubes.chain(["", "R", "R U"].map(|scramble| Cube::from_scramble(scramble).unwrap())) {
        for kind in [ScrambleKind::Normal, ScrambleKind::OneHanded, ScrambleKind::FewestMoves] {
            let found = answer(&ScrambleRequest { cubes: vec![cube], ..request(kind, 1) }).unwrap();
            assert_eq!((found.scrambles.len(), found.random), (1, false));
            assert_eq!(found.scrambles[0].cube, cube);
            assert_leads_to_its_cube(&found.scrambles[0]);
        }
    }
}

#[test]
fn requests_outside_the_limits_are_refused() {
    let good = request(ScrambleKind::Normal, 1);
    let seed = |length: usize| ScrambleRequest { seed: Some("x".repeat(length)), ..good.clone() };
    let cases = [
        (request(ScrambleKind::Normal, 0), "the number of scrambles is 0; it must be from 1 to 100"),
        (request(ScrambleKind::Normal, 101), "the number of scrambles is 101; it must be from 1 to 100"),
        (
            ScrambleRequest { max_length: 19, ..good.clone() },
            "the greatest length is 19; it must be from 20 to 30, because some cubes need 20 moves",
        ),
        (
            ScrambleRequest { max_length: 31, ..good.clone() },
            "the greatest length is 31; it must be from 20 to 30, because some cubes need 20 moves",
        ),
        (
            ScrambleRequest { min_length: 21, ..good.clone() },
            "the least length is 21; it must be from 0 to 20, because no cube needs more moves",
        ),
        (seed(0), "the seed has 0 bytes; it must have 1 to 200"),
        (seed(201), "the seed has 201 bytes; it must have 1 to 200"),
    ];
    for (request, message) in cases {
        assert_eq!(answer(&request).map_err(|e| e.to_string()), Err(message.to_owned()));
    }
    assert!(answer(&seed(200)).is_ok());
    assert_eq!(
        "333bf".parse::<ScrambleKind>().unwrap_err().to_string(),
        "`333bf` is not a kind of scramble; expected one of: 333, 333oh, 333ni, 333fm"
    );
    assert_eq!(ScrambleKind::NAMES.map(|name| name.parse::<ScrambleKind>().unwrap()), ScrambleKind::ALL);
}

#[test]
fn a_search_ends_when_it_is_cancelled_or_its_deadline_passed() {
    let control = Control::new();
    let answer = |control: &Control| generate(&small_tables(), &request(ScrambleKind::Normal, 100), control);
    assert_eq!(answer(&control.until(Instant::now())), Err(ScrambleError::TimeLimit { done: 0, count: 100 }));
    control.cancel();
    assert_eq!(answer(&control), Err(ScrambleError::Cancelled));
}

/// All solutions of this cube have images under its symmetries. Some images avoid the axes, and some do not.
#[test]
fn the_search_avoids_any_axes_at_the_ends_of_a_symmetric_cube() {
    let cube = Cube::from_scramble("R2 L2 U2 D2 F2 B2").unwrap();
    let tables = small_tables();
    let axes = [None, Some(Axis::Ud), Some(Axis::Rl), Some(Axis::Fb)];
    for avoided in axes.into_iter().flat_map(|first| axes.map(|last| AvoidedAxes { first, last })) {
        let mut best = BestSolutions::new(&cube, Goal::within(20));
        best.avoid(avoided);
        let mut search = TwoPhase::new(&tables, Direction::all(&tables, &cube), &best, 0, None, &Control::new());
        while search.advance(&best, &mut |_| {}) == TwoPhaseStatus::Going {}
        let moves = best.found()[0].moves.clone();
        let met = [moves[0], moves[moves.len() - 1]].map(|mv| Some(mv.face().axis()));
        assert!(met[0] != avoided.first && met[1] != avoided.last, "{avoided:?}: {moves}");
        assert!(stickers::solves(&letters(&cube), &moves.to_string()));
    }
}

/// All turns are turns of the faces, and every cube of the group has a scramble.
#[test]
fn scrambles_of_some_faces_turn_no_others() {
    for faces in
        [[Face::R, Face::U].as_slice(), &[Face::R, Face::L], &[Face::U, Face::R, Face::F], &[Face::L, Face::R, Face::B]]
    {
        let turns = TurnSet::of_faces(faces.iter().copied());
        let tables = [MetricTables::in_memory(Metric::Htm, turns, &Control::new()).unwrap().into()];
        let asked = ScrambleRequest { turns, max_length: 25, ..request(ScrambleKind::Normal, 9) };
        let found = generate_with(&small_tables(), &tables, &asked, &Control::new()).unwrap();
        for scramble in &found.scrambles {
            assert!(scramble.moves.iter().all(|mv| turns.contains(*mv)), "{}", scramble.text);
            assert_leads_to_its_cube(scramble);
            assert_within(scramble, ScrambleKind::Normal, 25);
        }
        let given = ScrambleRequest { cubes: vec![found.scrambles[0].cube], count: 3, ..asked.clone() };
        let several = generate_with(&small_tables(), &tables, &given, &Control::new());
        if faces == [Face::R, Face::L] {
            // Turns of opposite faces have one order.
            assert_eq!(several, Err(ScrambleError::TooFewManeuvers { found: 1, max_length: 25 }));
            continue;
        }
        let several = several.unwrap().scrambles;
        assert_eq!(several.iter().map(|scramble| &scramble.text).collect::<HashSet<_>>().len(), 3);
        for scramble in &several {
            assert!(scramble.cube == found.scrambles[0].cube && scramble.moves.iter().all(|mv| turns.contains(*mv)));
            assert_leads_to_its_cube(scramble);
        }
        let strange = ScrambleRequest { cubes: vec![*Move::D.cube()], ..asked.clone() };
        let error = generate_with(&small_tables(), &tables, &strange, &Control::new()).unwrap_err();
        assert!(matches!(error, ScrambleError::Search(SolveError::Outside { .. })), "{error}");
        let error = generate(&small_tables(), &asked, &Control::new()).unwrap_err();
        assert!(matches!(error, ScrambleError::Search(SolveError::Metric { .. })), "{error}");
    }
}
