//! A session without a database: the log is the caller's own.

use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline_continuity::InMemoryMessageLog;

#[tokio::test]
async fn a_session_works_and_resumes_with_a_log_of_the_callers_own() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::new());
    let open = |replies: Vec<Reply>| {
        let model = scripted::model(replies);
        Throughline::builder()
            .model_port(model)
            .data_dir(folder.path())
            .workspace(folder.path())
            .log(log.clone())
    };
    let mut session = open(vec![Reply::text("It expects a comma.")]).open().await.unwrap();
    assert_eq!(session.send("Why does it fail?").await.unwrap().text(), "It expects a comma.");
    let id = session.id().clone();
    session.close().await.unwrap();
    let mut session = open(vec![Reply::text("In line 2.")]).resume(id).open().await.unwrap();
    assert_eq!(session.send("Where?").await.unwrap().text(), "In line 2.");
    assert!(session.report().await.is_ok());
    session.close().await.unwrap();
}

#[cfg(not(feature = "sqlite"))]
#[tokio::test]
async fn a_session_without_a_log_names_the_feature_and_the_alternative() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let builder = Throughline::builder().model_port(scripted::model([Reply::text("Yes.")])).data_dir(&data);
    let error = builder.workspace(folder.path()).open().await.unwrap_err();
    assert!(matches!(error, throughline::Error::Database(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("`sqlite`") && text.contains("`Builder::log`"), "{text}");
    assert!(!data.exists(), "nothing is created");
}
