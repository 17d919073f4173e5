//! A server that other machines reach: its public address, the probes of its supervisor, and its figures.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use crate::served::Served;

/// The whole answer to a request with exactly these headers.
fn answer(served: &Served, method: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(served.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn status(text: &str) -> u16 {
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

fn public(args: &[&str]) -> Served {
    let all = [&["--public-url", "https://agents.example.com"], args].concat();
    Served::begin(Arc::new(TempDir::new().unwrap()), &all)
}

#[test]
fn a_proxy_may_keep_the_public_host_or_name_this_machine_and_other_names_are_refused() {
    let served = public(&["--bind", "0.0.0.0"]);
    let bearer = format!("Authorization: Bearer {}\r\n", served.token());
    let local = served.host();
    for (host, origin, expected) in [
        ("agents.example.com", None, 200),
        ("Agents.Example.Com:443", None, 200),
        ("agents.example.com", Some("https://agents.example.com"), 200),
        (local, Some("https://agents.example.com"), 200),
        (local, None, 200),
        ("agents.example.com", Some("http://agents.example.com"), 403),
        (local, Some("https://other.example.com"), 403),
        ("other.example.com", None, 403),
        ("agents.example.com:8378", None, 403),
    ] {
        let origin_header = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let headers = format!("Host: {host}\r\n{origin_header}{bearer}");
        let text = answer(&served, "GET", "/api/sessions", &headers);
        assert_eq!(status(&text), expected, "{host} {origin:?}: {text}");
    }
    assert_eq!(status(&answer(&served, "GET", "/api/sessions", "Host: agents.example.com\r\n")), 401);

    // A browser keeps the cookie for encrypted connections alone where the address is one.
    let path = format!("/?token={}", served.token());
    let entered = answer(&served, "GET", &path, "Host: agents.example.com\r\n");
    assert!(status(&entered) == 303 && entered.contains("SameSite=Strict; Secure"), "{entered}");
    let entered = answer(&served, "GET", &path, &format!("Host: {local}\r\n"));
    assert!(status(&entered) == 303 && !entered.contains("Secure"), "{entered}");
}

#[test]
fn a_server_for_other_machines_needs_its_public_address() {
    let served = public(&[]);
    let ran = served.command(&["serve", "--port", "0", "--bind", "0.0.0.0"]).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("--public-url https://"), "{said}");
    let ran = served.command(&["serve", "--public-url", "https://a.example.com/team"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
}

#[test]
fn probes_need_no_token_and_figures_do() {
    let mut served = public(&[]);
    for path in ["/healthz", "/readyz"] {
        let text = answer(&served, "GET", path, "Host: 10.0.0.7:8378\r\n");
        assert_eq!(status(&text), 200, "{text}");
        assert!(!text.contains("session"), "nothing is disclosed: {text}");
    }
    let text = answer(&served, "GET", "/metrics", "Host: agents.example.com\r\n");
    assert_eq!(status(&text), 401, "{text}");
    served.get("/api/sessions");
    served.get("/api/nothing");
    let figures = served.get("/metrics").body;
    for line in [
        "throughline_http_requests_total{status=\"200\"} 1",
        "throughline_http_requests_total{status=\"400\"} 2",
        "throughline_turns_running 0",
        "throughline_turns_limit 8",
        "throughline_contexts_open 0",
        "# EOF",
    ] {
        assert!(figures.lines().any(|one| one == line), "{line}: {figures}");
    }
    assert_eq!(served.end_by("-TERM"), Some(0));
}

#[test]
fn another_address_of_the_loopback_interface_is_answered() {
    let home = Arc::new(TempDir::new().unwrap());
    let served = Served::begin(home, &["--bind", "127.0.0.2"]);
    assert!(served.url.starts_with("http://127.0.0.2:"), "{}", served.url);
    assert_eq!(served.get("/api/sessions").status, 200);
    let bearer = format!("Authorization: Bearer {}\r\n", served.token());
    let other = answer(&served, "GET", "/api/sessions", &format!("Host: 127.0.0.3:1\r\n{bearer}"));
    assert_eq!(status(&other), 403, "{other}");
}

#[test]
fn an_address_with_the_token_leads_to_no_other_host() {
    let served = public(&[]);
    let host = format!("Host: {}\r\n", served.host());
    for path in ["//evil.example.com/", "/\\evil.example.com/", "/\\\\evil.example.com"] {
        let entered = answer(&served, "GET", &format!("{path}?token={}", served.token()), &host);
        let leads = entered.lines().find_map(|line| line.strip_prefix("location: ")).map(str::trim);
        assert!(matches!(leads, None | Some("/")), "{path}: {entered}");
    }
}
