//! What a turn consists of, and whether it went as it should.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use throughline_testserver::{Answer, Script, Server};

use crate::measure::{Figures, measure};
use crate::peers::Peer;

/// What both programs are asked.
pub(crate) const PROMPT: &str = "Say in a few words what this folder is for.";
/// What the model answers.
const TEXT: &str = "It is the folder of a benchmark: two programs are asked the same question in it, \
    and what the question costs them is put side by side.";
/// A file that is in the folder, so that a list of it shows whether the command ran.
const FILE: &str = "shown-by-the-list.txt";

/// A kind of turn.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The command that the model calls for before it answers.
    line: Option<&'static str>,
}

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "text", about: "one request, answered with a text", line: None },
    Scenario { name: "shell", about: "two requests: a shell command, then a text", line: Some("ls -l") },
];

/// A program with its server and folder, ready for any number of turns.
pub(crate) struct Prepared<'a> {
    scenario: &'a Scenario,
    peer: &'a Peer,
    server: Server,
    folder: PathBuf,
}

impl Scenario {
    pub(crate) fn prepare<'a>(&'a self, peer: &'a Peer, folder: &Path) -> anyhow::Result<Prepared<'a>> {
        fs::create_dir_all(folder.join("work"))?;
        fs::write(folder.join("work").join(FILE), "")?;
        // The peer's bodies are its own affair.
        let server = Server::start_at(Script::new().lenient(), 0).context("could not start the server")?;
        Ok(Prepared { scenario: self, peer, server, folder: folder.to_path_buf() })
    }
}

impl Prepared<'_> {
    /// One turn. An error when it did not go as the scenario says: the cost of something else would be of no use.
    pub(crate) fn turn(&self) -> anyhow::Result<Figures> {
        let before = self.generated().len();
        if let Some(line) = self.scenario.line {
            let id = format!("call_{before}");
            self.server.push(Answer::call(&id, self.peer.shell, self.peer.shell_input(line)));
        }
        self.server.push(Answer::text(TEXT));
        let (out, err) = (self.folder.join("out.txt"), self.folder.join("err.txt"));
        let command = self.peer.command(&self.folder, &self.server.url())?;
        let figures = measure(&command, &out, &err)?;

        let said = fs::read_to_string(&out)?;
        let (name, scenario) = (self.peer.name, self.scenario.name);
        let context =
            || format!("{name}, {scenario}; it said: {said}{}", fs::read_to_string(&err).unwrap_or_default());
        ensure!(figures.code == Some(0), "the exit code is {:?}: {}", figures.code, context());
        ensure!(said.contains(TEXT), "the answer was not printed: {}", context());
        let bodies = self.generated();
        let expected = 1 + usize::from(self.scenario.line.is_some());
        ensure!(bodies.len() == before + expected, "{} requests: {}", bodies.len() - before, context());
        let listed = bodies.last().is_some_and(|body| body.contains(FILE));
        ensure!(self.scenario.line.is_none() || listed, "the command did not run: {}", context());
        Ok(figures)
    }

    /// The bodies of all requests for an answer so far.
    fn generated(&self) -> Vec<String> {
        let received = self.server.received();
        let asked = received.iter().filter(|one| one.method == "POST" && one.path == "/v1/responses");
        asked.map(|one| one.body.to_string()).collect()
    }
}
