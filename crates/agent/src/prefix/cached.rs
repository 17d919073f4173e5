//! What of the next request the provider has in its cache.

use throughline_compaction::NameLog;
use throughline_conversation::{Transcript, View};
use throughline_prompt::NextRequest;

use super::Prefix;
use crate::session::Session;
use crate::toolbox::ToolBox;

/// The messages before the first change of groups since the last request: if a later change restores them, what is
/// cached is still valid.
#[derive(Debug, Default)]
pub(crate) struct PreviousPrefix {
    before: Option<(u64, Transcript)>,
    /// An epoch of the view, and the earlier epoch whose messages it starts with.
    same: Option<(u64, u64)>,
}

impl Prefix {
    /// Shows another view, projected again from the log. If it starts with the previous messages, their epoch continues.
    pub(crate) fn show(&mut self, session: &mut Session, view: View) {
        let old = (self.epoch_of(&session.view), session.view.transcript().clone());
        let (epoch, transcript) = &*self.previous.before.get_or_insert(old);
        let continues = transcript.common_prefix(view.transcript()) == transcript.len();
        self.previous.same = continues.then_some((view.epoch(), *epoch));
        // Names of groups that are hidden now must not show up in a summary.
        session.names = NameLog::default();
        session.followed = None;
        session.view = view;
    }

    /// The epoch of the view, or the earlier one that it continues. While it stays the same, messages are only appended.
    pub(crate) fn epoch_of(&self, view: &View) -> u64 {
        let epoch = view.epoch();
        self.previous.same.filter(|(view, _)| *view == epoch).map_or(epoch, |(_, earlier)| earlier)
    }

    /// Notes that a request is sent: it is the one that later views are compared with.
    pub(crate) fn sent(&mut self) {
        self.previous.before = None;
    }

    /// The request as the cache predictor sees it.
    pub(crate) fn next_request<'r>(
        &'r self,
        session: &'r Session,
        tools: &'r ToolBox,
        tail_tokens: u64,
    ) -> NextRequest<'r> {
        NextRequest {
            tools: &tools.active,
            system: self.last_system(),
            tools_tokens: tools.tokens,
            system_tokens: self.system_tokens.total(),
            messages: session.view.entries().len(),
            conversation_tokens: session.view.tokens(),
            epoch: self.epoch_of(&session.view),
            tail_tokens,
        }
    }
}
