//! What a session has without being asked for it, and what an embedder puts in its place.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::json;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, async_trait};
use throughline::{Throughline, ToolSet};
use throughline_completion::ScriptedModel;

use crate::harness::{builder, project, texts};

#[derive(Debug)]
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("weather", "Returns the weather.", json!({"type": "object"}))
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text("clear")
    }
}

fn system(model: &ScriptedModel) -> String {
    let requests = model.requests();
    let sections = requests.iter().take(1).flat_map(|request| request.system.iter());
    sections.map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn tools(model: &ScriptedModel) -> Vec<String> {
    let requests = model.requests();
    requests.iter().take(1).flat_map(|request| request.tools.iter()).map(|tool| tool.name.clone()).collect()
}

#[tokio::test]
async fn a_session_has_the_engines_tools_and_no_others_and_is_no_coding_agent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(project(folder.path()).join("AGENTS.md"), "Run the tests of the project.").unwrap();
    let model = scripted::model([Reply::text("Yes.")]);
    let builder = Throughline::builder()
        .model_port(model.clone())
        .data_dir(folder.path().join("data"))
        .workspace(project(folder.path()));
    let mut session = builder.open().await.unwrap();
    session.send("Is it you?").await.unwrap();
    let (system, tools) = (system(&model), tools(&model));
    assert!(!system.contains("coding agent") && !system.contains("tests of the project"), "{system}");
    assert!(tools.contains(&"read_result".to_owned()), "{tools:?}");
    for built_in in ["read_file", "write_file", "edit_file", "shell", "fetch"] {
        assert!(!tools.contains(&built_in.to_owned()), "{tools:?}");
    }
    session.close().await.unwrap();
}

#[tokio::test]
async fn an_own_system_prompt_stands_first_whatever_tools_there_are() {
    for set in [ToolSet::None, ToolSet::All] {
        let folder = tempfile::tempdir().unwrap();
        let (builder, model) = builder(folder.path(), texts(["Clear."]));
        let builder = builder.built_in_tools(set).system_prompt("You answer questions about the weather.\n");
        let mut session = builder.open().await.unwrap();
        session.send("Oslo?").await.unwrap();
        let system = system(&model);
        assert!(system.starts_with("You answer questions about the weather."), "{system}");
        assert!(!system.contains("coding agent"), "{system}");
        session.close().await.unwrap();
    }
}

#[tokio::test]
async fn an_own_tool_next_to_the_built_in_ones_brings_no_notice() {
    let folder = tempfile::tempdir().unwrap();
    let (builder, model) = builder(folder.path(), texts(["Clear."]));
    let mut session = builder
        .built_in_tools(ToolSet::All)
        .tools([Arc::new(Weather) as Arc<dyn Tool>])
        .open()
        .await
        .unwrap();
    assert!(!session.notices.iter().any(|notice| notice.contains("weather")), "{:?}", session.notices);
    session.send("Oslo?").await.unwrap();
    assert!(tools(&model).contains(&"weather".to_owned()));
    session.close().await.unwrap();
}

#[tokio::test]
async fn a_session_that_was_not_used_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts([]));
    assert_eq!(first.open().await.unwrap().close().await.unwrap(), None);
}

/// The settings of a user are found by the environment, which belongs to the whole process, so the test starts itself again.
#[tokio::test]
async fn the_users_settings_are_read_only_when_asked_for() {
    const CONFIG: &str = "config-of-this-test";
    const NAME: &str = "defaults::the_users_settings_are_read_only_when_asked_for";
    let folder = tempfile::tempdir().unwrap();
    let config = std::env::var_os("XDG_CONFIG_HOME").unwrap_or_default();
    if !Path::new(&config).ends_with(CONFIG) {
        let config = folder.path().join(CONFIG);
        std::fs::create_dir_all(config.join("throughline")).unwrap();
        std::fs::write(config.join("throughline/config.toml"), "[agent]\npolicy = \"no such policy\"\n")
            .unwrap();
        let test = std::env::current_exe().unwrap();
        let child =
            Command::new(test).args(["--exact", NAME]).env("XDG_CONFIG_HOME", config).output().unwrap();
        let printed = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && printed.contains("1 passed"), "{printed}");
        return;
    }
    let builder = || {
        Throughline::builder()
            .model_port(scripted::model([]))
            .data_dir(folder.path().join("data"))
            .workspace(project(folder.path()))
    };
    builder().open().await.unwrap().close().await.unwrap();
    let error = builder().user_settings().open().await.unwrap_err().to_string();
    assert!(error.contains("no such policy"), "{error}");
}

#[tokio::test]
async fn one_setting_can_be_given_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let open = |key: &str, text: &str| builder(folder.path(), texts([])).0.setting(key, text).open();
    let wrong_key = open("agent.polcy", "dex").await.unwrap_err();
    assert!(matches!(wrong_key, throughline::Error::Settings(_)), "{wrong_key:?}");
    assert!(wrong_key.to_string().contains("agent.policy"), "{wrong_key}");
    let wrong_text = open("storage.durability", "half").await.unwrap_err().to_string();
    assert!(wrong_text.contains("Builder::setting") && wrong_text.contains("half"), "{wrong_text}");
    let mut session = open("agent.policy", "dex").await.unwrap();
    // Dex compacts at 90 % of the whole window.
    assert_eq!(session.report().await.unwrap().context.compact_at, Some(90_000));
    session.close().await.unwrap();
}
