//! Sessions through the public API: own models, tools and stores, resume, fork, deletion, permissions.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

#[path = "sessions/defaults.rs"]
mod defaults;
#[path = "sessions/deletion.rs"]
mod deletion;
#[path = "sessions/harness.rs"]
mod harness;
#[path = "sessions/inspect.rs"]
mod inspect;
#[path = "sessions/permissions.rs"]
mod permissions;
#[path = "sessions/storage.rs"]
mod storage;

use throughline::ports::Message;
use throughline::{Error, Policy};
use throughline_stored::Storage;

use harness::{builder, texts};

#[tokio::test]
async fn a_resumed_session_shows_the_model_what_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.title("birds").open().await.unwrap();
    assert_eq!(session.send("The bird is a heron.").await.unwrap().text(), "Noted.");
    let id = session.id().clone();
    session.close().await.unwrap();

    let (second, model) = builder(folder.path(), texts(["A heron."]));
    let mut session = second.resume(id.clone()).open().await.unwrap();
    assert_eq!(session.id(), &id);
    assert_eq!(session.send("Which bird?").await.unwrap().text(), "A heron.");
    let requests = model.requests();
    let shown: Vec<String> = requests[0].transcript.messages().map(Message::text).collect();
    assert!(shown[0].contains("The bird is a heron."), "{shown:?}");
    assert_eq!(session.report().await.unwrap().context.messages, 4);
}

#[tokio::test]
async fn a_fork_leaves_the_session_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["One."]));
    let mut session = first.open().await.unwrap();
    session.send("Count.").await.unwrap();
    let id = session.id().clone();
    session.close().await.unwrap();
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    let before = storage.records(&id).await.unwrap();

    let (second, _) = builder(folder.path(), texts(["Two."]));
    let mut fork = second.fork(id.clone()).open().await.unwrap();
    assert_ne!(fork.id(), &id);
    assert_eq!(fork.send("Once more.").await.unwrap().text(), "Two.");
    assert_eq!(fork.report().await.unwrap().context.messages, 4);
    fork.close().await.unwrap();
    assert_eq!(storage.records(&id).await.unwrap(), before);
}

#[tokio::test]
async fn a_session_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["One."]));
    let mut session = first.open().await.unwrap();
    session.send("Count.").await.unwrap();
    let (second, _) = builder(folder.path(), texts([]));
    let error = second.resume(session.id().clone()).open().await.map(|_| ()).unwrap_err();
    assert!(matches!(&error, Error::Busy { session: busy, .. } if busy == session.id()), "{error:?}");
    let id = session.id().clone();
    session.close().await.unwrap();
    let (third, _) = builder(folder.path(), texts([]));
    assert!(third.resume(id).open().await.is_ok());
}

#[tokio::test]
async fn the_policy_of_the_builder_wins_over_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (builder, _) = builder(folder.path(), texts([]));
    std::fs::write(folder.path().join("settings.toml"), "[agent]\npolicy = \"vibe\"\n").unwrap();
    let mut session = builder.policy(Policy::Dex).open().await.unwrap();
    let report = session.report().await.unwrap();
    // Dex compacts at 90 % of the whole window.
    assert_eq!(report.context.compact_at, Some(90_000));
}
