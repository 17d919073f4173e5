//! What the user has said within a tool: answers to questions, an approved plan, and the words with which a call was refused.

use std::collections::HashMap;

use serde_json::Value;
use throughline_conversation::{Message, ToolCall, ToolResult};
use throughline_text::cut_end;

/// The tools with which agents ask their user, or show a plan that the user may approve.
const QUESTIONS: [&str; 5] =
    ["AskUserQuestion", "question", "ask_user", "ask_question", "request_user_input"];
const PLAN: &str = "ExitPlanMode";

/// What is around the answers in a result.
const ANSWERED: [&str; 2] = ["User has answered your questions: ", "Your questions have been answered: "];
const ANSWERS_END: &str = ". You can now continue";

/// What results have before an approved plan.
const APPROVED: &str = "User has approved";
const PLAN_HEAD: &str = "## Approved Plan";

/// What is before the words with which a call was refused, and behind them. The line that they are in says it.
const REFUSED: [&str; 2] = ["the user said:\n", "with the following feedback: "];
const REFUSED_END: &str = "\n\nNote: The user's next message";
const REJECTED: &str = "reject";

/// What Claude Code itself says where the user wants to talk about its questions.
const CLARIFIES: &str = "The user wants to clarify these questions";

/// Maximum bytes of what is quoted of one result.
const QUOTED: usize = 2_000;

/// Finds what the user has said within tools, message by message.
#[derive(Debug, Default)]
pub struct UserAnswers {
    /// The calls that ask the user, by id.
    asked: HashMap<String, ToolCall>,
}

impl UserAnswers {
    /// What the user has said in the results of a message. All messages of the session are given, in order.
    pub fn said_in(&mut self, message: &Message) -> Vec<String> {
        let asks = |call: &&ToolCall| QUESTIONS.contains(&call.name.as_str()) || call.name == PLAN;
        self.asked.extend(message.tool_calls().filter(asks).map(|call| (call.id.clone(), call.clone())));
        message.tool_results().filter_map(|result| self.said(result)).collect()
    }

    fn said(&self, result: &ToolResult) -> Option<String> {
        let said = match self.asked.get(&result.call_id) {
            _ if result.is_error => refused(&result.content)?.to_owned(),
            Some(call) if call.name == PLAN => plan(call, &result.content)?.to_owned(),
            Some(call) => answers(call, &result.content)?,
            None => return None,
        };
        Some(cut_end(said.trim(), QUOTED).to_owned()).filter(|said| !said.is_empty())
    }
}

/// The user's words behind the one line that says that the call was rejected. The output of a tool that fails may have the same
/// words.
fn refused(result: &str) -> Option<&str> {
    let (line, said) = REFUSED.iter().find_map(|words| result.split_once(words))?;
    if line.contains('\n') || !line.contains(REJECTED) {
        return None;
    }
    let said = said.split(REFUSED_END).next().unwrap_or(said);
    Some(said).filter(|said| !said.starts_with(CLARIFIES))
}

fn plan<'t>(call: &'t ToolCall, result: &'t str) -> Option<&'t str> {
    let in_result = || Some(result.split_once(PLAN_HEAD)?.1.split_once('\n')?.1);
    let plan = call.input.get("plan").and_then(Value::as_str).or_else(in_result);
    plan.filter(|_| result.contains(APPROVED))
}

/// The questions with their answers.
fn answers(call: &ToolCall, result: &str) -> Option<String> {
    if let Some(said) = ANSWERED.iter().find_map(|head| result.split_once(head)) {
        return Some(said.1.split(ANSWERS_END).next().unwrap_or(said.1).to_owned());
    }
    let result: Value = serde_json::from_str(result).ok()?;
    let all = result.get("answers")?.as_object()?.iter().map(|(id, answer)| {
        let questions = call.input.get("questions").and_then(Value::as_array).into_iter().flatten();
        let of_id = |question: &&Value| question.get("id").and_then(Value::as_str) == Some(id);
        let asked = questions.into_iter().find(of_id).and_then(|one| one.get("question")?.as_str());
        format!("\"{}\"=\"{}\"", asked.unwrap_or(id), texts(answer).join(", "))
    });
    Some(all.collect::<Vec<_>>().join(", ")).filter(|said| !said.is_empty())
}

/// The texts in an answer: a text, a list of them, or an object with such a list.
fn texts(answer: &Value) -> Vec<&str> {
    match answer {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => answer.get("answers").map(texts).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
