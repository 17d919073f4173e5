//! The server that has one of everything, over its input and output.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_mcp::{ServerConfig, ServerStatus};
use throughline_tools::{
    Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor, FieldKind, FormField, contract,
};

use crate::session::{Session, program};

pub(crate) const EVERYTHING: &str = "mcp-server-everything";

fn config() -> ServerConfig {
    program("all", EVERYTHING, &["stdio"], &[("OWN_KEY", "own-4711")])
}

// S3-31
#[tokio::test]
async fn all_of_its_tools() {
    let session = Session::open(|_| vec![config()]).await;
    let text = async |name: &str, input: Value| session.text(&format!("mcp__all__{name}"), input).await;
    for tool in session.servers.tools() {
        contract::contract_definition(tool.as_ref()).await;
    }
    assert_eq!(text("echo", json!({"message": "«hé»"})).await, "Echo: «hé»");
    assert!(text("get-sum", json!({"a": 20, "b": 22})).await.contains("42"));

    let image = session.call("mcp__all__get-tiny-image", json!({})).await;
    assert_eq!((image.images.len(), image.images[0].media_type.as_str()), (1, "image/png"));
    let annotated = session
        .call("mcp__all__get-annotated-message", json!({"messageType": "error", "includeImage": true}))
        .await;
    assert!(annotated.images.len() == 1 && annotated.to_text().contains("Error"), "{}", annotated.to_text());

    // The variable that names the folder of the servers is on no list.
    let variables = text("get-env", json!({})).await;
    assert!(variables.contains("own-4711") && variables.contains("PATH"), "{variables}");
    assert!(!variables.contains("THROUGHLINE_MCP_SERVERS"), "{variables}");

    assert_eq!(text("get-resource-links", json!({"count": 3})).await.matches("[link to ").count(), 3);
    assert!(text("get-resource-reference", json!({"resourceType": "Text"})).await.contains("[resource "));
    let blob = text("get-resource-reference", json!({"resourceType": "Blob"})).await;
    assert!(blob.contains("This is a base64 blob") && blob.contains("text/plain"), "{blob}");
    let structured = text("get-structured-content", json!({"location": "Chicago"})).await;
    assert_eq!(structured.matches("temperature").count(), 1, "{structured}");
    let zipped = json!({"name": "a.gz", "data": "data:text/plain;base64,aGVsbG8=", "outputType": "resource"});
    assert!(text("gzip-file-as-resource", zipped).await.contains("application/gzip"));

    let roots = text("get-roots-list", json!({})).await;
    let workspace = session.workspace.path().canonicalize().unwrap();
    assert!(roots.contains(&format!("file://{}", workspace.display())), "{roots}");
    for toggle in ["toggle-simulated-logging", "toggle-subscriber-updates"] {
        assert!(!text(toggle, json!({})).await.is_empty());
        assert!(!text(toggle, json!({})).await.is_empty());
    }
    let long = text("trigger-long-running-operation", json!({"duration": 0.5, "steps": 5})).await;
    assert!(long.contains("completed"), "{long}");
    let task = session.output("mcp__all__simulate-research-query", json!({"topic": "x"})).await;
    assert!(task.is_error && task.to_text().contains("task"), "{}", task.to_text());
    session.close().await;
}

#[tokio::test]
async fn wrong_arguments_are_an_error() {
    let session = Session::open(|_| vec![config()]).await;
    let output = session.output("mcp__all__get-sum", json!({"a": 1, "b": "two"})).await;
    assert!(output.is_error && output.to_text().contains("number"), "{}", output.to_text());
    session.servers.close().await;
}

#[tokio::test]
async fn a_slow_tool_times_out_and_the_server_continues() {
    let mut slow = config();
    slow.timeout = Duration::from_secs(3);
    let session = Session::open(|_| vec![slow]).await;
    let began = Instant::now();
    let output = session
        .output("mcp__all__trigger-long-running-operation", json!({"duration": 60, "steps": 60}))
        .await;
    assert!(
        output.is_error && output.to_text().contains("did not answer within 3 s"),
        "{}",
        output.to_text()
    );
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(session.text("mcp__all__echo", json!({"message": "x"})).await, "Echo: x");
    session.servers.close().await;
}

#[tokio::test]
async fn a_killed_server_is_restarted() {
    let session = Session::open(|_| vec![config()]).await;
    assert_eq!(session.text("mcp__all__echo", json!({"message": "1"})).await, "Echo: 1");
    for process in started_in(session.workspace.path()) {
        let _ = std::process::Command::new("kill").args(["-9", &process]).status().unwrap();
    }
    let mut output = session.output("mcp__all__echo", json!({"message": "2"})).await;
    if output.is_error {
        // The end was noticed by this very call.
        assert!(output.to_text().contains("broke during the call"), "{}", output.to_text());
        output = session.output("mcp__all__echo", json!({"message": "2"})).await;
    }
    assert_eq!(output.to_text(), "Echo: 2");
    assert_eq!(session.servers.reports()[0].status, ServerStatus::Running);
    session.servers.close().await;
    assert_eq!(started_in(session.workspace.path()), [""; 0], "none is left");
}

/// The numbers of the processes that work in this folder.
fn started_in(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let here =
        processes.filter(|one| std::fs::read_link(one.path().join("cwd")).is_ok_and(|place| place == folder));
    here.map(|one| one.file_name().into_string().unwrap()).collect()
}

/// A user who fills in a form with the values that it begins with, or else with these.
#[derive(Debug, Default)]
struct Filling(Mutex<Vec<Elicitation>>);

#[async_trait]
impl Elicitor for Filling {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        self.0.lock().unwrap().push(elicitation.clone());
        let ElicitationRequest::Form(form) = &elicitation.request else { return ElicitationAnswer::Decline };
        let value = |field: &FormField| {
            let typed = match &field.kind {
                FieldKind::Text { format, .. } => match format.as_deref() {
                    Some("email") => "ada@example.org",
                    Some("uri") => "https://example.org",
                    Some("date") => "1815-12-10",
                    _ => "Ada",
                },
                FieldKind::Number { .. } => "42",
                FieldKind::YesNo => "yes",
                FieldKind::OneOf(_) | FieldKind::AnyOf { .. } => "1",
            };
            Some((field.name.clone(), field.read(typed).unwrap()?))
        };
        ElicitationAnswer::Accept(form.fields.iter().filter_map(value).collect())
    }
}

#[tokio::test]
async fn it_asks_the_user_for_every_kind_of_value() {
    let session = Session::attended(vec![config()]).await;
    let user = Arc::new(Filling::default());
    let tool = "mcp__all__trigger-elicitation-request";
    let output = session.asked(tool, json!({}), Arc::clone(&user) as Arc<dyn Elicitor>).await;
    let asked = user.0.lock().unwrap().clone();
    let ElicitationRequest::Form(form) = &asked[0].request else { panic!("{asked:?}") };
    assert!(form.fields.len() > 5, "{form:?}");
    let text = output.to_text();
    assert!(!output.is_error && text.contains("Ada") && text.contains("42"), "{text}");
    assert!(text.contains("provided") && !text.contains("invalid"), "{text}");
    session.servers.close().await;
}
