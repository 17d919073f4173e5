//! What a statement may do, judged while it is compiled.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// The table, and the table functions that open a JSON value.
const TABLES: [&str; 3] = ["messages", "json_each", "json_tree"];

/// The functions that a query may call. None has an effect, none reads anything but its arguments (and the time),
/// none makes a value out of nothing that is longer than it is written.
pub(crate) const FUNCTIONS: &[&str] = &[
    "->",
    "->>",
    "abs",
    "avg",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "date",
    "datetime",
    "dense_rank",
    "first_value",
    "format",
    "glob",
    "group_concat",
    "hex",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "lower",
    "ltrim",
    "max",
    "min",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "printf",
    "quote",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "subtype",
    "sum",
    "time",
    "timediff",
    "total",
    "trim",
    "typeof",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
];

/// What was refused of a statement: the first thing counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<Option<String>>>);

impl Refusals {
    /// Takes what was refused, and forgets it.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn note(&self, what: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }
}

/// Returns true if one action of a statement is allowed.
pub(crate) fn judge(context: &AuthContext<'_>, refusals: &Refusals) -> Authorization {
    match refusal(context) {
        None => Authorization::Allow,
        Some(what) => {
            refusals.note(what);
            Authorization::Deny
        }
    }
}

fn refusal(context: &AuthContext<'_>) -> Option<String> {
    match context.action {
        AuthAction::Select | AuthAction::Recursive => None,
        AuthAction::Function { function_name } => {
            let name = function_name.to_ascii_lowercase();
            let known = FUNCTIONS.contains(&name.as_str());
            (!known).then(|| format!("the function {name} is not available"))
        }
        AuthAction::Read { table_name, column_name } => {
            let ours = TABLES.iter().any(|ours| ours.eq_ignore_ascii_case(table_name));
            // A name given by the statement itself (a CTE, a subquery) comes here as well, without a column.
            let own_name =
                column_name.is_empty() && context.database_name.is_none() && !is_internal(table_name);
            (!ours && !own_name).then(|| format!("there is no table {table_name} here"))
        }
        AuthAction::Pragma { pragma_name, .. } => Some(format!("PRAGMA {pragma_name} is not allowed")),
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => {
            Some("no other database can be opened".to_owned())
        }
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            Some("transactions are not needed".to_owned())
        }
        AuthAction::Insert { .. } | AuthAction::Update { .. } | AuthAction::Delete { .. } => {
            Some("the history cannot be changed".to_owned())
        }
        _ => Some("this statement is not allowed".to_owned()),
    }
}

/// Tables that SQLite brings, by the names that it reserves for them.
fn is_internal(table: &str) -> bool {
    let name = table.to_ascii_lowercase();
    name.starts_with("sqlite_") || name.starts_with("pragma_") || name == "dbstat"
}
