//! Sessions through the public API: own models, tools and stores, resume, fork, deletion, permissions.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::path::Path;
use std::sync::Arc;

use throughline::ports::scripted::Reply;
use throughline::ports::{
    InMemoryMessageLog, Message, MessageLog as _, ModelInfo, Part, ScriptAwareEstimator, ScriptedModel, Seq,
    Tool, ToolCall, ToolContext, ToolDefinition, ToolOrigin, ToolOutput, async_trait,
};
use throughline::{Builder, Error, Policy, SessionHandle, SessionWriter, Storage, Throughline, ToolSet};

/// A builder that reads nothing of the user's, with a model that gives these answers.
fn builder(folder: &Path, replies: impl IntoIterator<Item = Reply>) -> (Builder, Arc<ScriptedModel>) {
    let settings = folder.join("settings.toml");
    std::fs::write(&settings, "").unwrap();
    let info = ModelInfo::with_window("scripted", 100_000, 8_000);
    let model = Arc::new(ScriptedModel::new(info, Box::new(ScriptAwareEstimator), replies).recording());
    let builder = Throughline::builder()
        .model_port(model.clone())
        .settings_file(settings)
        .data_dir(folder.join("data"))
        .workspace(folder)
        .built_in_tools(ToolSet::None);
    (builder, model)
}

fn texts<const N: usize>(texts: [&str; N]) -> [Reply; N] {
    texts.map(Reply::text)
}

#[tokio::test]
async fn a_resumed_session_shows_the_model_what_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.title("birds").open().await.unwrap();
    assert_eq!(session.send("The bird is a heron.").await.unwrap().text(), "Noted.");
    let id = session.id().clone();
    session.close().await;

    let (second, model) = builder(folder.path(), texts(["A heron."]));
    let mut session = second.resume(id.clone()).open().await.unwrap();
    assert_eq!(session.id(), &id);
    assert_eq!(session.send("Which bird?").await.unwrap().text(), "A heron.");
    let requests = model.requests();
    let shown: Vec<String> = requests[0].transcript.messages().map(Message::text).collect();
    assert!(shown[0].contains("The bird is a heron."), "{shown:?}");
    assert_eq!(session.report().await.context().messages, 4);
}

#[tokio::test]
async fn a_fork_leaves_the_session_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["One."]));
    let mut session = first.open().await.unwrap();
    session.send("Count.").await.unwrap();
    let id = session.id().clone();
    session.close().await;
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    let before = storage.records(&id).await.unwrap();

    let (second, _) = builder(folder.path(), texts(["Two."]));
    let mut fork = second.fork(id.clone()).open().await.unwrap();
    assert_ne!(fork.id(), &id);
    assert_eq!(fork.send("Go on.").await.unwrap().text(), "Two.");
    assert_eq!(fork.report().await.context().messages, 4);
    fork.close().await;
    assert_eq!(storage.records(&id).await.unwrap(), before);
}

#[tokio::test]
async fn a_session_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["One."]));
    let session = first.open().await.unwrap();
    let (second, _) = builder(folder.path(), texts([]));
    let error = second.resume(session.id().clone()).open().await.map(|_| ()).unwrap_err();
    assert!(matches!(&error, Error::Busy { session: busy, .. } if busy == session.id()), "{error:?}");
    let id = session.id().clone();
    session.close().await;
    let (third, _) = builder(folder.path(), texts([]));
    assert!(third.resume(id).open().await.is_ok());
}

#[derive(Debug)]
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "weather".to_owned(),
            description: "Tells the weather.".to_owned(),
            input_schema: serde_json::json!({"type": "object", "properties": {}}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text("21 degrees")
    }
}

/// The result of a call of `weather`, as the model sees it.
async fn weather(configure: impl FnOnce(Builder) -> Builder) -> String {
    let folder = tempfile::tempdir().unwrap();
    let call = Reply::call("c1", "weather", serde_json::json!({}));
    let (builder, model) = builder(folder.path(), [call, Reply::text("Done.")]);
    let mut session = configure(builder.tool(Arc::new(Weather))).open().await.unwrap();
    session.send("How warm is it?").await.unwrap();
    let requests = model.requests();
    let messages = requests.last().unwrap().transcript.messages();
    messages.flat_map(Message::tool_results).map(|result| result.content.clone()).collect()
}

#[tokio::test]
async fn an_own_tool_runs_without_asking_unless_a_rule_denies_it() {
    assert_eq!(weather(|builder| builder).await, "21 degrees");
    let denied = weather(|builder| builder.deny("weather")).await;
    assert!(!denied.contains("21 degrees"), "{denied}");
}

#[tokio::test]
async fn an_own_log_has_every_record_and_the_database_none() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::default());
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.log(log.clone()).open().await.unwrap();
    session.send("The bird is a heron.").await.unwrap();
    let id = session.id().clone();
    session.close().await;
    assert!(!log.read(&id, Seq(0), Part::All).await.unwrap().is_empty());
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    assert_eq!(storage.records(&id).await.unwrap(), []);

    let (second, _) = builder(folder.path(), texts(["Two."]));
    let mut fork = second.log(log.clone()).fork(id.clone()).open().await.unwrap();
    assert_eq!(fork.send("Go on.").await.unwrap().text(), "Two.");
    assert_eq!(fork.report().await.context().messages, 4);
}

#[tokio::test]
async fn the_policy_of_the_builder_wins_over_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (builder, _) = builder(folder.path(), texts([]));
    std::fs::write(folder.path().join("settings.toml"), "[agent]\npolicy = \"vibe\"\n").unwrap();
    let session = builder.policy(Policy::Dex).open().await.unwrap();
    let report = session.report().await;
    // Dex compacts at 90 % of the whole window.
    assert_eq!(report.context().compact_at, Some(90_000));
}

#[tokio::test]
async fn no_key_goes_to_a_server_that_was_not_named_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (builder, _) = builder(folder.path(), texts([]));
    let choice = throughline::ModelChoice {
        headers: vec!["x-key: secret".to_owned()],
        ..throughline::ModelChoice::default()
    };
    let error = builder.model_choice(choice).open().await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("needs --provider"), "{error}");
}

#[tokio::test]
async fn a_deleted_turn_leaves_no_byte_in_the_data_folder() {
    const SECRET: &str = "heron-4711";
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["It is heron-4711.", "Sunny."]));
    let mut session = first.title(SECRET).open().await.unwrap();
    session.send(format!("The code is {SECRET}.")).await.unwrap();
    session.send("How is the weather?").await.unwrap();
    let id = session.id().clone();
    session.close().await;
    let data = folder.path().join("data");
    assert!(holds(&data, SECRET));

    let handle = SessionHandle::new(Storage::open(Some(data.clone())).await.unwrap(), id);
    let mut writer = SessionWriter::Handle;
    let lock = handle.lock(&writer).unwrap();
    let turn = handle.log().await.unwrap().groups()[0].id;
    let change = throughline_groups::Change::Remove(turn);
    assert!(handle.change(&mut writer, change).await.is_err(), "a change alone would leave memos and title");
    let deleted = handle.delete_turn(&mut writer, turn).await.unwrap();
    assert_eq!((deleted.turn, deleted.overwritten), (turn, true));
    assert_eq!(deleted.title.as_deref(), Some("How is the weather?"));
    assert!(!holds(&data, SECRET), "records, title, snapshot and write-ahead log");
    assert_eq!(handle.log().await.unwrap().view.entries().len(), 2, "the other turn stays");
    drop(lock);
}

/// Returns true if a file below the folder has this text.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}
