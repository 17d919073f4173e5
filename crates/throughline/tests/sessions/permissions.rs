//! What may run, who is asked, and where a key goes.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::json;
use throughline::ports::scripted::Reply;
use throughline::ports::{
    Approval, ApprovalRequest, Approver, Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, async_trait,
};
use throughline::{Builder, ModelChoice, ToolSet};
use throughline_config::{Project, TrustFile};
use throughline_connect::Provider;
use throughline_conversation::ToolOrigin;
use throughline_tools::{
    Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor, Form, Sandbox, SandboxStatus,
};

use crate::harness::{builder, project, results, texts, unasked};

#[derive(Debug)]
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "weather".to_owned(),
            description: "Tells the weather.".to_owned(),
            input_schema: json!({"type": "object", "properties": {}}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text("21 degrees")
    }
}

/// The result of a call, as the model sees it, and the session's notices.
async fn called(
    folder: &Path,
    call: Reply,
    configure: impl FnOnce(Builder) -> Builder,
) -> (String, Vec<String>) {
    let (builder, model) = builder(folder, [call, Reply::text("Done.")]);
    let mut session = configure(builder).open().await.unwrap();
    session.send("Please.").await.unwrap();
    let notices = session.notices.clone();
    session.close().await.unwrap();
    (results(&model), notices)
}

async fn weather(configure: impl FnOnce(Builder) -> Builder) -> String {
    let folder = tempfile::tempdir().unwrap();
    let call = Reply::call("c1", "weather", json!({}));
    called(folder.path(), call, |builder| configure(builder.tool(Arc::new(Weather)))).await.0
}

/// The result of the command `echo heron`.
async fn echo(folder: &Path, configure: impl FnOnce(Builder) -> Builder) -> (String, Vec<String>) {
    let call = Reply::call("c1", "shell", json!({"command": "echo heron"}));
    called(folder, call, |builder| configure(builder.built_in_tools(ToolSet::All))).await
}

#[tokio::test]
async fn an_own_tool_runs_without_asking_unless_a_rule_denies_it() {
    assert_eq!(weather(|builder| builder).await, "21 degrees");
    let denied = weather(|builder| builder.deny("weather")).await;
    assert!(!denied.contains("21 degrees"), "{denied}");
}

/// Gives one answer to every question, and records what was asked.
#[derive(Debug)]
struct Asked {
    answer: Approval,
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl Approver for Asked {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        self.calls.lock().unwrap().push(request.call.name.clone());
        self.answer.clone()
    }
}

#[tokio::test]
async fn the_approver_decides_about_commands() {
    let answers =
        [(Approval::Once, "heron"), (Approval::Deny { feedback: Some("not today".to_owned()) }, "not today")];
    for (answer, expected) in answers {
        let folder = tempfile::tempdir().unwrap();
        let approver = Arc::new(Asked { answer, calls: Mutex::default() });
        let (result, _) = echo(folder.path(), |builder| builder.approver(approver.clone())).await;
        assert!(result.contains(expected), "{result}");
        assert_eq!(*approver.calls.lock().unwrap(), ["shell"]);
    }
}

#[tokio::test]
async fn without_an_approver_and_a_sandbox_commands_need_a_rule() {
    let folder = tempfile::tempdir().unwrap();
    let (result, notices) = echo(folder.path(), |builder| builder).await;
    assert!(!result.contains("heron\n"), "{result}");
    assert!(notices.iter().any(|notice| notice.contains("no launcher")), "{notices:?}");
    let (result, _) = echo(folder.path(), |builder| builder.allow("shell(echo *)")).await;
    assert!(result.contains("heron"), "{result}");
}

#[tokio::test]
async fn sandboxed_commands_run_without_asking() {
    let folder = tempfile::tempdir().unwrap();
    // Stands between the library and the command, as a program that embeds the library does.
    let (script, log) = (folder.path().join("launch.sh"), folder.path().join("launched"));
    let text = format!(
        "#!/bin/sh\necho \"$@\" >> {}\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
        log.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (result, notices) =
        echo(folder.path(), |builder| builder.sandbox_by(&script, ["sandbox-exec"])).await;
    if Sandbox::status() == SandboxStatus::Enforced {
        assert!(result.contains("heron"), "{result}");
        let launched = std::fs::read_to_string(&log).unwrap();
        let workspace = project(folder.path());
        assert!(launched.contains("sandbox-exec --writable "), "{launched}");
        assert!(launched.contains(&workspace.display().to_string()), "{launched}");
        assert_eq!(notices, [""; 0]);
    } else {
        assert!(!result.contains("heron\n"), "{result}");
        assert!(notices.iter().any(|notice| notice.contains("sandbox")), "{notices:?}");
    }
}

#[tokio::test]
async fn rules_of_a_project_hold_only_while_it_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let config = project(folder.path()).join(".throughline/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "[permissions]\nallow = [\"shell(echo *)\"]\n").unwrap();
    let workspace = project(folder.path());
    let ran = async || echo(folder.path(), |builder| builder).await.0.contains("heron\n");
    assert!(!ran().await, "no decision yet");

    let trusted = TrustFile::in_folder(&folder.path().join("data"));
    trusted.grant(&Project::read(&workspace)).unwrap();
    assert!(ran().await);

    std::fs::write(&config, "[permissions]\nallow = [\"shell(*)\"]\n").unwrap();
    assert!(!ran().await, "the files have changed since");
}

#[tokio::test]
async fn a_header_without_a_provider_goes_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let choice = ModelChoice { headers: vec!["x-key: secret".to_owned()], ..ModelChoice::default() };
    let error = unasked(folder.path()).model_choice(choice).open().await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("needs --provider"), "{error}");
}

/// A server that refuses the first request. Returns its address, and the head of that request.
fn server() -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let request = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        let mut buffer = [0; 4096];
        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
            let count = stream.read(&mut buffer).unwrap();
            head.extend_from_slice(buffer.get(..count).unwrap());
        }
        stream
            .write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .unwrap();
        String::from_utf8_lossy(&head).to_ascii_lowercase()
    });
    (address, request)
}

#[tokio::test]
async fn the_key_of_a_file_goes_to_the_server_that_is_named_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, "heron-key\n").unwrap();
    for key_file in [Some(file), None] {
        let (address, request) = server();
        let choice = ModelChoice {
            provider: key_file.as_ref().map(|_| Provider::Compatible),
            base_url: Some(address),
            key_file: key_file.clone(),
            ..ModelChoice::named("small")
        };
        let mut session = unasked(folder.path()).model_choice(choice).open().await.unwrap();
        assert!(session.send("Hello.").await.is_err());
        session.close().await.unwrap();
        let head = request.join().unwrap();
        assert_eq!(head.contains("authorization: bearer heron-key"), key_file.is_some(), "{head}");
        assert_eq!(head.contains("authorization"), key_file.is_some(), "{head}");
    }
}

#[tokio::test]
async fn a_named_provider_without_its_key_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let choice =
        ModelChoice { key_file: Some(missing.clone()), ..ModelChoice::named("anthropic/claude-sonnet-4-5") };
    let error = unasked(folder.path()).model_choice(choice).open().await.map(|_| ()).unwrap_err();
    let text = throughline_text::error_chain(&error);
    assert!(text.contains(&missing.display().to_string()), "{text}");
}

#[tokio::test]
async fn the_model_of_the_builder_is_asked_whatever_the_environment_names() {
    let folder = tempfile::tempdir().unwrap();
    let (builder, model) = builder(folder.path(), texts(["Hello."]));
    let mut session = builder.open().await.unwrap();
    session.send("Hello.").await.unwrap();
    assert_eq!(model.requests().len(), 1);
}

/// A tool that asks the user for a name.
#[derive(Debug)]
struct Greeting;

#[async_trait]
impl Tool for Greeting {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition { name: "greeting".to_owned(), ..Weather.definition() }
    }

    async fn call(&self, _call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let Some(elicitor) = &context.elicitor else { return ToolOutput::text("no person to ask") };
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let request = ElicitationRequest::Form(Form::parse(&schema).unwrap());
        let elicitation =
            Elicitation { server: "greeter".to_owned(), message: "Your name?".to_owned(), request };
        match elicitor.elicit(&elicitation).await {
            ElicitationAnswer::Accept(values) => {
                ToolOutput::text(format!("Hello, {:?}!", values.get("name")))
            }
            other => ToolOutput::text(format!("{other:?}")),
        }
    }
}

/// Gives one name to every tool.
#[derive(Debug)]
struct Named(&'static str);

#[async_trait]
impl Elicitor for Named {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        assert_eq!((&*elicitation.server, &*elicitation.message), ("greeter", "Your name?"));
        ElicitationAnswer::Accept([("name".to_owned(), json!(self.0))].into_iter().collect())
    }
}

#[tokio::test]
async fn calls_ask_the_elicitor_of_the_embedder() {
    let greeted = async |configure: fn(Builder) -> Builder| {
        let folder = tempfile::tempdir().unwrap();
        let call = Reply::call("c1", "greeting", json!({}));
        called(folder.path(), call, |builder| configure(builder.tool(Arc::new(Greeting)))).await.0
    };
    assert_eq!(
        greeted(|builder| builder.elicitor(Arc::new(Named("Ida")))).await,
        "Hello, Some(String(\"Ida\"))!"
    );
    assert_eq!(greeted(|builder| builder).await, "no person to ask");
}
