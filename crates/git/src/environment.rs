//! What of the environment `git` gets.

use std::ffi::{OsStr, OsString};

/// Where programs, the person's home and its settings are. Nothing that names a repository, that makes `git` write
/// traces, or that is a secret.
const KEPT: [&str; 20] = [
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "PATHEXT",
    "COMSPEC",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "TEMP",
    "TMP",
    "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// Messages in English, because they are parsed; git never prompts. What a partial clone lacks is not fetched: the
/// settings name the programs that fetch. Older versions do not know that, but the list of protocols, which is empty.
const SET: [(&str, &str); 4] =
    [("LC_ALL", "C"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "")];

/// What reaches a server besides: proxies, certificates, and the agent that holds the keys of ssh.
const REACHING: [&str; 10] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "SSH_AUTH_SOCK",
    "USER",
];

/// Protocols that fetch, without those that run a program of the address. No program asks for a password on a terminal or a screen.
const SET_TO_FETCH: [(&str, &str); 4] = [
    ("GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file"),
    ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
    ("GIT_ASKPASS", "true"),
    ("GCM_INTERACTIVE", "never"),
];

/// The variables of this process for a `git` that fetches.
pub(crate) fn fetching() -> Vec<(OsString, OsString)> {
    let reaches = |name: &OsStr| REACHING.iter().any(|one| name.eq_ignore_ascii_case(one));
    let more = std::env::vars_os().filter(|(name, _)| reaches(name));
    let set = SET_TO_FETCH.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    environment(std::env::vars_os()).chain(more).chain(set).collect()
}

/// The variables for `git`, out of those of this process.
pub(crate) fn environment(
    vars: impl IntoIterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let set = SET.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    vars.into_iter().filter(|(name, _)| is_kept(name)).chain(set)
}

fn is_kept(name: &OsStr) -> bool {
    KEPT.iter().any(|kept| name.eq_ignore_ascii_case(kept))
}

#[cfg(test)]
mod tests;
