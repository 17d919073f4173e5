//! Repairs what real logs contain: calls without results, results without calls, empty texts.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::inserted_text::BEGINS_INSIDE_NOTE;
use crate::message::{ContentBlock, Message, Role, ToolCall, ToolResult};
use crate::normalize::{name_tool, wrap_input};

/// One repair. `message` is the index in the list before repairs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Repair {
    /// A call had no result; an error was added as its result.
    #[error("message {message}: added the missing result of call {id}")]
    AddedResult {
        /// The message with the call.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A result answered no call; it was left out.
    #[error("message {message}: dropped a result for {id}, which answers no call before it")]
    LeftOutResult {
        /// The message with the result.
        message: usize,
        /// Id that it named.
        id: String,
    },
    /// A result was not first in the message after its call; it was moved there.
    #[error("message {message}: moved a result for {id} directly after its call")]
    MovedResult {
        /// The message that it was in.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A call id was empty or used twice; the later call got another.
    #[error("message {message}: call id {id:?} was empty or used before and was renamed")]
    RenamedCall {
        /// The message with the later call.
        message: usize,
        /// The id as found.
        id: String,
    },
    /// A call named no tool; it got a name that no tool has.
    #[error("message {message}: call {id} named no tool; added a name")]
    NamedCall {
        /// The message.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A call's input was not a JSON object; it was wrapped in one.
    #[error("message {message}: wrapped the input of call {id}, which was not a JSON object")]
    WrappedInput {
        /// The message.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// A block was empty text or belonged to the other role; it was left out.
    #[error("message {message}: dropped a block that is empty or belongs to the other role")]
    LeftOutBlock {
        /// The message.
        message: usize,
    },
    /// A message was empty; it was left out.
    #[error("message {message}: dropped, because it is empty")]
    LeftOutMessage {
        /// The message.
        message: usize,
    },
    /// Two messages of the model followed each other; they were joined.
    #[error("message {message}: joined with the model's message before it")]
    Joined {
        /// The later message.
        message: usize,
    },
    /// The list began with a message of the model; a note was inserted before it.
    #[error("the list began with the model; inserted a note from the user's side before it")]
    AddedStart,
}

/// The error that replaces a missing result.
#[must_use]
pub fn missing_result(call_id: &str) -> ToolResult {
    ToolResult::error(call_id, "[no result: the call was cut off before the tool answered]")
}

/// Makes a list of messages valid, except that it may end with the model's message. The list is empty if nothing valid
/// is left.
///
/// Results move right after their calls. Valid messages are unchanged. The second list names every change.
#[must_use]
pub fn repair(messages: Vec<Message>) -> (Vec<Message>, Vec<Repair>) {
    let mut repairer = Repairer::of(&messages);
    for (index, message) in messages.into_iter().enumerate() {
        match message.role {
            Role::User => repairer.user(index, message),
            Role::Assistant => repairer.assistant(index, message),
        }
    }
    repairer.report_orphans();
    (repairer.out, repairer.repairs)
}

/// A result and where it was.
struct FoundResult {
    message: usize,
    block: usize,
    /// It came after other content.
    late: bool,
    result: ToolResult,
}

#[derive(Default)]
struct Repairer {
    /// Results by the id of their call, in order.
    results: HashMap<String, VecDeque<FoundResult>>,
    /// Messages with a call of an id, in order.
    calls: HashMap<String, VecDeque<usize>>,
    /// Ids in use.
    used: HashSet<String>,
    /// The message that held all results of the last message of `out`: its other content belongs to them.
    answered_by: Option<usize>,
    out: Vec<Message>,
    repairs: Vec<Repair>,
}

impl Repairer {
    fn of(messages: &[Message]) -> Self {
        let mut repairer = Self::default();
        for (message, said) in messages.iter().enumerate() {
            let mut late = false;
            for (block, content) in said.content.iter().enumerate() {
                match content {
                    ContentBlock::ToolResult(result) => {
                        let found = FoundResult { message, block, late, result: result.clone() };
                        repairer.results.entry(result.call_id.clone()).or_default().push_back(found);
                    }
                    ContentBlock::ToolCall(call) if said.role == Role::Assistant => {
                        repairer.calls.entry(call.id.clone()).or_default().push_back(message);
                        late = true;
                    }
                    _ => late = true,
                }
            }
        }
        repairer
    }

    fn user(&mut self, index: usize, message: Message) {
        let answers = self.answered_by.take() == Some(index);
        let had_results = message.tool_results().next().is_some();
        let (mut content, mut left_out) = (Vec::new(), 0);
        for block in message.content {
            match block {
                ContentBlock::Text { text } if text.trim().is_empty() => left_out += 1,
                ContentBlock::Text { .. } | ContentBlock::Image(_) => content.push(block),
                ContentBlock::ToolResult(_) => {}
                ContentBlock::Thinking(ref item) if item.is_compaction() => content.push(block),
                ContentBlock::Thinking(_) | ContentBlock::ToolCall(_) => left_out += 1,
            }
        }
        if content.is_empty() && !had_results {
            self.repairs.push(Repair::LeftOutMessage { message: index });
            return;
        }
        self.left_out(index, left_out);
        match self.out.last_mut() {
            _ if content.is_empty() => {}
            Some(results) if answers => results.content.extend(content),
            _ => self.out.push(Message { role: Role::User, content }),
        }
    }

    fn assistant(&mut self, index: usize, message: Message) {
        self.answered_by = None;
        let mut answers = Vec::new();
        let mut content = Vec::with_capacity(message.content.len());
        let mut left_out = 0;
        for block in message.content {
            match block {
                ContentBlock::Text { text } if text.trim().is_empty() => left_out += 1,
                ContentBlock::ToolResult(_) => {}
                ContentBlock::ToolCall(call) => {
                    let (call, answer) = self.call(index, call);
                    answers.push(answer);
                    content.push(ContentBlock::ToolCall(call));
                }
                other => content.push(other),
            }
        }
        if content.iter().all(|block| matches!(block, ContentBlock::Thinking(_))) {
            self.repairs.push(Repair::LeftOutMessage { message: index });
            return;
        }
        self.left_out(index, left_out);
        match self.out.last_mut() {
            None => {
                self.out.push(Message::user(BEGINS_INSIDE_NOTE));
                self.repairs.push(Repair::AddedStart);
                self.out.push(Message { role: Role::Assistant, content });
            }
            Some(last) if last.role == Role::Assistant => {
                last.content.extend(content);
                self.repairs.push(Repair::Joined { message: index });
            }
            Some(_) => self.out.push(Message { role: Role::Assistant, content }),
        }
        if !answers.is_empty() {
            self.answer(answers);
        }
    }

    /// Puts the results after their calls, in their original order if they were in one message.
    fn answer(&mut self, mut answers: Vec<FoundResult>) {
        let first = answers.first().map(|found| found.message);
        if answers.iter().all(|found| Some(found.message) == first) {
            answers.sort_by_key(|found| found.block);
            self.answered_by = first;
        }
        self.out.push(Message::results(answers.into_iter().map(|found| found.result)));
    }

    fn call(&mut self, index: usize, mut call: ToolCall) -> (ToolCall, FoundResult) {
        let id = call.id.clone();
        if wrap_input(&mut call) {
            self.repairs.push(Repair::WrappedInput { message: index, id: id.clone() });
        }
        if name_tool(&mut call) {
            self.repairs.push(Repair::NamedCall { message: index, id: id.clone() });
        }
        if id.is_empty() || self.used.contains(&id) {
            call.id = self.free_id(&id);
            self.repairs.push(Repair::RenamedCall { message: index, id: id.clone() });
        }
        self.used.insert(call.id.clone());
        let found = match self.take_result(index, &id) {
            Some(found) => {
                if found.late || found.message != index + 1 {
                    self.repairs.push(Repair::MovedResult { message: found.message, id });
                }
                FoundResult { result: ToolResult { call_id: call.id.clone(), ..found.result }, ..found }
            }
            None => {
                self.repairs.push(Repair::AddedResult { message: index, id });
                FoundResult {
                    message: index,
                    block: usize::MAX,
                    late: false,
                    result: missing_result(&call.id),
                }
            }
        };
        (call, found)
    }

    /// Takes the first result for this id after the call and before the next message that calls with the same id: some
    /// providers restart their numbering in every message.
    fn take_result(&mut self, index: usize, id: &str) -> Option<FoundResult> {
        let calls = self.calls.get_mut(id)?;
        while calls.pop_front_if(|call| *call <= index).is_some() {}
        let next_call = calls.front().copied().unwrap_or(usize::MAX);
        let queue = self.results.get_mut(id)?;
        while let Some(found) = queue.pop_front_if(|found| found.message < index) {
            self.repairs.push(Repair::LeftOutResult { message: found.message, id: id.to_owned() });
        }
        queue.pop_front_if(|found| found.message < next_call)
    }

    /// Returns an id that no call has, earlier or later.
    fn free_id(&self, id: &str) -> String {
        let stem = if id.is_empty() { "call" } else { id };
        let free = |name: &String| !self.used.contains(name) && !self.calls.contains_key(name);
        // One of these names is free.
        let most = self.used.len() + self.calls.len() + 2;
        (2..=most + 1).map(|number| format!("{stem}-{number}")).find(free).unwrap_or_default()
    }

    fn left_out(&mut self, message: usize, blocks: usize) {
        self.repairs.extend(std::iter::repeat_n(Repair::LeftOutBlock { message }, blocks));
    }

    fn report_orphans(&mut self) {
        let mut left: Vec<(usize, String)> = self
            .results
            .drain()
            .flat_map(|(id, queue)| queue.into_iter().map(move |found| (found.message, id.clone())))
            .collect();
        left.sort();
        let named = left.into_iter().map(|(message, id)| Repair::LeftOutResult { message, id });
        self.repairs.extend(named);
    }
}
