//! Requests of pages of other sites, and requests for other hosts.

use crate::common::prelude::*;
use crate::common::wire::{ask, get, last};

const EVIL: (&str, &str) = ("origin", "https://evil.example");
const CROSS: (&str, &str) = ("sec-fetch-site", "cross-site");
const LOCAL: (&str, &str) = ("host", "127.0.0.1:8080");
const PUBLISHED: (&str, &str) = ("host", "solver.example.org");
const NAVIGATION: [(&str, &str); 3] = [CROSS, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
const PICTURE: [(&str, &str); 3] = [CROSS, ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];

fn asked(method: &Method, uri: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri).header("content-type", "text/plain");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.body(Body::from("R U F\n")).unwrap()
}

/// A service that lets pages of these origins read its answers.
fn allowing(origins: &[&str]) -> Router {
    let origins = origins.iter().map(|&origin| origin.to_owned()).collect();
    app(state(config_with(|config| config.server.cors_allowed_origins = origins), Readiness::starting()))
}

/// Whether the service refuses a request because of its origin.
async fn is_refused(service: &Router, method: &Method, uri: &str, headers: &[(&str, &str)]) -> bool {
    let answer = send(service, asked(method, uri, headers)).await;
    let is_refused = answer.status == 403;
    // A response to HEAD has no body.
    if is_refused && method != Method::HEAD {
        answer.problem_with(403, "origin_not_allowed", &["`server.cors_allowed_origins`"]);
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    is_refused
}

/// Requests that make the service work: simple requests, for which browsers send no preflight, and requests of other programs' clients.
fn work() -> Vec<(Method, String)> {
    let get = |uri: &str| (Method::GET, uri.to_owned());
    vec![
        (Method::POST, "/solve/batch".to_owned()),
        (Method::POST, "/v0/solve/pattern".to_owned()),
        (Method::POST, "/tables/twist_move/verify".to_owned()),
        get("/solve?scramble=R&optimal=true"),
        get("/solve/stream?scramble=R"),
        get("/coords/comp(twist,flip)/raw"),
        get(&format!("/{SUPERFLIP}")),
        get("/api/v0/scramble/333"),
        get("/metrics"),
    ]
}

#[tokio::test]
async fn a_page_of_another_site_makes_the_service_do_nothing() {
    let (none, good, all) = (allowing(&[]), allowing(&["https://good.example"]), allowing(&["*"]));
    for (method, uri) in work() {
        for host in [LOCAL, PUBLISHED] {
            for foreign in [
                vec![host, EVIL, CROSS],
                vec![host, CROSS],
                vec![host, ("sec-fetch-site", "same-party")],
                vec![host, ("sec-fetch-site", "Same-Origin")],
                vec![host, ("sec-fetch-site", "")],
                vec![host, EVIL],
                vec![host, ("origin", "null")],
                vec![host, CROSS, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
                [vec![host], PICTURE.to_vec()].concat(),
            ] {
                assert!(is_refused(&none, &method, &uri, &foreign).await, "{method} {uri} {foreign:?}");
                assert!(is_refused(&good, &method, &uri, &foreign).await, "{uri} {foreign:?}");
                assert!(!is_refused(&all, &method, &uri, &foreign).await, "{method} {uri} {foreign:?}");
            }
            // A form that is sent is a navigation too.
            let form = [vec![host, EVIL], NAVIGATION.to_vec()].concat();
            assert!(method != Method::POST || is_refused(&none, &method, &uri, &form).await, "{uri}");
        }
    }
}

#[tokio::test]
async fn other_clients_and_pages_of_the_same_site_are_served() {
    let (none, some) = (allowing(&[]), allowing(&["https://other.example", "https://good.example"]));
    let good = ("origin", "https://good.example");
    for (method, uri) in work() {
        for host in [LOCAL, PUBLISHED] {
            let own = format!("http://{}", host.1);
            for headers in [
                vec![],
                vec![host],
                vec![host, ("origin", own.as_str())],
                vec![host, ("origin", "https://other.example"), ("sec-fetch-site", "same-site")],
                vec![host, ("sec-fetch-site", "same-origin")],
                vec![host, ("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")],
            ] {
                assert!(!is_refused(&none, &method, &uri, &headers).await, "{method} {uri} {headers:?}");
            }
            assert!(!is_refused(&some, &method, &uri, &[host, good, CROSS]).await, "{method} {uri}");
        }
    }
    // Browsers write a host in lower case. A proxy may leave out the port.
    let headers = [("host", "Solver.Example.org"), ("origin", "http://solver.example.org:8443")];
    assert!(!is_refused(&none, &Method::POST, "/solve/batch", &headers).await);
}

#[tokio::test]
async fn foreign_frames_show_the_page_only_if_an_origin_is_listed() {
    const FRAME: [(&str, &str); 3] = [CROSS, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    let status = async |ancestors: &[&str], uri: &str, host| {
        let ancestors = ancestors.iter().map(|&origin| origin.to_owned()).collect();
        let config = config_with(|config| config.server.frame_ancestors = ancestors);
        let request = asked(&Method::GET, uri, &[vec![host], FRAME.to_vec(), vec![("accept", "text/html")]].concat());
        send(app(state(config, Readiness::starting())), request).await.status
    };
    for host in [LOCAL, PUBLISHED] {
        for page in ["/", "/docs", "/web/index.html"] {
            assert_eq!(status(&[], page, host).await, 403, "{page}");
            assert_eq!(status(&["https://school.example"], page, host).await, 200, "{page}");
        }
        for (_, uri) in work().into_iter().filter(|(method, _)| method == Method::GET) {
            assert_eq!(status(&["*"], &uri, host).await, 403, "{uri}");
        }
    }
}

#[tokio::test]
async fn foreign_links_and_pictures_need_a_published_service() {
    let none = allowing(&[]);
    let with = |host, headers: [(&'static str, &'static str); 3]| [vec![host], headers.to_vec()].concat();
    for page in ["/", "/docs", "/web/main.js", "/openapi.yaml"] {
        for host in [LOCAL, PUBLISHED, ("host", "[::1]"), ("host", "solver.localhost")] {
            assert!(!is_refused(&none, &Method::GET, page, &with(host, NAVIGATION)).await, "{page} {host:?}");
        }
        assert!(is_refused(&none, &Method::GET, page, &with(LOCAL, PICTURE)).await, "{page}");
    }
    let api: serde_json::Value = serde_json::from_str(&contract::JSON).unwrap();
    let mut pictures = 0;
    for (path, item) in api["paths"].members() {
        let content = item["get"]["responses"]["200"]["content"].as_object();
        let is_picture = content.is_some_and(|content| content.keys().any(|kind| kind.starts_with("image/")));
        let uri = path.replace("{key}", "333").replace("{format}", "svg").replace("{facelets}", SUPERFLIP);
        let uri = format!("{}?fmt=svg", uri.replace(['{', '}'], ""));
        for method in [Method::GET, Method::HEAD] {
            assert_eq!(!is_refused(&none, &method, &uri, &with(PUBLISHED, PICTURE)).await, is_picture, "{uri}");
            assert!(is_refused(&none, &method, &uri, &with(LOCAL, PICTURE)).await, "{uri}");
            assert!(!is_refused(&none, &method, &uri, &with(PUBLISHED, NAVIGATION)).await, "{uri}");
        }
        pictures += u32::from(is_picture);
    }
    assert_eq!(pictures, 7);
    assert!(is_refused(&none, &Method::GET, "/solve?scramble=R", &with(LOCAL, NAVIGATION)).await);
}

/// A request over a socket of `path`, with these fields instead of `Host`.
async fn answer(server: &Server, path: &str, fields: &str) -> String {
    ask(server.address, &last(&get(path)).replace("host: localhost\r\n", fields)).await
}

#[tokio::test]
async fn a_loopback_listener_accepts_loopback_hosts_and_those_listed() {
    let listed = config_with(|config| config.server.hosts = vec!["solver.example.org".into()]);
    let [server, published] =
        [Server::starting(|_| ()).await, Server::start(state(listed, Readiness::starting())).await];
    for host in ["localhost", "LocalHost:8080", "127.0.0.1", "[::1]:8080", "page.localhost"] {
        let answer = answer(&server, "/moves/F", &format!("host: {host}\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{host}: {answer}");
    }
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "solver.example.org", "10.0.0.1"] {
        for path in ["/moves/F", "/", "/docs", "/web/main.js", "/nowhere"] {
            let answer = answer(&server, path, &format!("host: {host}\r\n")).await;
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("\"code\":\"host_not_allowed\""), "{answer}");
            assert!(answer.contains("`server.hosts`"), "{answer}");
        }
        let answer = answer(&server, "/livez", &format!("host: {host}\r\n")).await;
        // A supervisor may ask by the address of the machine.
        let status = if host == "10.0.0.1" { "HTTP/1.1 200" } else { "HTTP/1.1 403" };
        assert!(answer.starts_with(status), "{host}: {answer}");
    }
    for (host, status) in
        [("solver.example.org", 200), ("solver.example.org:443", 200), ("localhost", 200), ("evil.example", 403)]
    {
        let answer = answer(&published, "/moves/F", &format!("host: {host}\r\n")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{host}: {answer}");
    }
    // The URL in an HTTP/1.1 request takes precedence over `Host`.
    let absolute = answer(&server, "http://evil.example/moves/F", "host: localhost\r\n").await;
    assert!(absolute.starts_with("HTTP/1.1 403"), "{absolute}");
    server.stopped().await;
    published.stopped().await;
}

#[tokio::test]
async fn a_request_has_one_valid_host() {
    let server = Server::starting(|_| ()).await;
    for (fields, status) in [
        ("", 400),
        ("host: localhost\r\nhost: localhost\r\n", 400),
        ("host: localhost\r\nHost: evil.example\r\n", 400),
        ("host:\r\n", 400),
        ("host: local host\r\n", 400),
        ("host: user@localhost\r\n", 400),
        ("host: http://localhost\r\n", 400),
        ("host: localhost\r\n", 200),
    ] {
        for path in ["/livez", "/moves/F"] {
            let answer = answer(&server, path, fields).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{fields:?}: {answer}");
            assert_eq!(answer.contains("\"code\":\"invalid_host\""), status == 400, "{fields:?}: {answer}");
        }
    }
    // HTTP/1.0 has no such field. Some health checks of proxies use it.
    let old = ask(server.address, "GET /livez HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("HTTP/1.0 200"), "{old}");
    server.stopped().await;
}

/// The rejections are counted like others.
#[tokio::test]
async fn a_refused_page_is_counted() {
    send(starting(), asked(&Method::GET, "/moves", &[EVIL])).await.problem(403, "origin_not_allowed");
    let metrics = send(starting(), asked(&Method::GET, "/metrics", &[])).await;
    let counted = metrics.text().lines().any(|line| {
        line.strip_prefix("superflip_rejected_total{lane=\"none\",reason=\"origin_not_allowed\"} ")
            .is_some_and(|count| count != "0")
    });
    assert!(counted, "{}", metrics.text());
}
