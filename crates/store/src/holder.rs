//! Who holds a session's lock, as the lock file or the lease tells it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use throughline_conversation::Millis;

/// The process that has a session open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its process id. The kernel holds the lock, so a number that was given to another process does no harm.
    pub pid: u32,
    /// Since when, by the host's clock.
    pub since: Millis,
    /// Name of its program, without arguments: they may hold a prompt.
    pub program: String,
    /// The name of its host; `None`: this one.
    pub host: Option<String>,
}

impl Holder {
    /// This process, since now.
    pub(crate) fn this_process() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let program = std::env::args_os().next().map(PathBuf::from);
        let name =
            program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Self {
            pid: std::process::id(),
            since: Millis(i64::try_from(now).unwrap_or(i64::MAX)),
            program: name.unwrap_or_else(|| "unknown program".to_owned()).replace('\n', " "),
            host: host(),
        }
    }

    /// The text of the lock file.
    pub(crate) fn to_text(&self) -> String {
        format!("pid {}\nsince {}\nprogram {}\n", self.pid, self.since.0, self.program)
    }

    /// Reads the text of a lock file; `None` when it is not whole.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.strip_prefix("pid ")?.parse().ok()?;
        let since = Millis(lines.next()?.strip_prefix("since ")?.parse().ok()?);
        let program = lines.next()?.strip_prefix("program ")?.to_owned();
        Some(Self { pid, since, program, host: None })
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, pid, since, host } = self;
        let host = host.as_ref().map_or_else(String::new, |host| format!(" on {host}"));
        write!(f, "{program}{host}, process {pid}, since {}", since.utc())
    }
}

/// The name of this host, which other hosts tell it by.
#[cfg(feature = "postgres")]
fn host() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(not(feature = "postgres"))]
fn host() -> Option<String> {
    None
}
