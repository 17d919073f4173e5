//! `throughline mcp`: another agent reads sessions, stored results and memos of its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::{Image, Millis, ResultRef, SessionId, ToolCall};
use throughline_mcp::{McpOptions, McpServers, ServerConfig, Transport};
use throughline_resultstore::StoredResult;
use throughline_tools::{ToolContext, ToolOutput};

use crate::lived::{Lived, wait};
use crate::place::Place;
use crate::ran::{assert_says, run};

/// An agent with the server in its configuration.
pub(crate) struct Agent {
    pub(crate) servers: McpServers,
    folder: std::path::PathBuf,
}

impl Agent {
    /// An agent that works in a folder.
    pub(crate) async fn in_folder(place: &Place, folder: &Path, args: &[&str]) -> Self {
        Self::cached(place, folder, args, None).await
    }

    /// The same with a folder for cached files.
    async fn cached(place: &Place, folder: &Path, args: &[&str], cache: Option<&Path>) -> Self {
        let folder = folder.canonicalize().unwrap();
        let home = place.folder.path().to_str().unwrap().to_owned();
        let transport = Transport::Stdio {
            command: env!("CARGO_BIN_EXE_throughline").to_owned(),
            args: [&["mcp"], args].concat().into_iter().map(str::to_owned).collect(),
            env: BTreeMap::from([("HOME".to_owned(), home)]),
            cwd: None,
        };
        let mut options = McpOptions::new(&folder);
        options.wait = Duration::from_secs(60);
        options.cache = cache.map(Path::to_owned);
        let servers = McpServers::new([ServerConfig::new("throughline", transport)], options);
        servers.start().await;
        Self { servers, folder }
    }

    pub(crate) async fn output(&self, tool: &str, input: Value) -> ToolOutput {
        let name = format!("mcp__throughline__{tool}");
        let tools = self.servers.tools();
        let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
        let call = ToolCall { id: "1".to_owned(), name, input };
        tool.call(&call, &ToolContext::new(&self.folder)).await
    }

    /// The text of a call that works.
    pub(crate) async fn answer(&self, tool: &str, input: Value) -> String {
        let output = self.output(tool, input).await;
        assert!(!output.is_error, "{tool}: {}", output.to_text());
        output.to_text()
    }

    /// The text of a call that is refused.
    pub(crate) async fn refused(&self, tool: &str, input: Value) -> String {
        let output = self.output(tool, input).await;
        assert!(output.is_error, "{tool} answered: {}", output.to_text());
        output.to_text()
    }
}

#[test]
fn the_skills_of_the_server_are_copied_and_their_queries_run() {
    let lived = Lived::new();
    let cache = tempfile::tempdir().unwrap();
    wait(async {
        let agent = Agent::cached(&lived.place, &lived.place.work(), &[], Some(cache.path())).await;
        let skills = agent.servers.skills();
        let folders = &skills.first().unwrap().skills;
        let names: Vec<_> = folders.iter().map(|folder| folder.file_name().unwrap()).collect();
        assert_eq!(names, ["continue-work", "search-history"]);
        let queries = fs::read_to_string(folders[1].join("queries.md")).unwrap();
        let queries: Vec<&str> =
            queries.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert_eq!(queries.len(), 7);
        for sql in queries {
            let answer = agent.answer("query_db", json!({"sql": sql.trim()})).await;
            assert!(!answer.is_empty(), "{sql}");
        }
        agent.servers.close().await;
    });
}

// S1-13
#[test]
fn another_agent_finds_and_reads_the_history_of_its_folder() {
    let lived = Lived::new();
    wait(async {
        let agent = Agent::in_folder(&lived.place, &lived.place.work(), &[]).await;
        assert_eq!(agent.servers.tools().len(), 8, "{:?}", agent.servers.notes());

        let context = agent.answer("session_context", json!({})).await;
        let parts =
            ["[Previous Session Context]\nCurrent task:", "word for word:\nSay three.\n", &lived.id, "(1):"];
        assert_says(&context, &parts);

        let found = agent.answer("search_history", json!({"query": "ENDS mark", "limit": 1})).await;
        assert_says(&found, &["It ends with MARK.", &lived.id, "assistant text"]);
        let all = agent.answer("search_history", json!({"query": "mark"})).await;
        assert!(all.lines().count() >= 3, "{all}");
        let first = agent.answer("search_history", json!({"query": "mark", "limit": 2})).await;
        assert_says(&first, &["[more hits: offset=2]"]);
        let rest = agent.answer("search_history", json!({"query": "mark", "limit": 2, "offset": 2})).await;
        assert_eq!(format!("{}\n{}", first.rsplit_once('\n').unwrap().0, rest.lines().next().unwrap()), {
            let lines: Vec<&str> = all.lines().take(3).collect();
            lines.join("\n")
        });
        let nothing = agent.answer("search_history", json!({"query": "mark nowhere"})).await;
        assert_eq!(nothing, "No text has all of these words: mark, nowhere.");

        let sql = "SELECT content FROM messages WHERE role = 'user' ORDER BY id DESC LIMIT 1";
        assert_eq!(agent.answer("query_db", json!({"sql": sql})).await, "Say three.");
        assert!(!agent.refused("query_db", json!({"sql": "DELETE FROM messages"})).await.is_empty());

        let sql = "SELECT content FROM messages WHERE kind = 'tool_result' LIMIT 1";
        let preview = agent.answer("query_db", json!({"sql": sql})).await;
        let (_, rest) = preview.split_once("ref_id=\"").unwrap();
        let reference = rest.split('"').next().unwrap();
        let line = agent.answer("read_result", json!({"ref_id": reference, "search": "MARK"})).await;
        assert_says(&line, &["1 found", "MARK"]);
        let page = agent.answer("read_result", json!({"ref_id": reference, "limit": 10})).await;
        assert_says(&page, &["next offset=10"]);

        let handoff = agent.answer("handoff", json!({"session": lived.id.get(..8).unwrap()})).await;
        assert_says(&handoff, &["Handoff of session", &lived.id, "seq 1 2000"]);
        agent.servers.close().await;
    });
}

#[test]
fn the_plan_and_the_memos_of_an_agent_outlive_its_session() {
    let place = Place::new();
    wait(async {
        let agent = Agent::in_folder(&place, &place.work(), &[]).await;
        assert_says(&agent.answer("scratchpad", json!({"action": "read"})).await, &["is empty"]);
        let plan = "## Current Plan\n1. [ ] Test the parser";
        let written = agent.answer("scratchpad", json!({"action": "update", "content": plan})).await;
        assert_says(&written, &["revision 1"]);
        let memo = json!({"content": "The parser expects a comma.", "tags": ["gotcha"]});
        assert_says(&agent.answer("save_memo", memo).await, &["Saved as memo m-", "[gotcha]"]);
        agent.servers.close().await;

        let later = Agent::in_folder(&place, &place.work(), &[]).await;
        assert_says(&later.answer("scratchpad", json!({"action": "read"})).await, &["[ ] Test the parser"]);
        assert_says(
            &later.answer("session_context", json!({})).await,
            &["Your scratchpad:", "Test the parser"],
        );
        let stale = json!({"action": "append", "content": "x", "expected_revision": 0});
        assert_says(&later.refused("scratchpad", stale).await, &["revision"]);
        let added = json!({"action": "append", "content": "2. [ ] Release it", "expected_revision": 1});
        assert_says(&later.answer("scratchpad", added).await, &["revision 2"]);
        assert_says(&later.answer("retrieve_memos", json!({"query": "comma"})).await, &["expects a comma"]);
        later.servers.close().await;

        // Another folder has a plan of its own, and other memos.
        fs::create_dir(place.folder.path().join("other")).unwrap();
        let other = Agent::in_folder(&place, &place.folder.path().join("other"), &[]).await;
        assert_says(&other.answer("scratchpad", json!({"action": "read"})).await, &["is empty"]);
        assert_says(&other.answer("retrieve_memos", json!({})).await, &["no memos yet"]);
        other.servers.close().await;
    });
}

#[test]
fn two_clients_of_one_name_that_write_at_once_wait_for_each_other() {
    let place = Place::new();
    wait(async {
        let one = Agent::in_folder(&place, &place.work(), &[]).await;
        let other = Agent::in_folder(&place, &place.work(), &[]).await;
        one.answer("scratchpad", json!({"action": "update", "content": "## Current Plan"})).await;
        let write = async |agent: &Agent, name: &str| {
            for step in 0..12 {
                let content = format!("[ ] {name} {step}");
                agent.answer("scratchpad", json!({"action": "append", "content": content})).await;
            }
        };
        tokio::join!(write(&one, "one"), write(&other, "other"));
        let plan = one.answer("scratchpad", json!({"action": "read"})).await;
        let steps = |name: &str| plan.matches(&format!("[ ] {name} ")).count();
        assert_eq!((steps("one"), steps("other")), (12, 12), "{plan}");
        one.servers.close().await;
        other.servers.close().await;
    });
}

#[test]
fn a_session_of_another_folder_is_refused_as_if_it_did_not_exist() {
    let lived = Lived::new();
    let other = lived.place.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let reference = {
        let text = lived.run(&["export", &lived.id]).done();
        let (_, rest) = text.split_once("ref_id=\\\"").unwrap();
        rest.split('\\').next().unwrap().to_owned()
    };
    wait(async {
        let agent = Agent::in_folder(&lived.place, &other, &[]).await;
        let id = &lived.id;
        let foreign = agent.refused("handoff", json!({"session": id})).await;
        assert_eq!(
            foreign.replace(id.as_str(), "s"),
            agent.refused("handoff", json!({"session": "s"})).await
        );
        for (tool, input) in [
            ("query_db", json!({"session": id, "sql": "SELECT 1 FROM messages"})),
            ("search_history", json!({"session": id, "query": "mark"})),
            ("read_result", json!({"session": id, "ref_id": reference})),
            ("scratchpad", json!({"session": id, "action": "update", "content": "x"})),
            ("session_context", json!({"session": id})),
        ] {
            assert_says(&agent.refused(tool, input).await, &["there is no session", "--any-folder"]);
        }
        assert_says(
            &agent.refused("read_result", json!({"ref_id": reference})).await,
            &["no session of this workspace"],
        );
        assert_says(&agent.answer("search_history", json!({"query": "mark"})).await, &["No text has"]);
        agent.servers.close().await;

        let all = Agent::in_folder(&lived.place, &other, &["--any-folder"]).await;
        assert_says(&all.answer("handoff", json!({"session": id})).await, &["Handoff of session"]);
        assert_says(&all.answer("read_result", json!({"ref_id": reference})).await, &["Result r-"]);
        all.servers.close().await;
    });
}

#[test]
fn hostile_ids_and_arguments_get_an_error_and_the_server_continues() {
    let lived = Lived::new();
    wait(async {
        let agent = Agent::in_folder(&lived.place, &lived.place.work(), &[]).await;
        let long = "x".repeat(10_000);
        for id in ["../", "../../etc/passwd", "\0", "a\0b", &long, "%", "'; DROP TABLE log; --", "\u{1b}[2J"]
        {
            for tool in
                ["handoff", "session_context", "scratchpad", "query_db", "search_history", "read_result"]
            {
                let input = json!({"session": id, "action": "read", "sql": "SELECT 1", "query": "a", "ref_id": "r-1"});
                let text = agent.refused(tool, input).await;
                assert!(text.len() < 500 && !text.contains(['\0', '\u{1b}']), "{tool} {id:?}: {text:?}");
            }
            let text = agent.refused("read_result", json!({"ref_id": id})).await;
            assert!(text.len() < 500 && !text.contains(['\0', '\u{1b}']), "{id:?}: {text:?}");
        }
        for (tool, input, part) in [
            ("handoff", json!({"session": 7}), "must be a string"),
            ("search_history", json!({}), "must be a string"),
            ("search_history", json!({"query": long}), "at most 400 bytes"),
            ("search_history", json!({"query": "a", "offset": -1}), "whole number"),
            ("query_db", json!({"sql": ["SELECT 1"]}), "must be a string"),
            ("read_result", json!({}), "must be a string"),
            ("scratchpad", json!({"action": "burn"}), "burn"),
            ("save_memo", json!({"content": "x".repeat(5_000), "tags": []}), "4,000"),
        ] {
            let text = agent.refused(tool, input).await;
            assert!(text.contains(part) && !text.contains("manage_"), "{tool}: {text}");
        }
        // A quote or a wildcard is a letter like any other.
        assert_says(&agent.answer("search_history", json!({"query": "o'%_\\"})).await, &["No text has"]);
        assert_says(&agent.answer("handoff", json!({})).await, &["Handoff of session"]);
        agent.servers.close().await;
    });
}

/// What the server answers to these lines, by their ids.
fn raw(place: &Place, lines: &[String]) -> BTreeMap<u64, Value> {
    let mut command = place.bare(&["mcp"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
    writeln!(input, "{}", request(1, "initialize", &client)).unwrap();
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    let asked = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok()?["id"].as_u64());
    let mut open: BTreeSet<u64> = asked.chain([1]).collect();
    let mut answers = BTreeMap::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(id) = answer["id"].as_u64() {
            open.remove(&id);
            answers.insert(id, answer);
        }
        if open.is_empty() {
            break;
        }
    }
    // It ends when its client closes the stream.
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && open.is_empty(), "{output:?}, unanswered: {open:?}");
    answers
}

fn request(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

#[test]
fn a_message_that_breaks_off_is_skipped_and_the_next_one_is_answered() {
    let place = Place::new();
    let whole = request(2, "tools/call", &json!({"name": "session_context", "arguments": {}}));
    let broken = whole[..whole.len() / 2].to_owned();
    let answers =
        raw(&place, &[broken, "not json".to_owned(), "[]".to_owned(), request(3, "tools/list", &json!({}))]);
    assert_eq!(answers[&3]["result"]["tools"].as_array().unwrap().len(), 8, "{answers:?}");
    let unknown = raw(&place, &[request(2, "tools/call", &json!({"name": "../shell", "arguments": {}}))]);
    assert_says(unknown[&2]["error"]["message"].as_str().unwrap(), &["no such tool"]);
}

#[test]
fn sessions_handoffs_and_memos_are_resources() {
    let lived = Lived::new();
    lived.run(&["memos", "add", "Use tabs."]).done();
    let read = |id: u64, uri: &str| request(id, "resources/read", &json!({"uri": uri}));
    let (session, handoff) =
        (format!("throughline://session/{}", lived.id), format!("throughline://handoff/{}", lived.id));
    let lines = [
        request(2, "resources/list", &json!({})),
        read(3, &session),
        read(4, &handoff),
        read(5, "throughline://session/../../etc/passwd"),
        read(6, "file:///etc/passwd"),
        request(7, "resources/list", &json!({"cursor": "x"})),
        request(8, "resources/templates/list", &json!({})),
    ];
    let answers = raw(&lived.place, &lines);
    let listed = answers[&2]["result"]["resources"].as_array().unwrap();
    let uris: Vec<&str> = listed.iter().map(|one| one["uri"].as_str().unwrap()).collect();
    assert_eq!(uris[..2], [session.as_str(), handoff.as_str()]);
    assert_says(
        answers[&3]["result"]["contents"][0]["text"].as_str().unwrap(),
        &["[Previous Session Context]"],
    );
    let json: Value =
        serde_json::from_str(answers[&4]["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert!(json["generated_at"].is_string(), "{json}");
    for refused in [5, 6, 7] {
        assert!(answers[&refused]["error"]["message"].is_string(), "{answers:?}");
    }
    assert_eq!(answers[&8]["result"]["resourceTemplates"].as_array().unwrap().len(), 3);
    let memo = raw(&lived.place, &[read(2, uris[2])]);
    assert_eq!(memo[&2]["result"]["contents"][0]["text"], "Use tabs.");
}

/// The server on a free port, ended with the test.
struct Http {
    child: Child,
    url: String,
    token: String,
}

impl Http {
    fn serve(place: &Place) -> Self {
        let mut command = place.bare(&["mcp", "--http", "0"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let (url, file) = said.trim().split_once("; the token is in ").unwrap();
        let token = fs::read_to_string(file).unwrap().trim().to_owned();
        assert!(!said.contains(&token), "{said}");
        Self { child, url: url.strip_prefix("Listening on ").unwrap().to_owned(), token }
    }

    /// The status of a request for the tools with these headers.
    fn status(&self, path: &str, headers: &[(&str, &str)]) -> String {
        let address = self.url.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
        let body = request(1, "initialize", &client);
        let mut all = format!(
            "POST {path} HTTP/1.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            all.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{all}\r\n{body}").as_bytes()).unwrap();
        let mut first = String::new();
        BufReader::new(stream).read_line(&mut first).unwrap();
        first.split(' ').nth(1).unwrap().to_owned()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn over_http_an_agent_with_the_token_gets_the_same_tools() {
    let lived = Lived::new();
    let http = Http::serve(&lived.place);
    wait(async {
        let headers = BTreeMap::from([("Authorization".to_owned(), format!("Bearer {}", http.token))]);
        let transport = Transport::Http { url: http.url.clone(), headers };
        let folder = lived.place.work().canonicalize().unwrap();
        let servers =
            McpServers::new([ServerConfig::new("throughline", transport)], McpOptions::new(&folder));
        servers.start().await;
        let agent = Agent { servers, folder };
        assert_eq!(agent.servers.tools().len(), 8, "{:?}", agent.servers.notes());
        assert_says(&agent.answer("session_context", json!({})).await, &["Say three."]);
        assert_says(
            &agent.answer("scratchpad", json!({"action": "append", "content": "x"})).await,
            &["revision 1"],
        );
        agent.servers.close().await;
    });
}

#[test]
fn over_http_who_has_no_token_or_comes_from_a_web_page_is_refused() {
    let place = Place::new();
    let http = Http::serve(&place);
    let bearer = format!("Bearer {}", http.token);
    let (host, auth) = (("Host", "127.0.0.1"), ("Authorization", bearer.as_str()));
    assert_eq!(http.status("/mcp", &[host, auth]), "200");
    assert_eq!(http.status("/mcp", &[host]), "401");
    assert_eq!(http.status("/mcp", &[host, ("Authorization", "Bearer x")]), "401");
    assert_eq!(http.status("/mcp", &[host, ("Authorization", &http.token)]), "401");
    assert_eq!(http.status("/other", &[host, auth]), "404");
    assert_eq!(http.status("/mcp", &[host, auth, ("Origin", "https://example.com")]), "403");
    assert_eq!(http.status("/mcp", &[host, auth, ("Origin", "null")]), "403");
    assert_eq!(http.status("/mcp", &[("Host", "evil.example.com"), auth]), "403");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let place = Place::new();
    let http = Http::serve(&place);
    let port = http.url.rsplit(':').next().unwrap().strip_suffix("/mcp").unwrap().to_owned();
    let failed = run(&mut place.bare(&["mcp", "--http", &port])).failed();
    assert_says(&failed, &["cannot listen on port", &port, "name another one"]);
}

#[test]
fn a_stored_picture_is_read_back_as_a_picture() {
    const PIXEL: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
    let lived = Lived::new();
    wait(async {
        let data = lived.place.folder.path().join(".local/share/throughline");
        let storage = throughline_stored::Storage::open(Some(data)).await.unwrap();
        let session = SessionId::new(lived.id.clone()).unwrap();
        let mut references = Vec::new();
        // The second one is cut: no model can be shown it.
        for data in [PIXEL, PIXEL.get(..24).unwrap()] {
            let content = format!("data:image/png;base64,{data}").into_bytes();
            let id = ResultRef::of(&session, &content);
            references.push(id.to_string());
            let session = session.clone();
            let stored = StoredResult { session, id, tool: "screenshot".to_owned(), content, at: Millis(1) };
            storage.results().put(&stored).await.unwrap();
        }
        let agent = Agent::in_folder(&lived.place, &lived.place.work(), &[]).await;
        let shown = agent.output("read_result", json!({"ref_id": references[0]})).await;
        assert_eq!(shown.images, [Image { media_type: "image/png".to_owned(), data: PIXEL.to_owned() }]);
        assert_says(&shown.to_text(), &[&references[0], "a picture, image/png"]);
        let text = agent.output("read_result", json!({"ref_id": references[1]})).await;
        assert!(text.images.is_empty());
        assert_says(&text.to_text(), &["data:image/png;base64,iVBOR"]);
        agent.servers.close().await;
    });
}
