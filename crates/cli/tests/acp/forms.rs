//! A server asks the user of the client something while its tool runs.

use agent_client_protocol::v1::schema::{
    ClientCapabilities, ElicitationAction, ElicitationCapabilities, ElicitationContentValue,
    ElicitationFormCapabilities, ElicitationMode, McpServer, McpServerStdio, NewSessionRequest,
};
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::editor::Editor;
use crate::home::Home;

const ASKING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/asking_server.sh");

/// Lets the model call the server once, and returns what it was given, with the editor.
async fn called(capabilities: ClientCapabilities, answers: Vec<ElicitationAction>) -> (String, Editor) {
    let script = Script::new().then(Answer::call("call_1", "mcp__tracker__file", json!({})));
    let home = Home::new(script.then(Answer::text("Done."))).await;
    let editor = Editor::start_with(&home, &[], capabilities).await;
    let server = McpServerStdio::new("tracker", "sh").args(vec![ASKING.to_owned()]);
    let request = NewSessionRequest::new(home.work()).mcp_servers(vec![McpServer::Stdio(server)]);
    let id = editor.ask(request).await.unwrap().session_id.to_string();
    editor.answer(&["once"]);
    editor.fill_in(answers);
    editor.prompt(&id, "File it.").await.unwrap();
    let given =
        home.requests().last().unwrap().body["messages"].as_array().unwrap().last().unwrap().to_string();
    (given, editor)
}

fn forms() -> ClientCapabilities {
    let forms = ElicitationCapabilities::new().form(ElicitationFormCapabilities::new());
    ClientCapabilities::new().elicitation(forms)
}

fn accept(values: &[(&str, ElicitationContentValue)]) -> ElicitationAction {
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut accepted = agent_client_protocol::v1::schema::ElicitationAcceptAction::new();
    accepted.content = Some(values);
    ElicitationAction::Accept(accepted)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_shows_the_form_and_the_server_gets_the_values() {
    let north = ElicitationContentValue::String("North".to_owned());
    let (given, editor) = called(forms(), vec![accept(&[("project", north)])]).await;
    assert!(given.contains("North") && given.contains("accept"), "{given}");
    let asked = editor.elicited();
    let ElicitationMode::Form(form) = &asked[0].mode else { panic!("{asked:?}") };
    assert_eq!(asked[0].message, "tracker asks: Where does the issue belong?");
    assert_eq!(form.requested_schema.required.as_deref(), Some(&["project".to_owned()][..]));
    assert_eq!(form.requested_schema.properties.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_the_form_does_not_have_are_no_answer() {
    let number = ElicitationContentValue::Integer(5);
    let (given, editor) = called(forms(), vec![accept(&[("project", number)])]).await;
    assert!(given.contains("cancel") && !given.contains("accept"), "{given}");
    let (_, said) = editor.leave().await;
    assert!(said.contains("Project: it must be a text"), "{said}");
    let (given, _) = called(forms(), vec![ElicitationAction::Decline]).await;
    assert!(given.contains("decline"), "{given}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_forms_is_not_promised_to_servers() {
    let (given, editor) = called(ClientCapabilities::new(), Vec::new()).await;
    assert!(given.contains("elicitation is not offered"), "{given}");
    assert_eq!(editor.elicited(), []);
}
