//! Moves the dial of a policy towards keeping more in view, on evidence.

use throughline_compaction::{Balance, balance_phrase};
use throughline_conversation::PolicyRecord;

use crate::event::Event;
use crate::frame::RequestFrame;
use crate::pricing;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::window::RequestSize;

/// Moves the dial by one step if a compaction is due and the compactions since the last move are regretted: what they removed
/// was needed again for more than they saved. Only where a compaction is due is the evidence of the last one complete.
pub(crate) async fn adapt_when_due(size: &RequestSize, step: &mut StepContext<'_>) {
    let StepContext { state, turn } = step;
    let EngineState { session, window, prefix, tools, model, .. } = &mut **state;
    if model.settings.next_step.is_none() {
        return;
    }
    if session.view().epoch() > 0 {
        session.follow_compactions(turn, model.info.prices).await;
    }
    let Some(balance) = session.balance_since_dial() else {
        return;
    };
    let frame = RequestFrame { prefix, tools, model };
    let pays = || pricing::decide(session, window, frame, size).is_some_and(|terms| terms.verdict.compacts());
    if balance.is_regretted() && (window.limits().should_compact(size.used()) || pays()) {
        move_dial(&balance, step);
    }
}

fn move_dial(balance: &Balance, step: &mut StepContext<'_>) {
    let StepContext { state: EngineState { session, tools, model, .. }, turn } = step;
    let Some(step) = model.settings.next_step.take() else { return };
    tools.adopt_policy(step.settings.offload);
    model.follow(step.settings);
    let (policy, to) = (step.policy, step.to);
    session.record_dial(PolicyRecord {
        before: Some(policy.clone()),
        name: policy,
        economy: Some(to.clone()),
    });
    let why = balance_phrase(balance);
    let line = format!("economy moves from {} to {to}: {why}", step.from);
    session.record_decision("compact", line.clone(), "compactions cost more than they save");
    turn.sink.emit(Event::Notice(line));
}
