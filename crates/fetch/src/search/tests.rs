//! Searches by a local server.

use throughline_tools::contract;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// A server that answers every request like this. Returns its address, and sends each first line back.
async fn server(status: u16, body: &str) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    let (asked, received) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let count = stream.read(&mut request).await.unwrap_or_default();
            let text = String::from_utf8_lossy(request.get(..count).unwrap_or_default()).into_owned();
            let _ = asked.send(text.lines().next().unwrap_or_default().to_owned());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, received)
}

async fn search(address: &str, query: &str) -> ToolOutput {
    let call =
        ToolCall { id: "c1".to_owned(), name: "web_search".to_owned(), input: json!({ "query": query }) };
    SearchTool::new(address).unwrap().call(&call, &ToolContext::new("/tmp")).await
}

#[tokio::test]
async fn results_have_titles_addresses_and_extracts() {
    let body = json!({
        "query": "tokio select", "number_of_results": 2,
        "results": [
            { "url": "https://docs.rs/tokio", "title": "tokio\n- Rust", "content": "A  runtime\nfor Rust.", "engine": "x" },
            { "url": "https://example.org/b", "content": null }
        ],
        "unresponsive_engines": [["brave", "timeout"]]
    });
    let (address, mut asked) = server(200, &body.to_string()).await;
    let output = search(&address, "tokio select & more").await;
    let expected = "1. tokio\n   https://docs.rs/tokio\n   A runtime for Rust.\n2. \n   https://example.org/b\n   \n\
                    [1 engines of the server did not answer]";
    assert_eq!((output.is_error, output.to_text().as_str()), (false, expected));
    assert_eq!(asked.recv().await.unwrap(), "GET /search?q=tokio+select+%26+more&format=json HTTP/1.1");
}

#[tokio::test]
async fn failures_say_what_helps() {
    let (address, _asked) = server(403, "no").await;
    let output = search(&address, "x").await;
    assert!(output.is_error && output.to_text().contains("must allow the form json"), "{output:?}");
    let (address, _asked) = server(200, "<html>").await;
    let output = search(&address, "x").await;
    assert!(output.is_error && output.to_text().contains("gave no JSON of SearXNG"), "{output:?}");
    let (address, _asked) = server(200, r#"{"results": []}"#).await;
    let output = search(&address, "x").await;
    assert_eq!(
        (output.is_error, output.to_text().as_str()),
        (false, "[nothing found for \"x\"; use fewer or other words]")
    );
    let output = search("http://127.0.0.1:9", " ").await;
    assert!(output.is_error && output.to_text().contains("The query is empty"), "{output:?}");
}

#[tokio::test]
async fn the_address_of_a_server_is_checked_and_a_path_is_allowed() {
    for wrong in ["searx", "ftp://x", "http://", "http://user:pw@host"] {
        assert_eq!(SearchTool::new(wrong).unwrap_err(), InvalidSearchServer(wrong.to_owned()));
    }
    let (address, mut asked) = server(200, r#"{"results": []}"#).await;
    search(&format!("{address}/searx/"), "x").await;
    assert_eq!(asked.recv().await.unwrap(), "GET /searx/search?q=x&format=json HTTP/1.1");
}

#[tokio::test]
async fn it_keeps_the_contract_of_tools() {
    let (address, _asked) = server(200, r#"{"results": []}"#).await;
    let tool = SearchTool::new(&address).unwrap();
    contract::contract_definition(&tool).await;
    contract::contract_wrong_arguments(&tool, &ToolContext::new("/")).await;
    contract::contract_registers(Arc::new(tool)).await;
}
