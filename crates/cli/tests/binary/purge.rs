//! What was deleted is found in no file.

use std::fs;
use std::path::{Path, PathBuf};

use throughline_conversation::{
    Action, DocumentName, DocumentRecord, Edit, EditReason, ExchangeId, Millis, RecordBody, Seq, SessionId,
    Source, Span,
};
use throughline_memory::{MemoDraft, MemoOrigin, NoteRepository};
use throughline_store::Store;

use crate::lived::{Lived, wait};
use crate::ran::assert_says;

/// In no other text of the session.
const MARK: &str = "zq7-unmistakable-4b1f";

/// Files below a folder that hold the mark.
pub(crate) fn holding(folder: &Path, mark: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, mark));
        } else if fs::read(&path).unwrap().windows(mark.len()).any(|part| part == mark.as_bytes()) {
            found.push(path);
        }
    }
    found
}

/// A session whose first group has left its mark wherever a group can: in its messages and its stored result (see
/// [`Lived::with`]), in the title, in the documents of the model, in a summary, in a memo, and in the snapshot.
fn marked() -> Lived {
    let lived = Lived::with(MARK);
    let by = Source::Model("claude-sonnet-4-5".to_owned());
    for name in [DocumentName::Scratchpad, DocumentName::State] {
        let text = format!("Remember {MARK}.");
        lived.append(1, RecordBody::Document(DocumentRecord { name, text, by: by.clone() }));
    }
    let own = |record: &&throughline_conversation::Record| {
        record.exchange == ExchangeId(1) && matches!(record.body, RecordBody::Message(_))
    };
    let records = lived.records();
    let places: Vec<Seq> = records.iter().filter(own).map(|record| record.seq).collect();
    let span = Span { first: *places.first().unwrap(), last: *places.last().unwrap() };
    let summary = Some(format!("The user asked about {MARK}."));
    let actions = vec![Action::Cover { span, summary, note: None }];
    let edit = Edit { reason: EditReason::Manual, actions, strategies: vec!["summary".to_owned()] };
    lived.append(3, RecordBody::Edit(edit));
    wait(async {
        let store = Store::open(&lived.data().join("throughline.db")).await.unwrap();
        let origin = MemoOrigin {
            workspace: None,
            session: Some(SessionId::new(lived.id.clone()).unwrap()),
            exchange: Some(ExchangeId(1)),
        };
        let draft = MemoDraft::new(&format!("It was {MARK}."), &["gotcha"], origin, Millis(1)).unwrap();
        store.notes().save(&draft).await.unwrap();
        store.close().await.unwrap();
    });
    // What was made of the group is in the snapshot and in the write-ahead log, too.
    lived.run(&["context", &lived.id, "drop", "2"]).done();
    lived.run(&["context", &lived.id, "restore", "2"]).done();
    lived
}

// S4-16: I-8
#[test]
fn a_group_that_was_removed_leaves_no_byte() {
    let lived = marked();
    assert!(!holding(&lived.data(), MARK).is_empty(), "the mark is nowhere to begin with");
    let shown = lived.run(&["messages", "show", &lived.id, "1"]).done();
    assert_says(&shown, &[MARK, "(full result stored, "]);
    let summaries = lived.run(&["summaries", &lived.id, "--json"]).json();
    assert_eq!(summaries[0]["status"], "in_force");

    let out = lived.run(&["messages", "remove", &lived.id, "1", "--yes"]).done();
    assert_eq!(holding(&lived.data(), MARK), Vec::<PathBuf>::new());
    assert_says(
        &out,
        &[
            " permanently: ",
            " records, 1 stored result and 1 memo.",
            "and is now \"Say two.\"",
            "This cannot be undone.",
        ],
    );

    // The session continues, and the rest of it is unchanged.
    assert_says(
        &lived.run(&["messages", "show", &lived.id, "1"]).failed(),
        &["turn 1 was permanently deleted"],
    );
    let list = lived.run(&["messages", "list", &lived.id, "--json"]).json();
    let status = |at: usize| list[at]["status"].as_str().unwrap().to_owned();
    assert_eq!(
        (status(0), status(1), status(2)),
        ("removed".to_owned(), "live".to_owned(), "live".to_owned())
    );
    assert_says(
        &lived.run(&["context", &lived.id, "restore", "1"]).failed(),
        &["its content is permanently deleted"],
    );
    assert_eq!(lived.run(&["summaries", &lived.id, "--json"]).done(), "[]\n");
    assert_says(&lived.run(&["scratchpad", &lived.id]).done(), &["has no scratchpad yet"]);
    let body = lived.next_body(&lived.data());
    assert!(body.contains("Say two.") && body.contains("Three it is."), "{body}");
    // A second time there is nothing left to do, and it is no error.
    assert_says(
        &lived.run(&["messages", "remove", &lived.id, "1", "--yes"]).done(),
        &["0 stored results and 0 memos"],
    );
}

// O-08: an undo that deletes.
#[test]
fn an_undo_can_delete_and_the_number_is_not_given_again() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    assert_says(
        &lived.run(&["undo", id, "--purge", "--yes"]).done(),
        &["Deleted turn 3 (\"Say three.\") permanently"],
    );
    assert!(!lived.run(&["export", id]).done().contains("Say three."));
    lived.next_body(&lived.data());
    let list = lived.run(&["messages", "list", id, "--json"]).json();
    let groups: Vec<(u64, &str, &str)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            (
                group["group"].as_u64().unwrap(),
                group["status"].as_str().unwrap(),
                group["request"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(groups[2..], [(3, "removed", ""), (4, "live", "And what now?")]);
    let shown = lived.run(&["context", id, "show"]).done();
    assert_says(&shown, &["And what now?", "Fine."]);
}
