//! Tool calls out of the pieces that they come in.

use serde::de::IgnoredAny;
use serde_json::Value;
use throughline_completion::CompletionEvent;
use throughline_conversation::ContentBlock;

use crate::form::native::native;
use crate::openai::native::EXTRA_CONTENT;
use crate::stream::answer::AnswerEvents;
use crate::stream::call_ids::CallIds;

/// The calls of one answer, in the order of their first pieces.
#[derive(Debug)]
pub(super) struct Calls {
    ids: CallIds,
    open: Vec<OpenCall>,
}

#[derive(Debug, Default)]
struct OpenCall {
    index: Option<u64>,
    id: String,
    name: String,
    written: String,
    /// Server-specific content; [`Value::Null`] without any.
    extra: Value,
}

impl Calls {
    /// No call gets one of the ids that are `taken`.
    pub(super) fn new(id_prefix: String, taken: impl IntoIterator<Item = String>) -> Self {
        Self { ids: CallIds::new(id_prefix, taken), open: Vec::new() }
    }

    /// Adds a piece. It belongs to the last call of its index, or to the last call of all when it has no index,
    /// unless it can only be the beginning of another: some servers number every call 0.
    pub(super) fn add(&mut self, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64);
        let id = piece.get("id").and_then(Value::as_str).unwrap_or_default();
        let name = piece.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
        let has_more = match piece.pointer("/function/arguments") {
            Some(Value::String(more)) => !more.trim().is_empty(),
            more => more.is_some_and(Value::is_object),
        };
        let same = |open: &&mut OpenCall| index.is_none() || open.index == index;
        let open =
            match self.open.iter_mut().rev().find(same).filter(|open| !open.is_over(id, name, has_more)) {
                Some(open) => open,
                None => {
                    self.open.push(OpenCall { index, id: id.to_owned(), ..OpenCall::default() });
                    let Some(open) = self.open.last_mut() else { return };
                    open
                }
            };
        if open.id.is_empty() {
            id.clone_into(&mut open.id);
        }
        // The name comes whole, and from some servers with each piece.
        if open.name.is_empty() {
            name.clone_into(&mut open.name);
        }
        if let Some(extra) = piece.get(EXTRA_CONTENT).filter(|_| open.extra.is_null()) {
            open.extra = extra.clone();
        }
        match piece.pointer("/function/arguments") {
            Some(Value::String(more)) => open.written.push_str(more),
            // Not by the book, but clear.
            Some(whole @ Value::Object(_)) => open.written = whole.to_string(),
            _ => {}
        }
    }

    /// Emits all calls as blocks. Returns true if there are any.
    pub(super) fn finish(&mut self, answer: &mut AnswerEvents) -> bool {
        let mut open = std::mem::take(&mut self.open);
        // If a server repeats the name in each piece, or the whole call at the end, that looks like the beginning of another call.
        open.dedup_by(|next, whole| {
            let named = next.index == whole.index && next.name == whole.name && whole.is_whole();
            let ends = next.id.is_empty() && next.written.is_empty();
            named && (ends || (!next.id.is_empty() && next.id == whole.id && next.written == whole.written))
        });
        let called = !open.is_empty();
        for OpenCall { id, name, written, extra, .. } in open {
            if !extra.is_null() {
                answer.event(CompletionEvent::Block(native(EXTRA_CONTENT, &extra)));
            }
            for call in self.ids.calls(&id, &name, &Value::String(written)) {
                answer.event(CompletionEvent::Block(ContentBlock::ToolCall(call)));
            }
        }
        called
    }
}

impl OpenCall {
    /// Returns true if a piece with this id and this name, each empty when the piece has none, begins another call. `has_more`: it
    /// has arguments.
    fn is_over(&self, id: &str, name: &str, has_more: bool) -> bool {
        if !id.is_empty() && !self.id.is_empty() {
            // Some servers count the ids of each piece of work from the start.
            return id != self.id || (has_more && self.is_whole());
        }
        // Names come whole, so another name is another call; nothing can follow arguments that are whole.
        !name.is_empty() && !self.name.is_empty() && (name != self.name || self.is_whole())
    }

    /// Returns true if the arguments are a whole object.
    fn is_whole(&self) -> bool {
        // Most pieces end elsewhere, which spares reading what came so far with each of them.
        self.written.trim_end().ends_with('}') && serde_json::from_str::<IgnoredAny>(&self.written).is_ok()
    }
}
