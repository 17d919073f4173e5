//! What the session tells the screen, and what the screen tells the session: two channels, no calls.
//!
//! The screen shows and asks; it decides nothing about the session. The session never touches the terminal while the
//! screen has it (see [`Show::Lend`] for programs that need it).

use std::sync::Arc;

use serde_json::Value;
use throughline_agent::Event;
use throughline_permission::{Approval, ApprovalRequest};
use tokio::sync::oneshot;

/// From the session to the screen.
///
/// # Contract of the session
/// - MUST answer every [`Act::Submit`] with [`TurnState::Idle`] once it is done with it, whatever it was: what was
///   typed meanwhile waits for that. Only commands that are marked `anytime` are not waited for.
/// - MUST NOT use [`Show::Problem`] in a turn that goes well: after one, what waits goes back into the input at the end
///   of the turn in place of being sent.
/// - MUST send [`Show::ToolResult`] before the [`Event::ToolFinished`] of the same call, or not at all.
/// - Texts may hold anything: the screen takes out what a terminal would obey.
#[derive(Debug)]
pub enum Show {
    /// Something that happened in a turn.
    Event(Event),
    /// More output of a running call; the newest lines are shown.
    ToolOutput {
        /// Id of the call.
        call_id: String,
        /// What came, in whole or part of lines.
        text: String,
        /// Dropped when the screen has taken it, so that who sends can count what waits and leave out the rest.
        waits: Arc<()>,
    },
    /// What a call gave, for a short preview. It may be cut by the sender; the screen shows a few lines of it.
    ToolResult {
        /// Id of the call.
        call_id: String,
        /// The text.
        text: String,
    },
    /// A call waits for a word of the user. Several may wait at once; they are asked one after the other. A question
    /// whose receiver was dropped is taken from the screen.
    Approval {
        /// What is asked.
        request: ApprovalRequest,
        /// Takes the answer.
        reply: oneshot::Sender<Approval>,
    },
    /// A line of the program.
    Notice(String),
    /// A line about something that went wrong.
    Problem(String),
    /// The answer to a command: text with its own line breaks, which is not wrapped.
    Page {
        /// What it is; may be empty.
        title: String,
        /// The text.
        text: String,
    },
    /// The figures below the input.
    Status(StatusLine),
    /// Rows to choose from. It takes the place of one that is open.
    Picker(Picker),
    /// The preview that [`Act::Preview`] asked for.
    Preview {
        /// The picker.
        picker: String,
        /// The row.
        row: String,
        /// What it shows.
        text: String,
    },
    /// The commands, for completion.
    Commands(Vec<CommandInfo>),
    /// Paths for completion, as [`Act::NeedFiles`] asked; the best ones first.
    Files(Vec<String>),
    /// Earlier inputs, oldest first.
    History(Vec<String>),
    /// What the session does.
    Turn(TurnState),
    /// What a resumed session showed last, oldest first.
    Restored(Vec<Earlier>),
    /// A text for the input, before what stands there.
    Draft(String),
    /// Another program needs the terminal. The screen gives it up, says so on `ready`, and takes it again when `back`
    /// has a word or its sender is gone.
    Lend {
        /// Told when the terminal is free.
        ready: oneshot::Sender<()>,
        /// Tells when it is free again.
        back: oneshot::Receiver<()>,
    },
    /// The session is over: the screen gives the terminal back and ends.
    End,
}

/// From the screen to the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// What the user sent: a message, or a command that begins with `/`.
    Submit(String),
    /// The turn shall stop.
    Interrupt,
    /// A row was chosen; the picker is closed.
    Picked {
        /// The picker.
        picker: String,
        /// The row.
        row: String,
    },
    /// The preview of a row that has none is wanted.
    Preview {
        /// The picker.
        picker: String,
        /// The row.
        row: String,
    },
    /// A row got another title. The screen shows it already.
    Renamed {
        /// The picker.
        picker: String,
        /// The row.
        row: String,
        /// The title: not empty.
        title: String,
    },
    /// The picker was closed without a choice.
    PickerClosed {
        /// The picker.
        picker: String,
    },
    /// Paths are wanted that fit what stands behind an `@`.
    NeedFiles(String),
    /// The next permission mode is wanted.
    NextMode,
    /// The user leaves.
    Quit,
}

/// What the session does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TurnState {
    /// It waits for the user.
    #[default]
    Idle,
    /// A turn runs.
    Working,
    /// A compaction runs.
    Compacting,
}

/// The figures below the input. What is empty or `None` is left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatusLine {
    /// The model.
    pub model: String,
    /// The git branch.
    pub branch: Option<String>,
    /// The permission mode.
    pub mode: String,
    /// How full the effective window is, in percent. It may exceed 100.
    pub context_percent: Option<u64>,
    /// Tokens in the window.
    pub context_tokens: Option<u64>,
    /// Share of the input that came from the cache, in percent.
    pub cached_percent: Option<u64>,
    /// What the session cost, in US dollars.
    pub dollars: Option<f64>,
    /// Whether it cost that at least: of some requests it is not known what they used.
    pub dollars_at_least: bool,
    /// The session's title, for the title of the terminal's window.
    pub title: String,
}

/// Rows to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picker {
    /// Its name in the answers, for example `resume`.
    pub id: String,
    /// What is chosen.
    pub title: String,
    /// Headers of the cells; may be empty.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<PickerRow>,
    /// Whether the first cell of a row can be changed (Ctrl+R).
    pub renames: bool,
    /// Whether rows have a preview (Space).
    pub previews: bool,
    /// What stands in the search box at first.
    pub search: String,
}

/// A row of a picker.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PickerRow {
    /// Its name in the answers.
    pub id: String,
    /// Its cells: the first is the title and gets the room that the others leave.
    pub cells: Vec<String>,
    /// Its preview. `None`: it is asked for by [`Act::Preview`] when somebody wants to see it.
    pub preview: Option<String>,
}

/// A command, for completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandInfo {
    /// How it is typed, for example `/compact`.
    pub name: String,
    /// What may follow, for example `[INSTRUCTIONS]`; may be empty.
    pub arguments: String,
    /// What it does, in a few words.
    pub about: String,
    /// Whether it is sent at once while a turn runs. Others wait for the end of the turn.
    pub anytime: bool,
}

/// Something that a resumed session showed.
#[derive(Debug, Clone, PartialEq)]
pub enum Earlier {
    /// What the user said.
    User(String),
    /// What the model said, as Markdown.
    Assistant(String),
    /// A call that was made.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
        /// Whether it failed.
        is_error: bool,
        /// The start of what it gave; may be empty.
        result: String,
    },
    /// A line of the program.
    Notice(String),
}
