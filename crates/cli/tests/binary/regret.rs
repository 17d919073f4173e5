//! What was needed after a compaction: counted in the session, and a reason to keep more in view.

use std::fmt::Write as _;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
const LINE: &str = "let unusual_total = first_part + second_part;";

/// Lets every request compact what it can, on the leanest setting.
const LEAN: &str = "[agent]\neconomy = \"lean\"\n[compaction]\nthreshold = 1\nsummary = \"rule\"\n";

fn edit() -> Value {
    json!({"path": "total.rs", "old_string": LINE, "new_string": "let unusual_total = 0;"})
}

/// A session that reads a file, is compacted by the next message, and then quotes a line of the file and reads it again.
/// Returns the home folder and what the last run said.
fn session(settings: &str, options: &[&str]) -> (Place, String) {
    let place = Place::new();
    let mut text = format!("{LINE}\n");
    (0..90).for_each(|row| writeln!(text, "fn helper_{row}() -> u64 {{ {row} + {row} * {row} }}").unwrap());
    std::fs::write(place.work().join("total.rs"), text).unwrap();
    let script = Script::new()
        .then(Answer::call("c1", "read_file", json!({"path": "total.rs"})))
        .then(Answer::text("I have read it."))
        .then(Answer::call("c2", "edit_file", edit()))
        .then(Answer::call("c3", "read_file", json!({"path": "total.rs"})))
        .then(Answer::text("Done."))
        .repeat_last();
    let server = serve(script);
    let file = place.folder.path().join("engine.toml");
    std::fs::write(&file, settings).unwrap();
    let file = file.display().to_string();
    let asks = |more: &[&str]| {
        let args: Vec<&str> = ["--config", &file].iter().chain(options).chain(more).copied().collect();
        let ran = run(&mut place.asks(&server, MODEL, &args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.err
    };
    asks(&["Read total.rs."]);
    let said = asks(&["-c", "Set the total to 0."]);
    (place, said)
}

fn records(place: &Place) -> Vec<Value> {
    let log = run(&mut place.bare(&["export", "last"])).done();
    log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["body"].clone()).collect()
}

fn dials(place: &Place) -> Vec<Value> {
    let policies = records(place).into_iter().filter(|body| body["kind"] == "policy");
    policies.map(|body| body["economy"].clone()).filter(|economy| !economy.is_null()).collect()
}

#[test]
fn what_a_compaction_removed_and_the_model_needs_again_is_counted_and_shown() {
    let (place, _) = session(LEAN, &[]);
    let receipts = records(&place).into_iter().filter(|body| body["kind"] == "receipt");
    let regrets: Vec<Value> =
        receipts.flat_map(|receipt| receipt["regret"].as_array().cloned().unwrap_or_default()).collect();
    assert_eq!(
        regrets.iter().map(|one| one["lines"].clone()).find(|lines| !lines.is_null()),
        Some(json!([LINE]))
    );
    assert!(regrets.iter().all(|one| one["price"].as_f64().unwrap() > 0.0), "{regrets:?}");

    let shown = run(&mut place.bare(&["context", "last"])).done();
    assert_says(&shown, &["what they removed was needed again for", "1 quoted line"]);
    let report = run(&mut place.bare(&["context", "last", "--json"])).json();
    let session = &report["regret"]["session"];
    assert_eq!(session["needed"]["lines"], 1, "{session}");
    assert!(session["regret"].as_f64().unwrap() > 0.0, "{session}");
    assert!(report["regret"]["policies"]["throughline"]["regret"].as_f64().unwrap() > 0.0, "{report}");

    let diff = run(&mut place.bare(&["context", "last", "diff", "1"])).done();
    assert_says(&diff, &["needed later, for about", "quoted line: let unusual_total"]);
}

#[test]
fn a_session_that_regrets_its_compactions_moves_its_dial_towards_faithful() {
    let (place, said) = session(LEAN, &[]);
    assert_says(&said, &["economy moves from lean to balanced: compactions have", "was needed again for"]);
    assert_eq!(dials(&place), [json!("balanced")]);
}

#[test]
fn the_setting_and_the_command_line_keep_the_dial_where_it_is() {
    let fixed = LEAN.replace("threshold = 1", "threshold = 1\nadapt = false");
    for (settings, options) in [(fixed.as_str(), &[][..]), (LEAN, &["--economy", "lean"])] {
        let (place, said) = session(settings, options);
        assert!(!said.contains("economy moves"), "{said}");
        assert_eq!(dials(&place), Vec::<Value>::new());
    }
}
