//! Access control: API keys, rate and concurrency limits, security headers, CORS, and limits of a request.

use superflip::service::access::keys::new_key;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::common::prelude::*;

/// Paths that need no key.
const OPEN: [&str; 5] = ["/livez", "/metrics", "/", "/openapi.yaml", "/openapi.json"];

/// The configuration with these keys: name, key, and limits as lines of TOML.
fn with_keys(keys: &[(&str, &str, &str)]) -> Config {
    let lines = keys.iter().map(|(name, key, limits)| {
        let sha256 = KeyDigest::of(key.as_bytes()).to_hex();
        format!("[[access.keys]]\nname = \"{name}\"\nsha256 = \"{sha256}\"\n{limits}\n")
    });
    load::load(Some(toml(&lines.collect::<String>()).path()), [], &[]).unwrap()
}

/// A service without tables, which serves everything but solutions.
fn without_tables(config: Config) -> Router {
    app(state(config, Readiness::starting()))
}

/// Sends a request from this address.
async fn from(router: &Router, address: &str, uri: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = request(&Method::GET, uri, headers);
    request.extensions_mut().insert(ClientId::at(address.parse().unwrap()));
    send(router, request).await
}

#[tokio::test]
async fn without_configured_keys_no_key_is_required() {
    let headers = [("authorization", "Bearer anything"), ("x-api-key", "anything else")];
    get_with(starting(), "/moves/F", &headers).await.ok();
}

#[tokio::test]
async fn with_configured_keys_a_request_needs_one() {
    let (one, two) = (new_key().unwrap(), new_key().unwrap());
    let router = without_tables(with_keys(&[("one", &one, ""), ("two", &two, "")]));
    for key in [&one, &two] {
        for header in [("authorization", format!("Bearer {key}")), ("x-api-key", key.clone())] {
            get_with(&router, "/moves/F", &[(header.0, &header.1)]).await.ok();
        }
    }
    // Other schemes are for a proxy, and are ignored.
    let behind_a_proxy = [("authorization", "Basic b25lOnR3bw=="), ("x-api-key", two.as_str())];
    get_with(&router, "/moves/F", &behind_a_proxy).await.ok();
    let lower_case = format!("bearer   {two} ");
    get_with(&router, "/moves/F", &[("authorization", &lower_case)]).await.ok();
    for none in ["", "Basic two", "Bearertwo", "Bea"] {
        get_with(&router, "/moves/F", &[("authorization", none)]).await.problem(401, "missing_key");
    }
    // A key that is sent twice is one key, wherever it stands. Different keys are refused, even if both are known.
    let bearer = format!("Bearer {one}");
    for first in [("authorization", bearer.as_str()), ("x-api-key", &one)] {
        get_with(&router, "/moves/F", &[first, ("x-api-key", &one)]).await.ok();
        let refused = get_with(&router, "/moves/F", &[first, ("x-api-key", &two)]).await;
        refused.problem_with(401, "unknown_key", &["different API keys; send only one"]);
    }
    for uri in ["/moves/F", "/solve?scramble=R", "/nowhere", "/coords/twist", "/tables/twist_move/raw"] {
        let answer = get(&router, uri).await;
        answer.problem_with(401, "missing_key", &["`Authorization: Bearer KEY`"]);
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"superflip\"");
        let nearly = format!("{}x", &one[..one.len() - 1]);
        for wrong in [nearly.as_str(), &one.to_uppercase(), &KeyDigest::of(one.as_bytes()).to_hex(), "x", ""] {
            let answer = get_with(&router, uri, &[("authorization", &format!("Bearer {wrong}"))]).await;
            answer.problem(401, "unknown_key");
            assert!(answer.header("www-authenticate").ends_with("error=\"invalid_token\""));
            assert!(wrong.len() < 2 || !answer.text().contains(wrong), "the key is repeated: {}", answer.text());
        }
    }
    for uri in OPEN {
        assert_eq!(get(&router, uri).await.status, 200, "{uri}");
        assert_eq!(get_with(&router, uri, &[("x-api-key", "wrong")]).await.status, 200, "{uri}");
    }
    get(router, "/readyz").await.problem(503, "tables_not_ready");
}

#[tokio::test]
async fn the_rate_of_an_address_is_limited() {
    let router =
        without_tables(config_with(|config| (config.server.requests_per_second, config.server.request_burst) = (1, 3)));
    for left in (0..3).rev() {
        let answer = from(&router, "10.0.0.1", "/moves/F", &[]).await;
        answer.ok();
        assert_eq!(answer.header("ratelimit-policy"), "\"address\";q=3;w=3");
        assert_eq!(answer.header("ratelimit"), format!("\"address\";r={left};t=1"));
    }
    let answer = from(&router, "10.0.0.1", "/moves/F", &[]).await;
    let document = answer.problem_with(429, "rate_limited", &["3 requests in 3 s"]);
    assert_eq!((answer.header("retry-after"), &document["retry_after_s"]), ("1", &1.into()));
    assert_eq!(answer.header("ratelimit"), "\"address\";r=0;t=1");
    for uri in ["/livez", "/metrics"] {
        let answer = from(&router, "10.0.0.1", uri, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit")), (200, ""), "{uri}");
    }
    from(&router, "::ffff:10.0.0.1", "/moves/F", &[]).await.problem(429, "rate_limited");
    from(&router, "10.0.0.2", "/moves/F", &[]).await.ok();
    // The first 64 bits of an IPv6 address are one client.
    for _ in 0..3 {
        from(&router, "2001:db8::1", "/moves/F", &[]).await.ok();
    }
    from(&router, "2001:db8::2", "/moves/F", &[]).await.problem(429, "rate_limited");
    from(&router, "2001:db8:0:1::2", "/moves/F", &[]).await.ok();
}

#[tokio::test]
async fn the_bucket_of_an_address_refills() {
    let router = without_tables(config_with(|config| {
        (config.server.requests_per_second, config.server.request_burst) = (20, 1);
    }));
    let status = async || from(&router, "10.0.0.1", "/moves/F", &[]).await.status.as_u16();
    for expected in [429, 200] {
        let start = Instant::now();
        while status().await != expected {
            assert!(start.elapsed() < Duration::from_secs(20), "never {expected}");
        }
    }
}

#[tokio::test]
async fn each_key_has_its_own_rate_limit_at_any_address() {
    let (fast, slow, free) = (new_key().unwrap(), new_key().unwrap(), new_key().unwrap());
    let mut config = with_keys(&[
        ("fast", &fast, "requests_per_second = 2\nrequest_burst = 4"),
        ("slow", &slow, ""),
        ("free", &free, "requests_per_second = 0"),
    ]);
    (config.server.requests_per_second, config.server.request_burst) = (1, 2);
    let router = without_tables(config);
    let of = |key: &str| format!("Bearer {key}");
    for (key, most, policy) in [(&fast, 4, "\"key\";q=4;w=2"), (&slow, 2, "\"key\";q=2;w=2")] {
        let key = of(key);
        let headers = [("authorization", key.as_str())];
        for number in 0..most {
            let answer = from(&router, &format!("10.0.0.{number}"), "/moves/F", &headers).await;
            answer.ok();
            assert_eq!(answer.header("ratelimit-policy"), policy);
        }
        from(&router, "10.0.0.99", "/moves/F", &headers).await.problem(429, "rate_limited");
    }
    for _ in 0..20 {
        let answer = from(&router, "10.0.0.1", "/moves/F", &[("x-api-key", &free)]).await;
        answer.ok();
        assert_eq!(answer.header("ratelimit"), "");
    }
    // Guessed keys count against the limit of the address.
    for _ in 0..2 {
        from(&router, "10.9.9.9", "/moves/F", &[("x-api-key", "guess")]).await.problem(401, "unknown_key");
    }
    from(&router, "10.9.9.9", "/moves/F", &[("x-api-key", "guess")]).await.problem(429, "rate_limited");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_key_has_its_own_concurrency_limit() {
    let (one, two) = (new_key().unwrap(), new_key().unwrap());
    let mut config = with_keys(&[("one", &one, "max_requests = 1"), ("two", &two, "")]);
    config.search.long_threads = 4;
    let state = ready_state(config);
    let router = app(state.clone());
    let endless = format!("/solve/stream?facelets={SUPERFLIP}&target_length=0&time_limit_ms=20000");
    // A stream counts until its end, not only until its head.
    let request = request(&Method::GET, &endless, &[("x-api-key", &one)]);
    let held = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
    assert_eq!(held.status(), 200);
    get_with(&router, "/moves/F", &[("x-api-key", &one)]).await.problem(429, "client_limit");
    get_with(&router, "/moves/F", &[("x-api-key", &two)]).await.ok();
    drop(held);
    get_with(router, "/moves/F", &[("x-api-key", &one)]).await.ok();
    assert!(state.clients.is_empty());
}

/// Every documented path with every method, and unknown paths.
fn every_request() -> Vec<(Method, String)> {
    let api: serde_json::Value = serde_json::from_str(&contract::JSON).unwrap();
    let mut all = vec![(Method::GET, "/nowhere".to_owned()), (Method::DELETE, "/solve".to_owned())];
    for path in api["paths"].members().keys() {
        let uri = path.replace("{name}", "twist").replace("{value}", "7").replace("{index}", "0");
        let uri = uri.replace("{move}", "F").replace("{cube}", SOLVED);
        all.extend([Method::GET, Method::HEAD, Method::POST, Method::OPTIONS].map(|method| (method, uri.clone())));
    }
    all
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let (key, mut tight) = (new_key().unwrap(), config());
    (tight.server.requests_per_second, tight.server.cors_allowed_origins) = (1, vec!["*".into()]);
    let locked = without_tables(with_keys(&[("one", &key, "")]));
    for router in [ready(), starting(), locked, without_tables(tight)] {
        let mut statuses = std::collections::BTreeSet::new();
        for (method, uri) in every_request() {
            let mut request =
                request(&Method::GET, &uri, &[("origin", "https://example.org"), ("sec-fetch-site", "same-site")]);
            *request.method_mut() = method.clone();
            request.extensions_mut().insert(ClientId::at([10, 0, 0, 1].into()));
            let answer = send(&router, request).await;
            let safe = [
                ("x-content-type-options", "nosniff"),
                ("x-frame-options", "DENY"),
                ("referrer-policy", "no-referrer"),
            ];
            let is_picture = answer.header("content-type").starts_with("image/");
            let embedding = if is_picture { "cross-origin" } else { "same-origin" };
            assert_eq!(answer.header("cross-origin-resource-policy"), embedding, "{method} {uri}");
            for (name, value) in safe {
                assert_eq!(answer.header(name), value, "{method} {uri}: {name}");
            }
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
            // Table files, pictures and the contract have ETags and may be cached; nothing else may be.
            let is_file = (uri.ends_with("/raw") || uri.starts_with("/openapi.")) && answer.status.is_success();
            assert!(is_file || is_picture || answer.header("cache-control").contains("no-store"), "{method} {uri}");
            assert_eq!(answer.header("server"), "", "the server header reveals the software");
            statuses.insert(answer.status.as_u16());
        }
        assert!(statuses.len() >= 2, "{statuses:?}");
    }
}

#[tokio::test]
async fn an_allowed_origin_can_send_a_key_and_read_limits() {
    let key = new_key().unwrap();
    let mut config = with_keys(&[("page", &key, "requests_per_second = 9")]);
    config.server.cors_allowed_origins = vec!["https://good.example".into()];
    let router = without_tables(config);
    let preflight = |origin: &'static str| {
        let asked = "authorization,x-api-key,content-type";
        let headers =
            [("origin", origin), ("access-control-request-method", "POST"), ("access-control-request-headers", asked)];
        request(&Method::OPTIONS, "/solve", &headers)
    };
    // A browser sends no key with a preflight.
    let answer = send(&router, preflight("https://good.example")).await;
    assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, "https://good.example"));
    assert_eq!(answer.header("access-control-allow-headers"), "authorization,x-api-key,content-type");
    assert!(answer.header("access-control-allow-methods").contains("POST"));
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    // The maximum of Chromium.
    assert_eq!(answer.header("access-control-max-age"), "7200");
    let bad = send(&router, preflight("https://bad.example")).await;
    assert_eq!(bad.header("access-control-allow-origin"), "");
    for headers in [
        vec![("origin", "https://good.example"), ("x-api-key", key.as_str())],
        vec![("origin", "https://good.example")],
    ] {
        let answer = get_with(&router, "/moves/F", &headers).await;
        assert_eq!(answer.header("access-control-allow-origin"), "https://good.example", "errors can be read too");
        assert_eq!(answer.header("access-control-expose-headers"), "*");
    }
    // A cache must not reuse a response for another origin.
    let answer = get_with(&router, "/moves/F", &[("x-api-key", key.as_str())]).await;
    assert!(answer.header("vary").contains("origin") && answer.header("access-control-allow-origin").is_empty());
    // Without CORS, OPTIONS that is not a preflight is a method like others.
    assert_eq!(send(starting(), request(&Method::OPTIONS, "/solve", &[])).await.status, 405);
}

#[tokio::test]
async fn a_refused_preflight_names_the_key_to_set() {
    let preflight = |origin: &str| {
        request(&Method::OPTIONS, "/solve", &[("origin", origin), ("access-control-request-method", "POST")])
    };
    // A preflight carries no API key, so the missing key is not the error.
    let locked = without_tables(with_keys(&[("one", &new_key().unwrap(), "requests_per_second = 1")]));
    for router in [starting(), locked] {
        for _ in 0..3 {
            let answer = send(&router, preflight("https://bad.example")).await;
            assert_eq!(answer.header("access-control-allow-origin"), "");
            assert_eq!(answer.header("content-type"), "application/problem+json");
            assert!(!answer.header("x-request-id").is_empty() && answer.header("x-frame-options") == "DENY");
            let problem = answer.problem(403, "origin_not_allowed");
            let detail = problem["detail"].text();
            for part in [
                "CORS is off",
                "https://bad.example",
                "`server.cors_allowed_origins`",
                "SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS",
            ] {
                assert!(detail.contains(part), "{part}: {detail}");
            }
        }
    }
    let router = without_tables(config_with(|config| config.server.cors_allowed_origins = vec!["*".into()]));
    let answer = send(&router, preflight("https://bad.example")).await;
    assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, "*"));
    // A cached response to a request without an origin is valid for every page.
    assert_eq!(get_with(router, "/moves/F", &[]).await.header("access-control-allow-origin"), "*");
}

/// The largest accepted and the smallest refused value of each limit. Other tests cover the sizes of heads, bodies, lines and composed
/// spaces, and the lengths of queues.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_work_of_one_request_is_limited() {
    let router = small();
    let nested = |depth: usize| format!("{}R{}", "(".repeat(depth), ")".repeat(depth));
    let scramble = |text: String| format!("/coords?names=twist&scramble={}", text.replace(' ', "%20"));
    let names = |count: usize| format!("/coords?scramble=R&names={}", vec!["twist"; count].join(","));
    let parts = |count: usize| format!("/coords/comp({})", vec!["twist"; count].join(","));
    let walk = |moves: usize| format!("/coords/twist/0/apply?moves=(R){moves}");
    let solution = |moves: usize| format!("/explain?scramble=R&solution=(R){moves}");
    let columns = |count: usize| format!("/tables/twist_move/rows/0?count={count}");
    let solve = |option: &str, value: usize| format!("/solve?scramble=R&{option}={value}");
    let cases = [
        (scramble("(R)10000".into()), scramble("(R)10001".into()), "notation"),
        (scramble(nested(64)), scramble(nested(65)), "notation"),
        (names(32), names(33), "option_out_of_range"),
        (String::new(), parts(7), "expression"),
        (String::new(), format!("/coords/{}", "x".repeat(201)), "expression"),
        (walk(1000), walk(1001), "option_out_of_range"),
        (solution(199), solution(201), "option_out_of_range"),
        (columns(4096), columns(4097), "option_out_of_range"),
        (solve("solutions", 100), solve("solutions", 101), "option_out_of_range"),
        (solve("time_limit_ms", 30_000), solve("time_limit_ms", 30_001), "option_out_of_range"),
        (solve("max_length", 30), solve("max_length", 31), "option_out_of_range"),
        (solve("threads", 1), solve("threads", 257), "option_out_of_range"),
    ];
    for (most, more, code) in cases {
        if !most.is_empty() {
            let answer = get(&router, &most).await;
            assert_eq!(answer.status, 200, "{most}: {}", answer.text());
        }
        let answer = get(&router, &more).await;
        assert_eq!(answer.json()["code"], code, "{more}: {}", answer.text());
        assert_eq!(answer.status, 422, "{more}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_paths_and_queries_are_refused() {
    let server = Server::starting(|_| ()).await;
    for path in [format!("/{}", "a".repeat(70_000)), format!("/solve?scramble={}", "R".repeat(70_000))] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // The server may refuse it before it has read everything.
        let _ = stream.write_all(wire::get(&path).as_bytes()).await;
        assert_eq!(wire::status(&mut stream).await, 431);
    }
    server.stopped().await;
}
