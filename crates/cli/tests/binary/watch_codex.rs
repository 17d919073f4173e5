//! `throughline watch -- codex`: trusted hooks for one run, the rollout as a session, the context as a developer's message.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::Place;
use crate::ran::{Ran, assert_says, run};

const ID: &str = "01a20d52-f45d-7533-bd45-3be9e38a5808";

/// Lists the hooks of its command line as Codex's app server does, and runs those with a trusted hash: else it writes down
/// its arguments and ends with 7.
const CODEX: &str = r#"#!/bin/sh
for last; do :; done
hooks() {
  for value; do printf '%s\n' "$value"; done |
    sed -n 's/^hooks\.\([A-Z][A-Za-z]*\)=\[{hooks=\[{type="command",command=\(".*"\),timeout=[0-9]*}\]}\]$/\1 \2/p'
}
if [ "$last" = app-server ]; then
  read -r hello; read -r ready; read -r list
  case $list in *'"hooks/list"'*) ;; *) exit 1 ;; esac
  echo '{"id":1,"result":{"userAgent":"fake"}}'
  echo '{"method":"configWarning","params":{}}'
  all=$(hooks "$@" | while read -r event command; do
    printf '{"key":"/<session-flags>/config.toml:%s:0:0","source":"sessionFlags","command":%s,"currentHash":"sha256:%s"},' \
      "$event" "$command" "$event"
  done)
  echo "{\"id\":2,\"result\":{\"data\":[{\"hooks\":[${all%,}]}]}}"
  read -r end
  exit 0
fi
printf '%s\n' "$@" > arguments
exit 7
"#;

struct Watched {
    place: Place,
    arguments: Vec<String>,
}

fn place_with(codex: &str) -> (Place, String) {
    let place = Place::new();
    let program = place.folder.path().join("codex");
    fs::write(&program, codex).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (place, program.to_str().unwrap().to_owned())
}

impl Watched {
    fn new() -> Self {
        let (place, program) = place_with(CODEX);
        let ran = run(&mut place.bare(&["watch", "--", &program, "exec", "Fix it's parser"]));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(7), "", ""));
        let arguments = fs::read_to_string(place.work().join("arguments")).unwrap();
        Self { arguments: arguments.lines().map(str::to_owned).collect(), place }
    }

    fn file(&self) -> PathBuf {
        let folder = self.place.folder.path().join(".codex/sessions/2026/11/24");
        fs::create_dir_all(&folder).unwrap();
        folder.join(format!("rollout-2026-11-24T11-31-10-{ID}.jsonl"))
    }

    /// Writes a rollout of these items.
    fn rollout(&self, items: &[Value]) {
        let cwd = self.place.work().canonicalize().unwrap();
        let mut lines = vec![json!({"type": "session_meta", "payload": {"id": ID, "cwd": cwd}}).to_string()];
        lines.extend(items.iter().map(Value::to_string));
        fs::write(self.file(), lines.join("\n") + "\n").unwrap();
    }

    /// Runs the hook of an event as Codex does.
    fn hook(&self, event: &str, payload: &Value) -> Ran {
        let begin = format!("hooks.{event}=");
        let value = self.arguments.iter().find(|value| value.starts_with(&begin)).unwrap();
        let quoted = value.split_once("command=").unwrap().1.rsplit_once(",timeout").unwrap().0;
        let command: String = serde_json::from_str(quoted).unwrap();
        let mut all = json!({"session_id": ID, "transcript_path": self.file(), "hook_event_name": event});
        all.as_object_mut().unwrap().extend(payload.as_object().unwrap().clone());
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        shell.env("HOME", self.place.folder.path()).current_dir(self.place.work());
        let mut child =
            shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(all.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

fn said(role: &str, text: &str) -> Value {
    json!({"type": "response_item", "payload": {"type": "message", "role": role,
           "content": [{"type": if role == "assistant" { "output_text" } else { "input_text" }, "text": text}]}})
}

// S1-01
#[test]
fn codex_gets_trusted_hooks_and_tools_for_one_run() {
    let watched = Watched::new();
    let arguments = &watched.arguments;
    assert_eq!(arguments[arguments.len() - 2..], ["exec", "Fix it's parser"]);
    let state = arguments.iter().find(|value| value.starts_with("hooks.state=")).unwrap();
    for event in ["SessionStart", "PreCompact", "Stop", "SessionEnd"] {
        let key = format!(r#""/<session-flags>/config.toml:{event}:0:0"={{trusted_hash="sha256:{event}"}}"#);
        assert!(state.contains(&key), "{state}");
    }
    assert!(arguments.contains(&r#"mcp_servers.throughline.args=["mcp"]"#.to_owned()), "{arguments:?}");
    assert!(!watched.place.folder.path().join(".codex").exists(), "nothing of the user's is written");
}

#[test]
fn a_codex_that_does_not_take_our_hooks_is_not_started_without_them() {
    let says = |codex: &str, args: &[&str], part: &str| {
        let (place, program) = place_with(codex);
        let ran = run(&mut place.bare(&[&["watch", "--", &program], args].concat()));
        assert!(ran.code != Some(0) && !place.work().join("arguments").exists(), "{ran:?}");
        assert_says(&ran.err, &[part]);
    };
    says("#!/bin/sh\nexit 2\n", &[], "ended before it listed its hooks");
    let empty =
        "#!/bin/sh\nread -r a\nread -r b\nread -r c\necho '{\"id\":2,\"result\":{\"data\":[]}}'\nread -r d\n";
    says(empty, &[], "codex has 0 of the 4 hooks");
    let old = "#!/bin/sh\nread -r a\necho '{\"id\":2,\"error\":{\"message\":\"unknown\"}}'\nread -r d\n";
    says(old, &[], "does not list its hooks: unknown");
    for args in [&["-c", "hooks.Stop=1"][..], &["-chooks.Stop=1"], &["--config=hooks.Stop=1"]] {
        says(CODEX, args, "hooks.Stop must be a list");
    }
}

// S1-12 S1-13
#[test]
fn after_a_compaction_codex_gets_its_context_back_and_its_rollout_proves_it() {
    let watched = Watched::new();
    let mut items = vec![said("user", "<environment_context>x</environment_context>")];
    items.extend([said("user", "Fix the parser."), said("assistant", "It expects a comma.")]);
    watched.rollout(&items);
    for (event, payload) in
        [("SessionStart", json!({"source": "startup"})), ("PreCompact", json!({"trigger": "auto"}))]
    {
        assert_eq!(watched.hook(event, &payload).done(), "", "{event}");
    }
    items.push(said("assistant", "They fix a parser."));
    items.push(json!({"type": "compacted", "payload": {"message": "A summary:\nThey fix a parser."}}));
    watched.rollout(&items);
    let answer = watched.hook("SessionStart", &json!({"source": "compact"})).json();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert_says(
        context,
        &["[Previous Session Context]\nCurrent task: Fix the parser.\n", &format!("codex-{ID}")],
    );
    // Codex writes the context as a message of a developer, before the user's next one.
    items.extend([said("developer", context), said("user", "Now test it."), said("assistant", "Tested.")]);
    watched.rollout(&items);
    assert_eq!(watched.hook("Stop", &json!({})).done(), "");
    let status = run(&mut watched.place.bare(&["watch", "--status", "codex:01a2"])).done();
    assert_says(&status, &[&format!("Session codex:{ID}: compactions 1\n  1  context delivered\n")]);
    let list = run(&mut watched.place.bare(&["watch", "--list"])).done();
    assert_says(&list, &[&format!("codex:{ID}"), "1 of 1"]);
    // What came back is not what the user has said.
    assert_eq!(watched.hook("SessionStart", &json!({"source": "resume"})).done(), "", "nothing is missing");
    let next = watched.hook("SessionStart", &json!({"source": "compact"})).json();
    let next = next["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert_says(next, &["word for word:\nNow test it.\n"]);
    let text = run(&mut watched.place.bare(&["export", &format!("codex-{ID}")])).done();
    let messages = text.lines().filter(|line| line.contains("\"message\""));
    assert!(
        messages.clone().count() == 4 && !messages.clone().any(|line| line.contains("Previous Session")),
        "{text}"
    );

    items.push(json!({"type": "compacted", "payload": {"message": "Again."}}));
    items.extend([said("user", "[Previous Session Context]"), said("assistant", "What?")]);
    watched.rollout(&items);
    let status = run(&mut watched.place.bare(&["watch", "--status"]));
    assert_eq!(status.code, Some(1), "{status:?}");
    assert_says(&status.out, &["  2  context not delivered"]);
}

#[test]
fn a_session_of_codex_that_is_not_stored_is_left_alone() {
    let watched = Watched::new();
    assert_eq!(watched.hook("Stop", &json!({"transcript_path": null})).done(), "");
}
