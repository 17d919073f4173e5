//! Operations that change what is shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_conversation::{ExchangeId, Seq};
use throughline_engine::{Change, Changed, PinTarget};

use crate::error::{CallError, ErrorCode};
use crate::operation::operation;

/// Compacts now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compact {
    /// What a summary by a model should keep.
    #[serde(default)]
    pub instructions: Option<String>,
    /// Applies the compaction that `preview` has made, unchanged.
    #[serde(default)]
    pub previewed: bool,
}

/// What a compaction does. Tokens are of the messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compaction {
    /// Tokens before.
    pub before_tokens: u64,
    /// Tokens after.
    pub after_tokens: u64,
    /// Messages before.
    pub before_messages: u64,
    /// Messages after.
    pub after_messages: u64,
    /// Strategies that change something, in order.
    pub strategies: Vec<String>,
    /// The summaries that it writes; of a preview alone.
    pub summaries: Vec<String>,
    /// Names that leave the view; of a preview alone.
    pub lost_names: Vec<String>,
}

macro_rules! compaction {
    ($result:expr) => {
        Compaction {
            before_tokens: $result.before_tokens,
            after_tokens: $result.after_tokens,
            before_messages: $result.before_messages,
            after_messages: $result.after_messages,
            strategies: $result.strategies_run.clone(),
            summaries: Vec::new(),
            lost_names: Vec::new(),
        }
    };
}

operation!(Compact, "compact", Compaction, |self, context| {
    let result = match (self.previewed, context.proposal.take()) {
        (false, _) => context.engine.compact(self.instructions.as_deref()).await?,
        (true, Some(proposal)) => context.engine.apply(proposal).await?,
        (true, None) => {
            let message = "no compaction was previewed; call preview first";
            return Err(CallError::new(ErrorCode::Outdated, message));
        }
    };
    Ok(compaction!(result))
});

/// Makes a compaction and does not apply it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// What a summary by a model should keep.
    #[serde(default)]
    pub instructions: Option<String>,
}

operation!(Preview, "preview", Compaction, |self, context| {
    let proposal = context.engine.preview(self.instructions.as_deref()).await?;
    let (summaries, lost_names) = (proposal.summaries().map(str::to_owned).collect(), proposal.lost_names());
    let shown = Compaction { summaries, lost_names, ..compaction!(proposal.result()) };
    context.proposal = Some(proposal);
    Ok(shown)
});

/// What is undone or redone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undoable {
    /// The newest turn.
    #[default]
    Turn,
    /// The newest compaction.
    Compaction,
}

/// Hides the newest turn, or undoes the newest compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// Which of the two.
    #[serde(default)]
    pub what: Undoable,
}

/// Shows the turn that was undone last, or redoes the compaction that was undone last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Redo {
    /// Which of the two.
    #[serde(default)]
    pub what: Undoable,
}

/// The view after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViewSize {
    /// Messages in it.
    pub messages: u64,
    /// Their tokens.
    pub tokens: u64,
}

impl From<Changed> for ViewSize {
    fn from(changed: Changed) -> Self {
        Self { messages: changed.view.entries().len() as u64, tokens: changed.view.tokens() }
    }
}

operation!(Undo, "undo", ViewSize, |self, context| {
    let change = match self.what {
        Undoable::Turn => Change::Undo,
        Undoable::Compaction => Change::UndoCompaction,
    };
    Ok(context.engine.change(change).await?.into())
});

operation!(Redo, "redo", ViewSize, |self, context| {
    let change = match self.what {
        Undoable::Turn => Change::Redo,
        Undoable::Compaction => Change::RedoCompaction,
    };
    Ok(context.engine.change(change).await?.into())
});

/// Keeps a text in every request, word for word: all of a turn, or a part of a message, or a span of text in either.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The turn, from 1.
    #[serde(default)]
    pub turn: Option<u64>,
    /// The record of the message.
    #[serde(default)]
    pub record: Option<u64>,
    /// The part of that message, from 0.
    #[serde(default)]
    pub part: u64,
    /// The span of text. Default: all of it.
    #[serde(default)]
    pub text: Option<String>,
}

/// A pin that was made, and the view after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pinned {
    /// Its number, for `unpin`.
    pub pin: u32,
    /// Messages in the view.
    pub messages: u64,
    /// Their tokens.
    pub tokens: u64,
}

operation!(Pin, "pin", Pinned, |self, context| {
    let target = match (self.turn, self.record) {
        (Some(turn), None) => PinTarget::Group(ExchangeId(turn)),
        (None, Some(record)) => {
            PinTarget::Part(Seq(record), usize::try_from(self.part).unwrap_or(usize::MAX))
        }
        _ => {
            let message = "`pin` takes either `turn` or `record`";
            return Err(CallError::new(ErrorCode::InvalidInput, message));
        }
    };
    let ViewSize { messages, tokens } = context.engine.pin(target, self.text.as_deref()).await?.into();
    // A new pin has the largest number.
    let pin = context.engine.view().groups().pins().last().map_or(0, |pin| pin.number);
    Ok(Pinned { pin, messages, tokens })
});

/// Removes a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unpin {
    /// Its number.
    pub pin: u32,
}

operation!(Unpin, "unpin", ViewSize, |self, context| {
    Ok(context.engine.change(Change::Unpin(self.pin)).await?.into())
});
