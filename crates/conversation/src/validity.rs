//! Which lists of messages providers accept: the common rules of Anthropic, OpenAI and Ollama, applied strictly.
//!
//! Two consecutive messages from the user's side are allowed (adapters join them on the wire); two of the model are
//! not.

use std::collections::HashSet;

use crate::message::{ContentBlock, Message, Role};

/// One broken rule. `message` is the index of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// There is no message.
    #[error("there is no message")]
    Empty,
    /// The first message is the model's.
    #[error("the first message is the model's; it must be the user's")]
    StartsWithAssistant,
    /// The last message is the model's.
    #[error("the last message is the model's; a request must end with the user's side")]
    EndsWithAssistant,
    /// Two messages of the model follow each other.
    #[error("message {message}: follows another message of the model")]
    AdjacentAssistants {
        /// The second of the two.
        message: usize,
    },
    /// A message has no block.
    #[error("message {message}: has no content")]
    EmptyMessage {
        /// The message.
        message: usize,
    },
    /// A text has nothing but white space.
    #[error("message {message}, block {block}: the text is empty")]
    EmptyText {
        /// The message.
        message: usize,
        /// Index of the block.
        block: usize,
    },
    /// A message of the model has thinking and nothing else.
    #[error("message {message}: has thinking and nothing else")]
    ThinkingOnly {
        /// The message.
        message: usize,
    },
    /// A block is in a message of the wrong role.
    #[error("message {message}, block {block}: this kind of block belongs to the other role")]
    WrongRole {
        /// The message.
        message: usize,
        /// Index of the block.
        block: usize,
    },
    /// A call is not answered by the next message.
    #[error("message {message}: call {id} has no result in the next message")]
    MissingResult {
        /// The message with the call.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A result answers no call of the message right before.
    #[error("message {message}: result for {id} answers no call of the message before")]
    OrphanResult {
        /// The message with the result.
        message: usize,
        /// Id that it names.
        id: String,
    },
    /// A result comes after other content.
    #[error("message {message}: result for {id} comes after other content; results come first")]
    LateResult {
        /// The message with the result.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// Two calls have one id.
    #[error("message {message}: call id {id} is used before")]
    DuplicateCall {
        /// The message with the second call.
        message: usize,
        /// The id.
        id: String,
    },
    /// A call has no tool name, or arguments that are no JSON object.
    #[error("message {message}: call {id} must have a tool name and a JSON object as input")]
    MalformedCall {
        /// The message.
        message: usize,
        /// Id of the call.
        id: String,
    },
}

/// Checks messages one after the other, each at the cost of its own length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checker {
    count: usize,
    last: Option<Role>,
    seen: HashSet<String>,
    open: Vec<String>,
    violations: Vec<Violation>,
}

impl Checker {
    /// Takes the next message.
    pub(crate) fn push(&mut self, message: &Message) {
        let index = self.count;
        if message.content.is_empty() {
            self.violations.push(Violation::EmptyMessage { message: index });
        }
        match message.role {
            Role::User => self.user(index, message),
            Role::Assistant => self.assistant(index, message),
        }
        self.last = Some(message.role);
        self.count += 1;
    }

    /// All rules that a request of the messages so far would break.
    #[must_use]
    pub(crate) fn finish(&self) -> Vec<Violation> {
        let mut all = self.violations.clone();
        let unanswered = |id: &String| Violation::MissingResult { message: self.count - 1, id: id.clone() };
        all.extend(self.open.iter().map(unanswered));
        match self.last {
            None => all.push(Violation::Empty),
            Some(Role::Assistant) => all.push(Violation::EndsWithAssistant),
            Some(Role::User) => {}
        }
        all
    }

    /// Returns true if a call has this id.
    #[must_use]
    pub(crate) fn knows_call(&self, id: &str) -> bool {
        self.seen.contains(id)
    }

    /// Ids of the calls that wait for a result.
    #[must_use]
    pub(crate) fn open_calls(&self) -> &[String] {
        &self.open
    }

    fn user(&mut self, index: usize, message: &Message) {
        let mut open = std::mem::take(&mut self.open);
        let mut other = false;
        for (block, content) in message.content.iter().enumerate() {
            match content {
                ContentBlock::ToolResult(result) => {
                    let id = result.call_id.clone();
                    match open.iter().position(|call| *call == id) {
                        None => self.violations.push(Violation::OrphanResult { message: index, id }),
                        Some(at) => {
                            open.remove(at);
                            if other {
                                self.violations.push(Violation::LateResult { message: index, id });
                            }
                        }
                    }
                }
                ContentBlock::Text { text } => {
                    other = true;
                    self.text(index, block, text);
                }
                ContentBlock::Image(_) => other = true,
                ContentBlock::Thinking(thinking) if thinking.is_compaction() => other = true,
                ContentBlock::Thinking(_) | ContentBlock::ToolCall(_) => {
                    self.violations.push(Violation::WrongRole { message: index, block });
                }
            }
        }
        self.unanswered(index, open);
    }

    fn assistant(&mut self, index: usize, message: &Message) {
        let open = std::mem::take(&mut self.open);
        self.unanswered(index, open);
        match self.last {
            None => self.violations.push(Violation::StartsWithAssistant),
            Some(Role::Assistant) => self.violations.push(Violation::AdjacentAssistants { message: index }),
            Some(Role::User) => {}
        }
        let mut says_something = false;
        for (block, content) in message.content.iter().enumerate() {
            says_something |= !matches!(content, ContentBlock::Thinking(_));
            match content {
                ContentBlock::Text { text } => self.text(index, block, text),
                ContentBlock::ToolCall(call) => {
                    let id = call.id.clone();
                    if call.name.is_empty() || id.is_empty() || !call.input.is_object() {
                        self.violations.push(Violation::MalformedCall { message: index, id: id.clone() });
                    }
                    if !self.seen.insert(id.clone()) {
                        self.violations.push(Violation::DuplicateCall { message: index, id: id.clone() });
                    }
                    self.open.push(id);
                }
                ContentBlock::ToolResult(_) => {
                    self.violations.push(Violation::WrongRole { message: index, block });
                }
                ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
            }
        }
        if !says_something && !message.content.is_empty() {
            self.violations.push(Violation::ThinkingOnly { message: index });
        }
    }

    fn text(&mut self, message: usize, block: usize, text: &str) {
        if text.trim().is_empty() {
            self.violations.push(Violation::EmptyText { message, block });
        }
    }

    fn unanswered(&mut self, index: usize, open: Vec<String>) {
        let message = index.saturating_sub(1);
        self.violations.extend(open.into_iter().map(|id| Violation::MissingResult { message, id }));
    }
}

/// All rules that a request of these messages would break; empty if providers accept it.
#[must_use]
pub fn validate<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<Violation> {
    let mut checker = Checker::default();
    for message in messages {
        checker.push(message);
    }
    checker.finish()
}
