//! The results of a list by their calls: the order may be another one, and a call may have another id in the session.

use throughline_conversation::{Message, ToolResult};

use super::pieces::Piece;

/// The results of one message of the model.
#[derive(Debug)]
pub(super) struct GivenResults<'g> {
    results: &'g Message,
    /// The ids of the calls as the list has them, in order; empty if the list begins behind them.
    ids: Vec<&'g str>,
}

impl<'g> GivenResults<'g> {
    /// `before`: the piece before the results.
    pub(super) fn of(results: &'g Message, before: Option<&'g Piece<'_>>) -> Self {
        let calls = before.into_iter().flat_map(|calls| calls.message.tool_calls());
        Self { results, ids: calls.map(|call| call.id.as_str()).collect() }
    }

    /// The result of the call at this place: by its id in the list, else by its id in the session, else by its place.
    pub(super) fn result_of(&self, place: usize, call_id: &str) -> Option<&'g ToolResult> {
        let by_id =
            |id: &str, nth: usize| self.results.tool_results().filter(|one| one.call_id == id).nth(nth);
        let given = self.ids.get(place).and_then(|id| {
            // Of calls with one id, each has its own result.
            let earlier = self.ids.iter().take(place).filter(|other| *other == id).count();
            by_id(id, earlier)
        });
        given.or_else(|| by_id(call_id, 0)).or_else(|| self.results.tool_results().nth(place))
    }

    /// Number of results.
    pub(super) fn len(&self) -> usize {
        self.results.tool_results().count()
    }
}
