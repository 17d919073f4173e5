//! Laws: whatever is sent as SQL, it comes back in time and changes nothing.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use throughline_query::Limits;

use crate::sessions::{Place, SECRET};

/// Pieces that make statements which SQLite understands at least in part.
const PIECES: &[&str] = &[
    "SELECT",
    "*",
    "FROM",
    "messages",
    "WHERE",
    "content",
    "id",
    "LIKE",
    "'%a%'",
    "(",
    ")",
    ",",
    "WITH",
    "t",
    "AS",
    "RECURSIVE",
    "UNION ALL",
    "1",
    "+",
    "count(*)",
    "GROUP BY",
    "ORDER BY",
    "DESC",
    "LIMIT 3",
    "JOIN",
    "ON",
    "=",
    "json_each(content)",
    "substr(content, 1, 9)",
    "OVER",
    "PARTITION BY role",
    "NOT",
    "IN",
    "EXISTS",
    "CASE",
    "WHEN",
    "THEN",
    "END",
    ";",
    "--",
    "/*",
    "*/",
    "'",
    "\"",
    "[",
    "]",
    "x'00'",
    "printf('%9d', id)",
    "DELETE",
    "PRAGMA",
    "ATTACH",
    "main.",
    "sqlite_master",
    "VALUES",
    "NULL",
    "IS DISTINCT FROM",
    "é",
    "\u{0}",
    "🚀",
    "?",
    ":a",
];

/// Far more than the deadline, for a busy machine, and far less than what does not end.
const PATIENCE: Duration = Duration::from_secs(15);

fn limits() -> Limits {
    Limits { deadline: Duration::from_millis(60), ..Limits::default() }
}

fn never_harms(statements: &[String]) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let place = Place::new(limits()).await;
        let state = "SELECT count(*), sum(length(content)) FROM messages";
        let before = place.settled(state).await;
        for sql in statements {
            let begun = Instant::now();
            let text = place.read(sql).await;
            assert!(begun.elapsed() < PATIENCE, "{:?}: {sql}", begun.elapsed());
            assert!(!text.contains(SECRET) && !text.contains("history database failed"), "{sql}: {text}");
        }
        assert_eq!(place.settled(state).await, before);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    // S4-14
    #[test]
    fn any_text_comes_back(statements in proptest::collection::vec(any::<String>(), 1..12)) {
        never_harms(&statements);
    }

    #[test]
    fn any_words_of_sql_come_back(
        statements in proptest::collection::vec(proptest::collection::vec(proptest::sample::select(PIECES), 1..25), 1..12)
    ) {
        let statements: Vec<String> = statements.iter().map(|pieces| pieces.join(" ")).collect();
        never_harms(&statements);
    }

    /// The functions that replace SQLite's own answer as those do.
    #[test]
    fn functions_answer_as_text_does(text in "[ab é東]{0,30}", part in "[ab é東]{0,3}", to in "[xy]{0,2}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            // These end by themselves.
            let place = Place::new(Limits::default()).await;
            let sql = format!("SELECT instr('{text}', '{part}'), '<' || replace('{text}', '{part}', '{to}') || '>', \
                '<' || trim('{text}', '{part}') || '>', '<' || ltrim('{text}') || '>', '<' || rtrim('{text}') || '>'");
            let at = text.split_once(&part).map_or(0, |(before, _)| before.chars().count() + 1);
            let replaced = if part.is_empty() { text.clone() } else { text.replace(&part, &to) };
            let trimmed = text.trim_matches(|c| part.contains(c));
            let (left, right) = (text.trim_start_matches(' '), text.trim_end_matches(' '));
            let expected = format!("{at}|<{replaced}>|<{trimmed}>|<{left}>|<{right}>");
            let answer = place.ask(&sql).await.unwrap();
            let cells: Vec<String> = answer.rows[0].iter().map(|cell| match cell {
                throughline_history::Cell::Text { text, .. } => text.clone(),
                throughline_history::Cell::Integer(number) => number.to_string(),
                other => format!("{other:?}"),
            }).collect();
            assert_eq!(cells.join("|"), expected);
        });
    }
}
