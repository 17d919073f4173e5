//! `throughline serve`: stored sessions as JSON over HTTP.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use throughline_continuity::{SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, SessionId};
use throughline_store::Store;
use throughline_testserver::{Answer, Script};

use crate::lived::{Lived, MODEL, wait};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// The server on a free port, ended with the test.
pub(crate) struct Served {
    child: Child,
    /// Address and port.
    host: String,
    token: String,
}

impl Served {
    pub(crate) fn new(place: &Place) -> Self {
        Self::started(&mut place.bare(&["serve", "--port", "0"]))
    }

    /// A server by its command line.
    pub(crate) fn started(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let url = said.trim().strip_prefix("Listening on http://").unwrap_or_else(|| panic!("{said}"));
        let (host, token) = url.split_once("/?token=").unwrap();
        Self { child, host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends these lines, and gives status, headers and body.
    fn send(&self, first: &str, headers: &[(&str, &str)]) -> (u16, String, Value) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        write!(stream, "{first} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{first}: {answer:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), serde_json::from_str(body).unwrap_or_default())
    }

    /// The answer to a request that shows the token.
    fn get(&self, path: &str) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let (status, _, body) =
            self.send(&format!("GET {path}"), &[("Host", &self.host), ("Authorization", &bearer)]);
        (status, body)
    }

    /// The body of an answer with status 200.
    #[track_caller]
    pub(crate) fn found(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// The text of an error with this status.
    #[track_caller]
    fn refused(&self, path: &str, expected: u16) -> String {
        let (status, body) = self.get(path);
        assert_eq!(status, expected, "{path}: {body}");
        body["error"]["message"].as_str().unwrap_or_else(|| panic!("{path}: {body}")).to_owned()
    }

    /// Sends a body, and gives all of the answer.
    pub(crate) fn posted(&self, path: &str, body: &Value) -> String {
        let (mut stream, body) = (TcpStream::connect(&self.host).unwrap(), body.to_string());
        let (host, token, length) = (&self.host, &self.token, body.len());
        let head = format!(
            "Host: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        write!(stream, "POST {path} HTTP/1.1\r\nConnection: close\r\n{head}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Asks the program to end, and gives its exit code.
    pub(crate) fn stopped_by(mut self, signal: &str) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks a model once, with this `config.json`. Gives the session's id.
fn asked(place: &Place, config: &str) -> String {
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.json"), config).unwrap();
    let server = serve(Script::new().then(Answer::text("Done.")));
    let printed = run(&mut place.asks(&server, MODEL, &["-o", "json", "Go."])).json();
    printed["session"].as_str().unwrap().to_owned()
}

/// The handoff of the command, without its time.
fn handoff(place: &Place, id: &str) -> Value {
    let mut handoff = run(&mut place.bare(&["handoff", id, "--json"])).json();
    handoff.as_object_mut().unwrap().remove("generated_at").unwrap();
    handoff
}

// S0-39: the current handoff, or which of the two is missing.
#[test]
fn the_current_handoff_is_served() {
    let place = Place::new();
    let with = asked(&place, "{}");
    let new = "no-checkpoint";
    wait(async {
        let file = place.folder.path().join(".local/share/throughline/throughline.db");
        let store = Store::open(&file).await.unwrap();
        let (id, empty) = (SessionId::new(new).unwrap(), String::new());
        let info = SessionInfo {
            id,
            title: empty.clone(),
            workspace: empty.clone(),
            model: empty,
            created: Millis(1),
        };
        store.sessions().create(&info).await.unwrap();
        store.close().await.unwrap();
    });
    for request in ["Now fix the sum.", "Delete the old parser."] {
        let server =
            serve(Script::new().then(Answer::text(&format!("Done: {request}\n\n### STATE\nContext: a.rs"))));
        let ran = run(&mut place.asks(&server, MODEL, &["--resume", &with, request]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), format!("Done: {request}\n").as_str()), "{ran:?}");
        let sent = server.received().remove(0).body.to_string();
        assert!(!sent.contains("**Continue with**"), "another request would be continued: {sent}");
    }
    let without = asked(&place, "{\"policy\": \"dex\", \"generate_handoff\": false}");
    let served = Served::new(&place);
    let mut found = served.found(&format!("/api/sessions/{with}/handoff"));
    found.as_object_mut().unwrap().remove("generated_at").unwrap();
    assert_eq!(found, handoff(&place, &with));
    assert_eq!(found["requests"], json!(["Delete the old parser.", "Now fix the sum.", "Go."]));
    assert_eq!(
        found["continuation_prompt"],
        json!(
            "The last request was answered: Delete the old parser.\nNext step: check the answer, then ask the user what comes \
             next"
        )
    );
    // The checkpoint at the end of each process names the request of that process.
    let checkpoint = run(&mut place.bare(&["checkpoints", &with, "show", "--json"])).json();
    assert_eq!(checkpoint["handoff"]["requests"], found["requests"]);
    let without = served.refused(&format!("/api/sessions/{without}/handoff"), 404);
    assert_eq!(without, "no handoff summary available");
    let none = served.refused(&format!("/api/sessions/{new}/handoff"), 404);
    assert_eq!(none, "session no-checkpoint has no checkpoint yet");
    let absent = served.refused("/api/sessions/absent/handoff", 404);
    assert_says(&absent, &["no session \"absent\""]);
}

#[test]
fn sessions_messages_checkpoints_and_memos_are_what_the_commands_print() {
    let lived = Lived::new();
    lived.run(&["memos", "add", "Use tabs.", "--tag", "style"]).done();
    lived.run(&["memos", "add", "Ports are in ports.toml."]).done();
    let served = Served::new(&lived.place);
    let id = &lived.id;
    let sessions = served.found("/api/sessions");
    assert_eq!(sessions["sessions"], lived.run(&["sessions", "--json"]).json());
    assert_eq!((&sessions["total"], &sessions["next_offset"]), (&json!(1), &Value::Null));
    let mut one = served.found(&format!("/api/sessions/{id}"));
    assert_eq!(one.as_object_mut().unwrap().remove("lost"), Some(json!([])));
    assert_eq!(one, sessions["sessions"][0]);
    for (query, count) in [("what%20MARK", 1), (id, 1), ("last", 1), ("absent", 0), ("", 1)] {
        assert_eq!(served.found(&format!("/api/sessions?q={query}"))["total"], count, "{query}");
    }

    let turns = served.found(&format!("/api/sessions/{id}/messages?limit=2"));
    assert_eq!((&turns["total"], &turns["next_offset"]), (&json!(3), &json!(2)));
    assert_eq!(turns["turns"][1], lived.run(&["messages", "show", id, "2", "--json"]).json());
    let rest = served.found(&format!("/api/sessions/{id}/messages?limit=2&offset=2"));
    assert_eq!((rest["turns"].as_array().unwrap().len(), &rest["next_offset"]), (1, &Value::Null));
    assert_eq!(rest["turns"][0]["parts"][0]["content"], "Say three.");

    let checkpoints = served.found(&format!("/api/sessions/{id}/checkpoints"));
    assert_eq!(checkpoints["checkpoints"], lived.run(&["checkpoints", id, "--json"]).json());
    let memos = served.found("/api/memos");
    assert_eq!(memos["memos"], lived.run(&["memos", "--all", "--json"]).json());
    for path in ["/api/memos?q=tabs", "/api/memos?tag=style"] {
        let found = served.found(path);
        assert_eq!(
            (&found["total"], &found["memos"][0]["content"]),
            (&json!(1), &json!("Use tabs.")),
            "{path}"
        );
    }
    assert_says(&served.refused("/api/memos?q=tabs&tag=style", 400), &["cannot be combined"]);
    assert_says(&served.refused("/api/sessions?limt=5", 400), &["\"limt\"", "`limit` is near"]);
    assert_says(&served.refused("/api/sessions?limit=1000", 400), &["from 1 to 200"]);
    assert_says(&served.refused(&format!("/api/sessions/{id}?limit=1"), 400), &["\"limit\""]);
}

#[test]
fn sent_requests_and_compactions_are_what_the_commands_print() {
    let place = Place::new();
    let project = place.folder.path().join("demo");
    let data = place.folder.path().join(".local/share/throughline");
    run(place.bare(&["demo", "--pace", "0", "--data-dir"]).arg(data).arg("--workspace").arg(&project)).done();
    let served = Served::new(&place);
    let id = served.found("/api/sessions")["sessions"][0]["session"].as_str().unwrap().to_owned();
    let printed = |args: &[&str]| run(&mut place.bare(args)).json();
    let all = served.found(&format!("/api/sessions/{id}/requests?limit=200"));
    let receipts = all["requests"].as_array().unwrap();
    assert!(receipts.len() > 2, "{all}");
    for receipt in [&receipts[0], &receipts[1], &receipts[receipts.len() - 1]] {
        let number = receipt["request"].as_u64().unwrap().to_string();
        let one = served.found(&format!("/api/sessions/{id}/requests/{number}"));
        assert_eq!(one["receipt"], *receipt);
        assert_eq!(one["request"], printed(&["show", &id, "--request", &number]));
        assert!(receipt["window"]["used"]["conversation"].as_u64().unwrap() > 0, "{receipt}");
    }
    let second = served.found(&format!("/api/sessions/{id}/requests?limit=1&offset=1"));
    assert_eq!(second["requests"][0], receipts[1]);

    let compactions = served.found(&format!("/api/sessions/{id}/compactions"));
    let count = compactions["total"].as_u64().unwrap();
    assert!(count > 0, "{compactions}");
    let diff = served.found(&format!("/api/sessions/{id}/compactions/{count}"));
    assert_eq!(diff, printed(&["diff", &id, &count.to_string(), "--json"]));
    assert_eq!(diff["edit"], compactions["compactions"][count as usize - 1]["record"]);
    for (path, why) in [
        ("requests/999", "no request 999"),
        ("requests/0", "no request 0"),
        ("requests/x", "must be a whole number"),
        ("requests/-1", "must be a whole number"),
        ("compactions/999", "no compaction 999"),
    ] {
        assert_says(&served.refused(&format!("/api/sessions/{id}/{path}"), 404), &[why]);
    }
    assert_says(&served.refused(&format!("/api/sessions/{id}/requests/1?limit=1"), 400), &["\"limit\""]);
    assert_says(&served.refused(&format!("/api/sessions/{id}/requests/1%00"), 400), &["U+0000"]);
}

#[test]
fn only_a_request_with_the_token_to_the_own_address_is_answered() {
    let place = Place::new();
    let served = Served::new(&place);
    let bearer = format!("Bearer {}", served.token);
    let (host, auth) = (("Host", served.host.as_str()), ("Authorization", bearer.as_str()));
    let port = served.host.split_once(':').unwrap().1;
    let localhost = format!("localhost:{port}");
    let query = format!("GET /api/sessions?token={}", served.token);
    let own = format!("http://{}", served.host);
    let list = "GET /api/sessions";
    let evil = format!("evil.example.com:{port}");
    let evil_target = format!("GET http://{evil}/api/sessions");
    let both = format!("{query}&token=x");
    for (status, first, headers) in [
        (200, list, vec![host, auth]),
        (200, &query, vec![host]),
        (200, list, vec![("Host", &localhost), auth]),
        (200, list, vec![host, auth, ("Origin", &own)]),
        (401, list, vec![host]),
        (401, list, vec![host, ("Authorization", "Bearer x")]),
        (401, list, vec![host, ("Authorization", &served.token)]),
        (401, list, vec![host, auth, ("Authorization", "Bearer x")]),
        (401, &query, vec![host, ("Authorization", "Bearer x")]),
        (401, &both, vec![host]),
        (401, "GET /api/sessions?token=", vec![host]),
        (401, "GET /other", vec![host]),
        (404, "GET /other", vec![host, auth]),
        (405, "DELETE /api/sessions", vec![host, auth]),
        (403, list, vec![auth]),
        (403, list, vec![("Host", &evil), auth]),
        (403, list, vec![("Host", "127.0.0.1"), auth]),
        (403, list, vec![("Host", "127.0.0.1:1"), auth]),
        (403, list, vec![host, ("Host", &evil), auth]),
        (403, &evil_target, vec![host, auth]),
        (403, list, vec![host, auth, ("Origin", "https://example.com")]),
        (403, list, vec![host, auth, ("Origin", "null")]),
        (403, list, vec![host, auth, ("Origin", &format!("https://{}", served.host))]),
        (403, list, vec![host, auth, ("Origin", "http://127.0.0.1:1")]),
        (403, "GET /other", vec![("Host", &evil)]),
    ] {
        let (answered, head, body) = served.send(first, &headers);
        assert_eq!(answered, status, "{first} {headers:?}: {body}");
        assert_eq!(body["error"]["message"].is_string(), status != 200, "{first} {headers:?}: {body}");
        assert!(head.contains("cache-control: no-store"), "{head}");
        assert!(head.contains("referrer-policy: no-referrer"), "{head}");
        assert!(!body.to_string().contains(&served.token), "{body}");
    }
}

#[test]
fn a_text_that_is_no_id_is_not_found() {
    let place = Place::new();
    let served = Served::new(&place);
    let long = "a".repeat(10_000);
    for id in ["..", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%ff", "a%20b", "%E2%80%AE", "'%20or%201=1", &long] {
        for rest in
            ["", "/handoff", "/messages", "/checkpoints", "/requests", "/requests/1", "/compactions/1"]
        {
            let why = served.refused(&format!("/api/sessions/{id}{rest}"), 404);
            assert_eq!(why, "there is no such session; /api/sessions lists them", "{id}{rest}");
        }
    }
    // No database takes this character.
    for path in ["/api/sessions/%00", "/api/sessions/a%00b/messages"] {
        assert_says(&served.refused(path, 400), &["U+0000"]);
    }
    for path in ["/api", "/api/sessions/", "/api/sessions/a/b", "/api/../api/sessions", "//api/sessions"] {
        assert_says(&served.refused(path, 404), &["there is nothing at "]);
    }
    assert_eq!(served.found("/api/sessions")["total"], 0);
}

#[test]
fn it_ends_well_when_asked_and_complains_about_a_port_that_is_taken() {
    let place = Place::new();
    let served = Served::new(&place);
    let port = served.host.split_once(':').unwrap().1.to_owned();
    let failed = run(&mut place.bare(&["serve", "--port", &port])).failed();
    assert_says(&failed, &[&format!("cannot listen on port {port}"), "0 for any that is free"]);
    let token = served.token.clone();
    // A client that has sent half a request does not keep the program alive.
    let mut half = TcpStream::connect(&served.host).unwrap();
    half.write_all(b"GET /api/sess").unwrap();
    assert_eq!(served.stopped_by("-TERM"), Some(0));
    let served = Served::new(&place);
    assert_eq!(served.token, token, "the token outlives the server");
    let file = place.folder.path().join(".local/share/throughline/server-token");
    assert_eq!(fs::read_to_string(file).unwrap().trim(), token);
    assert_eq!(served.stopped_by("-INT"), Some(0));
    assert_says(&run(&mut place.bare(&["serve", "--port", "65536"])).misused(), &["65536"]);
}
