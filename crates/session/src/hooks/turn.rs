//! Hooks at the boundaries of a turn.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use throughline_agent::{HookReport, TurnHooks};
use throughline_conversation::{ContentBlock, EntryKind, Message, View};
use throughline_hooks::{HookEvent, Occasion};
use throughline_text::first_chars;
use throughline_tools::CancelFlag;

use super::{SessionHooks, lock, tagged};
use crate::ending::answer_text;

/// Characters of a hook's reason that the user sees.
const SHOWN: usize = 300;

/// How many times in a row hooks let the model continue that makes no call in between. A hook that always objects would have no end.
const MAX_CONTINUED: u32 = 5;

#[async_trait]
impl TurnHooks for SessionHooks {
    async fn prompt(&self, message: Message, cancel: &CancelFlag) -> Result<Message, String> {
        let mut message = message;
        if self.agent.is_none() {
            let answer = self.fire(Occasion::prompt(&message.text()), cancel).await;
            if let Some(why) = answer.stop.as_ref().or(answer.block.as_ref()) {
                return Err(why.clone());
            }
            self.remember(HookEvent::UserPromptSubmit, &answer);
        }
        message.content.extend(self.take_context());
        message.content.extend(self.background.take().into_iter().map(|text| ContentBlock::Text { text }));
        Ok(message)
    }

    async fn ending(&self, text: &str, again: bool, cancel: &CancelFlag) -> Option<Message> {
        if !again {
            self.continued.store(0, Ordering::Relaxed);
        }
        let text = answer_text(text);
        let (event, occasion) = match &self.agent {
            None => (HookEvent::Stop, Occasion::stop(&text, again)),
            Some(agent) => (HookEvent::SubagentStop, Occasion::subagent_stop(&agent.kind, &text, again)),
        };
        let answer = self.fire(occasion, cancel).await;
        let context = answer.context_text();
        if let Some(why) = answer.stop {
            self.hooks.say([why]);
            return None;
        }
        if (answer.block.is_some() || context.is_some())
            && self.continued.fetch_add(1, Ordering::Relaxed) >= MAX_CONTINUED
        {
            self.hooks.say([format!(
                "the turn ends: the hook of {} {} let the model continue {MAX_CONTINUED} times in a row, and it made no call",
                event.name(),
                answer.speakers.join(" and "),
            )]);
            return None;
        }
        if let Some(why) = &answer.block {
            // The user sees why the turn continues.
            self.hooks.say([format!(
                "a hook of {} lets the model continue: {}",
                event.name(),
                first_chars(why.trim(), SHOWN)
            )]);
        }
        let reason = answer.block.or(context)?;
        Some(Message::user(tagged(event, &reason)))
    }

    async fn compacting(
        &self,
        instructions: Option<&str>,
        cancel: &CancelFlag,
    ) -> Result<Option<String>, String> {
        let own = instructions.map(str::to_owned);
        let answer = self.fire(Occasion::before_compaction("manual", instructions), cancel).await;
        if let Some(why) = answer.stop.or(answer.block) {
            return Err(why);
        }
        let more: Vec<String> = own.into_iter().chain(answer.context).collect();
        Ok((!more.is_empty()).then(|| more.join("\n\n")))
    }

    async fn compacted(&self, view: &View, cancel: &CancelFlag) {
        let triggers = std::mem::take(&mut *lock(&self.compactions));
        let Some(trigger) = triggers.last() else { return };
        if *trigger == "auto" {
            let answer = self.fire(Occasion::before_compaction(trigger, None), cancel).await;
            let text = "a hook of PreCompact objects to a compaction that the window needed; it stays";
            self.hooks.say(answer.block.map(|why| format!("{text}: {why}")));
        }
        let newest = view.entries().iter().rfind(|entry| entry.kind == EntryKind::Summary);
        let summary = newest.map(|entry| entry.message.text()).unwrap_or_default();
        self.fire(Occasion::after_compaction(trigger, &summary), cancel).await;
        if self.agent.is_none() {
            let answer = self.fire(Occasion::session_start("compact", ""), cancel).await;
            self.remember(HookEvent::SessionStart, &answer);
        }
    }

    fn context(&self) -> Option<Message> {
        let blocks = self.take_context();
        let texts: Vec<String> = blocks
            .into_iter()
            .filter_map(|block| match block {
                ContentBlock::Text { text } => Some(text),
                _ => None,
            })
            .collect();
        (!texts.is_empty()).then(|| Message::user(texts.join("\n\n")))
    }

    fn take_stop(&self) -> Option<String> {
        lock(&self.stop).take()
    }

    fn report(&self) -> HookReport {
        HookReport { notices: self.hooks.take_notices(), used: self.judge.take_used() }
    }
}
