//! The prompt cache as an earlier run has left it.

use throughline_conversation::{Entry, Receipt, View};
use throughline_prompt::{BreakpointPlanner, CachePredictor};

use super::Prefix;
use super::cached::SentPart;
use crate::active_model::ActiveModel;
use crate::session::{Session, tokens_of};
use crate::toolbox::ToolBox;
use crate::window::Window;

impl Prefix {
    /// Restores what the newest request of an earlier run has left in the cache, from its receipt and the view that it showed: the
    /// session's own, or the one before a change. A request of another view, or whose notes were in its system prompt, is not
    /// restored: then the next one is predicted to read nothing.
    pub(crate) fn restore_cache(
        &mut self,
        session: &Session,
        view: &View,
        window: &Window,
        tools: &ToolBox,
        model: &ActiveModel,
        receipt: &Receipt,
    ) {
        let reported = receipt.reported.filter(|_| receipt.window_prompt.is_none());
        let (Some(earlier), Some(reported)) = (session.earlier(), reported) else { return };
        if receipt.system_tail || receipt.epoch != view.epoch() {
            return;
        }
        let sent = |entry: &&Entry| entry.span.last <= receipt.upto;
        let entries = view.entries();
        let entries = entries.get(..entries.iter().take_while(sent).count()).unwrap_or(entries);
        let mut planner = BreakpointPlanner::new();
        self.plan(&mut planner, view, entries, tools, model);
        self.planner = planner;
        let mut predictor = CachePredictor::new();
        let origin = model.origin().to_string();
        let part = SentPart {
            at: earlier.at,
            epoch: receipt.epoch,
            entries,
            scale: window.meter().scale(),
            tail_tokens: tokens_of(session.counter(), &receipt.tail),
            breakpoints: &receipt.breakpoints,
        };
        predictor.predict(&self.request(tools, model, &origin, part));
        predictor.learn(&reported);
        self.predictor = predictor;
    }
}
