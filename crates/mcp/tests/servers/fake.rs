//! A scripted server in this process.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_mcp::{LocalServer, McpOptions, McpServers, Pipe, ServerConfig, Transport};
use throughline_tools::{Tool, ToolContext, ToolOutput};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

/// What a server does about a message.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    /// Answers with this result.
    Result(Value),
    /// Answers with an error of this message.
    Error(i64, &'static str),
    /// Writes these bytes verbatim.
    Raw(Vec<u8>),
    /// Hangs up.
    End,
}

/// What it does, by the message.
type Behaviour = dyn Fn(&Value) -> Vec<Say> + Send + Sync;

/// A server with some tools.
#[derive(Clone)]
pub(crate) struct Fake {
    name: String,
    behaviour: Arc<Behaviour>,
    received: Arc<Mutex<Vec<Value>>>,
    connections: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Fake {
    /// One that has these tools and answers a call with its arguments.
    pub(crate) fn new(name: &str, tools: &[&str]) -> Self {
        let tools: Vec<Value> = tools.iter().map(|name| tool(name)).collect();
        let behaviour = move |message: &Value| match message["method"].as_str() {
            Some("initialize") => vec![Say::Result(hello())],
            Some("tools/list") => vec![Say::Result(json!({"tools": tools}))],
            Some("tools/call") => vec![Say::Result(text(&message["params"]["arguments"].to_string()))],
            _ => vec![],
        };
        Self {
            name: name.to_owned(),
            behaviour: Arc::new(behaviour),
            received: Arc::default(),
            connections: Arc::default(),
        }
    }

    /// The same, with another answer to this method.
    pub(crate) fn on(self, method: &str, say: impl Fn(&Value) -> Vec<Say> + Send + Sync + 'static) -> Self {
        let (before, method) = (Arc::clone(&self.behaviour), method.to_owned());
        let behaviour = move |message: &Value| {
            if message["method"] == *method { say(message) } else { before(message) }
        };
        Self { behaviour: Arc::new(behaviour), ..self }
    }

    /// The same, with what it does when the client answers its own request of this id.
    pub(crate) fn on_answer(
        self,
        id: &'static str,
        say: impl Fn(&Value) -> Vec<Say> + Send + Sync + 'static,
    ) -> Self {
        let before = Arc::clone(&self.behaviour);
        let behaviour = move |message: &Value| {
            if message["id"] == *id && message.get("method").is_none() {
                say(message)
            } else {
                before(message)
            }
        };
        Self { behaviour: Arc::new(behaviour), ..self }
    }

    /// How it is configured.
    pub(crate) fn config(&self) -> ServerConfig {
        let mut config = ServerConfig::new(&self.name, Transport::Local(Arc::new(self.clone())));
        config.timeout = Duration::from_secs(20);
        config
    }

    /// Every message that came, also those of ended connections.
    pub(crate) fn received(&self) -> Vec<Value> {
        self.received.lock().unwrap().clone()
    }

    /// How often it was connected to.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits until a message of this kind came.
    pub(crate) async fn wait_for(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                if let Some(message) = self.received().into_iter().find(&wanted) {
                    return message;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), found).await.unwrap()
    }

    async fn serve(self, stream: tokio::io::DuplexStream) {
        let (read, mut write) = tokio::io::split(stream);
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            self.received.lock().unwrap().push(message.clone());
            for say in (self.behaviour)(&message) {
                let id = &message["id"];
                let mut bytes = match say {
                    Say::Result(result) => {
                        json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into()
                    }
                    Say::Error(code, why) => {
                        let error = json!({"code": code, "message": why});
                        json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string().into()
                    }
                    Say::Raw(bytes) => bytes,
                    Say::End => return,
                };
                bytes.push(b'\n');
                if write.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        }
    }
}

impl LocalServer for Fake {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn connect(&self) -> Pipe {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        self.connections.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(self.clone().serve(theirs));
        let (output, input) = tokio::io::split(ours);
        Pipe { output: Box::new(output), input: Box::new(input) }
    }
}

/// The answer to the handshake.
pub(crate) fn hello() -> Value {
    let tools = json!({"listChanged": true});
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": tools},
        "serverInfo": {"name": "fake", "version": "1"}
    })
}

/// A tool of this name.
pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("Does {name}."), "inputSchema": {"type": "object"}})
}

/// A result of one text.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// The servers of a session that has no cache.
pub(crate) fn servers(configs: impl IntoIterator<Item = ServerConfig>) -> McpServers {
    McpServers::new(configs, options(None))
}

/// Options with a wait that no server here needs.
pub(crate) fn options(cache: Option<&Path>) -> McpOptions {
    let mut options = McpOptions::new("/tmp");
    options.cache = cache.map(Path::to_owned);
    options.wait = Duration::from_secs(20);
    options
}

/// The names of the tools.
pub(crate) fn names(servers: &McpServers) -> Vec<String> {
    servers.tools().iter().map(|tool| tool.definition().name).collect()
}

/// Calls a tool of the session.
pub(crate) async fn call(servers: &McpServers, name: &str, input: Value) -> ToolOutput {
    let tool = find(servers, name);
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input };
    tool.call(&call, &ToolContext::new("/tmp")).await
}

/// The tool of this name.
pub(crate) fn find(servers: &McpServers, name: &str) -> Arc<dyn Tool> {
    servers.tools().into_iter().find(|tool| tool.definition().name == name).unwrap()
}
