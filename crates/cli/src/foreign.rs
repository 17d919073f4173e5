//! Sessions of other agents on a command line.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use throughline_commands::{UsageError, age};
use throughline_terminal::{line, table};
use throughline_text::headline;
use throughline_watch::{ForeignAgent, modified_at, sessions_of};

/// Asks which session of an agent to continue, and returns its name.
pub(crate) fn choose(agent: ForeignAgent, any_folder: bool, place: Option<&Path>) -> anyhow::Result<String> {
    if !agent.has_files() {
        bail!(UsageError(format!(
            "{agent} has its sessions in a database; `{agent} session list` lists them: throughline resume {agent}:ID"
        )));
    }
    let rows = sessions_of(agent, any_folder, place)?;
    let now = throughline_stored::now();
    let mut cells = vec![["", "SESSION", "AGE", "TITLE"].map(str::to_owned).to_vec()];
    for (number, (transcript, title)) in rows.iter().enumerate() {
        let modified = modified_at(transcript);
        let id = format!("{agent}:{}", transcript.id);
        cells.push(vec![(number + 1).to_string(), id, age(now, modified), headline(title, 60)]);
    }
    table(&cells).iter().for_each(|text| line(text));
    if !std::io::stdin().is_terminal() {
        bail!(UsageError(format!("name one of these sessions: throughline resume {agent}:ID")));
    }
    let mut out = std::io::stderr();
    write!(out, "Number of the session to continue: ").and_then(|()| out.flush()).context("could not ask")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("could not read the answer")?;
    let number: Option<usize> = answer.trim().parse().ok();
    let chosen = number.and_then(|number| rows.get(number.checked_sub(1)?));
    let Some((transcript, _)) = chosen else { bail!("{:?} is not a number of the list", answer.trim()) };
    Ok(format!("{agent}:{}", transcript.id))
}

/// The agent of this name.
pub(crate) fn parse_agent(name: &str) -> Result<ForeignAgent, String> {
    let named = ForeignAgent::of(name);
    named.ok_or_else(|| format!("the agents whose sessions can be read are {}", names(|_| true)))
}

/// The agent of this name, whose sessions are files.
pub(crate) fn parse_agent_of_files(name: &str) -> Result<ForeignAgent, String> {
    let named = ForeignAgent::of(name).filter(|agent| agent.has_files());
    named.ok_or_else(|| format!("the agents whose sessions are files are {}", names(ForeignAgent::has_files)))
}

/// The names of the agents that fit.
fn names(fits: impl Fn(ForeignAgent) -> bool) -> String {
    let names = ForeignAgent::ALL.into_iter().filter(|agent| fits(*agent)).map(ForeignAgent::name);
    names.collect::<Vec<_>>().join(", ")
}
