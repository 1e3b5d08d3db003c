//! Spaces of values: how they are built, the memory that they take, and downloads of their distances.

use crate::common::prelude::*;

/// A space is built once for concurrent requests, in the long lane, and the build stops when all of them are cancelled.
#[tokio::test(flavor = "multi_thread")]
async fn builds_are_shared_and_stop_with_their_last_caller() {
    let state = small_state(config());
    let router = app(state.clone());
    // Nearly six million values: long enough to be met at work.
    let uri = "/coords/comp(slice_python,u_edges)".to_owned();
    let ask = |router: axum::Router, uri: String| tokio::spawn(async move { get(router, &uri).await });
    let first = ask(router.clone(), uri.clone());
    eventually("it is being built", || state.lanes.long().in_flight() == 1).await;
    let second = ask(router.clone(), uri.clone());
    first.abort();
    // The second takes over; nothing is built twice at once.
    let body = second.await.unwrap().ok();
    assert_eq!(body["size"], 495 * 11880);
    assert!(state.lanes.long().in_flight() <= 1);
    let third = ask(router.clone(), "/coords/comp(slice_python,d_edges)".into());
    eventually("it is being built", || state.lanes.long().in_flight() == 1).await;
    third.abort();
    eventually("the build has stopped", || state.lanes.long().in_flight() == 0).await;
    // Named ones are few, and are built to the end.
    let named = ask(router, "/coords/flip_slice_sorted".into());
    eventually("it is being built", || state.lanes.spaces().in_flight() == 1).await;
    named.abort();
    eventually("it is kept", || state.spaces.kept("flip_slice_sorted").is_some()).await;
    // What is kept is answered from memory.
    assert!(state.spaces.kept("comp(slice_python,u_edges)").is_some());
}

/// Composed spaces, however many, do not displace the small named coordinates.
#[tokio::test(flavor = "multi_thread")]
async fn named_coordinates_do_not_wait_behind_composed_ones() {
    let state = small_state(config_with(|config| (config.search.long_threads, config.search.queue_length) = (1, 0)));
    let router = app(state.clone());
    let busy = tokio::spawn({
        let router = router.clone();
        async move { get(router, "/coords/comp(slice_python,u_edges)").await }
    });
    eventually("the long lane is full", || state.lanes.long().in_flight() == 1).await;
    get(&router, "/coords/comp(twist,slice)").await.problem(503, "overloaded");
    get(&router, "/coords/twist/5").await.ok();
    get(router, "/coords/corner_perm").await.ok();
    busy.abort();
}

/// What downloads hold counts, and one more is refused until some have ended.
#[tokio::test]
async fn memory_that_is_being_sent_is_not_given_twice() {
    let state = small_state(config_with(|config| config.coords.cache_bytes = 6 << 20));
    let router = app(state.clone());
    // Of a million values each.
    let names = ["twist,slice", "slice,twist", "flip,slice", "slice,flip", "twist,slice_python", "slice_python,twist"];
    let (mut unread, mut refused) = (Vec::new(), None);
    for name in names {
        let uri = format!("/coords/comp({name})/raw");
        let request = request(&Method::GET, &uri, &[]);
        let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
        assert!(state.spaces.memory().used() <= 6 << 20);
        if response.status() != 200 {
            refused = Some(uri);
            break;
        }
        unread.push(response);
    }
    let refused = refused.expect("one too many");
    assert!(unread.len() >= 2, "{}", unread.len());
    get(&router, &refused).await.problem_with(503, "overloaded", &["memory for coordinates"]);
    drop(unread);
    assert_eq!(get(router, &refused).await.status, 200);
}

#[tokio::test]
async fn a_space_that_is_too_large_for_the_memory_says_so() {
    for (limit, size, parts) in [
        ("cache_bytes", 4 << 20, ["the limit is 2097152", "coords.cache_bytes"]),
        ("max_space_values", 1000, ["1082565 values", "the limit is 1000"]),
    ] {
        let state = small_state(config_with(|config| match limit {
            "cache_bytes" => config.coords.cache_bytes = size,
            _ => config.coords.max_space_values = size,
        }));
        let name = if limit == "cache_bytes" { "comp(twist,flip)" } else { "comp(twist,slice)" };
        let refused = get(app(state.clone()), &format!("/coords/{name}")).await;
        refused.problem_with(422, "space_too_large", &parts);
        assert_eq!(state.spaces.memory().used(), 0);
    }
}

#[tokio::test]
async fn composition_can_be_turned_off() {
    let router = app(small_state(config_with(|config| config.coords.max_space_values = 0)));
    for uri in
        ["/coords/comp(twist,slice)", "/coords/sym(slice,UD16)/raw", "/coords?scramble=F&names=comp(twist,slice)"]
    {
        get(&router, uri).await.problem_with(422, "space_too_large", &["coords.max_space_values is 0"]);
    }
    for name in ["twist", "flip_slice_class", "symcomp(flip_slice,twist)"] {
        get(&router, &format!("/coords/{name}")).await.ok();
    }
}

/// Asks for the distances of all values with further headers.
async fn raw(router: &axum::Router, method: &str, name: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, request(&method.parse().unwrap(), &format!("/coords/{name}/raw"), headers)).await
}

/// Reads a file as docs/tables.md describes it, without code of this crate.
#[tokio::test]
async fn the_distances_of_all_values_are_downloaded_as_a_table_is() {
    let router = small();
    let whole = raw(&router, "GET", "twist", &[("accept-encoding", "gzip")]).await;
    assert_eq!((whole.status.as_u16(), whole.body.len()), (200, 4096 + 2187));
    let file = &whole.body;
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    assert_eq!((&file[..16], &file[24..30], number(16, 4)), (&b"superflip table\n"[..], &b"twist\0"[..], 1));
    assert_eq!((number(80, 8), number(88, 4), number(92, 4), number(96, 8)), (2187, 8, 7, 2187));
    let published = [1, 4, 34, 186, 816, 1018, 128];
    for (depth, count) in published.into_iter().enumerate() {
        assert_eq!(file[4096..].iter().filter(|&&byte| usize::from(byte) == depth).count() as u64, count);
        assert_eq!((number(120 + 8 * depth, 8), number(376 + 8 * depth, 8)), (count, count));
    }
    let end = file.len();
    assert_eq!(whole.header("content-type"), "application/octet-stream");
    assert_eq!((whole.header("content-encoding"), whole.header("accept-ranges")), ("", "bytes"));
    assert_eq!(whole.header("content-length"), end.to_string());
    assert_eq!(whole.header("content-disposition"), "attachment; filename=\"twist.tbl\"");
    let tag = whole.header("etag").to_owned();
    assert!(tag.starts_with('"'), "strong");
    assert_ranges(&router, "/coords/twist/raw", file).await;
    assert_eq!(raw(&router, "GET", "twist", &[("if-none-match", &tag)]).await.status, 304);
    raw(&router, "GET", "twist", &[("if-match", "\"other\"")]).await.problem(412, "precondition_failed");
    for (known, status) in [(tag.as_str(), 206), ("\"other\"", 200)] {
        let answer = raw(&router, "GET", "twist", &[("range", "bytes=0-9"), ("if-range", known)]).await;
        assert_eq!(answer.status, status, "{known}");
    }
    // The same file each time; another for another coordinate, though its bytes and the first 48 of its name are the same.
    assert_eq!(raw(&small(), "HEAD", "cornoricoord", &[]).await.header("etag"), tag);
    assert_ne!(raw(&router, "HEAD", "comp(twist)", &[]).await.header("etag"), tag);
    // No cube has the value 1 of this one.
    let flips = raw(&router, "GET", "index_cube.flip_x", &[]).await;
    assert_eq!(flips.body[4096..4098], [0, 255]);
    raw(&router, "GET", "edge_perm", &[]).await.problem_with(422, "no_distances", &["479001600"]);
    raw(&router, "GET", "twits", &[]).await.problem(404, "unknown_coordinate");
    raw(&starting(), "GET", "twist", &[]).await.problem(503, "tables_not_ready");
}

#[tokio::test]
async fn downloads_that_are_not_read_do_not_block_others() {
    let router = small();
    let mut unread = Vec::new();
    for _ in 0..20 {
        let request = request(&Method::GET, "/coords/twist/raw", &[]);
        unread.push(tower::ServiceExt::oneshot(router.clone(), request).await.unwrap());
        assert_eq!(unread.last().unwrap().status(), 200);
    }
    assert_eq!(raw(&router, "GET", "twist", &[]).await.status, 200);
}

#[tokio::test]
async fn a_slow_download_is_aborted_and_frees_its_memory() {
    let state = small_state(config_with(|config| config.server.request_timeout_ms = 300));
    let router = app(state.clone());
    get(&router, "/coords/slice_sorted_class").await.ok();
    let kept = state.spaces.memory().used();
    let request = request(&Method::GET, "/coords/slice_sorted_class/raw", &[]);
    let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
    assert_eq!((response.status().as_u16(), state.spaces.memory().used()), (200, kept + 16 * 788));
    eventually("it is freed", || state.spaces.memory().used() == kept).await;
    assert!(http_body_util::BodyExt::collect(response.into_body()).await.is_err());
}
