//! The routes of the pages.

use super::{QUERY, TAG, WHOLE};
use crate::page::PAGED;
use crate::pages;
use crate::results::PART;
use crate::route::{Param, ParamKind, Route, get};

const KIND: Param = Param { name: "kind", kind: ParamKind::Text, about: "only hits of this kind" };

/// The pages about transcripts.
pub(super) fn of_transcripts() -> Vec<Route> {
    vec![
        get("/transcripts/{transcript}", pages::transcript)
            .summary(
                "a transcript of another agent: five figures, the window over time, turns, cost, compactions",
            )
            .query(PAGED),
        get("/transcripts/{transcript}/conversation", pages::transcript_conversation)
            .summary("the conversation turn by turn, and what of it the model still sees")
            .query(pages::PLACE)
            .query(PAGED),
        get("/transcripts/{transcript}/requests", pages::transcript_requests)
            .summary("the requests")
            .query(PAGED),
        get("/transcripts/{transcript}/requests/{number}", pages::transcript_request)
            .summary("leads to the answer in the conversation"),
        get("/transcripts/{transcript}/cost", pages::transcript_cost)
            .summary("the cost by cause and by tool, the largest items, and files that were read again"),
        get("/transcripts/{transcript}/compactions/{number}", pages::transcript_compaction)
            .summary("what a compaction removed, and what of it was needed later"),
        get("/transcripts/{transcript}/records/{number}", pages::transcript_record)
            .summary("one message, whole"),
    ]
}

/// The pages of the inspector.
pub(super) fn of_inspector() -> Vec<Route> {
    vec![
        get("/", pages::sessions)
            .summary("the inspector: sessions and whether each preserves its context")
            .query(&[QUERY])
            .query(pages::LISTED)
            .query(PAGED),
        get("/sessions/{id}", pages::session)
            .summary("five figures, the window over time, turns, cost, compactions")
            .query(PAGED),
        get("/sessions/{id}/conversation", pages::conversation)
            .summary("the conversation turn by turn, and what of it the model still sees")
            .query(pages::PLACE)
            .query(PAGED),
        get("/sessions/{id}/requests", pages::requests).summary("the requests").query(PAGED),
        get("/sessions/{id}/cost", pages::cost)
            .summary("the cost by cause, and the largest items of the window"),
        get("/sessions/{id}/requests/{number}", pages::request)
            .summary("what a request sent, piece by piece")
            .query(PAGED),
        get("/sessions/{id}/records/{number}", pages::record)
            .summary("one record, and the request that sent it first"),
        get("/sessions/{id}/results", pages::results)
            .summary("the results that are stored because they are large")
            .query(PAGED),
        get("/sessions/{id}/results/{ref}", pages::result)
            .summary("a part of a stored result, or the lines of it that have a text")
            .query(PART),
        get("/sessions/{id}/requests/{number}/diff", pages::request_diff)
            .summary("a request next to the one before"),
        get("/sessions/{id}/compactions/{number}", pages::compaction)
            .summary("what a compaction removed, and what of it was needed later"),
        get("/sessions/{id}/documents", pages::documents)
            .summary("the revisions of the documents")
            .query(PAGED),
        get("/sessions/{id}/turns", pages::turns)
            .summary("the turns, and what can be done with them")
            .query(PAGED),
        get("/sessions/{id}/summaries", pages::summaries)
            .summary("the summaries with their texts")
            .query(PAGED),
        get("/sessions/{id}/contexts", pages::contexts)
            .summary("the contexts that were stored for agents")
            .query(PAGED),
        get("/sessions/{id}/checkpoints", pages::checkpoints)
            .summary("the checkpoints with their handoffs")
            .query(PAGED),
        get("/memos", pages::memos).summary("the memos of all folders").query(&[QUERY, TAG]).query(PAGED),
        get("/preferences", pages::preferences)
            .summary("the settings of context management, and where each is set")
            .query(PAGED)
            .for_admins(),
        get("/search", pages::search)
            .summary("search over all sessions")
            .query(&[QUERY, WHOLE, KIND])
            .query(PAGED),
        get("/script.js", pages::script).summary("the keys and buttons of the pages").text("text/javascript"),
    ]
}
