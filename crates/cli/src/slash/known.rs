//! The commands, as they are listed, completed and looked up.

/// A command as it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    /// How it is typed.
    pub(crate) name: &'static str,
    /// What may follow; may be empty.
    pub(crate) arguments: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
    /// Whether it needs the screen.
    pub(crate) screen: bool,
    /// Whether it may be typed while a turn runs.
    pub(crate) anytime: bool,
}

const fn known(name: &'static str, arguments: &'static str, about: &'static str) -> Known {
    Known { name, arguments, about, screen: false, anytime: false }
}

const fn screen(name: &'static str, arguments: &'static str, about: &'static str) -> Known {
    Known { screen: true, ..known(name, arguments, about) }
}

const fn anytime(command: Known) -> Known {
    Known { anytime: true, ..command }
}

/// All of them, in the order of the help.
pub(crate) const COMMANDS: &[Known] = &[
    anytime(screen("/status", "", "the session, its model, its window and what it has cost")),
    anytime(known("/context", "", "what fills the window, what holds the most, what would go next")),
    known("/context window", "N", "show the model only the newest N groups; 0: all"),
    known("/context drop", "GID", "hide a group; `restore GID` shows it again"),
    known("/context show", "", "the context as it will be sent"),
    known("/context rebuild", "", "make STATE anew"),
    known("/compact", "[INSTRUCTIONS]", "compact now; what is said goes to whoever writes the summary"),
    anytime(known("/diff", "[N]", "what a compaction took away")),
    anytime(known("/summaries", "", "the summaries")),
    known("/undo", "[--compaction]", "take the newest group back; or the newest compaction"),
    known("/undo --purge", "", "delete the newest group for good"),
    known("/redo", "[--compaction]", "bring back what was taken back last"),
    anytime(known("/messages", "[list N | show GID]", "the newest groups; all of one (also: /message)")),
    known("/messages remove", "GID", "delete a group for good"),
    anytime(known("/session scratchpad", "[show | history]", "the plan that the model keeps")),
    known("/session scratchpad set", "FILE", "give it the text of a file"),
    known("/session scratchpad edit", "", "change it in your editor"),
    anytime(known("/session state", "[show | history]", "what the model holds to be true")),
    anytime(known("/handoff", "", "where the session stands, for whoever goes on with it")),
    anytime(known("/checkpoints", "[N]", "how far it had come, and when")),
    screen("/model", "[NAME]", "go on with another model"),
    screen("/permissions", "[MODE | remove N]", "what may run without a question"),
    anytime(screen("/memos", "[WORDS]", "the notes that outlive sessions")),
    anytime(screen("/skills", "", "the skills that were found")),
    anytime(screen("/mcp", "", "the MCP servers and their tools")),
    screen("/continue", "", "go on with a turn that was cut off"),
    screen("/resume", "[WORDS]", "another session"),
    anytime(screen("/sessions", "", "the sessions")),
    screen("/rename", "TITLE", "give this session another title"),
    screen("/clear", "", "begin a new session; this one is kept (also: /new)"),
    anytime(known("/help", "", "this list")),
    screen("/quit", "", "leave (also: /exit)"),
];

/// The list, for a person: with the commands of the screen, or those that work everywhere.
pub(crate) fn help(on_screen: bool) -> String {
    let shown = || COMMANDS.iter().filter(|command| on_screen || !command.screen);
    let typed = |command: &Known| format!("{} {}", command.name, command.arguments).trim_end().to_owned();
    let width = shown().map(|command| typed(command).chars().count()).filter(|width| *width < 32).max();
    let width = width.unwrap_or_default();
    let mut lines = Vec::new();
    for command in shown() {
        let typed = typed(command);
        if typed.chars().count() > width {
            lines.push(typed);
            lines.push(format!("{:width$}  {}", "", command.about));
        } else {
            lines.push(format!("{typed:<width$}  {}", command.about));
        }
    }
    lines.join("\n")
}

/// The first words of the commands, each once.
pub(crate) fn words() -> Vec<&'static str> {
    let mut words = Vec::new();
    for command in COMMANDS {
        let word = command.name.split(' ').next().unwrap_or_default();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}
