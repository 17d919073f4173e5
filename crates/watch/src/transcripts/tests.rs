//! Finding transcripts.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use super::Transcripts;
use crate::agent::{ForeignAgent, ForeignName};
use crate::compactions::compactions;
use crate::file_agent::FileAgent;
use crate::head::head;

const CLAUDE: &str = "12f1f541-2a05-4a60-a551-14b836a1ad82";
const CODEX: &str = "019f21d1-e78f-74e1-bd4d-f785aa6440c1";

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn home() -> (TempDir, Transcripts) {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    let note = r#"{"type":"user","cwd":"/work/a","uuid":"0","message":{"role":"user","content":"<note>Not the user.</note>"}}"#;
    let line =
        r#"{"type":"user","uuid":"1","parentUuid":"0","message":{"role":"user","content":"Fix it\nplease"}}"#;
    let answer = r#"{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Done."}]}}"#;
    write(
        &root.join(format!(".claude/projects/-work-a/{CLAUDE}.jsonl")),
        &format!("{note}\n{line}\n{answer}\n{{\"cut"),
    );
    write(&root.join(".claude/projects/-work-a/agent-1234.jsonl"), line);
    write(&root.join(".claude/projects/-work-a/notes.txt"), "");
    write(&root.join(".claude/outside.jsonl"), "secret");
    symlink(root.join(".claude/outside.jsonl"), root.join(".claude/projects/-work-a/link.jsonl")).unwrap();
    symlink(root.join(".claude"), root.join(".claude/projects/loop")).unwrap();
    let meta = r#"{"type":"session_meta","payload":{"cwd":"/work/b"}}"#;
    write(&root.join(format!(".codex/sessions/2026/07/02/rollout-2026-07-02T07-53-52-{CODEX}.jsonl")), meta);
    let gemini = r#"{"sessionId":"50dba978-a067-47bb-9a78-a3b1155c8236","projectHash":"h","kind":"main"}
{"id":"u1","type":"user","content":[{"text":"Count it"}]}
{"id":"g1","type":"gemini","content":"Two."}"#;
    let project = root.join(".gemini/tmp/c");
    write(&project.join(".project_root"), "/work/c\n");
    write(&project.join("chats/session-2026-11-25T14-07-50dba978.jsonl"), gemini);
    write(&project.join("chats/50dba978-a067-47bb-9a78-a3b1155c8236/sub.jsonl"), gemini);
    write(&project.join("logs/session-1.jsonl"), gemini);
    let transcripts = Transcripts::of_user(root, &|_| None);
    (home, transcripts)
}

fn name(text: &str) -> ForeignName {
    ForeignName::parse(text).unwrap()
}

#[test]
fn a_session_is_found_by_the_start_of_its_id() {
    let (_home, transcripts) = home();
    assert_eq!(transcripts.find(&name("claude:12f1")).unwrap().id, CLAUDE);
    assert_eq!(transcripts.find(&name("codex:019f21d1-e78f")).unwrap().id, CODEX);
    assert_eq!(transcripts.list(FileAgent::Claude).unwrap().len(), 1);
    assert_eq!(transcripts.list(FileAgent::Codex).unwrap().len(), 1);
}

#[test]
fn the_beginning_says_folder_and_title_although_its_last_line_is_cut() {
    let (_home, transcripts) = home();
    let read = |text: &str| head(&transcripts.find(&name(text)).unwrap().path).unwrap();
    let claude = read("claude:12f1");
    assert_eq!((claude.folder.as_deref(), claude.title.as_str()), (Some(Path::new("/work/a")), "Fix it"));
    assert_eq!(read("codex:019f").folder.as_deref(), Some(Path::new("/work/b")));
}

#[test]
fn no_id_leads_out_of_the_folder() {
    let (_home, transcripts) = home();
    for id in ["", "../outside", "..", "/etc/passwd", "\0", "link", &"x".repeat(10_000)] {
        let error = transcripts.find(&name(&format!("claude:{id}"))).unwrap_err().to_string();
        assert!(error.contains("there is no session") && error.len() < 400, "{error}");
    }
}

#[test]
fn a_subagent_is_found_by_its_name_and_listed_with_its_session() {
    let (home, transcripts) = home();
    let project = home.path().join(".claude/projects/-work-b");
    let line = |session: &str| format!("{{\"sessionId\":\"{session}\",\"isSidechain\":true}}\n");
    write(&project.join("12f1aaaa.jsonl"), "");
    write(&project.join("agent-5678.jsonl"), &line("12f1aaaa"));
    write(&project.join("agent-9999.jsonl"), &line("another"));
    write(&project.join("12f1aaaa/subagents/agent-0001.jsonl"), &line("12f1aaaa"));
    assert_eq!(transcripts.find(&name("claude:agent-56")).unwrap().id, "agent-5678");
    assert_eq!(transcripts.find(&name("claude:agent-0001")).unwrap().id, "agent-0001");
    let session = transcripts.find(&name("claude:12f1aaaa")).unwrap();
    let subagents: Vec<String> = transcripts.subagents(&session).into_iter().map(|one| one.id).collect();
    assert_eq!(subagents, ["agent-0001", "agent-5678"]);
}

#[test]
fn several_sessions_of_one_start_are_not_guessed_between() {
    let (home, transcripts) = home();
    write(&home.path().join(".claude/projects/-work-b/12f1aaaa.jsonl"), "");
    assert!(transcripts.find(&name("claude:12f1")).unwrap_err().to_string().contains("write more of the id"));
    assert_eq!(transcripts.find(&name("claude:12f1a")).unwrap().id, "12f1aaaa");
}

#[test]
fn an_agent_that_was_never_used_has_no_sessions() {
    let (home, _) = home();
    let elsewhere = home.path().join("nothing");
    let transcripts = Transcripts::of_user(home.path(), &|_| Some(elsewhere.clone()));
    assert!(transcripts.list(FileAgent::Codex).unwrap().is_empty());
}

#[test]
fn only_names_with_an_agent_are_foreign() {
    assert_eq!(ForeignName::parse("goose:1"), None);
    assert_eq!(ForeignName::parse("last"), None);
}

#[test]
fn copilot_and_pi_have_their_sessions_in_folders_of_their_own() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    let state = root.join(".copilot/session-state");
    write(&state.join("5e55-new/events.jsonl"), "{}");
    write(&state.join("5e55-new/files/notes.jsonl"), "{}");
    write(&state.join("5e55-old.jsonl"), "{}");
    write(&root.join(".pi/agent/sessions/--work-a--/2026-07-02T07-53-52-000Z_0a1b.jsonl"), "{}");
    write(&root.join(".pi/agent/settings.jsonl"), "{}");
    let ids = |transcripts: &Transcripts, agent| {
        let mut ids: Vec<String> =
            transcripts.list(agent).unwrap().into_iter().map(|transcript| transcript.id).collect();
        ids.sort();
        ids
    };
    let usual = Transcripts::of_user(root, &|_| None);
    assert_eq!(ids(&usual, FileAgent::Copilot), ["5e55-new", "5e55-old"]);
    assert_eq!(ids(&usual, FileAgent::Pi), ["0a1b"]);
    let moved = root.join("elsewhere");
    write(&moved.join("session-state/5e55-moved/events.jsonl"), "{}");
    let named = Transcripts::of_user(root, &|name| (name == "COPILOT_HOME").then(|| moved.clone()));
    assert_eq!(ids(&named, FileAgent::Copilot), ["5e55-moved"]);
    assert_eq!(ids(&named, FileAgent::Pi), ["0a1b"]);
}

#[test]
fn sessions_of_gemini_have_their_id_inside_and_their_folder_next_to_them() {
    let (_home, transcripts) = home();
    let [one] = &*transcripts.list(FileAgent::Gemini).unwrap() else { panic!("not one") };
    assert_eq!(one.id, "50dba978-a067-47bb-9a78-a3b1155c8236");
    let head = head(&one.path).unwrap();
    assert_eq!((head.folder.as_deref(), head.title.as_str()), (Some(Path::new("/work/c")), "Count it"));
    assert_eq!(transcripts.find(&name("gemini:50db")).unwrap(), *one);
}

/// A file of zstd with these bytes, not made smaller: one raw block.
fn packed(text: &str) -> Vec<u8> {
    let size = u32::try_from(text.len()).unwrap();
    let block = (1 | size << 3).to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0xa0], &size.to_le_bytes()[..], &block[..3], text.as_bytes()].concat()
}

const CODEX_LINES: &str = r#"{"type":"session_meta","payload":{"id":"s","cwd":"/work/b"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Count it"}]}}
{"type":"compacted","payload":{"message":"It was counted."}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two."}]}}
"#;

#[test]
fn sessions_that_codex_has_packed_or_archived_are_found() {
    let (home, transcripts) = home();
    let old = "019aaaaa-0000-7000-8000-000000000001";
    let file =
        home.path().join(format!(".codex/sessions/2026/06/01/rollout-2026-06-01T07-53-52-{old}.jsonl.zst"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, packed(CODEX_LINES)).unwrap();
    let away = "019bbbbb-0000-7000-8000-000000000001";
    let archive = home.path().join(".codex/archived_sessions");
    write(&archive.join(format!("rollout-2026-06-02T07-53-52-{away}.jsonl")), CODEX_LINES);
    let found = transcripts.find(&name("codex:019aaaaa")).unwrap();
    assert_eq!((found.id.as_str(), found.path.as_path()), (old, file.as_path()));
    let beginning = head(&found.path).unwrap();
    assert_eq!(
        (beginning.folder.as_deref(), beginning.title.as_str()),
        (Some(Path::new("/work/b")), "Count it")
    );
    let compactions = compactions(ForeignAgent::Codex, &found.path).unwrap();
    assert_eq!(compactions[0].summary, "It was counted.");
    let archived = transcripts.find(&name("codex:019bbbbb")).unwrap();
    assert!(archived.is_archived() && !found.is_archived());
    assert_eq!(transcripts.list(FileAgent::Codex).unwrap().len(), 3);
}

#[test]
fn subagents_of_a_workflow_belong_to_the_session() {
    let (home, transcripts) = home();
    let project = home.path().join(".claude/projects/-work-b");
    write(&project.join("12f1aaaa.jsonl"), "");
    write(&project.join("12f1aaaa/subagents/agent-0001.jsonl"), "");
    write(&project.join("12f1aaaa/subagents/workflows/wf_1/agent-0002.jsonl"), "");
    write(&project.join("12f1aaaa/subagents/workflows/wf_1/journal.jsonl"), "");
    let session = transcripts.find(&name("claude:12f1aaaa")).unwrap();
    let subagents: Vec<String> = transcripts.subagents(&session).into_iter().map(|one| one.id).collect();
    assert_eq!(subagents, ["agent-0001", "agent-0002"]);
    assert_eq!(transcripts.find(&name("claude:agent-0002")).unwrap().id, "agent-0002");
}

#[test]
fn a_session_of_gemini_is_the_file_with_its_answers_and_has_its_subagents() {
    let (home, transcripts) = home();
    let [one] = &*transcripts.list(FileAgent::Gemini).unwrap() else { panic!("not one") };
    let subagents: Vec<String> = transcripts.subagents(one).into_iter().map(|one| one.id).collect();
    assert_eq!(subagents, ["sub"]);
    let again = home.path().join(".gemini/tmp/c/chats/session-2026-11-25T14-17-50dba978.jsonl");
    write(&again, &format!("{{\"sessionId\":\"{}\",\"projectHash\":\"h\"}}\n", one.id));
    assert_eq!(transcripts.list(FileAgent::Gemini).unwrap().len(), 2);
    assert_eq!(transcripts.find(&name("gemini:50db")).unwrap().path, one.path);
}

#[test]
fn the_title_is_the_name_that_the_user_has_given_the_session() {
    let (home, transcripts) = home();
    let claude = transcripts.find(&name("claude:12f1")).unwrap();
    let titled = |path: &Path, line: &str| {
        // What is between the beginning and the end of a long transcript is not read.
        let more = format!("{{\"type\":\"x\",\"fill\":\"{}\"}}\n", "x".repeat(1_000)).repeat(400);
        fs::write(path, format!("{}\n{more}{line}\n", fs::read_to_string(path).unwrap())).unwrap();
        head(path).unwrap().title
    };
    let given = |title: &str| format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\"}}");
    assert_eq!(titled(&claude.path, &given("Capacity")), "Capacity");
    assert_eq!(titled(&claude.path, &given("Planning")), "Planning");
    let codex = home.path().join(".codex/sessions/2026/07/02/rollout-2026-07-02T07-53-52-019cc.jsonl");
    fs::write(&codex, CODEX_LINES).unwrap();
    let renamed = r#"{"type":"event_msg","payload":{"type":"thread_name_updated","thread_name":"Counting"}}"#;
    assert_eq!(titled(&codex, renamed), "Counting");
}

#[test]
fn a_name_at_the_beginning_that_the_end_does_not_repeat_is_the_title() {
    let (_home, transcripts) = home();
    let path = transcripts.find(&name("claude:12f1")).unwrap().path;
    let given = r#"{"type":"custom-title","customTitle":"Capacity"}"#;
    let more = format!("{{\"type\":\"x\",\"fill\":\"{}\"}}\n", "x".repeat(1_000)).repeat(400);
    fs::write(&path, format!("{}\n{given}\n{more}", fs::read_to_string(&path).unwrap())).unwrap();
    assert_eq!(head(&path).unwrap().title, "Capacity");
}
