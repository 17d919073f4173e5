//! The routes.

mod browser;

use throughline_stored::{
    CheckpointObject, MemoObject, SearchHit, SessionObject, TurnMessagesObject, TurnObject,
};

use crate::acts::{Compact, Deleted, Refresh, TurnDeleted};
use crate::audit::AuditObject;
use crate::inspector::{CauseCost, ContinuityState, ExplainedPiece, Preference, RequestPoint};
use crate::openapi::OpenApi;
use crate::page::PAGED;
use crate::results::{PART, ResultObject, ResultPart};
use crate::route::{Param, ParamKind, Route, delete, get, post, put};
use crate::shapes::{
    Change, Changed, Compacted, Compaction, CompactionDiff, Confirm, Context, Handoff, PreferenceValue,
    Receipt, Refreshed, Request, Revision, SessionDetails, Summary,
};
use crate::tokens::{MadeToken, NewToken, Revoked, TokenObject};
use crate::transcripts::routes as transcripts;
use crate::transcripts::{TranscriptCompaction, TranscriptDetails, TranscriptObject};
use crate::turn_routes::{Answered, Cancelled, NewSession, Prompt, QuestionAnswer};
use crate::turns::{ListedTurn, SessionEvent, TurnEvent};
use crate::views::{TranscriptSearch, WatchedSession};
use crate::{
    acts, audit, contexts, events, memos, metrics, openapi, requests, results, sessions, settings, tokens,
    turn_routes, views,
};

const QUERY: Param = Param { name: "q", kind: ParamKind::Text, about: "words to search for" };
const TAG: Param = Param { name: "tag", kind: ParamKind::Text, about: "only memos with this tag" };
const SESSION: Param = Param { name: "session", kind: ParamKind::Text, about: "only this session" };
const WHOLE: Param = Param {
    name: "whole",
    kind: ParamKind::Flag,
    about: "`true`: parts of longer words do not count; `false`, the default",
};
const EVENTS: &[Param] = &[
    Param {
        name: "stream",
        kind: ParamKind::OneOf(&["records", "turn"]),
        about: "`records`, the default, or `turn`: the events of the turn that runs here, or of the newest that ended here",
    },
    Param {
        name: "after",
        kind: ParamKind::Text,
        about: "the id of the event to begin after, for records a number; the header Last-Event-ID wins",
    },
];

/// Every route of the server.
pub(crate) fn routes() -> impl Iterator<Item = Route> {
    [
        of_session(),
        of_requests(),
        changes(),
        contexts::routes(),
        of_transcripts(),
        of_all(),
        browser::of_inspector(),
        browser::of_transcripts(),
    ]
    .into_iter()
    .flatten()
}

/// What is stored of sessions.
fn of_session() -> Vec<Route> {
    vec![
        get("/api/sessions", sessions::list)
            .summary("the sessions, the one that was written last first")
            .query(&[QUERY])
            .page::<SessionObject<'static>>("sessions"),
        get("/api/sessions/{id}", sessions::show)
            .summary("one session, and what of its log is lost")
            .one::<SessionDetails>(),
        get("/api/sessions/{id}/messages", sessions::messages)
            .summary("the turns with all parts of their messages, oldest first; deleted turns are left out")
            .page_of_log::<TurnMessagesObject<'static>>("turns"),
        get("/api/sessions/{id}/groups", views::groups)
            .summary("the turns without their messages, oldest first")
            .page_of_log::<TurnObject<'static>>("groups"),
        get("/api/sessions/{id}/summaries", views::summaries)
            .summary("the summaries, oldest first")
            .page_of_log::<Summary>("summaries"),
        get("/api/sessions/{id}/documents", views::documents)
            .summary("the revisions of STATE and the scratchpad, oldest first")
            .page_of_log::<Revision>("revisions"),
        get("/api/sessions/{id}/contexts", views::contexts)
            .summary("the contexts that were stored for agents, oldest first")
            .page::<Context>("contexts"),
        get("/api/sessions/{id}/continuity", views::continuity)
            .summary("whether the session preserves its context")
            .one::<ContinuityState>(),
        get("/api/sessions/{id}/results", results::list)
            .summary("the results that are stored because they are large, oldest first")
            .page::<ResultObject>("results"),
        get("/api/sessions/{id}/results/{ref}", results::show)
            .summary("a part of a stored result, or the lines of it that have a text")
            .query(PART)
            .one::<ResultPart>(),
        get("/api/sessions/{id}/results/{ref}/content", results::content)
            .summary("the bytes of a stored result")
            .text("application/octet-stream"),
        get("/api/sessions/{id}/checkpoints", sessions::checkpoints)
            .summary("the checkpoints, oldest first")
            .page_of_log::<CheckpointObject<'static>>("checkpoints"),
        get("/api/sessions/{id}/handoff", sessions::handoff)
            .summary("the current handoff of a session that has a checkpoint with one")
            .one::<Handoff>(),
        get("/api/sessions/{id}/export", acts::export)
            .summary("the log, one record per line")
            .text("application/jsonl"),
        get("/api/sessions/{id}/events", events::stream)
            .summary(
                "new records as server-sent events, the id of each is its record's number; or the \
 events of a turn",
            )
            .query(EVENTS)
            .events::<SessionEvent>(),
    ]
}

/// What a session sent.
fn of_requests() -> Vec<Route> {
    vec![
        get("/api/sessions/{id}/requests", requests::list)
            .summary("the receipts of the requests, oldest first")
            .page_of_log::<Receipt>("requests"),
        get("/api/sessions/{id}/requests/{number}", requests::show)
            .summary("one request, verbatim, with its receipt")
            .one::<Request>(),
        get("/api/sessions/{id}/requests/{number}/pieces", requests::pieces)
            .summary(
                "the pieces of a request: source, tokens, cached or not, what each has cost, and the \
 decision behind it",
            )
            .page_of_log::<ExplainedPiece>("pieces"),
        get("/api/sessions/{id}/budget", views::budget)
            .summary("the window by component, request by request")
            .page_of_log::<RequestPoint>("requests"),
        get("/api/sessions/{id}/cost", views::cost)
            .summary("what the session has cost, by cause, the dearest first")
            .page_of_log::<CauseCost>("causes"),
        get("/api/sessions/{id}/compactions", requests::compactions)
            .summary("the compactions, oldest first")
            .page_of_log::<Compaction>("compactions"),
        get("/api/sessions/{id}/compactions/{number}", requests::compaction)
            .summary("what one compaction took out of view, and what of it was needed later")
            .one::<CompactionDiff>(),
    ]
}

/// What changes a session or runs turns in it.
fn changes() -> Vec<Route> {
    vec![
        post("/api/sessions", turn_routes::begin)
            .summary("begins a session with its first turn, and sends the events of the turn")
            .body::<NewSession>()
            .events::<TurnEvent>(),
        post("/api/sessions/{id}/turns", turn_routes::prompt)
            .summary("runs a turn and sends its events; without a prompt it continues the interrupted one")
            .body::<Prompt>()
            .events::<TurnEvent>(),
        post("/api/sessions/{id}/cancel", turn_routes::cancel)
            .summary("cancels the turn that runs; what it did is recorded")
            .one::<Cancelled>(),
        post("/api/sessions/{id}/answers/{question}", turn_routes::answer)
            .summary("answers a question of the turn, of the permissions or of the server of a tool")
            .body::<QuestionAnswer>()
            .one::<Answered>(),
        post("/api/sessions/{id}/changes", acts::change)
            .summary("undo, redo, drop, restore, window, pin or unpin")
            .body::<Change>()
            .one::<Changed>(),
        post("/api/sessions/{id}/compactions", acts::compact)
            .summary("compacts now, with the model of the settings")
            .body::<Compact>()
            .one::<Compacted>(),
        post("/api/sessions/{id}/contexts", acts::refresh)
            .summary("makes the context of the session again and stores it")
            .body::<Refresh>()
            .one::<Refreshed>(),
        delete("/api/sessions/{id}", acts::delete_session)
            .summary("deletes a session permanently; `confirm` repeats its id")
            .body::<Confirm>()
            .one::<Deleted>(),
        delete("/api/sessions/{id}/groups/{number}", acts::delete_turn)
            .summary("deletes a turn permanently; `confirm` repeats its number")
            .body::<Confirm>()
            .one::<TurnDeleted>(),
    ]
}

/// What the transcripts of other agents say.
fn of_transcripts() -> Vec<Route> {
    vec![
        get("/api/transcripts", transcripts::list)
            .summary("the transcripts of other agents that lie in the folders that the server was started with, newest first")
            .page::<TranscriptObject>("transcripts"),
        get("/api/transcripts/{transcript}", transcripts::show)
            .summary("one transcript: what it cost, by cause, tool and item, and its subagents")
            .one::<TranscriptDetails>(),
        get("/api/transcripts/{transcript}/requests", transcripts::requests)
            .summary("the window, the usage and the cost, request by request")
            .page::<RequestPoint>("requests"),
        get("/api/transcripts/{transcript}/messages", transcripts::messages)
            .summary("the turns with all parts of their messages, oldest first")
            .page::<TurnMessagesObject<'static>>("turns"),
        get("/api/transcripts/{transcript}/compactions", transcripts::compactions)
            .summary("the compactions with the agent's own summaries, oldest first")
            .page::<TranscriptCompaction>("compactions"),
        get("/api/transcripts/{transcript}/compactions/{number}", transcripts::compaction)
            .summary("what one compaction took out of view, and what of it was needed later")
            .one::<CompactionDiff>(),
        get("/api/transcripts/{transcript}/records/{number}/content", transcripts::content)
            .summary("a message of a transcript as text, whole")
            .text("text/plain"),
    ]
}

/// What is not about one session.
fn of_all() -> Vec<Route> {
    vec![
        get("/api/openapi.json", openapi::show).summary("this document").one::<OpenApi>(),
        get("/metrics", metrics::show)
            .summary("figures of this server for Prometheus")
            .text("application/openmetrics-text"),
        get("/api/turns", turn_routes::list)
            .summary("the turns that run in this server, the oldest first, with their open questions")
            .page::<ListedTurn>("turns"),
        get("/api/search", views::search)
            .summary("titles, messages, documents and summaries of all sessions that have every word of `q`")
            .query(&[QUERY, SESSION, WHOLE])
            .page::<SearchHit>("hits"),
        get("/api/search/transcripts", views::search_transcripts)
            .summary("messages of transcripts that have every word of `q`, and the number of those that were not searched")
            .query(&[QUERY, WHOLE])
            .query(PAGED)
            .one::<TranscriptSearch>(),
        get("/api/agents", views::agents)
            .summary("the stored sessions of watched agents")
            .page::<WatchedSession>("agents"),
        get("/api/memos", memos::list)
            .summary("the memos of all folders, last changed first")
            .query(&[QUERY, TAG])
            .page::<MemoObject<'static>>("memos"),
        get("/api/preferences", settings::list)
            .summary("the settings of context management")
            .page::<Preference>("preferences")
            .for_admins(),
        put("/api/preferences/{key}", settings::set)
            .summary("sets one of these settings in the user's file; the value null removes it")
            .body::<PreferenceValue>()
            .one::<Preference>()
            .for_admins(),
        get("/api/tokens", tokens::list)
            .summary("the tokens of users, oldest first, without their secrets")
            .page::<TokenObject>("tokens")
            .for_admins(),
        post("/api/tokens", tokens::make)
            .summary("makes a token of a user; its secret is in this answer alone")
            .body::<NewToken>()
            .one::<MadeToken>()
            .for_admins(),
        delete("/api/tokens/{token}", tokens::revoke)
            .summary("revokes a token by its id; its next request is refused, and its streams of events end")
            .one::<Revoked>()
            .for_admins(),
        get("/api/audit", audit::list)
            .summary("the changing requests of all users, newest first")
            .query(&[audit::SINCE])
            .page::<AuditObject>("entries")
            .for_admins(),
    ]
}
