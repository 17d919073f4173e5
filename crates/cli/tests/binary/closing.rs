//! What is slow to close does not keep its user.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};

/// An MCP server without tools, which does not want to end. It tells when it should.
const STUBBORN: &str = r#"
trap '' TERM
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

#[test]
fn a_second_interrupt_ends_a_run_that_waits_for_a_server_to_end() {
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
}
