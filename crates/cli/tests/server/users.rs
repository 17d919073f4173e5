//! Users with tokens of their own: what each sees and may do, what is recorded of them, and what they may ask at once.

use std::io::Read as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::hosted::{EventReader, Hosted};
use crate::served::{Answered, Served};

/// A token of a user, by the command line.
pub(crate) fn token(served: &Served, name: &str, rights: &str, folders: &[&str]) -> String {
    let mut args = vec!["serve", "token", "new", name, "--rights", rights];
    folders.iter().for_each(|folder| args.extend(["--folder", folder]));
    served.run(&args).trim().to_owned()
}

/// A server whose sessions are in two folders: `work`, and `other`.
struct Team {
    hosted: Hosted,
    /// The session of each folder.
    work: String,
    other: String,
}

impl Team {
    fn new(args: &[&str]) -> Self {
        let script = Script::new().then(Answer::text("A heron.")).repeat_last();
        let all = [&["--any-workspace"], args].concat();
        let hosted = Hosted::new(script, &all);
        let place = hosted.served.home().join("other");
        std::fs::create_dir(&place).unwrap();
        let work = hosted.done("Which bird is in work?");
        let body = json!({ "prompt": "Which bird is in other?", "workspace": place }).to_string();
        let events = hosted.events("POST", "/api/sessions", "", &body).rest();
        let other = events[0]["session"].as_str().unwrap().to_owned();
        Self { hosted, work, other }
    }

    fn served(&self) -> &Served {
        &self.hosted.served
    }

    fn get(&self, token: &str, path: &str) -> Answered {
        self.served().send_as(token, "GET", path, "")
    }

    fn post(&self, token: &str, path: &str, body: &Value) -> Answered {
        self.served().send_as(token, "POST", path, &body.to_string())
    }

    /// The ids of the sessions in a list.
    fn listed(&self, token: &str, path: &str, field: &str) -> Vec<String> {
        let list = self.get(token, path).json();
        let ids = list[field].as_array().unwrap_or_else(|| panic!("{path}: {list}"));
        let mut ids: Vec<_> = ids.iter().map(|one| one["session"].as_str().unwrap().to_owned()).collect();
        ids.dedup();
        ids
    }
}

#[test]
fn a_user_sees_the_sessions_of_its_folders_and_no_other_by_no_path() {
    let team = Team::new(&[]);
    let ann = token(team.served(), "ann", "run", &["work"]);
    let (work, other) = (&team.work, &team.other);
    assert_eq!(team.listed(&ann, "/api/sessions", "sessions"), [work.as_str()]);
    assert_eq!(team.listed(&ann, "/api/search?q=bird", "hits"), [work.as_str()]);
    let foreign = format!("/api/search?q=bird&session={other}");
    assert_eq!(team.listed(&ann, &foreign, "hits"), [""; 0]);
    for path in ["/", "/search?q=bird", &format!("/?q={other}")] {
        let page = team.get(&ann, path);
        let leads = page.body.contains(&format!("/sessions/{other}"));
        assert!(page.status == 200 && !leads, "{path}: {}", page.body);
        // The field has what was searched for again.
        assert!(path.contains("q=") || !page.body.contains(other.as_str()), "{path}: {}", page.body);
    }
    // An id that begins like both is the one of its own session.
    let common: String =
        work.chars().zip(other.chars()).take_while(|(one, two)| one == two).map(|(one, _)| one).collect();
    assert_eq!(team.listed(&ann, &format!("/api/sessions?q={common}"), "sessions"), [work.as_str()]);

    let document = team.get(&ann, "/api/openapi.json").json();
    let missing = team.get(&ann, "/api/sessions/nothing").body;
    let mut asked = 0;
    for (path, verbs) in document["paths"].as_object().unwrap() {
        if !path.contains("/sessions/{id}") {
            continue;
        }
        let path = path
            .replace("{id}", other)
            .replace("{number}", "1")
            .replace("{ref}", "r")
            .replace("{question}", "q1");
        for verb in verbs.as_object().unwrap().keys() {
            let answer = team.served().send_as(&ann, &verb.to_uppercase(), &path, "{}");
            assert_eq!(answer.status, 404, "{verb} {path}: {}", answer.body);
            if path.starts_with("/api") {
                assert_eq!(answer.body.replace(other.as_str(), "nothing"), missing, "{verb} {path}");
            }
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
    for path in [format!("/api/sessions/{work}/messages"), format!("/sessions/{work}/turns")] {
        assert_eq!(team.get(&ann, &path).status, 200, "{path}");
    }
    let begun = team.post(
        &ann,
        "/api/sessions",
        &json!({ "prompt": "x", "workspace": team.served().home().join("other") }),
    );
    assert_eq!(begun.status, 403, "{}", begun.body);
    let unknown = team.post(&ann, "/api/sessions", &json!({ "prompt": "x", "workspace": "/no/such/place" }));
    assert!(unknown.status == 403 && unknown.body.contains("does not open"), "{}", unknown.body);
}

#[test]
fn rights_say_what_a_user_may_do() {
    let team = Team::new(&[]);
    let (reader, runner) =
        (token(team.served(), "reader", "read", &["other"]), token(team.served(), "runner", "run", &[]));
    let admin = token(team.served(), "admin", "admin", &[]);
    let turns = format!("/api/sessions/{}/turns", team.other);
    let prompt = json!({ "prompt": "And now?" });
    assert_eq!(team.get(&reader, &format!("/api/sessions/{}/messages", team.other)).status, 200);
    let refused = team.post(&reader, &turns, &prompt);
    assert!(refused.status == 403 && refused.body.contains("`run`"), "{}", refused.body);
    assert_eq!(team.post(&runner, &turns, &prompt).status, 200);
    for path in ["/api/preferences", "/preferences", "/api/tokens", "/api/audit"] {
        assert_eq!(team.get(&runner, path).status, 403, "{path}");
        assert_eq!(team.get(&admin, path).status, 200, "{path}");
    }
    assert_eq!(
        team.served().send_as(&runner, "PUT", "/api/preferences/watch.size", "{\"value\":1}").status,
        403
    );

    // Administrators make and revoke tokens, too.
    let folder = team.served().home().join("work");
    let made = team.post(
        &admin,
        "/api/tokens",
        &json!({ "user": "eve", "rights": "read", "folders": [folder], "expires": "90d" }),
    );
    assert_eq!(made.status, 200, "{}", made.body);
    let (eve, id) = (made.json()["secret"].as_str().unwrap().to_owned(), made.json()["token"]["id"].clone());
    assert_eq!(team.listed(&eve, "/api/sessions", "sessions"), [team.work.as_str()]);
    let own = format!("/api/tokens/{}", id.as_str().unwrap());
    assert_eq!(team.served().send_as(&admin, "DELETE", &own, "").status, 200);
    assert_eq!(team.served().send_as(&admin, "DELETE", &own, "").status, 404);
    assert_eq!(team.get(&eve, "/api/sessions").status, 401);
    for (body, says) in [
        (json!({ "user": "a b", "rights": "read" }), "name of a user"),
        (json!({ "user": "a", "rights": "all" }), "`read`, `run` or `admin`"),
        (json!({ "user": "a", "rights": "read", "expires": "soon" }), "90d"),
        (json!({ "user": "a", "rights": "read", "folders": ["no/such"] }), "no/such"),
        (json!({ "user": "a", "rights": "read", "folder": "/" }), "folders"),
    ] {
        let answer = team.post(&admin, "/api/tokens", &body);
        assert!(answer.status == 400 && answer.body.contains(says), "{body}: {}", answer.body);
    }
}

#[test]
fn an_administrator_of_a_few_folders_is_one_of_no_others() {
    let team = Team::new(&[]);
    let admin = token(team.served(), "admin", "admin", &["work"]);
    let other = token(team.served(), "bob", "read", &["other"]);
    for session in [&team.work, &team.other] {
        let change = json!({ "change": "drop", "turn": 1 });
        let path = format!("/api/sessions/{session}/changes");
        assert_eq!(team.post(team.served().token(), &path, &change).status, 200);
    }
    let tokens = |of: &str| team.get(of, "/api/tokens").json()["tokens"].as_array().unwrap().clone();
    let users: Vec<Value> = tokens(&admin).iter().map(|one| one["user"].clone()).collect();
    assert_eq!(users, ["admin"]);
    for folders in [json!([]), json!(["/"]), json!([team.served().home().join("other")]), Value::Null] {
        let body = json!({ "user": "eve", "rights": "read", "folders": folders });
        let made = team.post(&admin, "/api/tokens", &body);
        assert!(made.status == 403 && made.body.contains("work alone"), "{body}: {}", made.body);
    }
    let own = json!({ "user": "eve", "rights": "admin", "folders": [team.served().home().join("work")] });
    assert_eq!(team.post(&admin, "/api/tokens", &own).status, 200);
    assert_eq!(tokens(&admin).len(), 2);
    let all = tokens(team.served().token());
    let id = all.iter().find(|one| one["user"] == "bob").unwrap()["id"].as_str().unwrap();
    assert_eq!(team.served().send_as(&admin, "DELETE", &format!("/api/tokens/{id}"), "").status, 404);
    assert_eq!(team.get(&other, "/api/sessions").status, 200);
    let audit = team.get(&admin, "/api/audit").json();
    let seen: Vec<&Value> = audit["entries"].as_array().unwrap().iter().map(|one| &one["session"]).collect();
    assert_eq!((seen, &audit["total"]), (vec![&json!(team.work); 2], &json!(2)), "{audit}");
    let set = team.served().send_as(&admin, "PUT", "/api/preferences/watch.size", "{\"value\":1}");
    assert_eq!(set.status, 403, "{}", set.body);
}

#[test]
fn sessions_and_contexts_belong_to_the_user_that_made_them() {
    let team = Team::new(&[]);
    let (ann, bob) =
        (token(team.served(), "ann", "run", &[]), token(team.served(), "bob", "run", &["other"]));
    let stream = team.served().open_as(&ann, "POST", "/api/sessions", "", "{\"prompt\":\"Mine.\"}");
    let events = EventReader::of(stream).rest();
    let session = &events[0]["session"];
    let list = team.get(&ann, "/api/sessions").json();
    let owners: Vec<_> =
        list["sessions"].as_array().unwrap().iter().map(|one| (&one["session"], &one["owner"])).collect();
    assert!(owners.contains(&(session, &json!("ann"))), "{owners:?}");
    assert!(owners.contains(&(&json!(team.work), &Value::Null)), "{owners:?}");
    assert!(team.served().run(&["sessions"]).contains("OWNER"));
    assert!(team.get(&ann, "/").body.contains(" · ann"));

    let open = json!({ "model": "claude-sonnet-4-5" });
    assert_eq!(team.post(&bob, "/api/contexts/shared/open", &open).status, 200);
    for (path, body) in [("open", open.clone()), ("user", json!({ "content": "x" })), ("close", json!({}))] {
        let answer = team.post(&ann, &format!("/api/contexts/shared/{path}"), &body);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert_eq!(answer.json()["error"]["code"], "unknown_context");
    }
    // A session of a folder that is not the user's cannot be opened as a context.
    assert_eq!(team.post(&bob, &format!("/api/contexts/{}/open", team.work), &open).status, 404);
    let contexts =
        |token: &str| team.get(token, "/api/contexts").json()["contexts"].as_array().unwrap().len();
    assert_eq!([contexts(&ann), contexts(&bob), contexts(team.served().token())], [0, 1, 1]);
    assert_eq!(team.post(&bob, "/api/contexts/shared/close", &json!({})).status, 200);
    let stored = team.get(&bob, "/api/sessions/shared").json();
    let folder = team.served().home().join("other").canonicalize().unwrap();
    assert_eq!((&stored["owner"], &stored["workspace"]), (&json!("bob"), &json!(folder)));
    assert_eq!(
        team.post(&ann, "/api/contexts/shared/open", &open).status,
        404,
        "it is bob's when it is closed, too"
    );
    let wrong = team.post(&ann, "/api/contexts/wrong/open", &json!({ "model": "" }));
    assert_eq!(wrong.status, 400, "{}", wrong.body);
    assert_eq!(team.get(&ann, "/api/sessions/wrong").status, 404, "nothing is left of it");

    // One of the server's own token has no owner, and stays so while it is open and when it cannot be opened.
    let all = team.served().token();
    assert_eq!(team.post(all, "/api/contexts/plain/open", &open).status, 200);
    assert_eq!(team.post(all, "/api/contexts/plain/user", &json!({ "text": "x" })).status, 200);
    assert_eq!(team.post(&ann, "/api/contexts/plain/open", &open).status, 404);
    assert_eq!(team.post(all, "/api/contexts/plain/close", &json!({})).status, 200);
    assert_eq!(team.post(&ann, "/api/contexts/plain/open", &json!({})).status, 400);
    assert_eq!(team.get(all, "/api/sessions/plain").json()["owner"], Value::Null);
    assert_eq!(team.post(&ann, "/api/contexts/plain/open", &open).status, 200);
}

#[test]
fn a_revoked_token_is_refused_at_once_and_its_streams_end() {
    let team = Team::new(&[]);
    let ann = token(team.served(), "ann", "read", &["work"]);
    let bob = token(team.served(), "bob", "read", &[]);
    let path = format!("/api/sessions/{}/events?after=0", team.work);
    let mut stream = EventReader::of(team.served().open_as(&ann, "GET", &path, "", ""));
    assert_eq!(stream.status, 200);
    // The events of records have no type, so the stream is read below the events.
    let mut others = EventReader::of(team.served().open_as(&bob, "GET", &path, "", ""));
    assert_eq!(team.served().run(&["serve", "token", "revoke", "ann"]).trim(), "Revoked 1 token.");
    assert_eq!(team.get(&ann, "/api/sessions").status, 401);
    let begin = Instant::now();
    stream.skip_to_end();
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    assert!(others.has_more_within(Duration::from_millis(300)), "the stream of another user continues");
    let again = team.served().command(&["serve", "token", "revoke", "ann"]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    let list = team.served().run(&["serve", "token", "list"]);
    assert!(list.contains("revoked ") && !list.contains(&ann) && !list.contains(&bob), "{list}");
    let database = std::fs::read(team.served().data().join("throughline.db")).unwrap();
    let secret = bob.rsplit('_').next().unwrap().as_bytes();
    assert!(!database.windows(secret.len()).any(|part| part == secret), "the database has no secret");
    for args in [
        &["x y", "--rights", "run"][..],
        &["x", "--rights", "all"],
        &["x", "--rights", "run", "--folder", "no/such"],
    ] {
        let ran = team.served().command(&[&["serve", "token", "new"], args].concat()).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn changes_are_in_the_audit_log_with_their_user_and_outcome() {
    let team = Team::new(&[]);
    let ann = token(team.served(), "ann", "run", &["work"]);
    let changes = format!("/api/sessions/{}/changes", team.work);
    assert_eq!(team.post(&ann, &changes, &json!({ "change": "drop", "turn": 1 })).status, 200);
    assert_eq!(team.post(&ann, &changes, &json!({ "change": "fly" })).status, 400);
    let foreign = format!("/api/sessions/{}/changes", team.other);
    assert_eq!(team.post(&ann, &foreign, &json!({ "change": "undo" })).status, 404);
    assert_eq!(team.get(&ann, &changes.replace("changes", "messages")).status, 200);
    let list = team.served().get("/api/audit?since=1h").json();
    let entries: Vec<_> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (one["user"].as_str().unwrap(), one["path"].as_str().unwrap(), one["status"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        entries,
        [
            ("ann", foreign.as_str(), 404),
            ("ann", changes.as_str(), 400),
            ("ann", changes.as_str(), 200),
            ("(server)", "/api/sessions", 200),
            ("(server)", "/api/sessions", 200),
        ]
    );
    assert_eq!(list["entries"][4]["session"], json!(team.work), "a session that is made is named");
    assert_eq!(list["entries"][2]["remote"], "127.0.0.1");
    let printed = team.served().run(&["serve", "audit", "--json"]);
    let first: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    assert_eq!((printed.lines().count(), &first), (5, &list["entries"][0]));
    assert!(team.served().run(&["serve", "audit"]).contains(&format!("POST {changes}")));
    assert_eq!(team.served().get("/api/audit?since=soon").status, 400);
    assert_eq!(team.served().get("/api/audit?limit=1&offset=4").json()["entries"][0], list["entries"][4]);
    let open = json!({ "model": "any", "window": 100_000, "max_output": 1_000 });
    for (operation, input) in [
        ("open", open),
        ("user", json!({ "text": "Go." })),
        ("next_request", json!({})),
        ("state", json!({})),
    ] {
        assert_eq!(
            team.post(&ann, &format!("/api/contexts/c/{operation}"), &input).status,
            200,
            "{operation}"
        );
    }
    let list = team.served().get("/api/audit").json();
    let paths: Vec<_> = (0..3).map(|place| list["entries"][place]["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/api/contexts/c/user", "/api/contexts/c/open", foreign.as_str()], "no step, no read");
}

#[test]
fn a_user_that_asks_too_much_waits_and_the_others_do_not() {
    let team = Team::new(&["--rate", "1/m", "--burst", "3", "--user-open", "2"]);
    let (ann, bob) = (token(team.served(), "ann", "read", &[]), token(team.served(), "bob", "read", &[]));
    let statuses: Vec<u16> = (0..4).map(|_| team.get(&ann, "/api/sessions").status).collect();
    assert_eq!(statuses, [200, 200, 200, 429]);
    let refused = team.get(&ann, "/api/sessions");
    let wait = refused.head.lines().find_map(|line| line.strip_prefix("retry-after: ")).unwrap();
    assert!((50..=60).contains(&wait.parse::<u64>().unwrap()), "{wait}");
    assert!(refused.body.contains("1/m"), "{}", refused.body);
    let mut page = String::new();
    let mut stream =
        team.served().open_as(&ann, "GET", "/", "Accept: text/html\r\nConnection: close\r\n", "");
    stream.read_to_string(&mut page).unwrap();
    let page = page.to_lowercase();
    assert!(page.contains(" 429 too many requests") && page.contains("\r\nretry-after: "), "{page}");
    let path = format!("/api/sessions/{}/events", team.work);
    let streams = [(); 2].map(|()| EventReader::of(team.served().open_as(&bob, "GET", &path, "", "")));
    assert!(streams.iter().all(|stream| stream.status == 200));
    let third = team.get(&bob, "/api/sessions");
    assert!(third.status == 429 && third.body.contains("--user-open"), "{}", third.body);
}
