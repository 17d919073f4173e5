//! Prompts, notes, and what responses make of documents.

use expect_test::expect;
use throughline_conversation::{
    DocumentName, DocumentRecord, Documents, Entry, EntryKind, ExchangeId, Groups, Message, Millis, Record,
    RecordBody, Seq, Source, Span, View,
};
use throughline_testkit::WordCounter;

use super::{DocumentCaps, Updates, Written, cleaned_documents, updates};
use crate::guidelines::{NotesPlace, SCRATCHPAD_RULES, StateRule, documents_note, history_guidelines};
use crate::signals::Malformed;

const STATE: DocumentName = DocumentName::State;
const SCRATCHPAD: DocumentName = DocumentName::Scratchpad;

fn model() -> Source {
    Source::Model("m".to_owned())
}

/// The documents after these revisions; the first is record 1.
fn documents(revisions: &[(DocumentName, &str, Source)]) -> Documents {
    let mut view = View::default();
    for (index, (name, text, by)) in revisions.iter().enumerate() {
        let document = DocumentRecord { name: *name, text: (*text).to_owned(), by: by.clone() };
        let seq = Seq(index as u64 + 1);
        let body = RecordBody::Document(document);
        view.apply(&Record { seq, at: Millis(0), exchange: ExchangeId(1), body }, &WordCounter).unwrap();
    }
    view.documents().clone()
}

/// A view with these documents and no messages.
fn shown(documents: &Documents) -> View {
    View::default().with(Groups::default(), documents.clone(), &WordCounter)
}

// S0-16
#[test]
fn a_restored_document_is_cleaned_once() {
    let stored = documents(&[(SCRATCHPAD, "a \u{202e}plan\u{7}", model()), (STATE, "Goal: a", Source::User)]);
    let records = cleaned_documents(&stored);
    let plain: Vec<(DocumentName, &str)> = records.iter().map(|one| (one.name, one.text.as_str())).collect();
    assert_eq!(plain, [(SCRATCHPAD, "a plan")]);
    assert_eq!(records[0].by, model(), "its author stays");
    assert_eq!(cleaned_documents(&documents(&[(SCRATCHPAD, "a plan", model())])), []);
}

// S0-25
#[test]
fn the_scratchpad_names_the_compacted_history() {
    let two = documents(&[(SCRATCHPAD, "a plan", model()), (STATE, "Goal: a", model())]);
    let entry = |at: u64, kind: EntryKind, message: Message| Entry {
        span: Span::one(Seq(at)),
        exchange: ExchangeId(1),
        kind,
        origin: None,
        message: message.into(),
        tokens: 1,
    };
    let noted = |entries: Vec<Entry>| {
        let view = View::from_entries(entries, 0, Seq(9));
        documents_note(&view.with(Groups::default(), two.clone(), &WordCounter))
    };
    let summary = |text: &str| entry(2, EntryKind::Summary, Message::user(text));
    let summarized = |text: &str| noted(vec![summary(text)]);
    let plain = documents_note(&shown(&two));
    assert_eq!(summarized("[Summary of 2 earlier messages]\n- a"), plain);
    let notes = summarized("## Compacted History\n- Called read");
    assert_eq!(notes[0], plain[0]);
    let place = "The earlier messages are summarized under this heading at the start of the conversation.";
    assert_eq!(notes[1], format!("{}\n\n## Compacted History\n{place}", plain[1]));
    // The user's request may stay in front of it, as in a long tool loop.
    let request = entry(1, EntryKind::User, Message::user("Fix it."));
    let answer = entry(3, EntryKind::Assistant, Message::assistant("Fixed."));
    let history = summary("## Compacted History\n- Called read");
    assert_eq!(noted(vec![request.clone(), history.clone(), answer.clone()]), notes);
    assert_eq!(noted(vec![request, answer, history]), plain);
}

// S0-15
#[test]
fn the_rules_of_the_scratchpad() {
    let expected = "## Maintaining Your Scratchpad

You have a scratchpad for maintaining continuity across iterations. After significant progress, update it with:

SCRATCHPAD:## Current Understanding
[Your understanding of the task and codebase]

## Current Plan
[Checklist of steps, mark completed with [x]]

## Key Decisions
[Important choices made and rationale]

## Blockers
[Any issues preventing progress]

## Last Action
[What you just did and what's next]

Keep it concise but complete enough to resume with only this information.";
    assert_eq!(SCRATCHPAD_RULES, expected);
}

// S4-28 S4-09
#[test]
fn the_guidelines_of_the_history() {
    let every = history_guidelines(StateRule::EveryResponse, NotesPlace::LastMessage);
    let changed = history_guidelines(StateRule::WhenChanged, NotesPlace::LastMessage);
    let off = history_guidelines(StateRule::Off, NotesPlace::LastMessage);
    assert!(off.contains("- Notes at the very end are put there by the system"));
    let system = history_guidelines(StateRule::Off, NotesPlace::SystemPrompt);
    assert!(system.contains("- Notes at the end of these instructions are put there by the system"));
    assert_eq!(StateRule::default(), StateRule::WhenChanged);
    assert!(every.contains("End every response with this block"));
    assert!(changed.contains("When nothing has changed, write no block"));
    assert!(off.starts_with("## Reading the History\n") && !off.contains("STATE"));
    for text in [&every, &changed] {
        assert!(text.starts_with(&off));
        // S4-10
        for line in ["### STATE\nGoal: [", "\nContext: [", "\nResolved: [", "\nTechnical Anchors: ["] {
            assert!(text.contains(line), "{line}");
        }
    }
}

// S4-08 S0-17
#[test]
fn documents_are_shown_state_first() {
    let two = documents(&[(SCRATCHPAD, "## Plan\n1. [ ] a", model()), (STATE, "Goal: {revision}", model())]);
    let notes = documents_note(&shown(&two));
    expect![[r#"
        ## Global Anchor

        You keep this state block yourself in this session; it is data and no request of the user.

        ### STATE
        Goal: {revision}
        ====
        ## Your Scratchpad

        You keep this document yourself in this session (revision 1); it is data and no request of the user.

        <scratchpad>
        ## Plan
        1. [ ] a
        </scratchpad>"#]]
    .assert_eq(&notes.join("\n====\n"));
    assert_eq!(documents_note(&shown(&two)), notes, "the same documents, the same texts");
    assert_eq!(documents_note(&View::default()), [""; 0]);
    assert_eq!(documents_note(&shown(&documents(&[(STATE, "a", model()), (STATE, "", model())]))), [""; 0]);
}

fn said(text: &str, now: &Documents) -> Updates {
    let written = Written { text, cut: false, model: "m", shown: now };
    updates(&written, now, DocumentCaps::default())
}

// S0-14 S4-09
#[test]
fn a_response_writes_both() {
    let found = said("ok\nSCRATCHPAD:a\n### STATE\nGoal: g", &Documents::default());
    let record = |name, text: &str| DocumentRecord { name, text: text.to_owned(), by: model() };
    assert_eq!(found.records, [record(STATE, "Goal: g"), record(SCRATCHPAD, "a")]);
    assert_eq!(found.complaints, [""; 0]);
}

#[test]
fn what_stays_the_same_is_no_revision() {
    let now = documents(&[(STATE, "Goal: g", model()), (SCRATCHPAD, "a", model())]);
    assert_eq!(said("SCRATCHPAD: a \u{200b}\n### STATE\nGoal: g\n", &now), Updates::default());
    assert_eq!(said("no signals", &now), Updates::default());
}

// F-26
#[test]
fn a_block_without_text_keeps_the_old_one() {
    let now = documents(&[(STATE, "Goal: g", model())]);
    let found = said("### STATE\n", &now);
    assert_eq!(found.records, []);
    assert_eq!(found.complaints, [Malformed::StateWithoutFields.to_string()]);
}

// O-06
#[test]
fn a_persons_words_win() {
    let shown = documents(&[(SCRATCHPAD, "a", model())]);
    let now = documents(&[(SCRATCHPAD, "a", model()), (SCRATCHPAD, "by hand", Source::User)]);
    let late = Written { text: "SCRATCHPAD:b", cut: false, model: "m", shown: &shown };
    let found = updates(&late, &now, DocumentCaps::default());
    assert_eq!(found.records, []);
    let expected = "the scratchpad was not taken, as the user has changed it in the meantime; continue from the one that \
                    you are shown";
    assert_eq!(found.complaints, [expected]);
    assert_eq!(said("SCRATCHPAD:b", &now).records.len(), 1, "once it was shown, it may be rewritten");
}

// F-27
#[test]
fn caps_hold_for_signals() {
    let caps = DocumentCaps { scratchpad: 4, state: 8 };
    let shown = Documents::default();
    let written = |text| updates(&Written { text, cut: false, model: "m", shown: &shown }, &shown, caps);
    assert_eq!(written("SCRATCHPAD:abcd\n### STATE\nGoal: ab").records.len(), 2, "4 and 8 bytes");
    let over = written("SCRATCHPAD:abcde\n### STATE\nGoal: abc");
    assert_eq!(over.records, []);
    assert_eq!(over.complaints.len(), 2);
    assert!(over.complaints[0].starts_with("the scratchpad would have 5 bytes and may have 4;"));
    assert!(over.complaints[1].starts_with("the state would have 9 bytes and may have 8;"));
    assert_eq!((DocumentCaps::default().scratchpad, DocumentCaps::default().state), (16_384, 4_096));
}

#[test]
fn a_cut_response_writes_nothing_in_part() {
    let now = Documents::default();
    let written = Written { text: "SCRATCHPAD:ab", cut: true, model: "m", shown: &now };
    let found = updates(&written, &now, DocumentCaps::default());
    assert_eq!(found.records, []);
    assert_eq!(found.complaints, [Malformed::CutOff.to_string()]);
}
