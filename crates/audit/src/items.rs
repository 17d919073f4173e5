//! What a request consists of: one item for each text, call and result.

use serde::Serialize;
use throughline_conversation::{ContentBlock, Message, Role, TokenCounter, ToolCall, ToolResult};
use throughline_ledger::{file_shown, subject};
use throughline_stored::user_request;
use throughline_text::{fingerprint, headline};

use super::call_name::call_name;
use super::request::AuditedRequest;
use super::shown_file::file_of_command;

/// Characters of an item's name.
const NAME: usize = 60;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// System prompt and tool schemas.
    Front,
    /// What came before the beginning of a file that begins in the middle of a conversation.
    Earlier,
    /// A message of the user.
    User,
    /// Text of the model.
    Answer,
    /// Thinking of the model.
    Thinking,
    /// A call of a tool.
    Call,
    /// The result of a call.
    Result,
    /// A summary, with what else a compaction left.
    Summary,
    /// Text that the agent sent and did not log.
    Unlogged,
}

impl ItemKind {
    /// The name of an item without text.
    fn unnamed(self) -> &'static str {
        match self {
            Self::User => "a message without text",
            Self::Thinking => "thinking that the file does not show",
            Self::Call | Self::Result => "a call that the file does not have",
            _ => "an empty text",
        }
    }
}

/// An item, and what it cost while it was in view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditedItem {
    /// What it is.
    pub kind: ItemKind,
    /// What it is about, for a person.
    pub name: String,
    /// The tool of a call or a result.
    pub tool: Option<String>,
    /// The file that it shows.
    pub path: Option<String>,
    /// The turn that it came in, from 1.
    pub turn: u64,
    /// Tokens in the first request that had it.
    pub tokens: f64,
    /// Dollars for writing it, as the model's output.
    pub output: f64,
    /// Dollars in the first request that had it.
    pub entered: f64,
    /// Dollars in all requests after that: its downstream cost.
    pub downstream: f64,
    /// Requests that had it.
    pub requests: u64,
    /// A mark of the content of a result: equal for equal contents.
    #[serde(skip)]
    pub(super) content: u64,
    /// A request that is counted here had it, or has written it.
    #[serde(skip)]
    pub(super) is_own: bool,
}

impl AuditedItem {
    pub(super) fn new(kind: ItemKind, name: &str, request: &AuditedRequest, tokens: f64) -> Self {
        Self { turn: request.turn, tokens, ..Self::named(kind, name) }
    }

    fn named(kind: ItemKind, name: &str) -> Self {
        let name = headline(name, NAME);
        Self {
            kind,
            name: if name.is_empty() { kind.unnamed().to_owned() } else { name },
            tool: None,
            path: None,
            turn: 0,
            tokens: 0.0,
            output: 0.0,
            entered: 0.0,
            downstream: 0.0,
            requests: 0,
            content: 0,
            is_own: false,
        }
    }

    /// Dollars of all kinds.
    #[must_use]
    pub fn dollars(&self) -> f64 {
        self.output + self.entered + self.downstream
    }
}

/// Makes items of messages. Tokens are the counter's, times the factor.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemMaker<'a> {
    pub(super) counter: &'a dyn TokenCounter,
    pub(super) factor: f64,
    /// The turn, from 1.
    pub(super) turn: u64,
}

impl ItemMaker<'_> {
    /// The item of a user's message.
    pub(super) fn user(&self, message: &Message) -> AuditedItem {
        let asked = user_request(message);
        let name = asked.as_deref().or_else(|| message.texts().next()).unwrap_or_default();
        let item = AuditedItem::named(ItemKind::User, name);
        self.sized(item, self.counter.message(message))
    }

    /// The items of an answer, and of its cost. At least one.
    pub(super) fn answer(&self, message: &Message, request: &AuditedRequest) -> Vec<AuditedItem> {
        let dollars = request.causes.output.dollars;
        let mut items: Vec<AuditedItem> = message.content.iter().map(|block| self.block(block)).collect();
        if items.is_empty() {
            items.push(AuditedItem::named(ItemKind::Answer, "an empty answer"));
        }
        let counted: f64 = items.iter().map(|item| item.tokens).sum();
        let even = 1.0 / items.len() as f64;
        for item in &mut items {
            item.is_own = request.counted;
            item.output = dollars * if counted > 0.0 { item.tokens / counted } else { even };
        }
        items
    }

    fn block(&self, block: &ContentBlock) -> AuditedItem {
        let alone = Message { role: Role::Assistant, content: vec![block.clone()] };
        let tokens = self.counter.message(&alone);
        let item = match block {
            ContentBlock::Thinking(thinking) => AuditedItem::named(ItemKind::Thinking, &thinking.text),
            ContentBlock::ToolCall(call) => AuditedItem {
                tool: Some(call.name.clone()),
                ..AuditedItem::named(ItemKind::Call, &call_name(call, NAME))
            },
            ContentBlock::Text { text } => AuditedItem::named(ItemKind::Answer, text),
            _ => AuditedItem::named(ItemKind::Answer, "a picture"),
        };
        self.sized(item, tokens)
    }

    /// The item of a result, and of the call that it answers.
    pub(super) fn result(&self, result: &ToolResult, call: Option<&ToolCall>) -> AuditedItem {
        let about = call.map(subject).unwrap_or_default();
        let name = call.map(|call| call_name(call, NAME)).unwrap_or_default();
        let mut item = AuditedItem::named(ItemKind::Result, &name);
        item.tool = call.map(|call| call.name.clone());
        item.path =
            call.and_then(file_shown).or_else(|| file_of_command(&about)).filter(|_| !result.is_error);
        item.content = fingerprint(result.content.as_bytes());
        self.sized(item, self.counter.message(&Message::results([result.clone()])))
    }

    fn sized(&self, item: AuditedItem, counted: u64) -> AuditedItem {
        AuditedItem { turn: self.turn, tokens: counted as f64 * self.factor, ..item }
    }
}
