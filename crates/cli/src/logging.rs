//! The log of the program: what went wrong behind a fallback or a retry. Nothing of a session is in it.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use serde_json::{Map, Value, json};
use throughline_commands::UsageError;
use throughline_stored::now;
use throughline_terminal::SecretFilter;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;

/// The variable that chooses what is logged, as `throughline_store=debug`.
const FILTER: &str = "RUST_LOG";
/// What is logged in a file without it, and on standard error by a server.
const IN_FILE: &str = "throughline=info,warn";
const ON_ERROR: &str = "warn";

/// What writes to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogKind {
    /// A server: JSON lines, by default warnings on standard error.
    Server,
    /// A command: text, without a file only what `RUST_LOG` asks for.
    Command,
    /// A screen: only into a file.
    Screen,
}

/// Begins the log.
///
/// # Errors
/// The file cannot be opened, or `RUST_LOG` is no filter.
pub(crate) fn start(file: Option<&Path>, kind: LogKind) -> anyhow::Result<()> {
    let wanted = std::env::var(FILTER).ok().filter(|filter| !filter.trim().is_empty());
    let usual = match (file, kind) {
        (Some(_), _) => Some(IN_FILE),
        (None, LogKind::Server) => Some(ON_ERROR),
        (None, LogKind::Command | LogKind::Screen) => None,
    };
    if file.is_none() && kind == LogKind::Screen {
        return Ok(());
    }
    let Some(filter) = wanted.as_deref().or(usual) else { return Ok(()) };
    let filter = EnvFilter::try_new(filter).map_err(|error| {
        UsageError(format!("{FILTER} is no filter of a log: {error}; write for example {FILTER}=info"))
    })?;
    // At `debug` the SDK of MCP logs the codes of logins.
    let filter = match "rmcp::transport::auth=info".parse() {
        Ok(quiet) => filter.add_directive(quiet),
        Err(_) => filter,
    };
    let target = match file {
        None => LogTarget::Stderr,
        Some(path) => {
            let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
            LogTarget::File(Arc::new(Mutex::new(
                opened.with_context(|| format!("cannot open the log {}", path.display()))?,
            )))
        }
    };
    let format = LineFormat { json: kind == LogKind::Server, secrets: SecretFilter::of_environment() };
    // An error means that an embedding program has a subscriber, which is then the one.
    let _ =
        tracing_subscriber::fmt().event_format(format).with_env_filter(filter).with_writer(target).try_init();
    Ok(())
}

/// Where lines go.
#[derive(Debug, Clone)]
enum LogTarget {
    Stderr,
    File(Arc<Mutex<File>>),
}

impl<'a> MakeWriter<'a> for LogTarget {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl io::Write for LogTarget {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stderr => io::stderr().write(line),
            Self::File(file) => file.lock().unwrap_or_else(PoisonError::into_inner).write(line),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One line for each event.
struct LineFormat {
    json: bool,
    secrets: SecretFilter,
}

impl<S, N> FormatEvent<S, N> for LineFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = LineFields(Map::new());
        event.record(&mut fields);
        let (level, target) = (event.metadata().level().as_str(), event.metadata().target());
        let time = now().rfc3339();
        let line = if self.json {
            let mut object = Map::new();
            object.insert("time".to_owned(), json!(time));
            object.insert("level".to_owned(), json!(level.to_ascii_lowercase()));
            object.insert("target".to_owned(), json!(target));
            object.extend(fields.0);
            Value::Object(object).to_string()
        } else {
            let mut line = format!("{time} {level} {target}:");
            for (name, value) in fields.0 {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                match name.as_str() {
                    "message" => write!(line, " {text}")?,
                    name => write!(line, " {name}={text:?}")?,
                }
            }
            line
        };
        writeln!(writer, "{}", self.secrets.hide(&line).replace('\n', " "))
    }
}

/// The fields of an event, the message first.
struct LineFields(Map<String, Value>);

impl Visit for LineFields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), Value::from(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), Value::from(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), Value::from(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), Value::from(value));
    }
}
