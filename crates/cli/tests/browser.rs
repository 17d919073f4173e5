//! The inspector in a real browser: every page is drawn in two sizes and both themes, its script runs, and nothing of it is
//! refused by the browser. Needs Chromium.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![expect(dead_code, reason = "the server's helper has more than this suite needs")]

#[path = "server/served.rs"]
mod served;

use std::path::Path;
use std::process::{Command, Output};

use served::Served;

/// Runs the browser on an address.
fn chromium(home: &Path, address: &str, more: &[&str]) -> Output {
    let profile = tempfile::tempdir_in(home).unwrap();
    // A browser that does not end is ended, and its page fails.
    let mut command = Command::new("timeout");
    command.args(["-k", "5", "60", "chromium"]);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .args(["--enable-logging=stderr", "--v=0"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(more)
        .arg(address);
    command.output().unwrap()
}

/// The address of a path with the token.
fn address(served: &Served, path: &str) -> String {
    let (start, token) = served.url.split_once("/?").unwrap();
    format!("{start}{path}?{token}")
}

fn paths(served: &Served) -> Vec<String> {
    let own = format!("/sessions/{}", served.id);
    let rest = ["", "/turns", "/documents", "/requests/9", "/requests/9/diff", "/compactions/1"];
    let mut paths: Vec<String> = rest.iter().map(|rest| format!("{own}{rest}")).collect();
    paths.push("/".to_owned());
    paths.push("/search".to_owned());
    paths
}

#[test]
fn every_page_opens_by_the_cookie_and_the_browser_refuses_nothing() {
    let served = Served::demo();
    for path in paths(&served) {
        let ran = chromium(served.home(), &address(&served, &path), &["--dump-dom"]);
        let (page, log) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(page.contains("<h1>") && !page.contains("the token is missing"), "{path}: {page}");
        assert!(page.contains("<html lang=\"en\" data-script=\"\""), "{path}: the script has not run");
        let console: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(console.is_empty(), "{path}: {console:?}");
    }
}

#[test]
fn pages_are_drawn_in_two_sizes_and_both_themes() {
    let served = Served::demo();
    for path in paths(&served) {
        let mut pictures = Vec::new();
        for size in ["1280,900", "420,900"] {
            for theme in ["0", "1"] {
                let file = served.home().join("page.png");
                let _ = std::fs::remove_file(&file);
                let more = [
                    format!("--window-size={size}"),
                    format!("--blink-settings=preferredColorScheme={theme}"),
                    format!("--screenshot={}", file.display()),
                ];
                let more: Vec<&str> = more.iter().map(String::as_str).collect();
                let ran = chromium(served.home(), &address(&served, &path), &more);
                let picture = std::fs::read(&file);
                pictures.push(
                    picture.unwrap_or_else(|_| panic!("{path}: {}", String::from_utf8_lossy(&ran.stderr))),
                );
            }
        }
        assert!(pictures.iter().all(|picture| picture.len() > 4_000), "{path}: a picture is empty");
        assert_ne!(pictures[0], pictures[1], "{path}: both themes look the same");
        assert_ne!(pictures[2], pictures[3], "{path}: both themes look the same");
    }
}
