//! Shows the user once for a model that its provider has no search of the web.

use throughline_completion::ModelInfo;

use super::Session;
use crate::event::Event;
use crate::turn_context::TurnContext;

impl Session {
    /// Reports that the search of the settings is left out of the requests to this model.
    pub(crate) fn note_no_search(&mut self, turn: &TurnContext<'_>, model: &ModelInfo) {
        let origin = model.origin();
        if self.without_search.as_ref() == Some(&origin) {
            return;
        }
        let why = "its requests have no web_search";
        self.record_decision("select_tools", why, format!("{origin} has no search of its own"));
        turn.sink.emit(Event::Notice(format!(
            "search.provider has no effect for {origin}: its provider has no web search that works next to tools; set search.url \
             to a SearXNG server, or use a model of Anthropic, of OpenAI by its Responses API, or Gemini 3 and later"
        )));
        self.without_search = Some(origin);
    }
}
