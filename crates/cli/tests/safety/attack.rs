//! One attack: a home folder, a workspace, a model that makes the attacker's calls, and what it is answered.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_testserver::{Answer, Script, Server};

use crate::exchange::exchanging;
use crate::users::{User, as_each_user};

/// The folders of one user.
pub(crate) struct Attack {
    home: TempDir,
    user: User,
    variables: Vec<(String, String)>,
    /// What the binary is started by, if not by itself.
    wrapper: Vec<String>,
}

impl Attack {
    /// An empty workspace, `work`, in a home folder.
    pub(crate) fn new(user: User) -> Self {
        Self::in_home(TempDir::new().unwrap(), user)
    }

    /// The same outside of the shared temporary folders, so that those of commands are private ones.
    fn outside_tmp(user: User) -> Self {
        Self::in_home(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap(), user)
    }

    fn in_home(home: TempDir, user: User) -> Self {
        fs::create_dir(home.path().join("work")).unwrap();
        Self { home, user, variables: Vec::new(), wrapper: Vec::new() }
    }

    /// The same as root without a capability. `None`, and a line that says so: the tests run as another user.
    pub(crate) fn without_capability(mut self, name: &str) -> Option<Self> {
        if !rustix::process::getuid().is_root() || Command::new("setpriv").arg("--version").output().is_err()
        {
            println!(
                "skipped: root without a capability: the tests run as another user, or `setpriv` is missing"
            );
            return None;
        }
        self.wrapper = ["setpriv", "--bounding-set", &format!("-{name}")].map(str::to_owned).into();
        Some(self)
    }

    /// The same started by a program that has opened a file for reading and writing, as descriptor 9.
    pub(crate) fn with_open_file(mut self, file: &Path) -> Self {
        let open = format!("exec 9<>'{}'; exec \"$@\"", file.display());
        self.wrapper = ["sh", "-c", &open, "sh"].map(str::to_owned).into();
        self
    }

    /// The same with more variables in the environment of the binary.
    pub(crate) fn with_variables(mut self, variables: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.variables.extend(variables.iter().map(owned));
        self
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.home().join("work")
    }

    /// Writes a file below the home folder.
    pub(crate) fn put(&self, path: &str, content: &str) {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Runs the binary in the workspace with these calls of the model, twenty in a message. Returns the results of the
    /// calls, in their order, and what the binary printed.
    pub(crate) fn run(&self, args: &[&str], calls: &[(&str, Value)]) -> (Vec<String>, Output) {
        self.run_in(&self.work(), args, calls)
    }

    /// The same in another folder.
    pub(crate) fn run_in(
        &self,
        folder: &Path,
        args: &[&str],
        calls: &[(&str, Value)],
    ) -> (Vec<String>, Output) {
        self.run_by(folder, &with_prompt(args), calls, |command| command.output().unwrap())
    }

    /// The same with a task file instead of a prompt.
    pub(crate) fn run_task(&self, file: &str, calls: &[(&str, Value)]) -> (Vec<String>, Output) {
        self.run_by(&self.work(), &["--task", file], calls, |command| command.output().unwrap())
    }

    /// The same in the workspace, while a thread exchanges these two names.
    pub(crate) fn run_exchanging(
        &self,
        names: [&Path; 2],
        args: &[&str],
        calls: &[(&str, Value)],
    ) -> (Vec<String>, Output) {
        let [one, other] = names;
        let args = with_prompt(args);
        self.run_by(&self.work(), &args, calls, |command| {
            exchanging(one, other, || command.output().unwrap())
        })
    }

    fn run_by(
        &self,
        folder: &Path,
        args: &[&str],
        calls: &[(&str, Value)],
        start: impl FnOnce(&mut Command) -> Output,
    ) -> (Vec<String>, Output) {
        let numbered: Vec<(String, &(&str, Value))> =
            calls.iter().enumerate().map(|(number, call)| (format!("c{number}"), call)).collect();
        let mut script = Script::new();
        for message in numbered.chunks(20) {
            let block = |(id, (name, input)): &(String, &(&str, Value))| {
                ContentBlock::ToolCall(ToolCall {
                    id: id.clone(),
                    name: (*name).to_owned(),
                    input: input.clone(),
                })
            };
            script = script.then(Answer::blocks(message.iter().map(block).collect()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let server = runtime
            .block_on(Server::start(script.then(Answer::text("Done.\n\nSIGNAL:DONE")).repeat_last()))
            .unwrap();
        self.user.own(self.home.path());
        let mut command = self.user.binary(self.home.path(), &self.wrapper);
        command
            .args([
                "run",
                "--provider",
                "anthropic",
                "--model",
                "claude-sonnet-4-5",
                "--base-url",
                &server.url(),
            ])
            .args(args)
            .env("ANTHROPIC_API_KEY", "sk-test-5f2a9c-canary")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(folder);
        let output = start(command.stdin(std::process::Stdio::null()));
        let mut results = results(&server);
        let in_order = numbered.iter().map(|(id, _)| {
            results.remove(id).unwrap_or_else(|| panic!("the call {id} has no result: {output:?}"))
        });
        (in_order.collect(), output)
    }
}

/// Runs an attack as each user, with a project in the shared temporary folders and outside of them.
pub(crate) fn in_each_place(attack: impl Fn(User, Attack)) {
    as_each_user(|user| {
        attack(user, Attack::new(user));
        attack(user, Attack::outside_tmp(user));
    });
}

/// Arguments with a prompt behind them.
fn with_prompt<'a>(args: &[&'a str]) -> Vec<&'a str> {
    args.iter().copied().chain(["Go."]).collect()
}

/// The results of all calls, by their ids, each as the first request showed it.
fn results(server: &Server) -> HashMap<String, String> {
    let mut results = HashMap::new();
    for request in server.received() {
        let messages = request.body["messages"].as_array().into_iter().flatten();
        let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
        for block in blocks.filter(|block| block["type"] == "tool_result") {
            let text = match &block["content"] {
                Value::String(text) => text.clone(),
                Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
                other => other.to_string(),
            };
            results.entry(block["tool_use_id"].as_str().unwrap_or_default().to_owned()).or_insert(text);
        }
    }
    results
}

/// A call of `write_file`.
pub(crate) fn write(path: &str) -> (&'static str, Value) {
    ("write_file", json!({ "path": path, "content": "from the model\n" }))
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
