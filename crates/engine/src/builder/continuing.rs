//! Continuing behind the last request of an earlier run.

use throughline_continuity::{Part, read_all};
use throughline_conversation::{Receipt, Seq};

use crate::active_model::ActiveModel;
use crate::frame::components;
use crate::prefix::Prefix;
use crate::session::Session;
use crate::toolbox::ToolBox;
use crate::window::{Window, view_of};

/// Measures the session by the report of its last request, and takes over what that has left: its cache and the levels that it
/// crossed. Another model's cache has nothing for this one.
pub(super) async fn continue_behind(
    receipt: &Receipt,
    session: &mut Session,
    window: &mut Window,
    prefix: &mut Prefix,
    tools: &ToolBox,
    model: &ActiveModel,
) {
    let fixed = components(session, prefix, tools).fixed();
    let same_model = receipt.model == model.info.name;
    let mut before_change = None;
    if same_model && receipt.epoch == session.view().epoch() {
        window.continue_scale(fixed, receipt);
        window.anchor_on_view(session, session.view(), fixed, receipt);
    } else if let Ok(log) = read_all(session.log().as_ref(), session.id(), Seq(0), Part::All).await {
        // Without the log the figures are estimated until the next report.
        window.anchor_on_log(session, fixed, &log.records, &model.origin());
        before_change = same_model.then(|| view_of(receipt, &log.records, session));
    }
    if same_model {
        window.continue_crossings(receipt);
        let sent = before_change.as_ref().unwrap_or(session.view());
        prefix.restore_cache(session, sent, window, tools, model, receipt);
    } else {
        session.forget_earlier();
    }
}
