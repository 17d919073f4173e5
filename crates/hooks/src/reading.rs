//! What one hook says, by its exit status and its output.

use serde_json::Value;
use throughline_text::{first_chars, headline, sanitized};

use crate::answer::{HookAnswer, HookPermission};
use crate::event::HookEvent;
use crate::hook::{Hook, HookAction};
use crate::runner::{HookEnding, HookRun};

/// Characters of a text for the model that one hook may add.
const MAX_CONTEXT: usize = 10_000;

/// Characters of a hook's command and of its error in a notice.
const MAX_NOTICE: usize = 200;

/// The status with which a hook objects.
const OBJECTS: i32 = 2;

/// Reads what a hook left.
pub(crate) fn read(hook: &Hook, run: &HookRun) -> HookAnswer {
    let mut answer = read_ending(hook, run);
    if answer.block.is_some() || !answer.context.is_empty() {
        answer.speakers.push(name(hook));
    }
    answer
}

fn read_ending(hook: &Hook, run: &HookRun) -> HookAnswer {
    match &run.ending {
        HookEnding::Exit(0) if matches!(hook.action, HookAction::Prompt(_)) => {
            read_judgement(hook, run.stdout.trim())
        }
        HookEnding::Exit(0) => read_output(hook, run.stdout.trim()),
        HookEnding::Exit(OBJECTS) => objection(hook, run.stderr.trim()),
        HookEnding::Exit(status) => {
            let error = headline(run.stderr.trim(), MAX_NOTICE);
            let why = if error.is_empty() { String::new() } else { format!(": {error}") };
            failed(hook, &format!("exited with status {status}{why}"))
        }
        HookEnding::TimedOut => failed(hook, &format!("was ended after {} s", hook.timeout.as_secs_f64())),
        HookEnding::Cancelled => HookAnswer::default(),
        HookEnding::Failed(why) => failed(hook, &format!("failed: {why}")),
    }
}

/// A hook as a notice names it.
fn name(hook: &Hook) -> String {
    format!("`{}` ({})", headline(hook.text(), MAX_NOTICE), hook.place)
}

fn failed(hook: &Hook, how: &str) -> HookAnswer {
    let (event, name) = (hook.event.name(), name(hook));
    let text = format!("the hook of {event} {name} {how}; the session continues without it");
    HookAnswer { notices: vec![text], ..HookAnswer::default() }
}

/// What a model says that judges: `{"ok": true}`, or `{"ok": false, "reason": …}`, perhaps in a fence.
fn read_judgement(hook: &Hook, answer: &str) -> HookAnswer {
    let object = answer.find('{').zip(answer.rfind('}')).and_then(|(from, to)| answer.get(from..=to));
    let judged = object.and_then(|object| serde_json::from_str::<Value>(object).ok());
    let ok = judged.as_ref().and_then(|judged| judged.get("ok")?.as_bool());
    match ok {
        Some(true) => HookAnswer::default(),
        Some(false) => {
            let reason = judged.as_ref().and_then(|judged| judged.get("reason")?.as_str());
            objection(hook, reason.unwrap_or_default().trim())
        }
        None => {
            failed(hook, "gave no judgement: an answer {\"ok\": true} or {\"ok\": false, …} was expected")
        }
    }
}

/// An objection with its reason: standard error of exit status 2, whatever standard output says, or what a judge gives.
fn objection(hook: &Hook, reason: &str) -> HookAnswer {
    let reason = text(reason);
    let reason = if reason.is_empty() {
        format!("the hook `{}` declines it", headline(hook.text(), MAX_NOTICE))
    } else {
        reason
    };
    match hook.event {
        HookEvent::PreToolUse | HookEvent::PermissionRequest => {
            HookAnswer { permission: Some(HookPermission::Deny(reason)), ..HookAnswer::default() }
        }
        event if event.can_block() => HookAnswer { block: Some(reason), ..HookAnswer::default() },
        _ => HookAnswer { notices: vec![reason], ..HookAnswer::default() },
    }
}

fn read_output(hook: &Hook, output: &str) -> HookAnswer {
    if output.starts_with('{') {
        return match serde_json::from_str(output) {
            Ok(value) => read_object(hook, &value),
            Err(error) => failed(hook, &format!("answered with broken JSON: {error}")),
        };
    }
    let takes = hook.event.takes_plain_context() || matches!(hook.action, HookAction::Http(_));
    let context = takes && !output.is_empty();
    HookAnswer { context: context.then(|| text(output)).into_iter().collect(), ..HookAnswer::default() }
}

fn read_object(hook: &Hook, value: &Value) -> HookAnswer {
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(text);
    let own = value.get("hookSpecificOutput").unwrap_or(&Value::Null);
    let reason = word(value, "reason");
    let because = || reason.clone().unwrap_or_else(|| "a hook declines it".to_owned());
    let is_call = matches!(hook.event, HookEvent::PreToolUse | HookEvent::PermissionRequest);
    let mut answer = HookAnswer {
        input: own.get("updatedInput").filter(|input| input.is_object()).cloned(),
        output: own
            .get("updatedToolOutput")
            .or_else(|| own.get("updatedMCPToolOutput"))
            .and_then(output_text),
        context: word(own, "additionalContext").filter(|text| !text.is_empty()).into_iter().collect(),
        notices: word(value, "systemMessage").into_iter().collect(),
        ..HookAnswer::default()
    };
    if value.get("continue").and_then(Value::as_bool) == Some(false) {
        answer.stop = Some(word(value, "stopReason").unwrap_or_else(|| "a hook ended the turn".to_owned()));
    }
    match word(value, "decision").as_deref() {
        Some("block" | "deny") if is_call => answer.permission = Some(HookPermission::Deny(because())),
        Some("approve" | "allow") if is_call => answer.permission = Some(HookPermission::Allow),
        Some("block") => answer.block = Some(because()),
        _ => {}
    }
    let own_reason = || word(own, "permissionDecisionReason").unwrap_or_else(because);
    match word(own, "permissionDecision").as_deref() {
        Some("deny") => answer.permission = Some(HookPermission::Deny(own_reason())),
        Some("ask") => answer.permission = Some(HookPermission::Ask(own_reason())),
        Some("allow") => answer.permission = Some(HookPermission::Allow),
        _ => {}
    }
    if let Some(decision) = own.get("decision").filter(|_| hook.event == HookEvent::PermissionRequest) {
        read_decision(decision, &mut answer);
    }
    answer
}

/// The decision about a question: `{"behavior": "allow"}` or `{"behavior": "deny", "message": …}`.
fn read_decision(decision: &Value, answer: &mut HookAnswer) {
    if decision.get("updatedInput").is_some() {
        let text =
            "a hook of PermissionRequest cannot change the arguments of a call; a hook of PreToolUse can";
        answer.notices.push(text.to_owned());
        return;
    }
    let message = decision.get("message").and_then(Value::as_str).unwrap_or("a hook declines it");
    match decision.get("behavior").and_then(Value::as_str) {
        Some("allow") => answer.permission = Some(HookPermission::Allow),
        Some("deny") => answer.permission = Some(HookPermission::Deny(text(message))),
        _ => {}
    }
}

/// The text of an output: plain, of a command, or of content blocks.
fn output_text(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str().or_else(|| value.get("stdout")?.as_str()) {
        return Some(sanitized(text).into_owned());
    }
    let blocks = value.as_array()?;
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
    (!texts.is_empty()).then(|| sanitized(&texts.join("\n")).into_owned())
}

/// A text of a hook, at most [`MAX_CONTEXT`] characters.
fn text(text: &str) -> String {
    let text = sanitized(text);
    let cut = first_chars(&text, MAX_CONTEXT);
    match text.len() - cut.len() {
        0 => text.into_owned(),
        more => format!("{cut}\n[{more} more bytes of the hook's output are not shown]"),
    }
}

#[cfg(test)]
mod tests;
