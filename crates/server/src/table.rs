//! The routes.

use axum::routing::{delete, get, post, put};

use crate::page::PAGED;
use crate::route::{Param, Route, Shape, Verb};
use crate::schemas as of;
use crate::{acts, events, memos, openapi, pages, requests, sessions, settings, turn_routes, views};

const QUERY: &[Param] = &[Param { name: "q", kind: "string", about: "words to search for" }];
const TAG: &[Param] = &[Param { name: "tag", kind: "string", about: "only memos with this tag" }];
const SESSION: &[Param] = &[Param { name: "session", kind: "string", about: "only this session" }];
const EVENTS: &[Param] = &[
    Param {
        name: "stream",
        kind: "string",
        about: "`records`, the default, or `turn`: the events of the turn that runs here, or of the newest that ended here",
    },
    Param {
        name: "after",
        kind: "string",
        about: "the id of the event to begin after, for records a number; the header Last-Event-ID wins",
    },
];
const NONE: &[&[Param]] = &[];

/// A route without a body.
macro_rules! reads {
    ($path:literal, $summary:literal, $params:expr, $shape:expr, $handler:expr) => {
        Route {
            verb: Verb::Get,
            path: $path,
            summary: $summary,
            params: $params,
            body: None,
            shape: $shape,
            handler: || get($handler),
        }
    };
}

/// A route that changes something.
macro_rules! writes {
    ($verb:ident $method:ident, $path:literal, $summary:literal, $body:expr, $shape:expr, $handler:expr) => {
        Route {
            verb: Verb::$verb,
            path: $path,
            summary: $summary,
            params: NONE,
            body: $body,
            shape: $shape,
            handler: || $method($handler),
        }
    };
}

/// Every route of the server.
pub(crate) const ROUTES: &[Route] = &[
    reads!("/api/openapi.json", "this document", NONE, Shape::One(of::OPENAPI), openapi::show),
    reads!(
        "/api/sessions",
        "the sessions, newest activity first",
        &[QUERY, PAGED],
        Shape::Page("sessions", of::SESSION),
        sessions::list
    ),
    reads!("/api/sessions/{id}", "one session", NONE, Shape::One(of::SESSION), sessions::show),
    reads!(
        "/api/sessions/{id}/messages",
        "the turns with all parts of their messages, oldest first; deleted turns are left out",
        &[PAGED],
        Shape::Page("turns", of::TURN),
        sessions::messages
    ),
    reads!(
        "/api/sessions/{id}/groups",
        "the turns without their messages, oldest first",
        &[PAGED],
        Shape::Page("groups", of::GROUP),
        views::groups
    ),
    reads!(
        "/api/sessions/{id}/requests",
        "the receipts of the requests, oldest first",
        &[PAGED],
        Shape::Page("requests", of::RECEIPT),
        requests::list
    ),
    reads!(
        "/api/sessions/{id}/requests/{number}",
        "one request, verbatim, with its receipt",
        NONE,
        Shape::One(of::REQUEST),
        requests::show
    ),
    reads!(
        "/api/sessions/{id}/requests/{number}/pieces",
        "the pieces of a request: source, tokens, cached or not, what each has cost, and the decision behind it",
        &[PAGED],
        Shape::Page("pieces", of::PIECE),
        requests::pieces
    ),
    reads!(
        "/api/sessions/{id}/budget",
        "the window by component, request by request",
        &[PAGED],
        Shape::Page("requests", of::POINT),
        views::budget
    ),
    reads!(
        "/api/sessions/{id}/cost",
        "what the session has cost, by cause, the dearest first",
        &[PAGED],
        Shape::Page("causes", of::CAUSE),
        views::cost
    ),
    reads!(
        "/api/sessions/{id}/compactions",
        "the compactions, oldest first",
        &[PAGED],
        Shape::Page("compactions", of::COMPACTION),
        requests::compactions
    ),
    reads!(
        "/api/sessions/{id}/compactions/{number}",
        "what one compaction took out of view, and what of it was needed later",
        NONE,
        Shape::One(of::DIFF),
        requests::compaction
    ),
    reads!(
        "/api/sessions/{id}/summaries",
        "the summaries, oldest first",
        &[PAGED],
        Shape::Page("summaries", of::SUMMARY),
        views::summaries
    ),
    reads!(
        "/api/sessions/{id}/documents",
        "the revisions of STATE and the scratchpad, oldest first",
        &[PAGED],
        Shape::Page("revisions", of::REVISION),
        views::documents
    ),
    reads!(
        "/api/sessions/{id}/contexts",
        "the contexts that were stored for agents, oldest first",
        &[PAGED],
        Shape::Page("contexts", of::CONTEXT),
        views::contexts
    ),
    reads!(
        "/api/sessions/{id}/continuity",
        "whether the session preserves its context",
        NONE,
        Shape::One(of::CONTINUITY),
        views::continuity
    ),
    reads!(
        "/api/sessions/{id}/checkpoints",
        "the checkpoints, oldest first",
        &[PAGED],
        Shape::Page("checkpoints", of::CHECKPOINT),
        sessions::checkpoints
    ),
    reads!(
        "/api/sessions/{id}/handoff",
        "the handoff of the newest checkpoint",
        NONE,
        Shape::One(of::HANDOFF),
        sessions::handoff
    ),
    reads!(
        "/api/sessions/{id}/export",
        "the log, one record per line",
        NONE,
        Shape::Text("application/jsonl"),
        acts::export
    ),
    reads!(
        "/api/sessions/{id}/events",
        "new records as server-sent events, the id of each is its record's number; or the events of a turn",
        &[EVENTS],
        Shape::Text("text/event-stream"),
        events::stream
    ),
    reads!(
        "/api/turns",
        "the turns that run in this server, the oldest first, with their open questions",
        &[PAGED],
        Shape::Page("turns", of::RUNNING),
        turn_routes::list
    ),
    writes!(Post post, "/api/sessions", "begins a session with its first turn, and sends the events of the turn", Some(of::NEW_SESSION), Shape::Text("text/event-stream"), turn_routes::begin),
    writes!(Post post, "/api/sessions/{id}/turns", "runs a turn and sends its events; without a prompt it continues the interrupted one", Some(of::PROMPT), Shape::Text("text/event-stream"), turn_routes::prompt),
    writes!(Post post, "/api/sessions/{id}/cancel", "cancels the turn that runs; what it did is recorded", None, Shape::One(of::CANCELLED), turn_routes::cancel),
    writes!(Post post, "/api/sessions/{id}/answers/{question}", "answers a question of the turn: `once`, `always` or `deny`", Some(of::ANSWER), Shape::One(of::ANSWERED), turn_routes::answer),
    writes!(Post post, "/api/sessions/{id}/changes", "undo, redo, drop, restore, window, pin or unpin", Some(of::CHANGE), Shape::One(of::CHANGED), acts::change),
    writes!(Post post, "/api/sessions/{id}/compactions", "compacts now, with the model of the settings", Some(of::COMPACT), Shape::One(of::COMPACTED), acts::compact),
    writes!(Post post, "/api/sessions/{id}/contexts", "makes the context of the session again and stores it", Some(of::REFRESH), Shape::One(of::REFRESHED), acts::refresh),
    writes!(Delete delete, "/api/sessions/{id}", "deletes a session permanently; `confirm` repeats its id", Some(of::CONFIRM), Shape::One(of::DELETED), acts::delete_session),
    writes!(Delete delete, "/api/sessions/{id}/groups/{number}", "deletes a turn permanently; `confirm` repeats its number", Some(of::CONFIRM), Shape::One(of::TURN_DELETED), acts::delete_turn),
    reads!(
        "/api/search",
        "titles, messages, documents and summaries of all sessions that have every word of `q`",
        &[QUERY, SESSION, PAGED],
        Shape::Page("hits", of::HIT),
        views::search
    ),
    reads!(
        "/api/agents",
        "the stored sessions of watched agents",
        &[PAGED],
        Shape::Page("agents", of::WATCHED),
        views::agents
    ),
    reads!(
        "/api/memos",
        "the memos of all folders, last changed first",
        &[QUERY, TAG, PAGED],
        Shape::Page("memos", of::MEMO),
        memos::list
    ),
    reads!(
        "/api/preferences",
        "the settings of context management",
        &[PAGED],
        Shape::Page("preferences", of::PREFERENCE),
        settings::list
    ),
    writes!(Put put, "/api/preferences/{key}", "sets one of these settings in the user's file; the value null removes it", Some(of::VALUE), Shape::One(of::PREFERENCE), settings::set),
    reads!(
        "/",
        "the inspector: sessions and whether each preserves its context",
        &[QUERY, PAGED],
        Shape::Html,
        pages::sessions
    ),
    reads!(
        "/sessions/{id}",
        "the window over time, requests, compactions",
        &[PAGED],
        Shape::Html,
        pages::session
    ),
    reads!(
        "/sessions/{id}/requests/{number}",
        "what a request sent, piece by piece",
        &[PAGED],
        Shape::Html,
        pages::request
    ),
    reads!(
        "/sessions/{id}/records/{number}",
        "one record, and the request that sent it first",
        NONE,
        Shape::Html,
        pages::record
    ),
    reads!(
        "/sessions/{id}/requests/{number}/diff",
        "a request next to the one before",
        NONE,
        Shape::Html,
        pages::request_diff
    ),
    reads!(
        "/sessions/{id}/compactions/{number}",
        "what a compaction removed, and what of it was needed later",
        NONE,
        Shape::Html,
        pages::compaction
    ),
    reads!(
        "/sessions/{id}/documents",
        "the revisions of the documents",
        &[PAGED],
        Shape::Html,
        pages::documents
    ),
    reads!(
        "/sessions/{id}/turns",
        "the turns, and what can be done with them",
        &[PAGED],
        Shape::Html,
        pages::turns
    ),
    reads!(
        "/sessions/{id}/summaries",
        "the summaries with their texts",
        &[PAGED],
        Shape::Html,
        pages::summaries
    ),
    reads!(
        "/sessions/{id}/contexts",
        "the contexts that were stored for agents",
        &[PAGED],
        Shape::Html,
        pages::contexts
    ),
    reads!(
        "/sessions/{id}/checkpoints",
        "the checkpoints with their handoffs",
        &[PAGED],
        Shape::Html,
        pages::checkpoints
    ),
    reads!("/memos", "the memos of all folders", &[QUERY, TAG, PAGED], Shape::Html, pages::memos),
    reads!(
        "/preferences",
        "the settings of context management, and where each is set",
        &[PAGED],
        Shape::Html,
        pages::preferences
    ),
    reads!("/search", "search over all sessions", &[QUERY, PAGED], Shape::Html, pages::search),
    reads!("/style.css", "the style of the pages", NONE, Shape::Text("text/css"), pages::style),
    reads!(
        "/script.js",
        "the keys and buttons of the pages",
        NONE,
        Shape::Text("text/javascript"),
        pages::script
    ),
];
