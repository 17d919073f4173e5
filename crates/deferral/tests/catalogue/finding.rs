//! Whether a search brings the tool that is needed.

use throughline_deferral::{Bm25Ranker, ToolRanker};

use crate::data::{Query, queries, tools, unseen};

/// Hits that a search shows.
const SHOWN: usize = 5;

/// How many queries bring a right tool among those shown, and how many as the first; and those that do not.
async fn found(queries: &[Query]) -> (usize, usize, String) {
    let tools = tools();
    let (mut first, mut missed) = (0, Vec::new());
    for (query, right) in queries {
        for name in right {
            assert!(tools.iter().any(|tool| tool.name == *name), "{query}: there is no {name}");
        }
        let names = Bm25Ranker.rank(query, &tools, SHOWN).await.unwrap();
        first += usize::from(names.first().is_some_and(|name| right.contains(name)));
        if !names.iter().any(|name| right.contains(name)) {
            missed.push(format!("{query}: {right:?} not in {names:?}"));
        }
    }
    let shown = queries.len() - missed.len();
    println!("{shown} of {} among {SHOWN}, {first} first", queries.len());
    (shown, first, missed.join("\n"))
}

// S3-17: two hundred tools of fifteen servers, a hundred searches.
#[tokio::test]
async fn the_right_tool_is_among_those_shown() {
    let queries = queries();
    assert!(tools().len() >= 160 && queries.len() >= 100);
    let (shown, first, missed) = found(&queries).await;
    assert!(shown * 100 >= queries.len() * 95, "{shown} of {}:\n{missed}", queries.len());
    assert!(first * 100 >= queries.len() * 80, "only {first} of {} are the first hit", queries.len());
}

// S3-17: what a search by words alone can do for words that no tool has.
#[tokio::test]
async fn unforeseen_queries_succeed_most_of_the_time() {
    let queries = unseen();
    let (shown, _, missed) = found(&queries).await;
    assert!(shown * 100 >= queries.len() * 80, "{shown} of {}:\n{missed}", queries.len());
}
