//! Sub-agents: sessions of their own for a part of the work, whose reports, changes and costs are the session's.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::{MODEL, results};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

fn task(agent: &str, title: &str, prompt: &str) -> Value {
    json!({ "agent": agent, "title": title, "prompt": prompt })
}

/// The bodies of the requests, as text.
fn bodies(server: &Server) -> Vec<String> {
    server.received().iter().map(|one| one.body.to_string()).collect()
}

/// The names of the tools in a request.
fn tools(body: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(body).unwrap();
    let tools = body["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_report_comes_back_and_what_was_read_stays_in_the_sub_agents_window() {
    let place = Place::new();
    fs::write(place.work().join("long.txt"), "needle in the hay\n".repeat(200)).unwrap();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Find the needle", "Where is the needle?")))
            .then(Answer::call("s1", "read_file", json!({ "path": "long.txt" })))
            .then(Answer::text("The needle is in long.txt, line 1."))
            .then(Answer::text("Found it.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["--output", "json", "Find it."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let bodies = bodies(&server);
    assert_says(
        &bodies[1],
        &["Where is the needle?", "You find things out in this project", "work for another agent"],
    );
    assert!(!bodies[1].contains("Find it."), "a sub-agent sees nothing of the conversation");
    let child = tools(&bodies[1]);
    assert!(child.contains(&"grep".to_owned()), "{child:?}");
    for absent in ["write_file", "shell", "agent", "save_memo"] {
        assert!(!child.contains(&absent.to_owned()), "{absent}: {child:?}");
    }
    assert!(bodies[2].contains("needle in the hay") && !bodies[3].contains("needle in the hay"));
    assert_says(
        &bodies[3],
        &["The needle is in long.txt, line 1.\\n[sub-agent explore, session agent-", "2 requests, 1 call"],
    );
    // The session pays for it: of the four requests two are its own.
    let result = ran.json();
    assert_eq!(
        (result["requests"].as_u64(), result["side_requests"].as_u64()),
        (Some(2), Some(2)),
        "{result}"
    );
    let listed = run(&mut place.bare(&["sessions"])).done();
    assert!(
        !listed.contains("agent-") && listed.contains("1 more of sub-agents; --agents lists them."),
        "{listed}"
    );
    let all = run(&mut place.bare(&["sessions", "--json"])).json();
    let (parents, children): (Vec<_>, Vec<_>) =
        all.as_array().unwrap().iter().partition(|session| session["parent"].is_null());
    assert_eq!((parents.len(), children.len()), (1, 1));
    assert_eq!(children[0]["parent"], parents[0]["session"]);
    assert!(children[0]["cost_usd"].as_f64().unwrap() < parents[0]["cost_usd"].as_f64().unwrap());
    // The newest session of the folder is the user's own, and deleting it deletes what was done for it.
    let shown = run(&mut place.bare(&["show", "last"])).done();
    assert!(shown.contains("Find it."), "{shown}");
    run(&mut place.bare(&["sessions", "delete", "--yes", "last"])).done();
    assert_eq!(run(&mut place.bare(&["sessions", "--json"])).json(), json!([]));
}

#[test]
fn a_program_sees_what_a_sub_agent_does_while_it_works() {
    let place = Place::new();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Read a", "Read a.txt.")))
            .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::text("alpha, beta"))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["-o", "stream-json", "Read."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (child, own): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| !line["agent"].is_null());
    let session = &own[0]["session"];
    for line in &child {
        let agent = &line["agent"];
        assert_eq!(
            (&agent["kind"], &agent["depth"], &agent["call_id"]),
            (&json!("explore"), &json!(1), &json!("c1"))
        );
        assert!(agent["id"].as_str().unwrap().starts_with("agent-") && agent["id"] != *session, "{line}");
    }
    let of = |kind: &str| child.iter().filter(|line| line["type"] == kind).count();
    assert_eq!((child[0]["type"].as_str(), &child[0]["title"]), (Some("agent_started"), &json!("Read a")));
    assert_eq!((of("request"), of("tool_started"), of("tool_finished"), of("agent_ended")), (2, 1, 1, 1));
    let texts: String = child.iter().filter_map(|line| line["text"].as_str()).collect();
    assert_eq!(texts, "alpha, beta");
    // It is shown between the begin and the end of the call, and the session's own lines do not have it.
    let at = |kind: &str, call: &str| {
        lines.iter().position(|line| line["type"] == kind && line["call_id"] == call)
    };
    let first = lines.iter().position(|line| !line["agent"].is_null());
    let last = lines.iter().rposition(|line| !line["agent"].is_null());
    assert!(at("tool_started", "c1") < first && last < at("tool_finished", "c1"), "{}", ran.out);
    assert!(own.iter().all(|line| line["call_id"] != "s1" && !line.to_string().contains("\"agent\":{")));
    // A person sees its calls as progress.
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Read a again", "Read a.txt again.")))
            .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::text("alpha, beta"))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Read."]));
    assert_says(&ran.err, &["[explore] → read_file {\"path\":\"a.txt\"}", "[explore] ← read_file"]);
}

#[test]
fn several_calls_of_one_answer_work_at_the_same_time() {
    let place = Place::new();
    let call = |id: &str, word: &str| {
        let input = task("explore", &format!("Look for {word}"), &format!("Look for {word} now."));
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "agent".to_owned(), input })
    };
    let both = Answer::blocks(vec![call("c1", "alpha"), call("c2", "beta")]);
    let script = Script::new().unscripted(move |body| {
        let text = body.to_string();
        let is_child = text.contains("You find things out");
        let word = ["alpha", "beta"].into_iter().find(|word| text.contains(&format!("Look for {word} now.")));
        Some(match word.filter(|_| is_child) {
            Some(word) => {
                Answer::text(&format!("No {word} anywhere.")).wait_head(Duration::from_millis(1_500))
            }
            None if text.contains("No alpha anywhere.") => Answer::text("Neither."),
            None => both.clone(),
        })
    });
    let server = serve(script);
    let began = Instant::now();
    let ran = run(&mut place.asks(&server, MODEL, &["Look."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Neither."), "{ran:?}");
    assert!(began.elapsed() < Duration::from_millis(2_900), "one after the other: {:?}", began.elapsed());
    assert_says(&results(&server), &["No alpha anywhere.", "No beta anywhere."]);
}

/// Checks that undoing and redoing the newest turn with its files restores what a sub-agent changed in `a.txt` and `b.txt`, and does it again.
#[track_caller]
pub(crate) fn check_undo_and_redo(place: &Place) {
    let text = |name: &str| fs::read_to_string(place.work().join(name)).ok();
    assert_eq!((text("a.txt").as_deref(), text("b.txt").as_deref()), (Some("changed\n"), Some("new\n")));
    run(&mut place.bare(&["undo", "last", "--files"])).done();
    assert_eq!((text("a.txt").as_deref(), text("b.txt")), (Some("alpha\nbeta\n"), None));
    run(&mut place.bare(&["redo", "last", "--files"])).done();
    assert_eq!((text("a.txt").as_deref(), text("b.txt").as_deref()), (Some("changed\n"), Some("new\n")));
}

#[test]
fn undoing_the_turn_restores_what_its_sub_agents_changed() {
    let place = Place::new();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("general", "Change a", "Change a.txt and make b.txt.")))
            .then(Answer::call("s1", "write_file", json!({ "path": "b.txt", "content": "new\n" })))
            .then(Answer::call("s2", "shell", json!({ "command": "echo changed > a.txt" })))
            .then(Answer::text("Both are done."))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Change."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    check_undo_and_redo(&place);
}

#[test]
fn a_file_of_the_user_makes_a_kind_with_its_tools_and_limits() {
    let place = Place::new();
    let folder = place.folder.path().join(".claude/agents");
    fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: reviewer\ndescription: Reviews code for bugs\ntools: Read, Grep\nmax_requests: 1\n---\nYou review code strictly.\n";
    fs::write(folder.join("reviewer.md"), text).unwrap();
    fs::write(folder.join("broken.md"), "no front matter").unwrap();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("reviewer", "Review a", "Review a.txt.")))
            .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Review."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["sub-agent", "broken.md: it has no front matter"]);
    let bodies = bodies(&server);
    assert_says(&bodies[0], &["- reviewer: Reviews code for bugs", "\"explore\",\"general\",\"reviewer\""]);
    assert_says(&bodies[1], &["You review code strictly."]);
    let own: Vec<String> = tools(&bodies[1])
        .into_iter()
        .filter(|name| ["grep", "read_file", "shell", "write_file"].contains(&name.as_str()))
        .collect();
    assert_eq!(own, ["grep", "read_file"]);
    let why = "did not end its task: stopped after 1 request in one turn";
    let done =
        "Its last calls, whose effects stay:\\n- read_file a.txt\\nThe same call of agent continues it.";
    assert_says(&results(&server), &[why, done]);
}

#[test]
fn a_kind_has_a_policy_and_an_economy_of_its_own() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline/agents");
    fs::create_dir_all(&folder).unwrap();
    let kind = |name: &str, more: &str| {
        let text = format!("---\nname: {name}\ndescription: Reads\n{more}---\nYou read.\n");
        fs::write(folder.join(format!("{name}.md")), text).unwrap();
    };
    kind("lean", "economy: lean\n");
    kind("small", "tools: Read\npolicy: dex\n");
    kind("wrong", "policy: \"dexx\"\n");
    kind("wronger", "model: haiku\neconomy: cheap\n");
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("lean", "Read lean", "Read a.txt.")))
            .then(Answer::text("alpha"))
            .then(Answer::call("c2", "agent", task("small", "Read small", "Read a.txt, too.")))
            .then(Answer::text("beta"))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["--output", "json", "Read."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(
        &ran.err,
        &[
            "wrong.md: line 4, `policy`: \"dexx\" is not one of",
            "did you mean \"dex\"?",
            "wronger.md: line 5, `economy`: \"cheap\"",
            "lean, balanced, faithful",
        ],
    );
    assert_eq!(ran.err.matches("wrong.md").count(), 1, "its sub-agents do not repeat it: {}", ran.err);
    assert_says(
        &bodies(&server)[0],
        &["- lean: Reads", "- small: Reads", "\"explore\",\"general\",\"lean\",\"small\"]"],
    );
    let all = run(&mut place.bare(&["sessions", "--json"])).json();
    let id = |title: &str| {
        let found = all.as_array().unwrap().iter().find(|one| one["title"] == title);
        found.unwrap_or_else(|| panic!("{title}: {all}"))["session"].as_str().unwrap().to_owned()
    };
    let policies = |title: &str| {
        let log = run(&mut place.bare(&["export", &id(title)])).done();
        let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let named = records.filter(|record| record["body"]["kind"] == "policy");
        named.map(|record| record["body"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (policies("Read small"), policies("Read lean")),
        (vec!["dex".to_owned()], vec!["throughline".to_owned()])
    );
}

#[test]
fn a_sub_agent_may_do_no_more_than_the_session() {
    let place = Place::new();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("general", "Write b", "Write b.txt.")))
            .then(Answer::call("s1", "write_file", json!({ "path": "b.txt", "content": "x" })))
            .then(Answer::text("It was refused."))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["--mode", "plan", "Write."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!place.work().join("b.txt").exists());
    assert_says(&bodies(&server)[2], &["was not run"]);
}

#[test]
fn a_killed_session_continues_and_so_does_its_sub_agent() {
    let place = Place::new();
    let begin = || Answer::call("c1", "agent", task("general", "Count lines", "Count the lines of a.txt."));
    let slow = Answer::text("never").wait_head(Duration::from_secs(60));
    let server = serve(
        Script::new()
            .then(begin())
            .then(Answer::call("s1", "shell", json!({ "command": "wc -l a.txt" })))
            .then(slow),
    );
    let mut command = place.asks(&server, MODEL, &["Count."]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(30);
    while server.received().len() < 3 {
        assert!(Instant::now() < limit, "{} requests", server.received().len());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The model gives the same task again: the sub-agent has its first result already.
    let server =
        serve(Script::new().then(begin()).then(Answer::text("Two lines.")).then(Answer::text("Two.")));
    let ran = run(&mut place.asks(&server, MODEL, &["--resume", "last", "Continue."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Two."), "{ran:?}");
    assert_says(&bodies(&server)[1], &["Count the lines of a.txt.", "2 a.txt"]);
    let all = run(&mut place.bare(&["sessions", "--json"])).json();
    assert_eq!(all.as_array().map(Vec::len), Some(2), "no second sub-agent: {all}");
}

#[test]
fn sub_agents_can_be_switched_off_or_limited() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[agents]\ndepth = 0\n").unwrap();
    let server = serve(Script::new().then(Answer::text("Done.")));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Go."])).code, Some(0));
    assert!(!tools(&bodies(&server)[0]).contains(&"agent".to_owned()));
    fs::write(folder.join("config.toml"), "[agents]\ncost = 0.000001\n").unwrap();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Look", "Look around.")))
            .then(Answer::text("Done.")),
    );
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Go."])).code, Some(0));
    assert_says(&results(&server), &["would pass the limit of", "agents.cost"]);
}

#[test]
fn a_kind_with_a_short_name_of_another_provider_has_the_model_of_the_session() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline/agents");
    fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: other\ndescription: Reads\nmodel: gpt\n---\nYou read.\n";
    fs::write(folder.join("other.md"), text).unwrap();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("other", "Read", "Read a.txt.")))
            .then(Answer::text("alpha"))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Read."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
    let why =
        "the model gpt is of provider openai, which is not in use: the model of the session answers instead";
    assert_eq!(ran.err.matches(why).count(), 1, "{}", ran.err);
    assert_says(&bodies(&server)[1], &[&format!("\"model\":\"{}\"", MODEL.1)]);
}

#[test]
fn the_report_of_a_sub_agent_that_breaks_off_says_what_it_did() {
    let broken = Answer::text("The first lines say alpha, and then").cut_after(5);
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Read a", "Read a.txt.")))
            .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
            .then(broken.clone())
            .then(broken)
            .then(Answer::text("Done.")),
    );
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[model]\nretries = 1\n").unwrap();
    let ran = run(&mut place.asks(&server, MODEL, &["Read."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Done."), "{ran:?}");
    let read = results(&server);
    assert_says(
        &read,
        &["did not end its task: ", "Its answer so far:\\nThe ", "- read_file a.txt", "1 call"],
    );
    assert_eq!(read.matches("The f").count(), 1, "an answer that was sent again is there once: {read}");
}

#[test]
fn a_sub_agent_without_a_report_has_not_ended_its_task() {
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("explore", "Read a", "Read a.txt.")))
            .then(Answer::text("### STATE\nGoal: read"))
            .then(Answer::text("Done.")),
    );
    let ran = run(&mut Place::new().asks(&server, MODEL, &["Read."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Done."), "{ran:?}");
    assert_says(&results(&server), &["did not end its task: it ended its turn without a report"]);
}
