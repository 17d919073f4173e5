//! A session as a document of the Agent Trajectory Interchange Format, version 1.7.
//!
//! Every message of the log is in it, in order. An answer is a step with the results of its calls; the system prompt is the
//! first step, and compactions, changes of the prompt and the engine's notes are steps of the system.

mod step;
mod steps;

use std::io::Write;

use serde_json::{Map, Value, json};
use step::Step;
use steps::Steps;
use throughline_agent::StartError;
use throughline_connect::dollars_figure;
use throughline_continuity::{Pages, Part, Unreadable, merged, resume};
use throughline_conversation::{Millis, Record, RecordBody, SessionId, ToolDefinition, Uncounted};
use throughline_providers::models::ModelTable;
use throughline_text::one_line_json;

use crate::error::{Error, Result};
use crate::storage::Storage;

/// The version of the format that is written.
const SCHEMA: &str = "ATIF-v1.7";

/// Writes the session page by page, so that it is never in memory as a whole. Each step is a line.
///
/// # Errors
/// The log cannot be read; or `out` cannot be written: [`Error::Other`] with the `std::io::Error`.
pub async fn export_atif(
    data: &Storage,
    session: &SessionId,
    table: &ModelTable,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let (log, snapshots) = (data.log(), data.snapshots());
    let open = resume(log.as_ref(), snapshots.as_ref(), session, &Uncounted).await;
    let view = open.map_err(StartError::from)?.view;
    let head = Head::read(data, session).await?;
    let mut document = Document { out, steps: 0 };
    document.line(&format!(
        "{{\"schema_version\":{},\"session_id\":{},\"agent\":{},\"steps\":[",
        json!(SCHEMA),
        json!(session),
        one_line_json(&head.agent().to_string())
    ))?;
    let mut steps = Steps::new(table, view.groups());
    if let Some(prompt) = &head.prompt {
        // The user's message is in the log before the prompt that was sent with it.
        steps.begin(prompt, head.began.map_or(prompt.at, |began| began.min(prompt.at)));
    }
    let mut lost = Vec::new();
    let mut pages = Pages::new(log.as_ref(), session, Part::All);
    while let Some(page) = pages.next().await? {
        data.note_lost(&page.unreadable);
        lost.extend(page.unreadable);
        page.records.iter().for_each(|record| steps.add(record));
        document.steps(steps.take())?;
    }
    document.steps(steps.finish())?;
    document.line(&format!(
        "],\"notes\":{},\"final_metrics\":{}}}",
        json!(notes(lost)),
        final_metrics(&steps)
    ))
}

/// What the document says before its steps.
#[derive(Debug, Default)]
struct Head {
    model: Option<String>,
    tools: Vec<ToolDefinition>,
    prompt: Option<Record>,
    /// The time of the first record.
    began: Option<Millis>,
}

impl Head {
    /// The first model and prompt, and all tools that were ever sent.
    async fn read(data: &Storage, session: &SessionId) -> Result<Self> {
        let (log, mut head) = (data.log(), Self::default());
        let mut pages = Pages::new(log.as_ref(), session, Part::All);
        while let Some(page) = pages.next().await? {
            for record in page.records {
                head.began.get_or_insert(record.at);
                match &record.body {
                    RecordBody::Model(model) => {
                        head.model.get_or_insert_with(|| model.origin.model.clone());
                    }
                    RecordBody::Tools(sent) => {
                        for tool in &sent.tools {
                            if head.tools.iter().all(|known| known.name != tool.name) {
                                head.tools.push(tool.clone());
                            }
                        }
                    }
                    RecordBody::Prompt(_) if head.prompt.is_none() => head.prompt = Some(record),
                    _ => {}
                }
            }
        }
        Ok(head)
    }

    fn agent(&self) -> Value {
        let function = |tool: &ToolDefinition| {
            let ToolDefinition { name, description, input_schema, .. } = tool;
            json!({"type": "function", "function": {
                "name": name, "description": description, "parameters": input_schema,
            }})
        };
        let tools: Vec<Value> = self.tools.iter().map(function).collect();
        let mut agent = json!({ "name": "throughline", "version": env!("CARGO_PKG_VERSION") });
        if let (Value::Object(fields), Some(model)) = (&mut agent, &self.model) {
            fields.insert("model_name".to_owned(), json!(model));
        }
        if let (Value::Object(fields), false) = (&mut agent, tools.is_empty()) {
            fields.insert("tool_definitions".to_owned(), Value::Array(tools));
        }
        agent
    }
}

/// What is written so far.
struct Document<'o> {
    out: &'o mut (dyn Write + Send),
    steps: u64,
}

impl Document<'_> {
    fn line(&mut self, text: &str) -> Result<()> {
        writeln!(self.out, "{text}").map_err(|error| Error::Other(error.into()))
    }

    fn steps(&mut self, steps: Vec<Step>) -> Result<()> {
        for step in steps {
            let comma = if self.steps == 0 { "" } else { "," };
            self.steps += 1;
            self.line(&format!("{comma}{}", one_line_json(&serde_json::to_string(&step)?)))?;
        }
        Ok(())
    }
}

/// Sums over the steps, and in `total_cost_usd` all that the session paid for. What is unknown is left out.
fn final_metrics(steps: &Steps<'_>) -> Value {
    let (cost, side) = (&steps.cost().cost, steps.cost().side());
    let mut metrics = Map::new();
    metrics.insert("total_steps".to_owned(), steps.written().into());
    if let Some(used) = steps.used() {
        metrics.insert("total_prompt_tokens".to_owned(), used.prompt().into());
        metrics.insert("total_completion_tokens".to_owned(), used.output.into());
        metrics.insert("total_cached_tokens".to_owned(), used.cache_read.into());
        let side = json!({
            "requests": cost.side_requests,
            "prompt_tokens": side.prompt(),
            "completion_tokens": side.output,
            "cached_tokens": side.cache_read,
        });
        let extra = json!({ "cache_creation_input_tokens": used.cache_write, "side_requests": side });
        metrics.insert("extra".to_owned(), extra);
    }
    if let Some(dollars) = cost.dollars().exact().filter(|_| cost.all_requests() > 0) {
        metrics.insert("total_cost_usd".to_owned(), json!(dollars_figure(dollars)));
    }
    Value::Object(metrics)
}

fn notes(lost: Vec<Unreadable>) -> String {
    let mut notes = "Results are as the model saw them; large ones are previews, and their whole text is in the session. \
                     total_cost_usd includes requests without a step: for summaries, and those whose answers were cancelled."
        .to_owned();
    for lost in merged(lost) {
        notes.push_str(&format!(" Left out: {lost}."));
    }
    notes
}
