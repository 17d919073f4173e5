//! What is refused before SQLite sees it, and what is not.

use std::collections::BTreeMap;

use super::{check, weight};
use crate::token::tokens;

fn weighs(sql: &str) -> u64 {
    let mut ctes = BTreeMap::new();
    weight(&tokens(sql), &mut ctes);
    weight(&tokens(sql), &mut ctes)
}

fn nested(levels: usize, outer: &str) -> String {
    (0..levels).fold("SELECT id AS x FROM messages".to_owned(), |inner, _| {
        format!("SELECT {outer} AS x FROM ({inner})")
    })
}

/// CTEs `a0`, `a1`, …, each made of the one before.
fn chain(levels: usize, body: &str) -> String {
    let mut sql = "WITH a0 AS (SELECT 1 AS x)".to_owned();
    for level in 1..=levels {
        sql.push_str(&format!(", a{level} AS ({})", body.replace("PREV", &format!("a{}", level - 1))));
    }
    sql + &format!(" SELECT count(*) FROM a{levels}")
}

#[test]
fn a_plain_query_weighs_its_words() {
    assert_eq!(weighs("SELECT id FROM messages WHERE id = 3 -- (SELECT"), 8);
    assert_eq!(weighs("SELECT 'it''s (SELECT ' /* ( */ , \"a b\", [c d], 0x1F FROM messages;"), 11);
}

// S4-14
#[test]
fn what_doubles_at_each_level_is_refused_unread() {
    for bomb in [
        nested(30, "x+x"),
        nested(30, "\"x\"+[X]"),
        nested(20, "(SELECT x+x)"),
        nested(20, "(SELECT m.id FROM messages m WHERE m.id IN ((SELECT x), (SELECT x)))"),
        nested(20, "coalesce(x, (SELECT y FROM (SELECT x AS y)))"),
        chain(30, "SELECT 1 AS x FROM PREV p, PREV q"),
        chain(30, "SELECT 1 AS x FROM 'PREV' p JOIN `PREV` q"),
        chain(30, "SELECT x+x AS x FROM PREV"),
        chain(30, "SELECT 1 AS x WHERE 1 IN PREV OR 2 IN PREV"),
        chain(30, "SELECT * FROM PREV UNION ALL SELECT * FROM PREV"),
        chain(9, "SELECT x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x AS x FROM PREV"),
    ] {
        assert!(weighs(&bomb) > super::MAX_WEIGHT, "{bomb}");
        assert!(check(&bomb).is_err(), "{bomb}");
    }
}

#[test]
fn a_cte_that_stands_behind_its_use_is_weighed_too() {
    let mut ctes: Vec<String> =
        (1..=30).map(|level| format!("a{level} AS (SELECT 1 FROM a{0} p, a{0} q)", level - 1)).collect();
    ctes.reverse();
    let sql = format!("WITH {}, a0 AS (SELECT 1) SELECT count(*) FROM a30", ctes.join(", "));
    assert!(check(&sql).is_err());
}

#[test]
fn what_people_write_passes() {
    for honest in [
        nested(6, "x"),
        chain(12, "SELECT x FROM PREV"),
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 100) SELECT sum(n), max(n), min(n) \
         FROM t WHERE n > 3 AND n < 90"
            .to_owned(),
        "WITH calls AS (SELECT * FROM messages WHERE kind = 'tool_call'), results AS (SELECT * FROM messages WHERE \
         kind = 'tool_result'), both AS (SELECT c.id, c.tool_name, c.content AS input, r.content AS output, \
         r.is_error FROM calls c JOIN results r ON r.tool_call_id = c.tool_call_id) SELECT tool_name, count(*), \
         sum(is_error), max(length(output)), avg(length(output)) FROM both WHERE output LIKE '%a%' OR output LIKE \
         '%b%' OR output LIKE '%c%' OR output LIKE '%d%' GROUP BY tool_name HAVING count(*) > 1 ORDER BY 2 DESC"
            .to_owned(),
    ] {
        check(&honest).unwrap();
    }
}
