//! Edits that fit, and changes of the model.

use std::collections::BTreeMap;

use throughline_conversation::{
    Action, Edit, EditReason, ForeignTools, ModelRecord, Origin, RecordBody, ResultRef, units,
};

use super::maker::Maker;

impl Maker {
    fn edit(&mut self, action: Action) {
        let strategies = vec!["sample".to_owned()];
        self.add(RecordBody::Edit(Edit {
            reason: EditReason::CompactThreshold,
            actions: vec![action],
            strategies,
        }));
        self.compactions.push(self.view.last());
        self.undone.clear();
    }

    pub(super) fn switch(&mut self) {
        let names = [("anthropic", "a1"), ("anthropic", "a2"), ("openai", "o1")];
        let (provider, model) = names[self.below(names.len() as u64) as usize];
        let foreign = if self.below(4) == 0 { ForeignTools::Isolate } else { ForeignTools::Digest };
        let origin = Origin::new(provider, model).into();
        self.add(RecordBody::Model(ModelRecord {
            origin,
            window: 200_000,
            learnt: BTreeMap::new(),
            foreign,
            thinking_from: None,
            thinking: None,
        }));
    }

    pub(super) fn replace_result(&mut self) {
        let calls: Vec<String> = self
            .view
            .native()
            .iter()
            .flat_map(|entry| entry.message.tool_results().map(|result| result.call_id.clone()))
            .collect();
        if calls.is_empty() {
            return self.note();
        }
        let call_id = calls[self.below(calls.len() as u64) as usize].clone();
        let text = self.text();
        self.edit(Action::ReplaceResult {
            call_id,
            text,
            stored: ResultRef::from_text("r-0000000000000000"),
        });
    }

    pub(super) fn cover(&mut self) {
        let all = units(self.view.native());
        if all.is_empty() {
            return self.note();
        }
        let first = self.below(all.len() as u64) as usize;
        let last = first + self.below((all.len() - first).min(4) as u64) as usize;
        let mut span = all[first].span;
        span.last = all[last].span.last;
        let summary = (self.below(3) > 0).then(|| self.text());
        self.edit(Action::Cover { span, summary, note: None });
    }
}
