//! Servers that are programs: their environment, and that none of their processes is left.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use throughline_mcp::{McpServers, ServerConfig, Transport};
use throughline_tools::Environment;

use crate::fake::{call, names, options};

/// A server in the language of the shell. Its one tool says what it was started with.
pub(crate) const SERVER: &str = r#"
echo "starting with $SECRET" >&2
sleep 600 &
echo $! > child.pid
echo $$ > own.pid
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case "$line" in
    *'"method":"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"env","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"die"'*) exit 3 ;;
    *'"method":"tools/call"'*) result="{\"content\":[{\"type\":\"text\",\"text\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')in $(pwd)\"}]}" ;;
    *) continue ;;
  esac
  echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$result}"
done
"#;

/// The shell's server in a folder.
pub(crate) fn config(folder: &Path, script: &str) -> ServerConfig {
    let env = BTreeMap::from([("SECRET".to_owned(), "secret-4711".to_owned())]);
    let args = vec!["-c".to_owned(), script.to_owned()];
    let transport = Transport::Stdio { command: "sh".to_owned(), args, env, cwd: Some(folder.to_owned()) };
    let mut config = ServerConfig::new("sh", transport);
    config.timeout = Duration::from_secs(20);
    config
}

/// The number that the server wrote to a file.
fn number(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap().trim().to_owned()
}

/// Returns true if the process runs. A zombie does not.
fn runs(number: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// Waits until the process has ended. Whether somebody counts it is not our business, where it is not our own child.
async fn ended(number: &str) -> bool {
    for _ in 0..1_000 {
        if !runs(number) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// Waits until neither the process nor a zombie of it is there.
async fn gone(number: &str) -> bool {
    for _ in 0..1_000 {
        if !Path::new("/proc").join(number).exists() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

// S3-31
#[tokio::test]
async fn a_program_gets_its_folder_and_no_inherited_keys() {
    let folder = tempfile::tempdir().unwrap();
    let servers = McpServers::new([config(folder.path(), SERVER)], options(None));
    servers.start().await;
    assert_eq!(names(&servers), ["mcp__sh__die", "mcp__sh__env"], "{:?}", servers.notes());
    let text = call(&servers, "mcp__sh__env", json!({})).await.to_text();
    let (variables, place) = text.split_once("in ").unwrap();
    assert_eq!(Path::new(place).canonicalize().unwrap(), folder.path().canonicalize().unwrap());
    assert!(variables.contains("PATH") && variables.contains("SECRET"), "{variables}");
    let environment = Environment::new();
    let listed = environment.of(std::env::vars_os()).map(|(name, _)| name.into_string().unwrap());
    let allowed: Vec<String> =
        listed.chain(["SECRET", "PWD", "OLDPWD", "SHLVL", "_"].map(str::to_owned)).collect();
    for name in variables.split_whitespace() {
        assert!(allowed.iter().any(|allowed| allowed == name), "{name} in {variables}");
    }
    servers.close().await;
}

#[tokio::test]
async fn nothing_is_left_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let servers = McpServers::new([config(folder.path(), SERVER)], options(None));
    servers.start().await;
    let [own, child] = ["own.pid", "child.pid"].map(|file| number(folder.path(), file));
    assert!(runs(&own) && runs(&child));
    servers.close().await;
    assert!(!runs(&own) && !Path::new("/proc").join(&own).exists(), "it was waited for");
    assert!(ended(&child).await, "its own child ended with it");
}

#[tokio::test]
async fn nothing_is_left_when_the_session_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let servers = McpServers::new([config(folder.path(), SERVER)], options(None));
    servers.start().await;
    let [own, child] = ["own.pid", "child.pid"].map(|file| number(folder.path(), file));
    drop(servers);
    assert!(gone(&own).await && ended(&child).await);
}

#[test]
fn nothing_is_left_when_the_runtime_ends_first() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let servers = McpServers::new([config(folder.path(), SERVER)], options(None));
    runtime.block_on(servers.start());
    let [own, child] = ["own.pid", "child.pid"].map(|file| number(folder.path(), file));
    assert!(runs(&own) && runs(&child));
    drop(runtime);
    for _ in 0..1_000 {
        if !runs(&own) && !runs(&child) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{own} or {child} still runs");
}

#[tokio::test]
async fn a_program_that_ignores_sigterm_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let stubborn = format!("trap '' TERM INT HUP; {SERVER}; while true; do sleep 1; done");
    let servers = McpServers::new([config(folder.path(), &stubborn)], options(None));
    servers.start().await;
    let own = number(folder.path(), "own.pid");
    assert!(runs(&own));
    servers.close().await;
    assert!(gone(&own).await);
}

#[tokio::test]
async fn a_program_that_was_killed_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let servers = McpServers::new([config(folder.path(), SERVER)], options(None));
    servers.start().await;
    let first = number(folder.path(), "own.pid");
    let killed = std::process::Command::new("kill").args(["-9", &first]).status().unwrap();
    assert!(killed.success() && gone(&first).await);
    let output = call(&servers, "mcp__sh__env", json!({})).await;
    // The end may be noticed by the call itself; then the next one finds a new server.
    let output = if output.is_error { call(&servers, "mcp__sh__env", json!({})).await } else { output };
    assert!(!output.is_error, "{}", output.to_text());
    assert_ne!(number(folder.path(), "own.pid"), first);
    let output = call(&servers, "mcp__sh__die", json!({})).await;
    assert!(output.is_error && output.to_text().contains("broke during the call"), "{}", output.to_text());
    servers.close().await;
}

#[tokio::test]
async fn the_last_line_of_a_failing_program_is_shown_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let failing = "echo 'line one' >&2; echo \"no access with $SECRET\" >&2; exit 1";
    let servers = McpServers::new([config(folder.path(), failing)], options(None));
    servers.start().await;
    let notes = servers.notes();
    assert!(notes[0].ends_with("it wrote: no access with [hidden]"), "{notes:?}");
    assert!(!format!("{servers:?}").contains("4711"));

    let mut missing = config(folder.path(), "");
    if let Transport::Stdio { command, .. } = &mut missing.transport {
        *command = "no-such-program".to_owned();
    }
    let servers = McpServers::new([missing], options(None));
    servers.start().await;
    assert!(servers.notes()[0].contains("cannot start `no-such-program`"), "{:?}", servers.notes());
}

#[tokio::test]
async fn a_large_error_output_does_not_block_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let loud = format!("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; {SERVER}");
    let servers = McpServers::new([config(folder.path(), &loud)], options(None));
    servers.start().await;
    assert_eq!(names(&servers).len(), 2, "{:?}", servers.notes());
    servers.close().await;
}
