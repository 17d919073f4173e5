//! One figure for one thing, on every screen of it.

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, last_object, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

fn tokens(report: &Value) -> u64 {
    let used = report["window"]["used"].as_object().unwrap_or_else(|| panic!("{report}"));
    used.values().map(|part| part.as_u64().unwrap()).sum()
}

/// Six turns with long answers. The provider reports half as many tokens again as the engine estimates, so that a figure
/// without calibration is another one.
fn talked() -> Place {
    let place = Place::new();
    let long = "A long story of many words that say very little about anything at all. ".repeat(100);
    let mut script = Script::new();
    for turn in 0..6 {
        let usage =
            Usage { input: 6_000 + 2_400 * turn, cache_read: 0, cache_write: 0, output: 2_300, searches: 0 };
        script = script.then(Answer::text(&long).usage(usage));
    }
    let server = serve(script);
    for turn in 0..6 {
        let ask = if turn == 0 { vec![] } else { vec!["-c"] };
        let ran = run(&mut place.asks(&server, MODEL, &[&ask[..], &["Tell me a story."]].concat()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    place
}

#[test]
fn an_undone_and_redone_compaction_measures_the_same() {
    let place = talked();
    let of = |args: &[&str]| run(&mut place.bare(args)).json();
    let context = || of(&["context", "last", "--json"]);
    let before = context();
    let summary = serve(
        Script::new().then(Answer::text("The user asked for stories; all were written.")).repeat_last(),
    );
    let ran = run(&mut place.asks(&summary, MODEL, &["-c", "/compact"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let compacted = context();
    assert!(tokens(&compacted) < tokens(&before) / 2, "{compacted}");
    let undone = run(&mut place.bare(&["undo", "last", "--compaction"])).done();
    assert!(undone.contains("Undid"), "{undone}");
    assert_eq!(tokens(&context()), tokens(&before), "the same messages measure the same");
    let counted = |context: &Value| [context["compactions"].as_u64(), context["undone_compactions"].as_u64()];
    let shown = || run(&mut place.bare(&["context", "last"])).done();
    assert_eq!(counted(&context()), [Some(1), Some(1)]);
    assert!(shown().contains("; 1 compaction (1 undone), "), "{}", shown());
    run(&mut place.bare(&["redo", "last", "--compaction"])).done();
    assert_eq!(tokens(&context()), tokens(&compacted));
    assert_eq!(counted(&context()), [Some(1), Some(0)]);
    assert!(!shown().contains("undone"), "{}", shown());
}

#[test]
fn a_previewed_compaction_changes_nothing() {
    let place = talked();
    let context = || run(&mut place.bare(&["context", "last", "--json"])).json();
    let before = context();
    let summary = serve(Script::new());
    let shown = run(&mut place.asks(&summary, MODEL, &["-c", "/compact --preview"])).done();
    let parts = [
        "Preview: nothing is compacted yet.",
        "Price: ",
        "A summary costs: by rule nothing, brief ",
        "The summary:",
    ];
    assert_says(&shown, &parts);
    assert!(!shown.contains("The summary took "), "{shown}");
    assert_eq!(tokens(&context()), tokens(&before));
    let json = run(&mut place.asks(&summary, MODEL, &["-c", "-o", "json", "/compact --preview"]));
    let answer = last_object(&json)["answer"].clone();
    assert!(
        answer["preview"]["after_tokens"].as_u64() < answer["preview"]["before_tokens"].as_u64(),
        "{answer}"
    );
    assert!(!answer["summaries"][0].as_str().unwrap().is_empty(), "{answer}");
    assert!(summary.prompted().is_empty(), "a summary that cannot be applied is not paid for");
}

#[test]
fn every_screen_has_the_same_figures() {
    let place = talked();
    let shown = |args: &[&str]| run(&mut place.bare(args)).done();
    let of = |args: &[&str]| run(&mut place.bare(args)).json();
    let report = of(&["context", "last", "--json"]);
    let (text, slash) = (shown(&["context", "last"]), shown(&["run", "-c", "/context"]));
    let grouped = throughline_text::group_thousands(tokens(&report));
    for screen in [&text, &slash] {
        assert_says(screen, &[&format!("{grouped} of "), "6 requests"]);
    }
    // The last turn's figure is what its request and answer took, which is what the window holds now.
    let turns = of(&["messages", "list", "last", "--json"]);
    assert_eq!(turns[5]["tokens"], json!(6_000 + 2_400 * 5 + 2_300), "{turns}");
    // The cost is the same in the list, the report and the result of a run.
    let cost = |text: &str| {
        let at = text.find('$').unwrap_or_else(|| panic!("{text}"));
        text[at..].split(|letter: char| letter.is_whitespace() || letter == ',').next().unwrap().to_owned()
    };
    let sessions = shown(&["sessions"]);
    let listed = cost(&sessions);
    let line = text.lines().find(|line| line.starts_with("cost ")).unwrap();
    assert_eq!(cost(line), listed, "{text}\n{sessions}");
    // One more turn: its result has the session's cost so far, as the screens have.
    let server = serve(Script::new().then(Answer::text("The end.")));
    let ran = run(&mut place.asks(&server, MODEL, &["-c", "-o", "json", "Stop."]));
    assert_eq!(last_object(&ran)["requests"], json!(1), "{ran:?}");
    assert_says(&shown(&["context", "last"]), &["7 requests"]);
    assert_says(&shown(&["sessions"]), &["7"]);
}
