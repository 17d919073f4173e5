//! The messages between the session and the screen: two channels, no calls.
//!
//! The screen shows and asks; it decides nothing about the session. The session never uses the terminal while the screen
//! owns it (see [`Show::Lend`] for programs that need it).

mod edit_excerpt;
mod picker;
mod status_line;

pub use edit_excerpt::EditExcerpt;
pub use picker::{Picker, PickerRow};
pub use status_line::{StatusLine, TurnCost};

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use throughline_agent::Event;
use throughline_conversation::CompactionReceipt;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{Elicitation, ElicitationAnswer};
use tokio::sync::oneshot;

use crate::excerpt::ResultExcerpt;

/// From the session to the screen.
///
/// # Contract of the session
/// - MUST send [`TurnState::Idle`] once it waits for its user: the first message of the options is sent then.
/// - MUST answer every [`Act::Submit`] with [`TurnState::Idle`] when it is done: inputs that were sent before that are queued
///   until then. Only commands that are marked `anytime` need no answer.
/// - MUST NOT use [`Show::Problem`] in a turn that goes well: after one, queued inputs are paused at the end of the turn
///   instead of being sent.
/// - MUST send [`Show::ToolResult`] before the [`Event::ToolFinished`] of the same call, or not at all.
/// - Texts may contain anything: the screen sanitizes them.
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
        /// Dropped when the screen has received it, so that the sender can count what waits and leave out the rest.
        waits: Arc<()>,
    },
    /// The result of a call, for a short preview. Without one a failed call shows the output of its event.
    ToolResult {
        /// Id of the call.
        call_id: String,
        /// Its start and its end.
        result: ResultExcerpt,
    },
    /// Files that a call changed, also by a command. Without it those that the arguments of calls name are counted.
    ChangedFiles(Vec<PathBuf>),
    /// A call does not run before the user has been asked about it, or about one like it.
    Waiting {
        /// Id of the call.
        call_id: String,
    },
    /// What a running call changes, in its place in the file.
    Change {
        /// Id of the call.
        call_id: String,
        /// The lines before and after.
        excerpt: Box<EditExcerpt>,
    },
    /// A call needs approval. Several may wait; they are asked one at a time. A question whose receiver was dropped is
    /// removed from the screen.
    Approval {
        /// The question.
        request: ApprovalRequest,
        /// What it changes, in its place in the file; `None`: it is shown by its arguments alone.
        excerpt: Option<Box<EditExcerpt>>,
        /// Receives the answer.
        reply: oneshot::Sender<Approval>,
    },
    /// A server asks for something while a call runs. Asked after the questions about calls, one at a time, and removed from the
    /// screen when the receiver was dropped. The screen opens no page.
    Elicitation {
        /// The question.
        elicitation: Elicitation,
        /// Receives the answer.
        reply: oneshot::Sender<ElicitationAnswer>,
    },
    /// The turn that runs takes the queued messages up to the first command. They are
    /// shown as sent. A request whose receiver was dropped takes nothing.
    TakeQueued {
        /// Receives their texts, the oldest first.
        reply: oneshot::Sender<Vec<String>>,
    },
    /// The engine compacted the context.
    Compacted(Box<CompactionNotice>),
    /// The name and version of the program, and lines about the session that begins.
    Welcome {
        /// The name and the version.
        title: String,
        /// The lines.
        text: String,
    },
    /// A line of the program.
    Notice(String),
    /// A line about a problem.
    Problem(String),
    /// A turn failed.
    Failure {
        /// What happened.
        what: String,
        /// What to do.
        advice: String,
    },
    /// The answer to a command: text with its own line breaks. Longer lines are wrapped between words.
    Page {
        /// What it is; may be empty.
        title: String,
        /// The text.
        text: String,
    },
    /// The status line below the input.
    Status(StatusLine),
    /// How the keys of the input work from now on.
    Keys(KeyStyle),
    /// Rows to choose from. Replaces an open picker.
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
    /// Paths for completion, as [`Act::NeedFiles`] asked. Those for another text than the newest are not shown.
    Files {
        /// The text that they match.
        query: String,
        /// The best ones first.
        paths: Vec<String>,
    },
    /// What the session does.
    Turn(TurnState),
    /// The last output of a resumed session, oldest first.
    Restored(Vec<Earlier>),
    /// A text for the clipboard. Terminals may ignore it.
    Copy(String),
    /// A text to insert before the text of the input.
    Draft(String),
    /// A text that replaces the text of the input.
    Input(String),
    /// Another program needs the terminal. The screen releases it, signals `ready`, and takes it again when `back` is
    /// signalled or its sender is dropped.
    Lend {
        /// Signalled when the terminal is free.
        ready: oneshot::Sender<()>,
        /// Signals that the terminal is returned.
        back: oneshot::Receiver<()>,
    },
    /// The session has ended: the screen releases the terminal and returns.
    End,
}

/// A compaction, with its price.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionNotice {
    /// Its figures.
    pub receipt: CompactionReceipt,
    /// What the models that wrote its summaries cost, in US dollars; `None`: no model was asked, or no price is known.
    pub dollars: Option<f64>,
    /// The cost is a lower bound.
    pub dollars_at_least: bool,
    /// What else is to be known, each a line.
    pub notes: Vec<String>,
}

/// From the screen to the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// An input is sent: a message, or a command that begins with `/`.
    Submit(String),
    /// The user has entered an input, for the history. It is sent at once, or waits on the screen: for an
    /// [`Act::Submit`], or for the turn that takes it by [`Show::TakeQueued`].
    Entered(String),
    /// Interrupt the turn.
    Interrupt,
    /// Let the command that the turn waits for run on in the background.
    Background,
    /// A row was chosen; the picker is closed.
    Picked {
        /// The picker.
        picker: String,
        /// The row.
        row: String,
    },
    /// The preview of a row without one is needed.
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
    /// Paths that match the text after an `@` are needed.
    NeedFiles(String),
    /// Switch to the next permission mode.
    NextMode,
    /// Show the turns that the session can go back to.
    Rewind,
    /// Attach the picture in the clipboard. [`Show::Draft`] returns its path.
    PastePicture,
    /// Open the text of the input in the user's editor. [`Show::Input`] returns it.
    EditInput(String),
    /// The user types. Sent up to once a second.
    Typing,
    /// Show everything that was said and done in the session.
    Transcript,
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

/// How the keys of the input work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyStyle {
    /// As in a shell.
    #[default]
    Usual,
    /// As in vim, with a normal and an insert mode.
    Vim,
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
    /// What it is about, as the heading of a group; may be empty.
    pub group: String,
    /// It is sent at once while a turn runs. Other commands are queued until the end of the turn.
    pub anytime: bool,
}

/// Earlier output of a resumed session.
#[derive(Debug, Clone, PartialEq)]
pub enum Earlier {
    /// A message of the user.
    User(String),
    /// An answer of the model, as Markdown.
    Assistant(String),
    /// What the model thought.
    Thinking(String),
    /// A call that was made.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
        /// The call failed.
        is_error: bool,
        /// Its result; may be empty.
        result: ResultExcerpt,
        /// Bytes of the full result if it was stored.
        stored: Option<u64>,
    },
    /// A line of the program.
    Notice(String),
}
