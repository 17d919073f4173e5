//! The steps of a log, record by record.

use serde_json::{Value, json};
use throughline_completion::Price;
use throughline_conversation::{
    Action, ContentBlock, Edit, Groups, Message, MessageRecord, Millis, PromptRecord, Record, RecordBody,
    Source, Usage,
};
use throughline_providers::models::ModelTable;

use super::step::{Metrics, Step, StepSource};
use throughline_connect::{LogCost, dollars_figure};

/// Makes steps of records. An answer is open until its results have come.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    table: &'a ModelTable,
    groups: &'a Groups,
    cost: LogCost,
    prompt: Option<PromptRecord>,
    spoken: bool,
    open: Option<Step>,
    /// Compactions while an answer is open.
    waiting: Vec<Step>,
    done: Vec<Step>,
    written: u64,
    /// The sum of the metrics of the steps; `None`: no step has any.
    used: Option<Usage>,
}

impl<'a> Steps<'a> {
    /// `prompt` is the first one of the log, which is before all messages.
    pub(super) fn new(table: &'a ModelTable, groups: &'a Groups) -> Self {
        Self {
            table,
            groups,
            cost: LogCost::default(),
            prompt: None,
            spoken: false,
            open: None,
            waiting: Vec::new(),
            done: Vec::new(),
            written: 0,
            used: None,
        }
    }

    /// The system prompt, as the first step, at this time.
    pub(super) fn begin(&mut self, record: &Record, at: Millis) {
        if let RecordBody::Prompt(prompt) = &record.body {
            self.prompt = Some(prompt.clone());
            self.push(Step::text(StepSource::System, at, text_of(prompt)));
        }
    }

    /// Takes the next record.
    pub(super) fn add(&mut self, record: &Record) {
        self.cost.add(&record.body, self.table);
        match &record.body {
            RecordBody::Message(said) => self.message(record, said),
            RecordBody::Receipt(receipt) => {
                let price = self.cost.price(&receipt.model, self.table);
                self.measured(receipt.reported.map(|usage| (usage, price)));
            }
            RecordBody::Edit(edit) if edit.is_compaction() => self.event(compaction(record, edit)),
            RecordBody::Prompt(prompt) if self.prompt.as_ref() != Some(prompt) => {
                self.prompt = Some(prompt.clone());
                let mut step = Step::text(StepSource::System, record.at, text_of(prompt));
                step.extra.insert("event".to_owned(), "prompt".into());
                self.event(step);
            }
            _ => {}
        }
    }

    fn message(&mut self, record: &Record, said: &MessageRecord) {
        let MessageRecord { message, source, usage } = said;
        let mut step = match source {
            Source::Model(model) => {
                let mut step = Step::answer(record.at, message);
                step.model_name = Some(model.clone());
                step.metrics = usage.map(Metrics::of);
                step
            }
            _ if message.tool_results().next().is_some() => return self.results(record, message),
            // Before the user has spoken, a step of the system would be the prompt.
            Source::Engine if self.spoken => Step::said(StepSource::System, record.at, message),
            _ => {
                self.spoken = true;
                Step::said(StepSource::User, record.at, message)
            }
        };
        let status = self.groups.status(record.exchange);
        if status.is_hidden() {
            step.extra.insert("hidden".to_owned(), status.name().into());
        }
        self.close();
        self.open = Some(step);
    }

    /// Adds results to the answer with their calls, and texts between them as what follows.
    fn results(&mut self, record: &Record, message: &Message) {
        let mut loose = Vec::new();
        for result in message.tool_results() {
            match &mut self.open {
                Some(step) if step.calls(&result.call_id) => step.observe(result, record.at),
                _ => loose.push(ContentBlock::Text { text: result.content.clone() }),
            }
        }
        let texts = message.content.iter().filter(|block| !matches!(block, ContentBlock::ToolResult(_)));
        loose.extend(texts.cloned());
        if !loose.is_empty() {
            self.close();
            let rest = Message { role: message.role, content: loose };
            self.open = Some(Step::said(StepSource::User, record.at, &rest));
        }
    }

    fn measured(&mut self, used: Option<(Usage, Price)>) {
        let Some((usage, price)) = used else { return };
        if let Some(step) = self.open.as_mut().filter(|step| step.source == StepSource::Agent) {
            let mut metrics = Metrics::of(usage);
            metrics.cost_usd = price.dollars(usage).map(dollars_figure);
            step.metrics = Some(metrics);
        }
    }

    fn event(&mut self, step: Step) {
        match self.open {
            Some(_) => self.waiting.push(step),
            None => self.push(step),
        }
    }

    fn close(&mut self) {
        if let Some(step) = self.open.take() {
            self.push(step);
        }
        for step in std::mem::take(&mut self.waiting) {
            self.push(step);
        }
    }

    fn push(&mut self, mut step: Step) {
        self.written += 1;
        if let Some(metrics) = &step.metrics {
            self.used = Some(self.used.unwrap_or_default().plus(metrics.usage));
        }
        step.step_id = self.written;
        self.done.push(step);
    }

    /// The steps that are complete and were not taken yet.
    pub(super) fn take(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.done)
    }

    /// Completes the last step.
    pub(super) fn finish(&mut self) -> Vec<Step> {
        self.close();
        self.take()
    }

    /// Number of steps.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// The sum of the metrics of the steps; `None`: no step has any, as of a session of another agent.
    pub(super) fn used(&self) -> Option<Usage> {
        self.used
    }

    /// What all requests cost.
    pub(super) fn cost(&self) -> &LogCost {
        &self.cost
    }
}

fn text_of(prompt: &PromptRecord) -> String {
    let texts: Vec<&str> = prompt.sections.iter().map(|section| section.text.as_str()).collect();
    texts.join("\n\n")
}

/// A compaction as a step of the system, with the summaries that replaced messages.
fn compaction(record: &Record, edit: &Edit) -> Step {
    let summaries: Vec<&str> = edit
        .actions
        .iter()
        .filter_map(|action| match action {
            Action::Cover { summary, .. } => summary.as_deref(),
            _ => None,
        })
        .collect();
    let mut step = Step::text(StepSource::System, record.at, "The context was compacted.");
    step.extra.insert("event".to_owned(), "compaction".into());
    step.extra.insert("reason".to_owned(), serde_json::to_value(&edit.reason).unwrap_or(Value::Null));
    step.extra.insert("strategies".to_owned(), json!(edit.strategies));
    step.extra.insert("summaries".to_owned(), json!(summaries));
    step
}
