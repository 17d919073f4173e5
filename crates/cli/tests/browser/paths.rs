//! Where clicks and keys lead, from the list of sessions to a hit of a search.

use std::path::PathBuf;

use throughline_testserver::{Answer, Script};

use crate::driven::DrivenPage;
use crate::hosted::Hosted;
use crate::recording::IDLE;
use crate::served::Served;
use crate::stage::{SIZES, Stage, THEMES, address, origin, replay};

fn check_says(page: &mut DrivenPage, parts: &[&str]) {
    let text = page.text("main");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

/// Opens a folded part by a click on its line.
fn unfold(page: &mut DrivenPage, selector: &str) {
    page.click(&format!("{selector} > summary"));
    page.wait_for(&format!("document.querySelector({selector:?}).open"));
}

// S1-15
#[test]
fn clicks_lead_from_the_sessions_to_a_piece_a_compaction_a_revision_and_a_hit() {
    let stage = Stage::new();
    let own = format!("/sessions/{}", stage.replayed);
    let mut page = stage.browse("/");
    check_says(&mut page, &["Sessions", "preserved", "whole log", "replay of ledger"]);
    assert_eq!(page.follow(&format!("td a[href='{own}']")), own);
    check_says(
        &mut page,
        &[
            "Context now",
            "The window, request by request",
            "Turns",
            "Sum the ledger of part 1, and compare",
            "What it cost",
            "new input",
            "Compaction 1",
            "early, at a new user message",
        ],
    );
    assert_eq!(page.value("document.querySelectorAll('.chart .idle').length"), 1);
    let compactions = page.value("document.querySelectorAll('.chart .compaction').length").as_u64().unwrap();
    assert!(compactions > 3, "{compactions} compactions are drawn");

    // A bar, and a piece of its request.
    let bar = page.value("document.querySelector('.chart a:nth-of-type(100)').getAttribute('href')");
    let request = page.follow(".chart a:nth-of-type(100)");
    assert_eq!(request, bar.as_str().unwrap());
    check_says(&mut page, &["pressure", "read from the cache", "What was sent", "cached", "tokens"]);
    let last = page.value("document.querySelectorAll('.piece').length").as_u64().unwrap();
    unfold(&mut page, &format!("#piece-{last}"));
    check_says(&mut page, &["decision", "source", "price", "record"]);
    assert!(page.follow(&format!("#piece-{last} dd a")).starts_with(&format!("{own}/records/")));
    check_says(&mut page, &["first in request"]);
    assert_eq!(page.back(), request);

    // The request before, and what is behind a summary.
    assert_eq!(page.follow("a[data-key=d]"), format!("{request}/diff"));
    check_says(&mut page, &["are the same in both", "+ "]);
    assert_eq!(page.follow(".way a:last-of-type"), request);
    unfold(&mut page, ".piece:has(.kind.summary)");
    assert!(
        page.follow(".piece:has(.kind.summary) dd a[href*=compactions]")
            .starts_with(&format!("{own}/compactions/"))
    );
    check_says(
        &mut page,
        &["Needed later", "What left the view", "Shown in their place", "at a new user message"],
    );

    // One that removed what was read again later.
    let names = page.value(&format!(
        "(async () => {{ for (let number = 1; number <= {compactions}; number += 1) {{ \
         const one = await (await fetch('/api{own}/compactions/' + number)).json(); if (one.needed) return number; }} }})()"
    ));
    page.go(&address(&stage.served, &format!("{own}/compactions/{names}")));
    check_says(&mut page, &["Files read again", "ledger/part_", "tokens of uncached input"]);

    // The documents and an older revision.
    assert_eq!(page.follow(".tabs a[href$='/documents']"), format!("{own}/documents"));
    check_says(
        &mut page,
        &[
            "scratchpad",
            "Compare the ledgers.",
            "current",
            "older",
            "Changed since revision",
            "− 2. Sum the ledger.",
        ],
    );
    unfold(&mut page, ".piece:nth-of-type(2)");

    // A search from the top of the page, its hit, the request that sent it, and back.
    page.click("#q");
    page.write("ledger_total_44_cents");
    assert_eq!(page.press_to("Enter"), "/search?q=ledger_total_44_cents");
    check_says(&mut page, &["texts have ledger_total_44_cents", "result, turn 5"]);
    let hit = page.follow(".hits li:nth-of-type(1) a");
    assert!(hit.starts_with(&format!("{own}/records/")), "{hit}");
    check_says(&mut page, &["fn ledger_total_44_cents() -> u64 {", "first in request 45"]);
    let piece = page.follow("dd a[href*='#piece-']");
    assert!(piece.starts_with(&format!("{own}/requests/45")), "{piece}");
    assert_eq!(page.value("document.querySelector(location.hash).open"), true);
    assert_eq!(page.back(), hit);
    assert_eq!(page.back(), "/search?q=ledger_total_44_cents");

    // The requests, page by page.
    page.go(&address(&stage.served, &own));
    assert_eq!(page.follow(".tabs a[href$='/requests']"), format!("{own}/requests"));
    check_says(&mut page, &["1 to 50 of 250", "Read"]);
    assert_eq!(page.follow("a[rel=next]"), format!("{own}/requests?offset=50"));
    assert_eq!(page.follow("a[rel=next]"), format!("{own}/requests?offset=100"));
    check_says(&mut page, &["(40m 4s idle)"]);
    assert!(page.text("tbody tr:nth-of-type(21)").starts_with(&IDLE.to_string()));
    assert_eq!(page.value("document.querySelectorAll('tbody tr').length"), 50);
    page.check_quiet(origin(&stage.served));
}

#[test]
fn keys_lead_through_the_pages_without_a_mouse() {
    let stage = Stage::new();
    let own = format!("/sessions/{}", stage.replayed);
    let mut page = stage.browse("/");
    let row = page.value(&format!("Array.from(document.querySelectorAll('[data-row]')).findIndex(row => row.querySelector(\"a[href='{own}']\"))"));
    for _ in 0..=row.as_u64().unwrap() {
        page.press("j");
    }
    assert_eq!(page.press_to("Enter"), own);
    page.press("j");
    page.press("j");
    page.press("k");
    assert_eq!(page.press_to("Enter"), format!("{own}/conversation?turn=1#turn-1"));
    assert_eq!(page.press_to("u"), own);
    assert_eq!(page.follow(".tabs a[href$='/requests']"), format!("{own}/requests"));
    page.press("j");
    assert_eq!(page.press_to("Enter"), format!("{own}/requests/1"));
    assert_eq!(page.press_to("]"), format!("{own}/requests/2"));
    assert_eq!(page.press_to("d"), format!("{own}/requests/2/diff"));
    assert_eq!(page.press_to("]"), format!("{own}/requests/3/diff"));
    assert_eq!(page.press_to("d"), format!("{own}/requests/3"));
    assert_eq!(page.press_to("["), format!("{own}/requests/2"));
    page.press("j");
    page.press("Enter");
    page.wait_for("document.querySelector('#piece-1').open");
    assert_eq!(page.press_to("u"), own);
    page.press("?");
    page.wait_for("document.querySelector('#keys').open");
    page.press("Escape");
    page.wait_for("!document.querySelector('#keys').open");
    page.press("/");
    page.wait_for("document.activeElement.id === 'q'");
    page.write("walrus");
    assert_eq!(page.press_to("Enter"), "/search?q=walrus");
    check_says(&mut page, &["No text of a stored session has walrus."]);
    page.check_quiet(origin(&stage.served));
}

#[test]
fn a_piece_says_what_it_has_cost_so_far_and_until_it_left() {
    let script = Script::new().then(Answer::text("Fine.")).repeat_last();
    let hosted = Hosted::new(script, &[]);
    let id = hosted.done("Count the herons.");
    for said in ["And the geese.", "And the swans."] {
        assert_eq!(hosted.turn(&id, said).rest().last().unwrap()["outcome"], "done");
    }
    let change = r#"{"change":"drop","turn":1}"#;
    let dropped = hosted.served.send("POST", &format!("/api/sessions/{id}/changes"), change);
    assert_eq!(dropped.status, 200, "{}", dropped.body);
    assert_eq!(hosted.turn(&id, "And the ducks.").rest().last().unwrap()["outcome"], "done");

    let pieces = hosted.served.get(&format!("/api/sessions/{id}/requests/2/pieces?limit=200")).json();
    let pieces = pieces["pieces"].as_array().unwrap();
    let piece_of = |text: &str| pieces.iter().position(|piece| piece["text"] == text).unwrap();
    let (left, stays) = (&pieces[piece_of("Count the herons.")], &pieces[0]);
    assert_eq!(
        (&left["cost"]["first"], &left["cost"]["last"], &left["cost"]["has_left"]),
        (&1.into(), &3.into(), &true.into())
    );
    assert_eq!((&stays["cost"]["last"], &stays["cost"]["has_left"]), (&4.into(), &false.into()), "{stays}");
    let dollars = |piece: &serde_json::Value, name: &str| piece["cost"][name].as_f64().unwrap();
    assert!(
        dollars(left, "dollars") > dollars(left, "dollars_so_far") && dollars(left, "dollars_so_far") > 0.0,
        "{left}"
    );
    // The shares of a request add up to its input.
    let first = hosted.served.get(&format!("/api/sessions/{id}/requests/1/pieces?limit=200")).json();
    let sum: f64 =
        first["pieces"].as_array().unwrap().iter().map(|piece| dollars(piece, "dollars_so_far")).sum();
    let receipt = hosted.served.get(&format!("/api/sessions/{id}/requests/1")).json()["receipt"].clone();
    let used = |name: &str| receipt["reported"][name].as_f64().unwrap();
    let input = (used("input") + 0.1 * used("cache_read") + 1.25 * used("cache_write")) * 3.0 / 1e6;
    assert!((sum - input).abs() < input * 0.01, "{sum} of {input}");

    let mut page = DrivenPage::open(
        hosted.served.home(),
        &address(&hosted.served, &format!("/sessions/{id}/requests/2")),
    );
    unfold(&mut page, &format!("#piece-{}", piece_of("Count the herons.") + 1));
    check_says(
        &mut page,
        &[
            "in requests 1 to 3, then it left",
            "so far",
            "until it left",
            "a message of the user, word for word",
        ],
    );
    page.check_quiet(origin(&hosted.served));
}

#[test]
fn a_recording_of_a_real_agent_is_shown() {
    let Some(traces) = std::env::var_os("THROUGHLINE_TRACES").map(PathBuf::from) else {
        println!("skipped: a recording of a real agent: THROUGHLINE_TRACES names no folder");
        return;
    };
    let files = std::fs::read_dir(traces.join("claude-code")).unwrap().map(|entry| entry.unwrap().path());
    let file = files.max_by_key(|file| file.metadata().unwrap().len()).unwrap();
    let served = Served::demo();
    let id = replay(&served, &file, "64k");
    let own = format!("/sessions/{id}");
    let requests = served.get(&format!("/api{own}/requests?limit=1")).json()["total"].as_u64().unwrap();
    let compactions = served.get(&format!("/api{own}/compactions")).json()["total"].as_u64().unwrap();
    let mut page = DrivenPage::open(served.home(), &address(&served, &own));
    let mut paths =
        vec![own.clone(), format!("{own}/turns"), format!("{own}/summaries"), "/search?q=error".to_owned()];
    paths.extend((1..=compactions).map(|number| format!("{own}/compactions/{number}")));
    for request in (1..=requests).step_by(37) {
        paths.extend(["", "/diff"].map(|rest| format!("{own}/requests/{request}{rest}")));
    }
    for path in &paths {
        page.go(&address(&served, path));
        for size in SIZES {
            page.dress(size, THEMES[0]);
            let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(size.0), "{path}: {wide} pixels wide");
        }
    }
    page.check_quiet(origin(&served));
    println!("{requests} requests and {compactions} compactions of a recording, {} pages", paths.len());
    assert!(requests > 100, "{requests}");
}
