//! `query_db`: the model asks its own history by SQL.

use std::sync::Arc;

use serde_json::Value;
use throughline_history::{PageSize, SessionHistory, sql_from_input};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::engine::Engine;
use crate::keeping::group_marks;

pub(super) async fn call(engine: &Engine, input: &Value) -> ToolOutput {
    let Some(history) = engine.parts.keeping.history.as_ref().map(Arc::clone) else {
        return ToolOutput::error("query_db is not available in this session");
    };
    let sql = match sql_from_input(input) {
        Ok(sql) => sql,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let (log, marks) = (engine.journal.log(), group_marks(engine.view.groups()));
    let session = SessionHistory { log: log.as_ref(), session: &engine.parts.session, marks: &marks };
    match history.query(&session, sql).await {
        Ok(answer) => ToolOutput::text(answer.page(PageSize::default()).text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
