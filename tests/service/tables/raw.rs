//! `/tables/{name}/raw`: the file of a table, its ranges and conditions, and its layout.

use superflip_solver::coord;
use superflip_solver::coord::{CORNER_PERM, TWIST};

use crate::common::prelude::*;

/// Asks for a file with further headers.
async fn raw(method: Method, name: &str, headers: &[(&str, &str)]) -> Answer {
    send(small(), request(&method, &format!("/tables/{name}/raw"), headers)).await
}

#[tokio::test]
async fn a_file_is_sent_as_it_lies_on_disk() {
    let _ = small_tables();
    for name in ["slice_move", "phase_one_residues"] {
        let path = file_of(&tables_folder(), name);
        let (file, file_name) = (fs::read(&path).unwrap(), path.file_name().unwrap().to_str().unwrap());
        for encoding in ["identity", "gzip, br"] {
            let answer = raw(Method::GET, name, &[("accept-encoding", encoding)]).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(answer.body == file, "{name}: {} of {} bytes", answer.body.len(), file.len());
            assert_eq!(answer.header("content-encoding"), "");
            assert_eq!(answer.header("content-type"), "application/octet-stream");
            assert_eq!(answer.header("content-length"), file.len().to_string());
            assert_eq!(answer.header("accept-ranges"), "bytes");
            assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{file_name}\""));
        }
        let head = raw(Method::HEAD, name, &[("range", "bytes=0-9")]).await;
        assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
        assert_eq!(head.header("content-length"), file.len().to_string());
        assert!(head.header("etag").starts_with('"'), "strong");
    }
}

#[tokio::test]
async fn ranges_are_heeded() {
    let _ = small_tables();
    let file = fs::read(file_of(&tables_folder(), "slice_move")).unwrap();
    assert_ranges(&small(), "/tables/slice_move/raw", &file).await;
}

#[tokio::test]
async fn conditions_are_heeded() {
    let whole = raw(Method::GET, "slice_move", &[]).await;
    let (tag, modified) = (whole.header("etag").to_owned(), whole.header("last-modified").to_owned());
    assert_ne!(raw(Method::GET, "flip_move", &[]).await.header("etag"), tag);
    let weak = format!("W/{tag}");
    let among = format!("\"other\", {tag}");
    for headers in [
        [("if-none-match", tag.as_str())].as_slice(),
        &[("if-none-match", &among)],
        &[("if-none-match", &weak)],
        &[("if-none-match", "*")],
        &[("if-modified-since", &modified)],
        &[("if-none-match", &tag), ("if-modified-since", "Sat, 01 Jan 2000 00:00:00 GMT")],
    ] {
        let answer = raw(Method::GET, "slice_move", headers).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_MODIFIED, 0), "{headers:?}");
        assert_eq!(answer.header("etag"), tag);
    }
    for headers in [
        [("if-none-match", "\"other\"")].as_slice(),
        &[("if-none-match", "\"other\""), ("if-modified-since", &modified)],
        &[("if-match", &tag), ("if-unmodified-since", "Sat, 01 Jan 2000 00:00:00 GMT")],
    ] {
        assert_eq!(raw(Method::GET, "slice_move", headers).await.status, StatusCode::OK, "{headers:?}");
    }
    for headers in
        [[("if-match", "\"other\"")], [("if-match", &weak)], [("if-unmodified-since", "Sat, 01 Jan 2000 00:00:00 GMT")]]
    {
        raw(Method::GET, "slice_move", &headers).await.problem(412, "precondition_failed");
    }
    for (known, status) in [
        (tag.as_str(), 206),
        (&weak, 200),
        ("\"other\"", 200),
        ("nonsense", 200),
        (&modified, 206),
        ("Sat, 01 Jan 2000 00:00:00 GMT", 200),
    ] {
        let answer = raw(Method::GET, "slice_move", &[("range", "bytes=0-9"), ("if-range", known)]).await;
        assert_eq!(answer.status.as_u16(), status, "{known}");
        assert_eq!(answer.body.len(), if status == 206 { 10 } else { whole.body.len() });
    }
}

/// Reads a file as docs/tables.md describes it, without code of this crate.
#[test]
fn the_documented_layout_is_enough_to_read_a_file() {
    let _ = small_tables();
    let file = fs::read(file_of(&tables_folder(), "twist_move")).unwrap();
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    assert_eq!(&file[..16], b"superflip table\n");
    assert_eq!(number(16, 4), 1);
    assert_eq!(&file[24..35], b"twist_move\0");
    assert_eq!((number(80, 8), number(88, 4), number(96, 8)), (2187 * 18, 16, 2187 * 18 * 2));
    let is_little = file[20..24] == [4, 3, 2, 1];
    let entry = |row: usize, column: usize| {
        let at = 4096 + 2 * (row * 18 + column);
        let pair = [file[at], file[at + 1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    // Column 6 is the move F; Kociemba's twist after it is 1236.
    assert_eq!(entry(0, 6), 1236);
    for mv in Move::ALL {
        assert_eq!(Some(u32::from(entry(0, mv.index()))), (TWIST.index)(&Cube::SOLVED.then(mv.cube())));
    }
    let distances = fs::read(file_of(&tables_folder(), "phase_two_corners")).unwrap();
    let distance = |row: usize, column: usize| {
        let i = row * 24 + column;
        distances[4096 + i / 2] >> (4 * (i % 2)) & 15
    };
    assert_eq!(distance(0, 0), 0);
    let one = Move::PHASE_TWO.iter().filter(|mv| {
        let cube = mv.cube();
        let at = |c: &coord::Descriptor| (c.index)(cube).unwrap() as usize;
        distance(at(&CORNER_PERM), at(&coord::SLICE_SORTED)) == 1
    });
    assert_eq!(one.count(), 10);
}
