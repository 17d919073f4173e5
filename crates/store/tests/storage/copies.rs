//! What is copied to another database, and what a copy is asked before.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog as _, SessionDirectory as _};
use throughline_conversation::{ExchangeId, Millis};
use throughline_memory::{
    Kinds, MemoDraft, MemoFilter, MemoOrigin, MemorySearch as _, NoteRepository as _, Query, Scope,
};
use throughline_store::{CopiedMemos, CopyError};

use super::{Fixture, create};

fn draft(content: &str, workspace: &str) -> MemoDraft {
    let origin = MemoOrigin {
        workspace: Some(workspace.to_owned()),
        session: Some(session("s1")),
        exchange: Some(ExchangeId(3)),
    };
    MemoDraft::new(content, &["tag", "other"], origin, Millis(7)).unwrap()
}

#[tokio::test]
async fn memos_are_copied_once_and_none_replaces_another() {
    let (here, there) = (Fixture::new().await, Fixture::new().await);
    for content in ["Tests need git.", "The port is 8080."] {
        here.store.notes().save(&draft(content, "/home/ann")).await.unwrap();
    }
    let all = MemoFilter::of(Scope::folder("/home/ann"));
    let own = here.store.notes().list(&all).await.unwrap();
    let copied = here.store.copy_memos(&there.store).await.unwrap();
    assert_eq!(copied, CopiedMemos { copied: 2, ..CopiedMemos::default() });
    assert_eq!(there.store.notes().list(&all).await.unwrap(), own);
    let found = there.store.memory_search().search(&Query::of("port", Kinds::All), &Scope::All, 9).await;
    assert_eq!(found.unwrap().len(), 1, "a copy is found by its words");

    let again = here.store.copy_memos(&there.store).await.unwrap();
    assert_eq!(again, CopiedMemos { same: 2, ..CopiedMemos::default() });
    let [first, ..] = own.as_slice() else { panic!("{own:?}") };
    there.store.notes().update(&first.id, &draft("It is another one.", "/home/ann")).await.unwrap();
    let changed = here.store.copy_memos(&there.store).await.unwrap();
    assert_eq!(changed, CopiedMemos { copied: 0, same: 1, taken: vec![first.id.to_string()] });
}

#[tokio::test]
async fn a_memo_of_another_name_is_the_same_by_its_text_and_folder() {
    let (here, there) = (Fixture::new().await, Fixture::new().await);
    for (content, workspace) in [("Tests need git.", "/a"), ("Tests need git.", "/b"), ("No tests.", "/a")] {
        here.store.notes().save(&draft(content, workspace)).await.unwrap();
    }
    there.store.notes().save(&draft("Tests need git.", "/a")).await.unwrap();
    let copied = here.store.copy_memos(&there.store).await.unwrap();
    assert_eq!(copied, CopiedMemos { copied: 2, same: 1, taken: Vec::new() });
}

#[tokio::test]
async fn a_copy_that_would_fail_is_known_before_and_changes_nothing() {
    let (here, there) = (Fixture::new().await, Fixture::new().await);
    let missing = here.store.check_copy(&session("s"), &there.store).await.unwrap_err();
    assert!(matches!(missing, CopyError::NoSession(_)), "{missing}");
    create(&here.store, "s").await;
    here.store.message_log().append(&session("s"), &sample_log(7, 20)).await.unwrap();
    here.store.check_copy(&session("s"), &there.store).await.unwrap();
    assert!(there.store.sessions().list().await.unwrap().is_empty());
    create(&there.store, "s").await;
    there.store.message_log().append(&session("s"), &sample_log(8, 20)).await.unwrap();
    let taken = here.store.check_copy(&session("s"), &there.store).await.unwrap_err();
    assert!(matches!(taken, CopyError::Taken { .. }), "{taken}");
}

#[tokio::test]
async fn a_session_moves_to_another_folder_alone() {
    let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    let sessions = fixture.store.sessions();
    sessions.set_workspace(&session("s1"), "/home/bob").await.unwrap();
    sessions.set_workspace(&session("missing"), "/home/bob").await.unwrap();
    for (id, folder) in [("s1", "/home/bob"), ("s2", "/home/ann")] {
        assert_eq!(sessions.get(&session(id)).await.unwrap().unwrap().workspace, folder, "{id}");
    }
}

#[tokio::test]
async fn no_other_process_takes_over_a_session_of_a_file() {
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.check_lock(&session("s1")).await.unwrap();
}
