//! The inspector in a real browser: every page is drawn in two sizes and both themes, its script runs, and nothing of it is
//! refused by the browser. Needs Chromium.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![expect(dead_code, reason = "the server's helper has more than this suite needs")]

#[path = "browser/driven.rs"]
mod driven;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "server/served.rs"]
mod served;

use std::path::Path;
use std::process::{Command, Output};

use driven::DrivenPage;
use hosted::Hosted;
use served::Served;
use throughline_testserver::{Answer, Script};

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
        .arg(address)
        // A browser that is ended leaves its sockets there.
        .env("TMPDIR", profile.path());
    command.output().unwrap()
}

/// The address of a path with the token.
fn address(served: &Served, path: &str) -> String {
    let (start, token) = served.url.split_once("/?").unwrap();
    format!("{start}{path}?{token}")
}

fn paths(served: &Served) -> Vec<String> {
    let own = format!("/sessions/{}", served.id);
    let rest = [
        "",
        "/turns",
        "/documents",
        "/summaries",
        "/contexts",
        "/checkpoints",
        "/requests/9",
        "/requests/9/diff",
        "/compactions/1",
    ];
    let mut paths: Vec<String> = rest.iter().map(|rest| format!("{own}{rest}")).collect();
    paths.push("/".to_owned());
    paths.extend(["/search", "/memos", "/preferences"].map(str::to_owned));
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

#[test]
fn a_preference_is_set_from_its_page() {
    let served = Served::demo();
    let mut page = DrivenPage::open(served.home(), &address(&served, "/preferences"));
    page.wait_for("document.documentElement.dataset.script === ''");
    page.value("window.before = true; window.prompt = (text, now) => text.includes('watch.size') && now === '' ? '2048' : null");
    page.value("document.querySelector('[data-put=\"/api/preferences/watch.size\"]').click()");
    page.wait_for("!window.before && document.body.textContent.includes('2048')");
    let file = std::fs::read_to_string(served.home().join(".config/throughline/config.toml")).unwrap();
    assert!(file.contains("size = 2048"), "{file}");
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}

#[test]
fn a_page_sends_a_message_answers_its_question_and_shows_the_events() {
    let hostile = "<img src=x onerror=document.title='taken'>";
    let write =
        Answer::call("call_1", "write_file", serde_json::json!({ "path": "b.txt", "content": hostile }));
    let script = Script::new().then(Answer::text("Hello.")).then(write).then(Answer::text(hostile));
    let hosted = Hosted::new(script, &["--mode", "ask"]);
    let id = hosted.done("Greet.");
    let mut page =
        DrivenPage::open(hosted.served.home(), &address(&hosted.served, &format!("/sessions/{id}")));
    page.wait_for("document.documentElement.dataset.script === ''");
    page.value("document.querySelector('.turn textarea').value = 'Write.'");
    page.value("document.querySelector('.turn [type=submit]').click()");
    page.wait_for("document.querySelectorAll('.events .question button').length === 3");
    assert_eq!(page.value("document.querySelector('[data-cancel]').hidden"), false);
    // A page that is opened later joins the same turn.
    page.value("window.before = true; location.reload()");
    page.wait_for("!window.before && document.querySelectorAll('.events .question button').length === 3");
    page.value("document.querySelector('.events .question button').click()");
    page.wait_for(
        "(document.querySelector('.events')?.lastChild?.textContent ?? '').startsWith('The turn has ended')",
    );
    assert!(hosted.served.home().join("work/b.txt").exists());
    assert_eq!(page.value("document.querySelector('.events .text').textContent"), hostile);
    assert_eq!(page.value("document.querySelectorAll('.events img, .events .question button').length"), 0);
    assert_eq!(page.value("document.querySelector('[data-cancel]').hidden"), true);
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}
