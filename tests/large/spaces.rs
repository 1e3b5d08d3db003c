//! Spaces of many values over HTTP, and phase 1 as a coordinate.

use crate::common::prelude::*;

/// All spaces together stay within the bound, and what gave way can be had again.
#[tokio::test]
async fn memory_is_bounded() {
    let state = small_state(config_with(|config| config.coords.cache_bytes = 128 << 20));
    let router = app(state.clone());
    for name in "flip_slice_sorted flip_slice_sorted_class comp(twist,flip) comp(flip,twist) comp(slice,twist) \
        sym(comp(twist,flip),AXES8) sym(comp(flip,twist),AXES8)"
        .split(' ')
    {
        get(&router, &format!("/coords/{name}")).await.ok();
        assert_eq!(raw(&router, "GET", name, &[]).await.status, 200, "{name}");
        let used = state.spaces.memory().used();
        // Nothing is sent any more, so only the cache is left.
        assert!(used > 0 && used <= 64 << 20, "{name}: {used}");
    }
    get(router, "/coords/twist").await.ok();
}

/// Asks for the distances of all values with further headers.
async fn raw(router: &axum::Router, method: &str, name: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, request(&method.parse().unwrap(), &format!("/coords/{name}/raw"), headers)).await
}

/// Phase 1 is beyond the limit of composed spaces, and is answered from the table that the searches use.
#[tokio::test]
async fn phase_one_is_a_coordinate_like_others() {
    let standard = app(standard());
    let small = small();
    let name = "symcomp(flip_slice,twist)";
    let mut rng = rng(19);
    for router in [&standard, &small] {
        let body = get(router, &format!("/coords/{name}")).await.ok();
        assert_has(&body, &json!({"name": "symcomp(sym(flip_slice,UD16),twist)", "size": 140_908_410}));
        assert_eq!(body["depth_histogram"][12], 476);
        for _ in 0..20 {
            let cube = scrambled(&mut rng);
            let facelets = letters(&cube);
            let all = get(router, &format!("/coords?facelets={facelets}")).await.ok();
            let own = get(router, &format!("/coords?facelets={facelets}&names={name}")).await.ok();
            let value = own["coordinates"][0]["value"].number();
            let at = get(router, &format!("/coords/{name}/{value}")).await.ok();
            assert_eq!(at["distance"], all["directions"][0]["phase_one_distance"], "{facelets}");
            let distance = at["distance"].number();
            let neighbours = at["neighbours"].list();
            assert!(neighbours.iter().all(|n| n["distance"].number().abs_diff(distance) <= 1));
            assert!(neighbours.iter().any(|n| n["leads"] == "nearer"));
            let to_solved = at["to_solved"].text().replace(' ', "%20");
            let walk = get(router, &format!("/coords/{name}/{value}/apply?moves={to_solved}")).await.ok();
            assert_eq!(walk["end"], 0);
            let place = 4096 + value;
            let byte = raw(&standard, "GET", name, &[("range", &format!("bytes={place}-{place}"))]).await;
            assert_eq!((byte.status.as_u16(), byte.body.as_slice()), (206, &[distance as u8][..]));
        }
    }
    let head = raw(&standard, "HEAD", name, &[]).await;
    assert_eq!(head.header("content-length"), (4096 + 140_908_410).to_string());
    raw(&small, "GET", name, &[]).await.problem_with(422, "no_distances", &["/tables/phase_one_residues/raw"]);
}
