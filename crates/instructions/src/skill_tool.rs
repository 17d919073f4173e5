//! `use_skill`: the model reads a skill, and the skill becomes active.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_text::{counted, first_chars};
use throughline_tools::{Access, Effect, Tool, ToolContext, ToolOutput, arguments};

use crate::reading::{read, real};
use crate::skill_text::body;
use crate::skills::Skill;
use crate::skills_source::SkillsSource;

/// The tool's name. Its results bound themselves, so they should not be stored out of the window.
pub const USE_SKILL: &str = "use_skill";

/// Names that an answer lists, when one is wrong.
const MOST_NAMES: usize = 50;

/// The tool that reads skills of this source.
#[must_use]
pub fn skill_tool(source: Arc<SkillsSource>) -> Arc<dyn Tool> {
    Arc::new(SkillTool(source))
}

#[derive(Debug)]
struct SkillTool(Arc<SkillsSource>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    offset: Option<usize>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The skill's name." },
            "file": { "type": "string", "description": "A file of the skill's folder, from the folder on." },
            "offset": { "type": "integer", "minimum": 1, "description": "First line of the file; 1 without it." }
        },
        "required": ["name"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for SkillTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: USE_SKILL.to_owned(),
            description: include_str!("use_skill.md").trim_end().to_owned(),
            input_schema: schema(),
            origin: ToolOrigin::Skill,
        }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Read, &call.input, "name")
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let source = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || answer(&source, &wanted)).await;
        match done {
            Ok(Ok(text)) => ToolOutput::text(text),
            Ok(Err(text)) => ToolOutput::error(text),
            Err(error) => ToolOutput::error(format!("The work was stopped: {error}.")),
        }
    }
}

fn answer(source: &SkillsSource, wanted: &Arguments) -> Result<String, String> {
    let Arguments { name, file, offset } = wanted;
    let skills = source.skills();
    let Some(skill) = skills.get(name) else {
        let names: Vec<&str> = skills.iter().take(MOST_NAMES).map(|skill| skill.name.as_str()).collect();
        let named = first_chars(name, 100);
        return Err(match names.as_slice() {
            [] => format!("There is no skill {named:?}: this session has none."),
            names => format!("There is no skill {named:?}. The skills are: {}.", names.join(", ")),
        });
    };
    let most = source.policy().body_chars;
    if let Some(file) = file {
        return page(skill, file, offset.unwrap_or(1).max(1), most);
    }
    if source.is_in_prompt(name) {
        source.activate(name);
        return Ok(format!(
            "The text of this skill is in your instructions already, under \"# Skill: {name}\"."
        ));
    }
    let (text, _) = body(skill, most).map_err(|why| format!("The skill {name} cannot be shown: {why}."))?;
    source.activate(name);
    Ok(text)
}

/// Lines of a file of the skill, from one on, as many as have room.
fn page(skill: &Skill, file: &str, from: usize, most: usize) -> Result<String, String> {
    let named = first_chars(file, 200);
    let refused = |why: &dyn std::fmt::Display| {
        format!(
            "{named} of skill {} is not shown: {why}. use_skill without file names its files.",
            skill.name
        )
    };
    let found = real(&skill.folder.join(Path::new(file)), &skill.folder).and_then(|real| read(&real));
    let found = found.map_err(|why| refused(&why))?;
    if found.hidden > 0 {
        return Err(refused(&"it has more than a megabyte"));
    }
    let all = found.text.lines().count();
    if all == 0 {
        return Ok("[the file is empty]".to_owned());
    }
    if from > all {
        let lines = counted(all as u64, "line");
        return Err(format!("{named} has {lines}; line {from} is behind its end."));
    }
    let mut out = String::new();
    let mut room = most;
    for (index, line) in found.text.lines().enumerate().skip(from - 1) {
        let price = line.chars().count() + 1;
        if price > room && !out.is_empty() {
            out.push_str(&format!("[more follows: continue with offset {}]", index + 1));
            return Ok(out);
        }
        if price > room {
            out.push_str(first_chars(line, room));
            out.push_str("\n[the line was too long and was cut]\n");
            room = 0;
        } else {
            out.push_str(line);
            out.push('\n');
            room -= price;
        }
    }
    out.push_str(&format!("[end of file: {}]", counted(all as u64, "line")));
    Ok(out)
}

#[cfg(test)]
mod tests;
