//! Hostile statements, as data and made here.

use std::time::{Duration, Instant};

use throughline_history::{Cell, QueryError};
use throughline_query::Limits;

use crate::sessions::{Place, SECRET, quick};

/// How long a statement may keep its caller: far more than the deadline and the grace, for a busy machine, and far less
/// than what does not end.
const PATIENCE: Duration = Duration::from_secs(15);

/// What is there, to see whether it has changed.
const STATE: &str =
    "SELECT count(*), sum(id), sum(length(content)), group_concat(status), min(content) FROM messages";

fn outcome(answer: &Result<throughline_history::QueryAnswer, QueryError>) -> &'static str {
    match answer {
        Ok(_) => "harmless",
        Err(QueryError::Refused(_)) => "refused",
        Err(QueryError::Sql(_)) => "invalid",
        Err(QueryError::TooSlow(_) | QueryError::TooLarge(_)) => "stopped",
        Err(_) => "failed",
    }
}

/// Runs a statement and checks what holds for each: it comes back in time, shows nothing foreign, says something
/// clear, and leaves the sandbox unchanged.
async fn attack(place: &Place, sql: &str) -> &'static str {
    let before = place.settled(STATE).await;
    let begun = Instant::now();
    let answer = place.ask(sql).await;
    let took = begun.elapsed();
    assert!(took < PATIENCE, "{took:?} for {sql:.300}");
    let text = match &answer {
        Ok(answer) => answer.page(throughline_history::PageSize::default()).text,
        Err(error) => error.to_string(),
    };
    assert!(!text.contains(SECRET), "{sql:.300} shows another session: {text}");
    assert!(!text.is_empty() && text.len() < 40_000, "{sql:.300} gives {} bytes", text.len());
    assert_eq!(place.settled(STATE).await, before, "{sql:.300} has changed something");
    assert_eq!(place.settled("SELECT 'abc' LIKE 'ABC'").await.rows, [[Cell::Integer(1)]]);
    outcome(&answer)
}

// S4-14
#[tokio::test(flavor = "multi_thread")]
async fn hostile_statements_are_refused_stopped_or_harmless() {
    let place = Place::new(quick()).await;
    let mut seen = 0;
    let mut wrong = Vec::new();
    for line in include_str!("data/hostile.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.splitn(3, '\t');
        let (expected, why, sql) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let mut found = attack(&place, sql).await;
        for _ in 0..5 {
            // On a machine that stood still the deadline stops what is harmless as well.
            if (expected, found) == ("harmless", "stopped") {
                found = attack(&place, sql).await;
            }
        }
        let bounded = expected == "bounded" && ["harmless", "stopped"].contains(&found);
        if found != expected && !bounded {
            wrong.push(format!("{found}, not {expected} ({why}): {sql}: {}", place.read(sql).await));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 100, "{seen} statements");
    assert!(!std::path::Path::new("/tmp/throughline-escape.db").exists());
}

/// Statements that are too long to be written out.
#[tokio::test(flavor = "multi_thread")]
async fn statements_that_grow_are_refused_or_stopped() {
    let place = Place::new(quick()).await;
    let list = |count: usize, part: &str| vec![part; count].join(", ");
    let joined = (0..63).map(|table| format!("messages m{table}")).collect::<Vec<_>>().join(", ");
    let chained =
        (1..40).map(|n| format!("JOIN messages m{n} ON m{n}.role = m0.role AND m{n}.id > m{}.id", n - 1));
    let chained = chained.collect::<Vec<_>>().join(" ");
    let nested = |levels: usize, outer: &str| {
        (0..levels).fold("SELECT id AS x FROM messages".to_owned(), |inner, _| {
            format!("SELECT {outer} AS x FROM ({inner})")
        })
    };
    let doubled =
        (1..30).map(|n| format!(", a{n} AS (SELECT 1 AS x FROM a{0} p, a{0} q)", n - 1)).collect::<String>();
    for (expected, sql) in [
        ("stopped", nested(25, "x + x")),
        ("stopped", nested(25, "x || x")),
        ("stopped", nested(25, "(SELECT x + x)")),
        ("stopped", nested(25, "CASE WHEN x THEN x ELSE x END")),
        ("stopped", format!("WITH a0 AS (SELECT 1 AS x){doubled} SELECT count(*) FROM a29")),
        ("stopped", format!("SELECT count(*) FROM {joined}")),
        ("stopped", format!("SELECT count(*) FROM messages m0 {chained}")),
        ("invalid", format!("SELECT count(*) FROM {joined}, messages y, messages z")),
        ("invalid", format!("SELECT {}", list(100, "content"))),
        ("harmless", format!("SELECT {}1{}", "(".repeat(2_000), ")".repeat(2_000))),
        ("invalid", format!("SELECT {}1", "-".repeat(1_999).replace("--", "- "))),
        ("invalid", format!("SELECT 1{}", " + 1".repeat(2_000))),
        ("invalid", format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(500))),
        ("invalid", format!("SELECT coalesce({})", list(500, "content"))),
        ("invalid", format!("SELECT '{}'", "x".repeat(30_000))),
        ("invalid", "SELECT 1\0; DELETE FROM messages".to_owned()),
        ("harmless", format!("SELECT id FROM messages WHERE id IN ({})", list(2_000, "10000"))),
        ("harmless", format!("SELECT 1 AS \"{}\"", "x".repeat(15_000))),
        ("harmless", format!("SELECT 1 AS \"{}\"", "line\n".repeat(3_000))),
        ("harmless", format!("SELECT {}", list(64, "printf('%.*c', 200000, 'x')"))),
        ("harmless", "SELECT a.content, b.content FROM messages a, messages b".to_owned()),
        ("harmless", "SELECT printf('%.*c', 200000, '東') FROM messages".to_owned()),
        (
            "harmless",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t".to_owned(),
        ),
    ] {
        let found = attack(&place, &sql).await;
        assert_eq!(found, expected, "{sql:.200}: {}", place.read(&sql).await);
    }
}

/// Patterns over long texts take long in one step, where nothing interrupts them. The caller is answered in time, and
/// the session is there again when the step is over.
#[tokio::test(flavor = "multi_thread")]
async fn long_texts_do_not_hold_the_caller() {
    use throughline_continuity::MessageLog;
    let place = Place::new(quick()).await;
    let last = place.log.last(&place.session).await.unwrap().0;
    let long = throughline_conversation::Message::user("a".repeat(3_000_000));
    place.log.append(&place.session, &[crate::sessions::message(last + 1, long)]).await.unwrap();
    place.read("SELECT 1").await;
    let pattern = format!("'%{}b'", "_a".repeat(48));
    for condition in [
        "content LIKE PATTERN",
        "content LIKE PATTERN OR content || 'a' LIKE PATTERN OR 'a' || content LIKE PATTERN",
    ] {
        let sql = format!("SELECT count(*) FROM messages WHERE {}", condition.replace("PATTERN", &pattern));
        let begun = Instant::now();
        let text = place.read(&sql).await;
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        println!("{condition}: {text} in {:?}", begun.elapsed());
    }
    let mut tries = 0;
    while place.read("SELECT count(*) FROM messages").await != "49" {
        tries += 1;
        assert!(tries < 60, "the session does not come back");
    }
}

/// While one query keeps its session busy until the deadline, another session is answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_query_does_not_hold_up_another_session() {
    let place = Place::new(Limits { deadline: Duration::from_secs(5), ..Limits::default() }).await;
    let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t";
    let other = throughline_conversation::SessionId::new("other").unwrap();
    let marks = throughline_history::GroupMarks::default();
    let history = throughline_history::SessionHistory { log: &place.log, session: &other, marks: &marks };
    let quickly = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let database = place.database.as_ref();
        let sql = "SELECT count(*) FROM messages";
        throughline_history::HistoryDatabase::query(database, &history, sql).await
    };
    let slow = place.ask(endless);
    tokio::pin!(slow);
    let other = tokio::select! {
        biased;
        other = quickly => other,
        _ = &mut slow => panic!("the other session was held up to the end of this one"),
    };
    assert_eq!(other.unwrap().rows, [[Cell::Integer(2)]]);
    let slow = slow.await;
    assert!(matches!(slow, Err(QueryError::TooSlow(5_000))), "{slow:?}");
}

/// The texts say what is wrong and what to write instead.
#[tokio::test(flavor = "multi_thread")]
async fn errors_say_what_to_write_instead() {
    let place = Place::new(quick()).await;
    let mut shown = String::new();
    for sql in [
        "DELETE FROM messages",
        "SELECT 1; SELECT 2",
        "PRAGMA table_info(messages)",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM session",
        "SELECT text FROM messages",
        "SELECT a.id, content FROM messages a JOIN messages b USING (group_id)",
        "SELECT id FROM messages WHERE id = ?",
        "EXPLAIN SELECT 1",
        "ATTACH 'x' AS x",
        "SELEKT 1",
        "",
        "SELECT printf('%.*c', 1000000000, 'x')",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t",
        "SELECT content LIKE printf('%.*c', 5000, '%') FROM messages",
    ] {
        shown.push_str(&format!("{sql}\n  {}\n", place.read(sql).await));
    }
    expect_test::expect_file!["data/errors.txt"].assert_eq(&shown);
}
