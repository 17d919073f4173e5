//! `query_db`: the model queries its own history by SQL.

use serde_json::Value;
use throughline_history::{GroupMarks, PageSize, SessionHistory, sql_from_input};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::step_context::StepContext;

pub(super) async fn call(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let Some(history) = &step.state.continuity.history else {
        return ToolOutput::error("query_db is not available in this session");
    };
    let sql = match sql_from_input(input) {
        Ok(sql) => sql,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let (log, marks) = (step.state.session.log(), GroupMarks::from(step.state.session.view().groups()));
    let session = SessionHistory { log: log.as_ref(), session: step.state.session.id(), marks: &marks };
    match history.query(&session, sql).await {
        Ok(answer) => ToolOutput::text(answer.page(PageSize::default()).text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
