//! The overrides that give Codex our hooks and tools for one run.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use throughline_stored::Attempt as _;

use crate::agent::ForeignAgent;
use crate::codex_hooks::{
    CodexTrustError, codex_hook_listing, codex_hook_overrides, codex_server_overrides, codex_trust_override,
    hook_count,
};
use crate::codex_user_hooks::CodexUserHooks;
use crate::failure::{Result, WatchError};
use crate::hooks::OWN_SERVER;
use crate::launch::{OwnProgram, not_started};

/// How long Codex may take to list its hooks.
const PATIENCE: Duration = Duration::from_secs(20);

/// Maximum bytes of the app server's output that are read.
const OUTPUT: u64 = 16 * 1024 * 1024;

/// The user's arguments behind the hooks, the user's among them, the trust that ours need, and the tools.
pub(crate) fn arguments(program: &OsStr, arguments: &[OsString], own: &OwnProgram) -> Result<Vec<OsString>> {
    let (user, rest) = CodexUserHooks::take(arguments)?;
    let (command, offload) = (own.hook(ForeignAgent::Codex), own.offload.is_some());
    let mut values = codex_hook_overrides(&command, offload, &user);
    let state = |line: &str| codex_trust_override(line, &command, hook_count(offload), &user);
    values.push(trust(program, &values, &state)?);
    values.extend(codex_server_overrides(OWN_SERVER, &own.path(), &own.server_args()));
    Ok(options(&values).into_iter().map(OsString::from).chain(rest).collect())
}

fn options(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| ["-c".to_owned(), value.clone()]).collect()
}

/// Asks Codex, with these overrides, for the hashes of our hooks.
fn trust(program: &OsStr, hooks: &[String], state: &State<'_>) -> Result<String> {
    let folder = std::env::current_dir().attempt(|| "the current folder is not known".to_owned())?;
    let mut server = Command::new(program);
    server.args(options(hooks)).arg("app-server");
    let server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut server = server.attempt(|| not_started(program))?;
    let request = codex_hook_listing(&folder.display().to_string());
    let found = ask(&mut server, &request, state);
    // It has answered, or it never will; either way it has nothing to save.
    let _ = server.kill();
    let _ = server.wait();
    found
}

/// What an answer of the app server says of our hooks.
type State<'s> = dyn Fn(&str) -> Result<Option<String>, CodexTrustError> + 's;

fn ask(server: &mut Child, request: &str, state: &State<'_>) -> Result<String> {
    // The input stays open until the answer is there: the server ends with its input.
    let mut input =
        server.stdin.take().ok_or_else(|| WatchError::refused("codex app-server has no input"))?;
    let output = server.stdout.take().ok_or_else(|| WatchError::refused("codex app-server has no output"))?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(output.take(OUTPUT)).lines();
        while let Some(Ok(line)) = lines.next() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    // A server that has ended already shows that by its output.
    let _ = input.write_all(request.as_bytes()).and_then(|()| input.flush());
    wait(&lines, state)
}

fn wait(lines: &Receiver<String>, state: &State<'_>) -> Result<String> {
    let end = Instant::now() + PATIENCE;
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(state) = state(&line).attempt(|| "codex does not run the hooks".to_owned())? {
                    return Ok(state);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                return Err(WatchError::refused(format!(
                    "codex app-server did not list its hooks within {} s",
                    PATIENCE.as_secs()
                )));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(WatchError::refused(
                    "codex app-server ended before it listed its hooks; check that `codex app-server` works",
                ));
            }
        }
    }
}
