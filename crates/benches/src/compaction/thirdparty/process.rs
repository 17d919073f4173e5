//! A driver of other frameworks' compactors: a child process that is asked one JSON line at a time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::Message;
use throughline_replay::{ExternalError, ExternalMessage, ExternalPolicy, ExternalRoom, Summarize};

/// What a driver says of a compactor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct About {
    /// The name that its framework gives it.
    pub(super) name: String,
    /// The package that it is in.
    pub(super) package: String,
    pub(super) version: String,
    /// How it is set.
    pub(super) settings: String,
}

/// A line of a driver.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Policies(Vec<About>),
    Opened(bool),
    View(Vec<ExternalMessage>),
    Summarize(String),
    Error(String),
}

/// The process.
#[derive(Debug)]
struct Driver {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// A compactor that a driver runs.
#[derive(Debug)]
pub(super) struct ThirdParty {
    pub(super) about: About,
    driver: Arc<Mutex<Driver>>,
}

/// Starts a driver and returns its compactors.
///
/// # Errors
/// The driver does not start, or does not list them.
pub(super) fn start(program: &Path, script: &Path) -> anyhow::Result<Vec<ThirdParty>> {
    let mut command = Command::new(program);
    // The order of sets is no source of differences, and nothing is fetched or reported.
    command.arg(script).env("PYTHONHASHSEED", "0").env("HF_HUB_OFFLINE", "1").env("DO_NOT_TRACK", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("could not start {}", program.display()))?;
    let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
    let (Some(input), Some(output)) = (input, output) else { bail!("{} has no pipes", program.display()) };
    let mut driver = Driver { child, input, output };
    let listed = driver.ask(&json!({"op": "policies"}), &mut |_| String::new());
    let Said::Policies(policies) = listed.with_context(|| format!("{} did not start", script.display()))?
    else {
        bail!("{} lists no compactors", script.display())
    };
    let driver = Arc::new(Mutex::new(driver));
    Ok(policies.into_iter().map(|about| ThirdParty { about, driver: Arc::clone(&driver) }).collect())
}

impl Driver {
    fn ask(&mut self, request: &Value, summarize: &mut Summarize<'_>) -> Result<Said, ExternalError> {
        let failed = |error: &dyn std::error::Error| ExternalError::Failed(error.to_string());
        let mut line = request.to_string();
        loop {
            line.push('\n');
            self.input.write_all(line.as_bytes()).map_err(|error| failed(&error))?;
            line.clear();
            self.output.read_line(&mut line).map_err(|error| failed(&error))?;
            match serde_json::from_str(&line).map_err(|error| failed(&error))? {
                Said::Summarize(prompt) => line = json!({"summary": summarize(&prompt)}).to_string(),
                Said::Error(error) => return Err(ExternalError::Failed(error)),
                said => return Ok(said),
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It has nothing to save, and an error means that it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ThirdParty {
    fn ask(&self, request: &Value, summarize: &mut Summarize<'_>) -> Result<Said, ExternalError> {
        self.driver.lock().unwrap_or_else(PoisonError::into_inner).ask(request, summarize)
    }

    fn view_of(
        &self,
        request: &Value,
        summarize: &mut Summarize<'_>,
    ) -> Result<Vec<ExternalMessage>, ExternalError> {
        match self.ask(request, summarize)? {
            Said::View(view) => Ok(view),
            other => Err(ExternalError::Failed(format!("no view: {other:?}"))),
        }
    }
}

impl ExternalPolicy for ThirdParty {
    fn open(&self, room: &ExternalRoom) -> Result<(), ExternalError> {
        let request = json!({"op": "open", "policy": self.about.name, "room": room});
        match self.ask(&request, &mut |_| String::new())? {
            Said::Opened(true) => Ok(()),
            other => Err(ExternalError::Failed(format!("the session was not opened: {other:?}"))),
        }
    }

    fn view(
        &self,
        new: &[&Message],
        summarize: &mut Summarize<'_>,
    ) -> Result<Vec<ExternalMessage>, ExternalError> {
        self.view_of(&json!({"op": "view", "new": new}), summarize)
    }

    fn refused(&self, summarize: &mut Summarize<'_>) -> Result<Vec<ExternalMessage>, ExternalError> {
        self.view_of(&json!({"op": "refused"}), summarize)
    }
}
