//! The neutral request.

use std::collections::HashSet;
use std::sync::Arc;

use throughline_conversation::{
    CacheBreakpoint, Message, Place, SectionText, SessionId, ToolDefinition, Transcript, Violation, validate,
};

/// A request to a model, independent of providers' wire formats. Cheap to clone.
///
/// The order on every wire is tools, system, messages, tail: what changes seldom comes first, so that the
/// provider can serve the prefix from its cache.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletionRequest {
    /// Name of the model.
    pub model: String,
    /// The session, for providers that route by a cache key.
    pub session: Option<SessionId>,
    /// The tools, in a stable order.
    pub tools: Arc<[ToolDefinition]>,
    /// The system prompt's sections, most stable first.
    pub system: Arc<[SectionText]>,
    /// The messages. The last is from the user's side.
    pub transcript: Transcript,
    /// Notes for this request only. They go to the end of the last message, after every marker.
    pub tail: Vec<String>,
    /// Where prefixes may be cached. Adapters leave out what their provider cannot express.
    pub breakpoints: Vec<CacheBreakpoint>,
    /// Maximum tokens of the answer.
    pub max_output_tokens: u64,
}

impl CompletionRequest {
    /// A request of these messages alone: without tools, sections and markers, and of no session.
    #[must_use]
    pub fn of_messages(
        model: &str,
        messages: impl IntoIterator<Item = Message>,
        max_output_tokens: u64,
    ) -> Self {
        Self {
            model: model.to_owned(),
            session: None,
            tools: Arc::from(Vec::new()),
            system: Arc::from(Vec::new()),
            transcript: Transcript::from_messages(messages),
            tail: Vec::new(),
            breakpoints: Vec::new(),
            max_output_tokens,
        }
    }
}

/// A fault for which providers reject a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    /// A rule about messages is broken.
    #[error(transparent)]
    Messages(#[from] Violation),
    /// Two tools have one name.
    #[error("two tools are named {0:?}")]
    DuplicateTool(String),
    /// A tool's name has a form that a provider refuses.
    #[error("tool name {0:?} must be 1 to 64 letters, digits, '_' or '-'")]
    ToolName(String),
    /// A tool's schema is no JSON object.
    #[error("the schema of tool {0:?} must be a JSON object")]
    ToolSchema(String),
    /// A tail note or a section is empty.
    #[error("{0} is empty")]
    EmptyText(String),
    /// A marker is at a place that the request does not have.
    #[error("cache breakpoint {0:?} is at no tool, section or message of the request")]
    Breakpoint(Place),
    /// No room is left for an answer.
    #[error("max_output_tokens is 0")]
    NoOutput,
}

impl CompletionRequest {
    /// Faults of everything but the messages. Costs no more than the tools and the system prompt.
    #[must_use]
    pub fn shell_faults(&self) -> Vec<RequestFault> {
        let mut faults = Vec::new();
        let mut names = HashSet::new();
        for tool in self.tools.iter() {
            if !tool.has_valid_name() {
                faults.push(RequestFault::ToolName(tool.name.clone()));
            }
            if !names.insert(tool.name.as_str()) {
                faults.push(RequestFault::DuplicateTool(tool.name.clone()));
            }
            if !tool.input_schema.is_object() {
                faults.push(RequestFault::ToolSchema(tool.name.clone()));
            }
        }
        for section in self.system.iter().filter(|section| section.text.trim().is_empty()) {
            faults.push(RequestFault::EmptyText(format!("section {:?}", section.name)));
        }
        for (index, _) in self.tail.iter().enumerate().filter(|(_, note)| note.trim().is_empty()) {
            faults.push(RequestFault::EmptyText(format!("tail note {index}")));
        }
        for marker in &self.breakpoints {
            let there = match marker.place {
                Place::Tool(index) => index < self.tools.len(),
                Place::Section(index) => index < self.system.len(),
                Place::Message(index) => index < self.transcript.len(),
            };
            if !there {
                faults.push(RequestFault::Breakpoint(marker.place));
            }
        }
        if self.max_output_tokens == 0 {
            faults.push(RequestFault::NoOutput);
        }
        faults
    }

    /// All faults, messages included. Costs the whole length of the transcript.
    #[must_use]
    pub fn faults(&self) -> Vec<RequestFault> {
        let mut faults = self.shell_faults();
        faults.extend(validate(self.transcript.messages()).into_iter().map(RequestFault::from));
        faults
    }
}
