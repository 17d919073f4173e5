//! What is required, and where it stands.

use throughline_testkit::{WordCounter, view};

use super::*;

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
