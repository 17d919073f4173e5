//! What is slow to close does not keep its user.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};

/// An MCP server without tools, which does not want to end. It tells when it should.
const STUBBORN: &str = r#"
trap '' TERM
echo $$ > pid
while IFS= read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) answer='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}';;
    *'"tools/list"'*) answer='{"tools":[]}';;
    *) continue;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$answer"
done
touch closing
exec sleep 20
"#;

/// Returns true if a process of this number exists and is not a zombie.
fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

#[test]
fn a_second_interrupt_ends_a_run_that_waits_for_a_server_to_end_and_the_server_too() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done."))));
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(place.folder.path().join("stubborn.sh"), STUBBORN).unwrap();
    fs::write(
        folder.join("config.toml"),
        "[mcp.servers.stubborn]\ncommand = \"sh\"\nargs = [\"../stubborn.sh\"]\n",
    )
    .unwrap();
    let mut command = place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["Go."]);
    let mut running = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let (id, mut asked) = (running.id().to_string(), 0);
    let closing = place.work().join("closing");
    let code = loop {
        if let Some(status) = running.try_wait().unwrap() {
            break status.code();
        }
        if closing.exists() {
            // It may be gone by now.
            let _ = Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status().unwrap();
            asked += 1;
        }
        sleep(Duration::from_millis(20));
    };
    assert_eq!(code, Some(130), "asked {asked} times");
    let pid = fs::read_to_string(place.work().join("pid")).unwrap();
    // The system takes the signal when it comes to it.
    while lives(&pid) {
        sleep(Duration::from_millis(5));
    }
}

/// A run, by a program that starts it, whose terminal closes in the middle of an answer. Returns its exit status and the last
/// line of its output.
fn hung_up(start: &[&str]) -> (Option<i32>, Value) {
    let slow = Answer::text(&"Word after word. ".repeat(30)).wait_each(Duration::from_millis(50));
    let (place, server) = (Place::new(), serve(Script::new().then(slow)));
    let asks = place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["--output", "stream-json", "Go."]);
    let [starter, options @ ..] = start else { panic!("no starter") };
    let mut command = Command::new(starter);
    command.args(options).arg(asks.get_program()).args(asks.get_args());
    command.env_clear().current_dir(place.work());
    command.envs(asks.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut running = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(running.stdout.take().unwrap()).lines().map(|line| {
        let printed: Value = serde_json::from_str(&line.unwrap()).unwrap();
        printed
    });
    printed.find(|object| object["type"] == "text").unwrap();
    for _ in 0..2 {
        let id = running.id().to_string();
        let _ = Command::new("kill").args(["-HUP", &id]).stderr(Stdio::null()).status().unwrap();
    }
    let last = printed.last().unwrap();
    (running.wait().unwrap().code(), last)
}

#[test]
fn a_terminal_that_is_gone_ends_a_run_in_good_order() {
    let (code, last) = hung_up(&["env", "--default-signal=HUP"]);
    assert_eq!((code, &last["type"], &last["outcome"]), (Some(130), &"result".into(), &"interrupted".into()));
}

#[test]
fn a_run_that_was_started_to_outlive_its_terminal_does() {
    // What a shell ignores is ignored by what it becomes.
    let (code, last) = hung_up(&["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]);
    assert_eq!((code, &last["type"], &last["outcome"]), (Some(0), &"result".into(), &"done".into()));
}
