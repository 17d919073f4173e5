//! Limits this process, and everything that it executes from now on, irrevocably.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{
    Resource, Rlimit, Signal, geteuid, getrlimit, set_parent_process_death_signal, setrlimit,
};

use super::capabilities::drop_capabilities;
use super::hide::hide;
use super::other_limits::{Others, refuse_changes_of_others};
use super::syscalls::{Refused, refuse};
use super::{FILES_UNPROTECTED, SOCKETS_REFUSED, Sandbox, SandboxError, landlock};

/// The kernel ends commands before throughline and other programs when memory runs out.
const OOM_SCORE: &str = "500";

/// Limits this process to the sandbox. Returns the environment variables to set.
pub(super) fn confine(sandbox: &Sandbox) -> Result<Vec<(&'static str, OsString)>, SandboxError> {
    // Where that is not allowed, the order stays the usual one.
    let _ = fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    limit_resources(sandbox);
    let hidden = hide(sandbox);
    drop_capabilities()
        .map_err(|error| SandboxError::Unavailable(format!("privileges cannot be dropped ({error})")))?;
    let tmp = Path::new("/tmp");
    let temp = sandbox.temp.as_deref().map(|temp| if hidden.private_tmp { tmp } else { temp });
    landlock::restrict(sandbox, &hidden.repositories, temp)?;
    let others = Others { shared_objects: hidden.shared_objects, group_bit: geteuid().is_root() };
    refuse_changes_of_others(others)?;
    let refused = match (sandbox.no_network, hidden.open_sockets) {
        (true, true) => Some(Refused::Both),
        (true, false) => Some(Refused::Network),
        // Landlock limits them by itself where it can.
        (false, true) if !landlock::limits_sockets() => Some(Refused::Unix),
        (false, _) => None,
    };
    refused.map_or(Ok(()), refuse)?;
    let mut variables = variables(temp, hidden.private_tmp);
    variables.extend(temp.into_iter().flat_map(|temp| own_caches(sandbox, temp)));
    if matches!(refused, Some(Refused::Unix | Refused::Both)) {
        variables.push((SOCKETS_REFUSED, "1".into()));
    }
    if hidden.open_files && !sandbox.projects.is_empty() {
        variables.push((FILES_UNPROTECTED, "1".into()));
    }
    Ok(variables)
}

/// Ends this process when its parent ends, which is the supervisor.
pub(super) fn end_with_parent() {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// Caches whose files existing environments and programs run: uv links environments to its cache. The variable that moves it,
/// and its folder among the user's caches.
const LIVE_CACHES: [(&str, &str); 2] = [("UV_CACHE_DIR", "uv"), ("DENO_DIR", "deno")];

/// A cache in another file system cannot be linked to, about which uv complains.
const COPIED: (&str, &str) = ("UV_LINK_MODE", "copy");

/// The variables by which a command has such caches of its own, unless the user names others or lets it write them.
fn own_caches(sandbox: &Sandbox, temp: &Path) -> Vec<(&'static str, OsString)> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let caches = set("XDG_CACHE_HOME").map(PathBuf::from);
    let caches = caches.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")));
    let is_writable = |name: &str| {
        let place = caches.as_ref().map(|caches| caches.join(name));
        place.is_some_and(|place| sandbox.writable.iter().any(|writable| place.starts_with(writable)))
    };
    let moved = LIVE_CACHES.into_iter().filter(|(name, folder)| set(name).is_none() && !is_writable(folder));
    let own = moved.map(|(name, folder)| (name, temp.join(".cache").join(folder).into_os_string()));
    let mut variables: Vec<_> = own.collect();
    let (name, value) = COPIED;
    if !variables.is_empty() && set(name).is_none() {
        variables.push((name, value.into()));
    }
    variables
}

fn limit_resources(sandbox: &Sandbox) {
    let lower = |resource: Resource, most: u64| {
        let now = getrlimit(resource);
        let most = Some(now.maximum.map_or(most, |maximum| maximum.min(most)));
        // A limit may always be lowered.
        let _ = setrlimit(resource, Rlimit { current: most, maximum: most });
    };
    if let Some(most) = sandbox.processes {
        // The kernel counts all processes and threads of the user.
        lower(Resource::Nproc, most.saturating_add(running()));
    }
    if let Some(bytes) = sandbox.memory {
        lower(Resource::Data, bytes);
    }
}

/// Number of processes and threads of the system.
fn running() -> u64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = text.split_whitespace().nth(3).and_then(|pair| pair.split_once('/'));
    all.and_then(|(_, all)| all.parse().ok()).unwrap_or_default()
}

/// The variables by which programs find the private temporary folder.
fn variables(temp: Option<&Path>, private_tmp: bool) -> Vec<(&'static str, OsString)> {
    let Some(temp) = temp else { return Vec::new() };
    let mut variables: Vec<_> = ["TMPDIR", "TMP", "TEMP"].map(|name| (name, temp.into())).into();
    if !private_tmp {
        // Java knows no variable for it.
        let mut options = std::env::var_os("JAVA_TOOL_OPTIONS").unwrap_or_default();
        options.push(" -Djava.io.tmpdir=");
        options.push(temp);
        variables.push(("JAVA_TOOL_OPTIONS", options));
    }
    variables
}
