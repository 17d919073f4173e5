//! What is required, and where it stands.

use throughline_testkit::{WordCounter, view};

use super::*;
use crate::testing::with_summaries;

const TALK: &str =
    "user: Port the ledger.\nassistant: yes\nuser: Never touch vendor/legacy.\nassistant: no\nuser: continue";

fn noted(notation: &str) -> StandingTexts {
    let mut standing = StandingTexts::default();
    standing.note(view(notation).entries());
    standing
}

fn places(standing: &StandingTexts, notation: &str, notes: &[String]) -> Vec<(StandingKind, bool)> {
    let certificate = standing.certify(view(notation).entries(), std::iter::empty(), notes);
    certificate.texts.iter().map(|text| (text.kind, text.place.is_some())).collect()
}

#[test]
fn rules_and_the_last_request_are_required_in_the_users_words() {
    let standing = noted(TALK);
    assert_eq!(places(&standing, TALK, &[]), [(StandingKind::Rule, true), (StandingKind::Request, true)]);
    // The same words from somebody else do not count.
    let other = "assistant: Never touch vendor/legacy.\nuser: continue";
    assert_eq!(places(&standing, other, &[]), [(StandingKind::Rule, false), (StandingKind::Request, true)]);
}

#[test]
fn what_is_missing_is_said_in_a_note_that_counts() {
    let standing = noted(TALK);
    let later = view("user: continue");
    let note = standing.note_of_missing(later.entries(), std::iter::empty(), &WordCounter).unwrap();
    assert!(note.ends_with("\n\n> Never touch vendor/legacy."), "{note}");
    let certificate = standing.certify(later.entries(), std::iter::empty(), &[note]);
    assert_eq!((certificate.required, certificate.missing.len()), (2, 0));
    assert_eq!(certificate.texts.first().unwrap().place, Some(StandingPlace::Note));
}

#[test]
fn an_open_step_is_required_and_a_done_one_is_not() {
    let list = r#"{"items":[{"description":"look","status":"completed"},{"description":"fix it","status":"in_progress"}]}"#;
    let work = format!("user: go\nassistant:\n-> c1 update_checklist {list}\nresults:\nc1 = set");
    let standing = noted(&work);
    assert_eq!(standing.tasks, ["fix it"]);
    assert_eq!(places(&standing, &work, &[]), [(StandingKind::Task, true), (StandingKind::Request, true)]);
    assert_eq!(
        places(&standing, "user: go", &[]),
        [(StandingKind::Task, false), (StandingKind::Request, true)]
    );
}

#[test]
fn the_newest_two_hundred_rules_are_required() {
    let talk = |count: usize| {
        (0..count).map(|number| format!("user: never touch part {number}\n")).collect::<String>()
    };
    let all = noted(&talk(200));
    assert_eq!((all.rules.len(), all.rules.first().unwrap().as_str()), (200, "never touch part 0"));
    let newest = noted(&talk(201));
    assert_eq!((newest.rules.len(), newest.rules.first().unwrap().as_str()), (200, "never touch part 1"));
}

#[test]
fn a_rule_that_is_said_once_more_is_the_newest() {
    let standing =
        noted("user: never do a\nuser: never do b\nuser: never do a\nuser: never [… 9 bytes left out …] c");
    assert_eq!(standing.rules, ["never do b", "never do a"]);
    assert_eq!(standing.request.as_deref(), Some("never [… 9 bytes left out …] c"));
}

#[test]
fn entries_are_taken_once() {
    let mut standing = noted("user: never do a\nuser: never do b");
    standing.note(view("user: never do a\nuser: never do b").entries());
    assert_eq!(standing.rules, ["never do a", "never do b"]);
    standing.note(view("user: never do a\nuser: never do b\nuser: never do c").entries());
    assert_eq!(standing.rules, ["never do a", "never do b", "never do c"]);
    // An older end does not let them be taken again.
    standing.note(view("user: never do a").entries());
    standing.note(view("user: never do a\nuser: never do b\nuser: never do c").entries());
    assert_eq!(standing.rules, ["never do a", "never do b", "never do c"]);
}

const SUMMARY: &str = "[Summary]\\n\\n## What the user said\\n> never do a\\n\\n> go\\n\\n## Checklist\\n- [~] fix it\\n\\n\
                       ## Reading back\\nnone";

#[test]
fn the_place_of_a_text_is_the_first_that_shows_it() {
    let standing = StandingTexts {
        rules: ["never do a", "never do b", "never do c"].map(str::to_owned).to_vec(),
        tasks: ["fix it", "look at x"].map(str::to_owned).to_vec(),
        request: Some("go".to_owned()),
        upto: None,
    };
    let shown = with_summaries(
        &format!(
            "user: {SUMMARY}\nassistant: never do c\n  -> c1 read {{}}\nresults:\n  c1 = a pin here\nuser: so never do b"
        ),
        &[0],
    );
    let pins = ["pin", "gone"].map(|text| PinnedText { message: Seq(1), text: text.to_owned() });
    let notes = ["> look at x\n\n> gone".to_owned()];
    let certificate = standing.certify(shown.entries(), pins.iter(), &notes);
    let places: Vec<(&str, Option<StandingPlace>)> =
        certificate.texts.iter().map(|text| (text.text.as_str(), text.place)).collect();
    let summary = Some(StandingPlace::Summary(throughline_conversation::Span::one(Seq(1))));
    assert_eq!(
        places,
        [
            ("never do a", summary),
            ("never do b", Some(StandingPlace::Message(Seq(4)))),
            ("never do c", None),
            ("pin", Some(StandingPlace::Message(Seq(3)))),
            ("gone", Some(StandingPlace::Note)),
            ("fix it", summary),
            ("look at x", Some(StandingPlace::Note)),
            ("go", summary),
        ]
    );
    assert_eq!((certificate.required, certificate.missing), (8, vec!["never do c".to_owned()]));
}

#[test]
fn what_does_not_fit_into_the_note_is_counted() {
    let rule =
        |letter: char, words: usize| format!("never {}", vec![letter.to_string(); words - 1].join(" "));
    let note = |rules: &[String]| {
        let standing = StandingTexts { rules: rules.to_vec(), ..StandingTexts::default() };
        standing.note_of_missing(&[], std::iter::empty(), &WordCounter)
    };
    assert_eq!(note(&[]), None);
    // A quoted rule has a word more.
    let (first, second) = (rule('a', 399), rule('b', 599));
    let both = note(&[first.clone(), second.clone()]).unwrap();
    assert!(both.ends_with(&format!("\n\n> {second}\n\n> {first}")), "the newest is first, and all fit");
    let one = note(&[first.clone(), rule('c', 2), rule('b', 600)]).unwrap();
    assert!(one.contains("\n\n> never c\n\n"), "{one}");
    assert!(one.contains("\n\n[1 more do not fit here") && !one.contains("> never a"), "{one}");
    let two = note(&[first.clone(), first.replace('a', "d"), rule('b', 999)]).unwrap();
    assert!(two.contains("\n\n[2 more do not fit here"), "{two}");
}
