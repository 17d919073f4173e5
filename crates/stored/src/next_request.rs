//! The context as it will be sent with the next request.

use throughline_completion::CompletionRequest;
use throughline_conversation::{Receipt, RecordBody, SectionText, SessionId, ToolDefinition};
use throughline_documents::documents_note;
use throughline_prompt::DynamicPlacement;

use crate::handle::SessionLog;

impl SessionLog {
    /// The next request, as far as the log knows it: system prompt, tools, messages and documents. Notes about the window
    /// and cache breakpoints are added when it is sent.
    #[must_use]
    pub fn next_request(&self, session: &SessionId) -> CompletionRequest {
        let (mut system, mut tools): (&[SectionText], &[ToolDefinition]) = (&[], &[]);
        let mut receipt: Option<&Receipt> = None;
        for record in &self.records {
            match &record.body {
                RecordBody::Prompt(prompt) => system = &prompt.sections,
                RecordBody::Tools(list) => tools = &list.tools,
                RecordBody::Receipt(newer) => receipt = Some(newer),
                _ => {}
            }
        }
        let in_system = receipt.is_some_and(|receipt| receipt.system_tail);
        let placement = if in_system { DynamicPlacement::SystemTail } else { DynamicPlacement::LastUser };
        let (system, tail) = placement.place(&system.into(), documents_note(&self.view));
        CompletionRequest {
            model: receipt.map_or_else(String::new, |receipt| receipt.model.clone()),
            session: Some(session.clone()),
            tools: tools.into(),
            system,
            transcript: self.view.transcript().clone(),
            tail,
            breakpoints: Vec::new(),
            max_output_tokens: receipt.map_or(0, |receipt| receipt.window.reserved_output),
        }
    }
}
