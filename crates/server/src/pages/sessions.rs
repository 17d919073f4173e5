//! The list of sessions: those that are stored, and the transcripts of other agents.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline_continuity::SessionSummary;

use super::layout::{PageAnswer, page as frame, turner};
use super::listed::{Listed, Row, cost_of};
use super::session_filters::{Wanted, filters};
use super::session_table::table;
use super::text::counted;
use crate::answer::Failure;
use crate::app::App;
use crate::caller::Caller;
use crate::inspector::{continuity_state, dollars_of};
use crate::page::Page;
use crate::params::Params;
use crate::route::{Param, ParamKind};
use crate::sessions::{fitting, objects};
use crate::transcripts::TranscriptObject;

/// The parameters of the list, with those of every list.
pub(crate) const LISTED: &[Param] = &[
    Param { name: "folder", kind: ParamKind::Text, about: "only sessions of this folder" },
    Param {
        name: "agent",
        kind: ParamKind::Text,
        about: "only sessions of this agent; `throughline` for those that ran here",
    },
    Param {
        name: "sort",
        kind: ParamKind::OneOf(&["active", "cost", "tokens", "requests", "title"]),
        about: "`active`, the default, `cost`, `tokens`, `requests` or `title`",
    },
];

/// Maximum number of sessions that are put in order by what they cost: the cost of each is read.
const MOST_PRICED: usize = 2_000;

/// The sessions, newest activity first, each with the state of its context.
pub(crate) async fn sessions(
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let wanted = Wanted::read(&params)?;
    let mut all = listed(&app, &caller, &params, &wanted).await?;
    let agents = counts(all.iter().map(Listed::agent));
    all.retain(|one| wanted.agent.is_none_or(|agent| one.agent() == agent));
    let folders = counts(all.iter().map(|one| one.folder().to_owned()).filter(|folder| !folder.is_empty()));
    all.retain(|one| wanted.folder.is_none_or(|folder| one.folder() == folder));
    let total = all.len();
    let page = page.within(total);
    let pending = all
        .iter()
        .filter(|one| match one {
            Listed::Transcript(object) => object.requests.is_none(),
            Listed::Stored(session, figures) => figures.is_none() && app.mirrors.is_unread(session),
        })
        .count();
    let rows = in_order(&app, all, &wanted, page).await?;
    let unreadable = if app.transcripts.is_empty() || !caller.scope.is_all() {
        Vec::new()
    } else {
        app.transcripts.unreadable().await?
    };
    let body = html! {
        (filters(&wanted, &agents, &folders))
        div data-live="list" data-pending=[(pending > 0).then_some(pending)] {
            @if rows.is_empty() { (nothing(&app, &wanted)) }
            @else {
                (table(&rows))
                (turner(page, total, &wanted.with("", None)))
            }
            @if pending > 0 { p.sub { (counted(pending as u64, "transcript")) " " (if pending == 1 { "is" } else { "are" }) " still being read." } }
            @if !unreadable.is_empty() {
                details.folded {
                    summary { (counted(unreadable.len() as u64, "file")) " of these folders " (if unreadable.len() == 1 { "is no recording" } else { "are no recordings" }) }
                    ul.plain { @for (path, why) in unreadable.iter().take(50) { li { code { (path.display()) } " " span.sub { (why) } } } }
                }
            }
        }
    };
    Ok(frame("Sessions", &[], &body))
}

/// All sessions and transcripts that fit the words.
async fn listed(
    app: &App,
    caller: &Caller,
    params: &Params,
    wanted: &Wanted<'_>,
) -> Result<Vec<Listed>, Failure> {
    let mut stored = fitting(&app.storage, params, caller).await?;
    // Those of sub-agents are on the pages of the sessions that they work for.
    stored.retain(|session| session.parent.is_none());
    app.mirrors.read_behind(&app.storage, stored.iter());
    let with_figures = |session: SessionSummary| {
        let figures = app.mirrors.figures(&session);
        Listed::Stored(session, figures)
    };
    let mut all: Vec<Listed> = stored.into_iter().map(with_figures).collect();
    all.extend(transcripts(app, caller, wanted).await?);
    all.sort_by_key(|one| std::cmp::Reverse(one.active()));
    Ok(all)
}

/// The transcripts that fit the words.
async fn transcripts(app: &App, caller: &Caller, wanted: &Wanted<'_>) -> Result<Vec<Listed>, Failure> {
    if app.transcripts.is_empty() {
        return Ok(Vec::new());
    }
    let found = app.transcripts.list(caller.scope.clone()).await?;
    app.transcripts.read_behind(&found);
    let reader = app.transcripts.clone();
    let objects = tokio::task::spawn_blocking(move || {
        found.iter().map(|one| TranscriptObject::of(&reader, one)).collect::<Vec<_>>()
    });
    let objects = objects
        .await
        .map_err(|error| Failure::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let words: Vec<String> =
        wanted.words.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let fits = |object: &TranscriptObject| {
        let text =
            format!("{} {} {}", object.title, object.session, object.folder.as_deref().unwrap_or_default());
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    Ok(objects.into_iter().filter(|object| fits(object)).map(Listed::Transcript).collect())
}

/// The rows of a page in the order that is asked for.
async fn in_order(
    app: &App,
    mut all: Vec<Listed>,
    wanted: &Wanted<'_>,
    page: Page,
) -> Result<Vec<Row>, Failure> {
    match wanted.order {
        "tokens" => all.sort_by_key(|one| std::cmp::Reverse(one.tokens())),
        "requests" => all.sort_by_key(|one| std::cmp::Reverse(one.requests())),
        "title" => all.sort_by_key(|one| one.title().to_lowercase()),
        "cost" => {
            all.truncate(MOST_PRICED);
            let mut rows = rows(app, all).await?;
            let known = |row: &Row| row.dollars.at_least().unwrap_or(-1.0);
            rows.sort_by(|one, other| known(other).total_cmp(&known(one)));
            let mut rows: Vec<Row> = rows.into_iter().skip(page.offset()).take(page.limit()).collect();
            with_states(app, &mut rows).await?;
            return Ok(rows);
        }
        _ => {}
    }
    let shown = all.into_iter().skip(page.offset()).take(page.limit()).collect();
    let mut rows = rows(app, shown).await?;
    with_states(app, &mut rows).await?;
    Ok(rows)
}

async fn rows(app: &App, listed: Vec<Listed>) -> Result<Vec<Row>, Failure> {
    let stored: Vec<SessionSummary> = listed
        .iter()
        .filter_map(|one| match one {
            Listed::Stored(session, _) => Some(session.clone()),
            Listed::Transcript(..) => None,
        })
        .collect();
    let mut objects = objects(app, &stored).await?.into_iter();
    let row = |listed: Listed| {
        let mut owner = String::new();
        let dollars = match &listed {
            Listed::Stored(..) => {
                let object = objects.next().unwrap_or_default();
                owner =
                    object.get("owner").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
                cost_of(&object)
            }
            Listed::Transcript(object) => dollars_of(object.cost_usd_at_least, object.cost_usd.is_some()),
        };
        Row { listed, state: None, turn: None, dollars, owner }
    };
    Ok(listed.into_iter().map(row).collect())
}

async fn with_states(app: &App, rows: &mut [Row]) -> Result<(), Failure> {
    for row in rows {
        if let Listed::Stored(session, _) = &row.listed {
            row.turn = app.turns.running(&session.info.id);
            row.state = Some(continuity_state(&app.handle(&session.info.id), session).await?);
        }
    }
    Ok(())
}

/// Texts with how often each is there, the most frequent first.
fn counts(texts: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts
}

/// What is shown without a session.
fn nothing(app: &App, wanted: &Wanted<'_>) -> Markup {
    html! {
        @if wanted.words.is_some() || wanted.folder.is_some() || wanted.agent.is_some() {
            p.empty { "No session fits. " a href="/" { "Show all" } }
        } @else if app.transcripts.is_empty() {
            p.empty { "There is no session here yet. " code { "throughline demo" } " makes one, and " code { "throughline serve --claude" } " shows those of Claude Code." }
        } @else {
            p.empty { "There is no session here yet, and no transcript in the folders that were named." }
        }
    }
}
