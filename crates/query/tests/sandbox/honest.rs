//! Honest questions, as data: each has one right answer over the session of the file.

use throughline_history::Cell;
use throughline_query::Limits;

use crate::sessions::Place;

// S4-14
#[tokio::test(flavor = "multi_thread")]
async fn honest_questions_are_answered_right() {
    let place = Place::new(Limits::default()).await;
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in include_str!("data/honest.txt").split("\n\n").filter(|case| case.starts_with('?')) {
        let mut lines = case.trim_end().lines();
        let (question, sql) = (lines.next().unwrap(), lines.next().unwrap());
        let expected: Vec<&str> = lines.map(|line| line.strip_prefix("= ").unwrap_or("")).collect();
        let found = match place.ask(sql).await {
            Ok(answer) => answer.rows.iter().map(|row| line(row)).collect(),
            Err(error) => vec![error.to_string()],
        };
        if found != expected {
            wrong.push(format!("{question}\n{sql}\n  expected {expected:#?}\n  found {found:#?}"));
        }
        asked += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(asked >= 100, "{asked} questions");
}

fn line(row: &[Cell]) -> String {
    let cells: Vec<String> = row
        .iter()
        .map(|cell| match cell {
            Cell::Null => "NULL".to_owned(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => format!("{number:?}"),
            Cell::Text { text, chars } => {
                assert_eq!(text.chars().count(), *chars, "nothing is cut");
                text.replace('\n', "\\n")
            }
            Cell::Blob { bytes } => format!("blob of {bytes}"),
        })
        .collect();
    cells.join(" | ")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_of_a_cut_result_shows_all_of_it() {
    let place = Place::new(Limits::default()).await;
    let text = place.read("SELECT content FROM messages WHERE id=50000").await;
    assert_eq!(
        text,
        "running 7 tests\ntest upload_keeps_order ... FAILED\ntest upload_empty ... ok\nerror: test failed, to rerun \
         pass `--test upload`\nexit code 101"
    );
}

/// What the model reads for a few questions of every form.
#[tokio::test(flavor = "multi_thread")]
async fn answers_are_readable() {
    let place = Place::new(Limits { rows: 6, ..Limits::default() }).await;
    let mut shown = String::new();
    for sql in [
        "SELECT count(*) FROM messages",
        "SELECT content FROM messages WHERE id = 30001",
        "SELECT tool_name, count(*) AS calls FROM messages WHERE kind = 'tool_call' GROUP BY 1 ORDER BY 2 DESC, 1",
        "SELECT id, tool_name, content FROM messages WHERE is_error = 1 ORDER BY id DESC LIMIT 2",
        "SELECT id FROM messages WHERE content LIKE '%nowhere%'",
        "SELECT id, role FROM messages ORDER BY id DESC",
        "SELECT avg(length(content)), NULL, '' FROM messages WHERE id < 20000",
    ] {
        shown.push_str(&format!("> {sql}\n{}\n\n", place.read(sql).await));
    }
    expect_test::expect_file!["data/answers.txt"].assert_eq(&shown);
}
