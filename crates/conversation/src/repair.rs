//! Making valid what real logs contain: calls without results, results without calls, empty texts.

use std::collections::{HashMap, VecDeque};

use crate::{ContentBlock, Message, Role, ToolCall, ToolResult};

/// One thing that was mended. `message` is the index in the list as it was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Repair {
    /// A call had no result; one that says so was added.
    #[error("message {message}: added a result for call {id}, which had none")]
    AddedResult {
        /// The message with the call.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A result answered no call; it was left out.
    #[error("message {message}: left out a result for {id}, which no call before it has asked for")]
    LeftOutResult {
        /// The message with the result.
        message: usize,
        /// Id that it named.
        id: String,
    },
    /// A call id was used twice; the later call got another.
    #[error("message {message}: call id {id} was used before and was renamed")]
    RenamedCall {
        /// The message with the later call.
        message: usize,
        /// The id as found.
        id: String,
    },
    /// A call's input was no JSON object; it was wrapped into one.
    #[error("message {message}: the input of call {id} was no JSON object and was wrapped")]
    WrappedInput {
        /// The message.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A message said nothing; it was left out.
    #[error("message {message}: left out, it says nothing")]
    LeftOutMessage {
        /// The message.
        message: usize,
    },
    /// Two messages of the model followed each other; they were joined.
    #[error("message {message}: joined to the message of the model before it")]
    Joined {
        /// The later message.
        message: usize,
    },
    /// The list began with a message of the model; a note was put before it.
    #[error("the list began with the model; a note from the user's side was put first")]
    AddedStart,
}

/// The result that stands in for one that never came.
#[must_use]
pub fn missing_result(call_id: &str) -> ToolResult {
    ToolResult::error(call_id, "[no result: the call was cut off before the tool answered]")
}

/// Makes a list of messages valid but for its end, which may be the model's message.
///
/// Results are put right after their calls, wherever they stood. Nothing valid is changed. Every change is
/// named in the second list.
#[must_use]
pub fn repair(messages: Vec<Message>) -> (Vec<Message>, Vec<Repair>) {
    let mut mender = Mender { results: results_by_call(&messages), ..Mender::default() };
    for (index, message) in messages.into_iter().enumerate() {
        match message.role {
            Role::User => mender.user(index, message),
            Role::Assistant => mender.assistant(index, message),
        }
    }
    mender.leftover();
    (mender.out, mender.repairs)
}

type Found = (usize, ToolResult);

fn results_by_call(messages: &[Message]) -> HashMap<String, VecDeque<Found>> {
    let mut map: HashMap<String, VecDeque<Found>> = HashMap::new();
    for (index, message) in messages.iter().enumerate() {
        for result in message.tool_results() {
            map.entry(result.call_id.clone()).or_default().push_back((index, result.clone()));
        }
    }
    map
}

#[derive(Default)]
struct Mender {
    results: HashMap<String, VecDeque<Found>>,
    used: HashMap<String, usize>,
    out: Vec<Message>,
    repairs: Vec<Repair>,
}

impl Mender {
    fn user(&mut self, index: usize, message: Message) {
        let had_results = message.tool_results().next().is_some();
        let content: Vec<ContentBlock> = message
            .content
            .into_iter()
            .filter(|block| match block {
                ContentBlock::Text { text } => !text.trim().is_empty(),
                ContentBlock::Image(_) => true,
                _ => false,
            })
            .collect();
        if !content.is_empty() {
            self.out.push(Message { role: Role::User, content });
        } else if !had_results {
            self.repairs.push(Repair::LeftOutMessage { message: index });
        }
    }

    fn assistant(&mut self, index: usize, message: Message) {
        let mut calls = Vec::new();
        let mut content = Vec::with_capacity(message.content.len());
        for block in message.content {
            match block {
                ContentBlock::Text { text } if text.trim().is_empty() => {}
                ContentBlock::ToolResult(_) => {}
                ContentBlock::ToolCall(call) => {
                    let (call, result) = self.call(index, call);
                    calls.push(result);
                    content.push(ContentBlock::ToolCall(call));
                }
                other => content.push(other),
            }
        }
        if content.iter().all(|block| matches!(block, ContentBlock::Thinking(_))) {
            self.repairs.push(Repair::LeftOutMessage { message: index });
            return;
        }
        match self.out.last_mut() {
            None => {
                self.out.push(Message::user("[The recording begins in the middle of a conversation.]"));
                self.repairs.push(Repair::AddedStart);
                self.out.push(Message { role: Role::Assistant, content });
            }
            Some(last) if last.role == Role::Assistant => {
                last.content.extend(content);
                self.repairs.push(Repair::Joined { message: index });
            }
            Some(_) => self.out.push(Message { role: Role::Assistant, content }),
        }
        if !calls.is_empty() {
            self.out.push(Message::results(calls));
        }
    }

    fn call(&mut self, index: usize, mut call: ToolCall) -> (ToolCall, ToolResult) {
        let found = call.id.clone();
        if !call.input.is_object() {
            call.input = serde_json::json!({ "value": call.input });
            self.repairs.push(Repair::WrappedInput { message: index, id: found.clone() });
        }
        let uses = self.used.entry(found.clone()).or_default();
        *uses += 1;
        if *uses > 1 {
            call.id = format!("{found}-{uses}");
            self.repairs.push(Repair::RenamedCall { message: index, id: found.clone() });
        }
        let queue = self.results.entry(found.clone()).or_default();
        while let Some((at, _)) = queue.front()
            && *at < index
        {
            let at = *at;
            queue.pop_front();
            self.repairs.push(Repair::LeftOutResult { message: at, id: found.clone() });
        }
        let result = match queue.pop_front() {
            Some((_, result)) => ToolResult { call_id: call.id.clone(), ..result },
            None => {
                self.repairs.push(Repair::AddedResult { message: index, id: found });
                missing_result(&call.id)
            }
        };
        (call, result)
    }

    fn leftover(&mut self) {
        let mut left: Vec<Repair> = self
            .results
            .drain()
            .flat_map(|(id, queue)| {
                queue.into_iter().map(move |(message, _)| Repair::LeftOutResult { message, id: id.clone() })
            })
            .collect();
        left.sort_by_key(|repair| match repair {
            Repair::LeftOutResult { message, id } => (*message, id.clone()),
            _ => (0, String::new()),
        });
        self.repairs.extend(left);
    }
}
