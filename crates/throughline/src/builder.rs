//! The builder of a session.

mod front_end;
mod open;
mod storage;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use throughline_agent::{EventSink, Listeners, MemoryPorts, Settings};
use throughline_compaction::Summarizer;
use throughline_completion::LanguageModel;
use throughline_connect::ModelChoice;
use throughline_conversation::SessionId;
use throughline_permission::{Approver, Mode};
use throughline_policies::Policy;
use throughline_prompt::SectionSource;
use throughline_session::{RunOptions, ToolSet};
use throughline_settings::{Flag, keys};
use throughline_stored::{Error, SessionStart};
use throughline_tools::{Elicitor, Launcher, Tool, sandbox_exec};

use storage::StorageChoice;

/// The agent. [`Throughline::builder`] is where an embedder starts.
#[derive(Debug, Clone, Copy)]
pub struct Throughline;

impl Throughline {
    /// Starts to build a session. Everything has a default; only a model must be named, or be found in the environment.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The second half of [`Builder::sandbox`]: becomes the command that these arguments describe, with the limits of the
    /// sandbox. It returns only if that fails, and says why.
    #[must_use]
    pub fn run_in_sandbox(arguments: impl IntoIterator<Item = OsString>) -> Error {
        Error::Other(sandbox_exec(arguments).into())
    }
}

/// Collects what a session is opened with. What is not set comes from the environment, and from the user's settings where
/// [`user_settings`](Self::user_settings) asks for them.
#[derive(Default)]
pub struct Builder {
    model: ModelChoice,
    own_model: Option<Arc<dyn LanguageModel>>,
    run: RunOptions,
    workspace: Option<PathBuf>,
    settings_file: Option<PathBuf>,
    user_settings: bool,
    flags: Vec<Flag>,
    /// Keys of the settings, with their texts.
    keys: Vec<(String, String)>,
    storage: StorageChoice,
    start: SessionStart,
    title: String,
    built_in: Option<ToolSet>,
    system_prompt: Option<String>,
    sections: Vec<Arc<dyn SectionSource>>,
    settings: Option<Settings>,
    summarizer: Option<Arc<dyn Summarizer>>,
    memory: Option<MemoryPorts>,
    tools: Vec<Arc<dyn Tool>>,
    approver: Option<Arc<dyn Approver>>,
    elicitor: Option<Arc<dyn Elicitor>>,
    launcher: Option<std::io::Result<Launcher>>,
    events: Option<Arc<dyn EventSink>>,
}

impl Builder {
    /// The model, as `provider/model`. Its key comes from the environment, for example `ANTHROPIC_API_KEY`.
    #[must_use]
    pub fn model(self, name: impl Into<String>) -> Self {
        self.model_choice(ModelChoice::named(name))
    }

    /// The model with its address, its key file and its headers.
    #[must_use]
    pub fn model_choice(self, choice: ModelChoice) -> Self {
        Self { model: choice, ..self }
    }

    /// A model of the caller's own. Its tokens are estimated until it reports usage.
    #[must_use]
    pub fn model_port(self, model: Arc<dyn LanguageModel>) -> Self {
        Self { own_model: Some(model), ..self }
    }

    /// Adds a model that takes over if the one before cannot answer, as `provider/model`.
    #[must_use]
    pub fn fallback(mut self, name: impl Into<String>) -> Self {
        self.run.fallbacks.push(name.into());
        self
    }

    /// Maximum tokens of one answer.
    #[must_use]
    pub fn max_output_tokens(mut self, tokens: u64) -> Self {
        self.run.max_output_tokens = Some(tokens);
        self
    }

    /// Maximum number of requests of one turn.
    #[must_use]
    pub fn max_requests(mut self, requests: u64) -> Self {
        self.run.max_requests = Some(requests);
        self
    }

    /// The agent's settings, instead of those of a policy: thresholds, strategies and sizes.
    #[must_use]
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings: Some(settings), ..self }
    }

    /// The first section of the prompt. Without it a session with built-in tools presents the model as a coding agent, and one
    /// without them has no such section.
    #[must_use]
    pub fn system_prompt(self, text: impl Into<String>) -> Self {
        Self { system_prompt: Some(text.into()), ..self }
    }

    /// Adds sections to the system prompt.
    #[must_use]
    pub fn section(mut self, sections: Arc<dyn SectionSource>) -> Self {
        self.sections.push(sections);
        self
    }

    /// Who writes the summaries of compactions. Defaults to the model of the session.
    #[must_use]
    pub fn summarizer(self, summarizer: Arc<dyn Summarizer>) -> Self {
        Self { summarizer: Some(summarizer), ..self }
    }

    /// Where memos and memory files are. Defaults to the data folder and the workspace.
    #[must_use]
    pub fn memory(self, ports: MemoryPorts) -> Self {
        Self { memory: Some(ports), ..self }
    }

    /// The policy: what fills the window and when it shrinks. Defaults to that of the settings.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        self.flag("Builder::policy", keys::POLICY.name(), policy.name())
    }

    /// The folder that the tools work in. Defaults to the current one.
    #[must_use]
    pub fn workspace(self, folder: impl Into<PathBuf>) -> Self {
        Self { workspace: Some(folder.into()), ..self }
    }

    /// Reads the settings of the user, as the program `throughline` does. Without it only the environment and this builder
    /// count.
    #[must_use]
    pub fn user_settings(self) -> Self {
        Self { user_settings: true, ..self }
    }

    /// Sets one key of the settings, as `throughline config set` does: `setting("storage.durability", "full")`. It wins over the
    /// user's settings. The keys are in `docs/settings.md`; one that does not exist is an error of [`open`](Self::open).
    #[must_use]
    pub fn setting(mut self, key: impl Into<String>, text: impl Into<String>) -> Self {
        self.keys.push((key.into(), text.into()));
        self
    }

    /// A file of settings, which is read instead of the user's own.
    #[must_use]
    pub fn settings_file(self, file: impl Into<PathBuf>) -> Self {
        Self { settings_file: Some(file.into()), ..self }
    }

    /// Continues an existing session.
    #[must_use]
    pub fn resume(self, session: SessionId) -> Self {
        Self { start: SessionStart::Existing(session), ..self }
    }

    /// Works on a copy of an existing session.
    #[must_use]
    pub fn fork(self, session: SessionId) -> Self {
        Self { start: SessionStart::Fork(session), ..self }
    }

    /// Title of a new session.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Which built-in tools the model is given. Defaults to none. The engine's own tools, which read stored results, search the
    /// history and write memos, are there in any case.
    #[must_use]
    pub fn built_in_tools(self, set: ToolSet) -> Self {
        Self { built_in: Some(set), ..self }
    }

    /// Adds tools. See [`tool`](Self::tool).
    #[must_use]
    pub fn tools(self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        tools.into_iter().fold(self, Self::tool)
    }

    /// Adds a tool. Its calls run without asking, unless a rule denies them.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        let name = tool.definition().name;
        self.tools.push(tool);
        self.flag("Builder::tool", keys::ALLOW.name(), name)
    }

    /// The permission mode: what runs without asking.
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        self.flag("Builder::mode", keys::MODE.name(), mode.name())
    }

    /// Lets calls run that this rule matches, for example `shell(cargo test *)`.
    #[must_use]
    pub fn allow(self, rule: impl Into<String>) -> Self {
        self.flag("Builder::allow", keys::ALLOW.name(), rule)
    }

    /// Denies calls that this rule matches. A deny rule wins over every other one.
    #[must_use]
    pub fn deny(self, rule: impl Into<String>) -> Self {
        self.flag("Builder::deny", keys::DENY.name(), rule)
    }

    /// Answers what the permissions ask. Without an approver such calls are denied.
    #[must_use]
    pub fn approver(self, approver: Arc<dyn Approver>) -> Self {
        Self { approver: Some(approver), ..self }
    }

    /// Asks the user what the servers of tools want to know while a call runs. Without it they learn that nothing can be asked.
    #[must_use]
    pub fn elicitor(self, elicitor: Arc<dyn Elicitor>) -> Self {
        Self { elicitor: Some(elicitor), ..self }
    }

    /// Runs commands in a sandbox: this program is started again for each of them, with `mode` as its first argument, and has
    /// to hand the rest to [`Throughline::run_in_sandbox`] before it does anything else. Without it each command needs a
    /// permission.
    #[must_use]
    pub fn sandbox(self, mode: &str) -> Self {
        Self { launcher: Some(Launcher::this_program(mode)), ..self }
    }

    /// The same by another program, which is started with these arguments in front.
    #[must_use]
    pub fn sandbox_by<A: Into<OsString>>(
        self,
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self { launcher: Some(Ok(Launcher::new(program, arguments))), ..self }
    }

    /// Receives the events of every turn while it runs: text, tool calls, compactions, receipts.
    #[must_use]
    pub fn events(self, sink: impl EventSink + 'static) -> Self {
        Self { events: Some(Arc::new(sink)), ..self }
    }

    /// Who receives all events of the session, of every call of its agent: for traces and metrics.
    #[must_use]
    pub fn listeners(mut self, listeners: Arc<dyn Listeners>) -> Self {
        self.run.listeners = Some(listeners);
        self
    }

    fn flag(mut self, name: &'static str, key: &'static str, text: impl Into<String>) -> Self {
        self.flags.push(Flag { name, key, text: text.into() });
        self
    }
}
