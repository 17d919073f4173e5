//! An agent without a key: it says what it needs, and takes a key that is stored meanwhile.

use std::process::Stdio;

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{
    AuthCapabilities, AuthMethod, AuthenticateRequest, ClientCapabilities, NewSessionRequest,
};
use throughline_testserver::Script;
use tokio::io::AsyncWriteExt as _;

use crate::editor::Editor;
use crate::home::Home;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_without_a_key_asks_for_one_and_a_login_helps() {
    let home = Home::new(Script::new()).await;
    let editor = Editor::connect(home.agent_without_key(), ClientCapabilities::new()).await;
    let [AuthMethod::Agent(method)] = editor.about.auth_methods.as_slice() else {
        panic!("{:?}", editor.about.auth_methods)
    };
    assert!(method.description.as_deref().unwrap().contains("throughline login"), "{method:?}");
    let method = method.id.clone();
    let refused = editor.ask(NewSessionRequest::new(home.work())).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::AUTH_REQUIRED, "{refused:?}");
    let still = editor.ask(AuthenticateRequest::new(method.clone())).await.unwrap_err();
    assert_eq!(still.code, ErrorCode::AUTH_REQUIRED, "{still:?}");
    let unknown = editor.ask(AuthenticateRequest::new("oauth")).await.unwrap_err();
    assert!(unknown.code == ErrorCode::INVALID_PARAMS && unknown.message.contains("key"), "{unknown:?}");

    let mut login = home.command(&["login", "anthropic", "--no-check"]);
    let mut login = login.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    login.stdin.take().unwrap().write_all(b"sk-test-canary\n").await.unwrap();
    assert!(login.wait().await.unwrap().success());
    editor.ask(AuthenticateRequest::new(method)).await.unwrap();
    editor.ask(NewSessionRequest::new(home.work())).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_a_terminal_is_offered_a_login_in_it() {
    let home = Home::new(Script::new()).await;
    let capabilities = ClientCapabilities::new().auth(AuthCapabilities::new().terminal(true));
    let editor = Editor::connect(home.agent_without_key(), capabilities).await;
    let [AuthMethod::Terminal(login), AuthMethod::Agent(_)] = editor.about.auth_methods.as_slice() else {
        panic!("{:?}", editor.about.auth_methods)
    };
    assert_eq!(login.args, ["--login"]);
    // What the client starts asks, and without an answer it fails.
    let mut asks = home.command(&["acp", "--login"]);
    let ended = asks.stdin(Stdio::null()).output().await.unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("Which model do you want to use?"), "{ended:?}");
}
