//! What is required, and where it stands.

use throughline_conversation::{Documents, ExchangeId, Groups, Mark, Pin, PinnedText, Seq};
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

/// A later view of the same log, in which only these entries are left.
fn later(notation: &str, left: View) -> View {
    left.saying(view(notation).said().clone())
}

fn places(standing: &StandingTexts, view: &View, notes: &[String]) -> Vec<(StandingKind, bool)> {
    let certificate = standing.certify(view, notes);
    certificate.texts.iter().map(|text| (text.kind, text.place.is_some())).collect()
}

#[test]
fn rules_and_the_last_request_are_required_in_the_users_words() {
    let standing = noted(TALK);
    assert_eq!(
        places(&standing, &view(TALK), &[]),
        [(StandingKind::Rule, true), (StandingKind::Request, true)]
    );
    // The same words from somebody else do not count.
    let other = later(TALK, view("assistant: Never touch vendor/legacy.\nuser: continue"));
    assert_eq!(places(&standing, &other, &[]), [(StandingKind::Rule, false), (StandingKind::Request, true)]);
}

#[test]
fn what_is_missing_is_said_in_a_note_that_counts() {
    let standing = noted(TALK);
    let later = later(TALK, view("user: continue"));
    let note = standing.note_of_missing(&later, &WordCounter).unwrap();
    assert!(note.ends_with("\n\n> Never touch vendor/legacy."), "{note}");
    let certificate = standing.certify(&later, &[note]);
    assert_eq!((certificate.required, certificate.missing.len()), (2, 0));
    assert_eq!(certificate.texts.first().unwrap().place, Some(StandingPlace::Note));
}

#[test]
fn a_rule_that_is_the_last_request_is_quoted_once() {
    let later = later("user: never do a", view("assistant: yes"));
    let certificate = StandingTexts::default().certify(&later, &[]);
    assert_eq!((certificate.required, certificate.missing), (2, vec!["never do a".to_owned()]));
}

#[test]
fn an_open_step_is_required_and_a_done_one_is_not() {
    let list = r#"{"items":[{"description":"look","status":"completed"},{"description":"fix it","status":"in_progress"}]}"#;
    let work = format!("user: go\nassistant:\n-> c1 update_checklist {list}\nresults:\nc1 = set");
    let standing = noted(&work);
    assert_eq!(standing.tasks, ["fix it"]);
    assert_eq!(
        places(&standing, &view(&work), &[]),
        [(StandingKind::Task, true), (StandingKind::Request, true)]
    );
    assert_eq!(
        places(&standing, &view("user: go"), &[]),
        [(StandingKind::Task, false), (StandingKind::Request, true)]
    );
}

const SUMMARY: &str = "[Summary]\\n\\n## What the user said\\n> never do a\\n\\n> go\\n\\n## Checklist\\n- [~] fix it\\n\\n\
                       ## Reading back\\nnone";

#[test]
fn the_place_of_a_text_is_the_first_that_shows_it() {
    let tasks = ["fix it", "look at x"].map(str::to_owned).to_vec();
    let standing = StandingTexts { tasks };
    let shown = with_summaries(
        &format!(
            "user: {SUMMARY}\nassistant: never do c\n  -> c1 read {{}}\nresults:\n  c1 = a pin here\nuser: so never do b"
        ),
        &[0],
    );
    let talk = view("user: never do a\nuser: never do b\nuser: never do c\nuser: go");
    let texts = vec![PinnedText { message: Seq(3), text: "pin".to_owned() }];
    let pins = Groups::from_marks(&[Mark::Pin(Pin { number: 1, exchange: ExchangeId(1), texts })]);
    let shown = shown.with(pins, Documents::default(), &WordCounter).saying(talk.said().clone());
    let notes = ["> look at x".to_owned()];
    let certificate = standing.certify(&shown, &notes);
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
            ("fix it", summary),
            ("look at x", Some(StandingPlace::Note)),
            ("go", summary),
        ]
    );
    assert_eq!((certificate.required, certificate.missing), (7, vec!["never do c".to_owned()]));
}

#[test]
fn what_does_not_fit_into_the_note_is_counted() {
    let rule =
        |letter: char, words: usize| format!("never {}", vec![letter.to_string(); words - 1].join(" "));
    let note = |texts: &[String]| {
        let standing = StandingTexts { tasks: texts.to_vec() };
        standing.note_of_missing(&View::default(), &WordCounter)
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
