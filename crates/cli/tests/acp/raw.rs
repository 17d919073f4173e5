//! Lines that no client library would send.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::editor::LONGEST;
use crate::home::Home;

/// Sends lines, closes standard input, and gives the lines of the answer, the exit code and standard error.
async fn exchange(home: &Home, lines: &[u8]) -> (Vec<Value>, Option<i32>, String) {
    let mut child = home.agent(&[]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines).await.unwrap();
    drop(stdin);
    let (mut out, mut errors) = (String::new(), String::new());
    let ended = async {
        child.stdout.take().unwrap().read_to_string(&mut out).await.unwrap();
        child.stderr.take().unwrap().read_to_string(&mut errors).await.unwrap();
        child.wait().await.unwrap()
    };
    let code = timeout(LONGEST, ended).await.unwrap().code();
    // Nothing but the protocol.
    let answers = out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}")));
    (answers.collect(), code, errors)
}

fn initialize() -> String {
    let params = json!({ "protocolVersion": 1, "clientCapabilities": {} });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string() + "\n"
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_input_ends_the_agent() {
    let home = Home::new(Script::new()).await;
    let (answers, code, errors) = exchange(&home, b"").await;
    assert_eq!((answers, code, errors.as_str()), (vec![], Some(0), ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_lines_get_the_errors_of_the_protocol_and_end_nothing() {
    let home = Home::new(Script::new()).await;
    for (line, code) in [
        (&b"{\"jsonrpc\":\"2.0\",\"id\":1,"[..], -32700),
        (b"\xff\xfe\x00", -32700),
        (b"nonsense", -32700),
        (b"[]", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1}", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such/method\",\"params\":{}}", -32601),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_throughline/other\",\"params\":{}}", -32601),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":7}}", -32602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/load\",\"params\":{\"cwd\":\"/\",\"mcpServers\":[],\"sessionId\":\"..\"}}", -32602),
    ] {
        let sent = [initialize().as_bytes(), b"\n  \n", line, b"\n"].concat();
        let (answers, ended, errors) = exchange(&home, &sent).await;
        let shown = String::from_utf8_lossy(line);
        assert_eq!(ended, Some(0), "{shown}: {errors}");
        assert_eq!(answers[0]["result"]["protocolVersion"], 1, "{shown}: {answers:?}");
        assert_eq!(answers[1]["error"]["code"], code, "{shown}: {answers:?}");
        assert_eq!(answers.len(), 2, "{shown}: {answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_cannot_hold_the_agent() {
    let home = Home::new(Script::new()).await;
    let mut child = home.agent(&[]);
    let mut stdin = child.stdin.take().unwrap();
    // The answers are more than a pipe holds; nothing reads them.
    let unknown =
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": 1, "method": "x".repeat(200), "params": {} }));
    stdin.write_all(initialize().as_bytes()).await.unwrap();
    for _ in 0..2_000 {
        stdin.write_all(unknown.as_bytes()).await.unwrap();
    }
    drop(stdin);
    assert_eq!(timeout(LONGEST, child.wait()).await.unwrap().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_options_end_the_agent_before_it_answers() {
    let home = Home::new(Script::new().then(Answer::text("Fine."))).await;
    let mut agent = home.agent(&["--allow", "Bash(ls)"]);
    agent.stdin.take();
    let ended = timeout(LONGEST, agent.wait_with_output()).await.unwrap().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(ended.stdout.is_empty(), "{ended:?}");
}
