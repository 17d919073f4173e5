//! Tests of the tool: pages from a local server, and hosts that must not be contacted.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_tools::{Effect, Tool, ToolContext, ToolOutput, contract};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::FetchTool;
use crate::host_lookup::MockHostLookup;
use crate::policy::FetchPolicy;

/// A server with a fixed answer for each path, which counts its connections.
#[derive(Debug)]
struct Server {
    port: u16,
    visits: Arc<AtomicUsize>,
}

impl Server {
    async fn new(answers: &[(&str, String)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers: BTreeMap<String, String> = answers
            .iter()
            .map(|(path, answer)| ((*path).to_owned(), answer.replace("PORT", &port.to_string())))
            .collect();
        let visits = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&visits);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let answers = answers.clone();
                tokio::spawn(async move {
                    let mut request = vec![0; 4096];
                    let count = stream.read(&mut request).await.unwrap_or_default();
                    let request = String::from_utf8_lossy(request.get(..count).unwrap_or_default());
                    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                    match answers.get(&path).map(String::as_str) {
                        Some("HANG") => std::future::pending().await,
                        Some("ENDLESS") => {
                            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
                            let _ = stream.write_all(head.as_bytes()).await;
                            while stream.write_all(&[b'x'; 8192]).await.is_ok() {}
                        }
                        Some(answer) => drop(stream.write_all(answer.as_bytes()).await),
                        None => {
                            drop(stream.write_all(page(404, "text/plain", "nothing here").as_bytes()).await);
                        }
                    }
                });
            }
        });
        Self { port, visits }
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A policy that allows this server.
    fn policy(&self) -> FetchPolicy {
        let policy = FetchPolicy::new().time(Duration::from_secs(20));
        policy.allowing(&format!("127.0.0.1:{}", self.port)).unwrap()
    }

    fn tool(&self) -> FetchTool {
        FetchTool::new(self.policy())
    }
}

fn page(status: u16, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

fn redirect(to: &str) -> String {
    format!("HTTP/1.1 302 X\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

async fn fetch(tool: &FetchTool, url: &str) -> ToolOutput {
    let call = ToolCall { id: "c1".to_owned(), name: "fetch".to_owned(), input: json!({ "url": url }) };
    tool.call(&call, &ToolContext::new("/")).await
}

async fn refused(tool: &FetchTool, url: &str) -> String {
    let output = fetch(tool, url).await;
    assert!(output.is_error, "{url}: {}", output.to_text());
    output.to_text()
}

/// A lookup that knows these names only.
fn names(names: &'static [(&'static str, &[&str])]) -> Arc<MockHostLookup> {
    let mut lookup = MockHostLookup::new();
    lookup.expect_lookup().returning(|host| {
        let known = names.iter().find(|(name, _)| *name == host);
        let (_, addresses) = known.ok_or_else(|| Error::new(ErrorKind::NotFound, "no such name"))?;
        Ok(addresses.iter().map(|address| address.parse::<IpAddr>().unwrap()).collect())
    });
    Arc::new(lookup)
}

#[tokio::test]
async fn the_tool_fulfils_the_contract() {
    let tool = FetchTool::new(FetchPolicy::new());
    contract::contract_definition(&tool).await;
    contract::contract_wrong_arguments(&tool, &ToolContext::new("/")).await;
    let input: Value = json!({"url": "https://example.org/"});
    let access = tool.access(&ToolCall { id: String::new(), name: "fetch".to_owned(), input });
    assert_eq!((access.effect, access.subject.as_deref()), (Effect::Network, Some("https://example.org/")));
    contract::contract_registers(Arc::new(tool)).await;
}

#[tokio::test]
async fn a_page_is_shown_as_text() {
    let html = "<title>T</title><script>x</script><p>Hello <a href='b'>there</a>";
    let server = Server::new(&[
        ("/a", page(200, "text/html; charset=utf-8", html)),
        ("/json", page(200, "application/json", "{\"a\": 1}")),
        ("/image", page(200, "image/png", "png")),
        ("/empty", page(200, "text/html", "<script>x</script>")),
        ("/away", redirect("/a")),
    ])
    .await;
    let tool = server.tool();
    let text = |path: &'static str| {
        let (tool, url) = (&tool, server.url(path));
        async move { fetch(tool, &url).await.to_text() }
    };
    let shown = format!("# T\n\nHello [there]({})", server.url("/b"));
    let head = |path: &str| {
        format!("[{}: status 200, text/html; charset=utf-8, {} bytes]", server.url(path), html.len())
    };
    assert_eq!(text("/a").await, format!("{}\n{shown}", head("/a")));
    assert_eq!(
        text("/away").await,
        format!("{}\n{shown}", head("/a")),
        "a redirect on the same host is followed"
    );
    assert!(text("/json").await.ends_with("application/json, 8 bytes]\n{\"a\": 1}"));
    assert!(text("/empty").await.ends_with("\n[the page has no text]"));
    let image = refused(&tool, &server.url("/image")).await;
    assert!(image.ends_with(
        "image/png, 3 bytes]\nThis is no text, so it is not shown. Use shell if you need the file itself."
    ));
    let missing = refused(&tool, &server.url("/nowhere")).await;
    assert!(missing.contains("status 404") && missing.ends_with("\nnothing here"), "{missing}");
}

#[tokio::test]
async fn special_addresses_are_not_contacted_however_they_are_written() {
    let server = Server::new(&[("/", page(200, "text/plain", "secret"))]).await;
    let tool = FetchTool::with_lookup(
        FetchPolicy::new(),
        names(&[
            ("inner.example", &["127.0.0.1"]),
            ("mixed.example", &["93.184.215.14", "10.0.0.1"]),
            ("mapped.example", &["::ffff:127.0.0.1"]),
            ("metadata.example", &["169.254.169.254"]),
            ("localhost", &["::1", "127.0.0.1"]),
            ("nothing.example", &[]),
        ]),
    );
    let port = server.port;
    for (host, what) in [
        ("127.0.0.1", "this machine"),
        ("2130706433", "this machine"),
        ("0x7f.1", "this machine"),
        ("0177.0.0.1", "this machine"),
        ("127.1", "this machine"),
        ("%31%32%37.0.0.1", "this machine"),
        ("①②⑦.⓪.⓪.①", "this machine"),
        ("0", "an unspecified address"),
        ("[::1]", "this machine"),
        ("[::]", "an unspecified address"),
        ("[::ffff:7f00:1]", "this machine"),
        ("[64:ff9b::127.0.0.1]", "this machine"),
        ("[fe80::1]", "a link-local address"),
        ("169.254.169.254", "a link-local address"),
        ("100.100.100.200", "a provider's inner network"),
        ("192.168.0.1", "a private network"),
        ("239.1.1.1", "a multicast address"),
        ("inner.example", "this machine"),
        ("INNER.example", "this machine"),
        ("mixed.example", "a private network"),
        ("mapped.example", "this machine"),
        ("metadata.example", "a link-local address"),
        ("localhost", "this machine"),
    ] {
        let text = refused(&tool, &format!("http://{host}:{port}/")).await;
        assert!(
            text.contains(&format!(" is {what} (")) && text.contains("only public addresses are"),
            "{host}: {text}"
        );
    }
    assert!(refused(&tool, "http://nothing.example/").await.contains("has no address"));
    assert!(refused(&tool, "http://unknown.example/").await.contains("is not found: no such name."));
    assert_eq!(server.visits(), 0, "no connection was made");
}

#[tokio::test]
async fn an_invalid_url_is_an_error() {
    let tool = FetchTool::new(FetchPolicy::new());
    for (url, start) in [
        ("", "\"\" is no address: "),
        ("example.org", "\"example.org\" is no address: "),
        ("file:///etc/passwd", "Only http and https are fetched, not file."),
        ("ftp://example.org/", "Only http and https are fetched, not ftp."),
        ("javascript:alert(1)", "Only http and https are fetched, not javascript."),
        ("http://", "\"http://\" is no address: "),
    ] {
        let text = refused(&tool, url).await;
        assert!(text.starts_with(start), "{url}: {text}");
    }
    let text = refused(&tool, "https://me:hunter2@example.org/").await;
    assert!(
        text.starts_with("The address has a user name or a password") && !text.contains("hunter2"),
        "{text}"
    );
}

#[tokio::test]
async fn redirects_are_checked_like_first_addresses() {
    let victim = Server::new(&[("/", page(200, "text/plain", "secret"))]).await;
    let server = Server::new(&[
        ("/inner", redirect(&victim.url("/"))),
        ("/metadata", redirect("http://169.254.169.254/latest/meta-data/")),
        ("/name", redirect("http://inner.example/")),
        ("/file", redirect("file:///etc/passwd")),
        ("/password", redirect("http://a:b@127.0.0.1:PORT/")),
        ("/loop", redirect("/loop")),
        ("/nonsense", redirect("http://[")),
        ("/public", redirect("https://public.example/new?x=1")),
    ])
    .await;
    let known = names(&[("inner.example", &["127.0.0.1"]), ("public.example", &["93.184.215.14"])]);
    let tool = FetchTool::with_lookup(server.policy(), known);
    for (path, words) in [
        ("/inner", "is this machine"),
        ("/metadata", "is a link-local address"),
        ("/name", "is this machine"),
        ("/file", "Only http and https"),
        ("/password", "a user name or a password"),
        ("/loop", "redirected more than 5 times"),
        ("/nonsense", "redirects to something that is no address"),
    ] {
        let text = refused(&tool, &server.url(path)).await;
        assert!(text.contains(words), "{path}: {text}");
    }
    assert_eq!(victim.visits(), 0, "no redirect was followed");
    let text = fetch(&tool, &server.url("/public")).await.to_text();
    assert_eq!(
        text,
        "[the page is at another place now: https://public.example/new?x=1\nfetch that address if you want it]"
    );
}

#[tokio::test]
async fn the_connection_uses_the_checked_address() {
    let server = Server::new(&[("/", page(200, "text/plain", "hello"))]).await;
    let policy = FetchPolicy::new().allowing(&format!("named.example:{}", server.port)).unwrap();
    let tool = FetchTool::with_lookup(policy, names(&[("named.example", &["127.0.0.1"])]));
    let text = fetch(&tool, &format!("http://named.example:{}/", server.port)).await.to_text();
    assert!(text.ends_with("\nhello"), "no name server knows that name: {text}");
    let text = refused(&tool, &format!("http://127.0.0.1:{}/", server.port)).await;
    assert!(text.contains("is this machine"), "the name was allowed, not the address: {text}");
}

#[tokio::test]
async fn size_and_time_are_limited_and_a_call_can_be_cancelled() {
    let server = Server::new(&[("/endless", "ENDLESS".to_owned()), ("/hang", "HANG".to_owned())]).await;
    let policy = FetchPolicy::new().allowing(&format!("127.0.0.1:{}", server.port)).unwrap();
    let tool = FetchTool::new(policy.clone().most_bytes(100_000));
    let text = fetch(&tool, &server.url("/endless")).await.to_text();
    assert!(text.ends_with("x\n[the page is longer; the rest was left out]"), "{}", text.len());
    assert!(text.len() < 101_000);
    let hasty = FetchTool::new(policy.clone().time(Duration::from_millis(50)));
    let text = refused(&hasty, &server.url("/hang")).await;
    // A note about a proxy may be in between.
    assert!(text.starts_with("The page did not come within 0.05 s."), "{text}");
    assert!(text.ends_with(" Try later, or another address."), "{text}");
    let context = ToolContext::new("/");
    context.cancel.cancel();
    let input = json!({"url": server.url("/hang")});
    let call = ToolCall { id: "c1".to_owned(), name: "fetch".to_owned(), input };
    assert_eq!(FetchTool::new(policy).call(&call, &context).await.to_text(), "[Cancelled]");
}

#[tokio::test]
async fn a_server_without_tls_is_an_error() {
    let server = Server::new(&[("/", page(200, "text/plain", "hello"))]).await;
    let text = refused(&server.tool(), &format!("https://127.0.0.1:{}/", server.port)).await;
    assert!(text.starts_with("127.0.0.1 cannot be reached: "), "{text}");
}

#[tokio::test]
async fn an_unreachable_server_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let tool = FetchTool::new(FetchPolicy::new().allowing("127.0.0.1").unwrap());
    let text = refused(&tool, &format!("http://127.0.0.1:{port}/")).await;
    assert!(
        text.starts_with("127.0.0.1 cannot be reached: ") && text.ends_with("Try later, or another address."),
        "{text}"
    );
}
