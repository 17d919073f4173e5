//! The definition that the model sees.

use serde_json::json;

use super::{query_db_tool, sql_from_input};
use crate::COLUMNS;

// S4-14
#[test]
fn the_description_names_every_column_and_teaches_good_queries() {
    let tool = query_db_tool();
    assert_eq!(tool.name, "query_db");
    for column in COLUMNS {
        assert!(tool.description.contains(column), "{column}");
    }
    for advice in
        ["ORDER BY id DESC", "status <> 'dropped'", "role", "group_id", "Examples: SELECT", "substr("]
    {
        assert!(tool.description.contains(advice), "{advice}");
    }
    assert_eq!(tool.input_schema["required"], json!(["sql"]));
}

#[test]
fn arguments_are_one_text() {
    assert_eq!(sql_from_input(&json!({"sql": "SELECT 1"})).unwrap(), "SELECT 1");
    for wrong in
        [json!({}), json!({"sql": " "}), json!({"sql": 1}), json!({"query": "SELECT 1"}), json!("SELECT 1")]
    {
        let error = sql_from_input(&wrong).unwrap_err().to_string();
        assert_eq!(
            error,
            "the input of query_db is not valid: \"sql\" must be a string with one SELECT over messages"
        );
    }
}
