//! The server that has one of everything, over streamable HTTP on loopback.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use throughline_mcp::{McpOptions, McpServers, ServerConfig, Transport};

use crate::session::{Session, programs};

/// The server as a process of its own, ended with the test.
struct Web {
    child: Child,
    port: u16,
}

impl Web {
    /// Starts it on a port, and waits until it listens.
    async fn start(port: u16) -> Self {
        // By itself it listens to the whole network; here it gets the loopback address alone.
        let script = r#"
            const net = require("node:net");
            const listen = net.Server.prototype.listen;
            net.Server.prototype.listen = function (port, done) { return listen.call(this, port, "127.0.0.1", done); };
            import(process.argv[1]);
        "#;
        let main = programs()
            .join("../@modelcontextprotocol/server-everything/dist/index.js")
            .canonicalize()
            .unwrap();
        let mut command = Command::new("node");
        command.args(["-e", script]).arg(main).arg("streamableHttp").env("PORT", port.to_string());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let web = Self { child, port };
        for _ in 0..3_000 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return web;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the server does not listen on {port}");
    }

    fn config(&self) -> ServerConfig {
        let url = format!("http://127.0.0.1:{}/mcp", self.port);
        let headers = BTreeMap::from([("X-Key".to_owned(), "secret-4711".to_owned())]);
        ServerConfig::new("web", Transport::Http { url, headers })
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

// S3-31
#[tokio::test]
async fn tools_pictures_and_roots_over_the_network() {
    let web = Web::start(free_port()).await;
    let session = Session::open(|_| vec![web.config()]).await;
    assert_eq!(session.servers.notes(), [""; 0]);
    assert!(session.names().len() >= 13, "{:?}", session.names());
    assert_eq!(session.text("mcp__web__echo", json!({"message": "«hé»"})).await, "Echo: «hé»");
    assert_eq!(session.call("mcp__web__get-tiny-image", json!({})).await.images.len(), 1);
    let long =
        session.text("mcp__web__trigger-long-running-operation", json!({"duration": 0.5, "steps": 3})).await;
    assert!(long.contains("completed"), "{long}");
    let roots = session.text("mcp__web__get-roots-list", json!({})).await;
    assert!(roots.contains("file://"), "{roots}");
    let many = (0..10).map(|number| session.text("mcp__web__get-sum", json!({"a": number, "b": 100})));
    for (number, one) in many.enumerate() {
        assert!(one.await.contains(&(number + 100).to_string()));
    }
    session.servers.close().await;
}

#[tokio::test]
async fn a_slow_tool_on_the_network_times_out() {
    let web = Web::start(free_port()).await;
    let mut config = web.config();
    config.timeout = Duration::from_millis(300);
    let session = Session::open(|_| vec![config]).await;
    let output = session
        .output("mcp__web__trigger-long-running-operation", json!({"duration": 60, "steps": 60}))
        .await;
    assert!(
        output.is_error && output.to_text().contains("did not answer within 0.3 s"),
        "{}",
        output.to_text()
    );
    session.servers.close().await;
}

#[tokio::test]
async fn a_restarted_server_is_connected_to_again() {
    let port = free_port();
    let web = Web::start(port).await;
    let session = Session::open(|_| vec![web.config()]).await;
    assert_eq!(session.text("mcp__web__echo", json!({"message": "1"})).await, "Echo: 1");
    drop(web);
    let away = session.output("mcp__web__echo", json!({"message": "2"})).await;
    assert!(away.is_error && !away.to_text().contains("4711"), "{}", away.to_text());
    let _web = Web::start(port).await;
    let mut output = session.output("mcp__web__echo", json!({"message": "3"})).await;
    for _ in 0..100 {
        if !output.is_error {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        output = session.output("mcp__web__echo", json!({"message": "3"})).await;
    }
    assert_eq!(output.to_text(), "Echo: 3");
    session.servers.close().await;
}

#[tokio::test]
async fn an_unreachable_server() {
    let config = ServerConfig::new(
        "web",
        Transport::Http { url: format!("http://127.0.0.1:{}/mcp", free_port()), headers: BTreeMap::new() },
    );
    let servers = McpServers::new([config], McpOptions::new("/tmp"));
    servers.start().await;
    assert!(servers.notes()[0].contains("onnect"), "{:?}", servers.notes());
}
