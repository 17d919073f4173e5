//! Search over all sessions and memos.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline_stored::{Search, SearchHit};

use super::layout::{PageAnswer, page as frame, turner};
use super::marked::marked;
use super::text::figure;
use crate::app::App;
use crate::caller::Caller;
use crate::memos::count_with;
use crate::page::Page;
use crate::params::Params;
use crate::transcripts::{TranscriptHit, TranscriptHits};
use crate::views::HITS;

/// Maximum hits in transcripts, which are on one page.
const TRANSCRIPT_HITS: usize = 50;

/// The hits of a search, and what was searched for.
pub(crate) async fn search(
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let words = params.text("q").unwrap_or_default().trim().to_owned();
    let (whole, kind) = (params.flag("whole")?, params.text("kind"));
    let (mut all, memos) = match words.as_str() {
        "" => (Vec::new(), 0),
        words => (
            app.storage
                .search(&Search::new(words, None, HITS)?.within(caller.scope.clone()).for_whole_words(whole))
                .await?,
            count_with(app.storage.clone(), words, &caller).await?,
        ),
    };
    let in_transcripts = match words.as_str() {
        "" => TranscriptHits::default(),
        words => {
            let search = Search::new(words, None, TRANSCRIPT_HITS)?.for_whole_words(whole);
            app.transcripts.search(search, caller.scope.clone()).await?
        }
    };
    let query = query_of(&words, whole, None);
    let kinds = kinds(&all);
    all.retain(|hit| kind.is_none_or(|kind| hit.kind == kind));
    let page = page.within(all.len());
    let marks: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let body = html! {
        (form(&words, whole))
        @if kinds.len() > 1 || kind.is_some() { nav.facets aria-label="Kinds" {
            a href={ "/search?" (query) } aria-current=[kind.is_none().then_some("true")] { "everything" }
            @for (name, count) in &kinds { a href={ "/search?" (query_of(&words, whole, Some(name))) } aria-current=[(kind == Some(name)).then_some("true")] { (name) " " span.sub { (count) } } }
        } }
        @if words.is_empty() { p.empty { "Titles, messages, calls, results, documents, summaries and memos that have all of the words are found, and messages of the transcripts." } }
        @else {
            p {
                @match all.len() {
                    0 => { "No text of a stored session has " },
                    1 => { "1 text has " },
                    most @ HITS => { (figure(most as u64)) " or more texts have " },
                    many => { (figure(many as u64)) " texts have " },
                }
                b { (words) } "."
                @if memos > 0 { " " a href={ "/memos?" (query_of(&words, false, None)) } { (figure(memos as u64)) @if memos == 1 { " memo fits" } @else { " memos fit" } } ", too." }
            }
            ul.hits { @for hit in page.of(&all) { li data-row="" { (one(hit, &marks)) } } }
            (turner(page, all.len(), &format!("/search?{}", query_of(&words, whole, kind))))
            @if !app.transcripts.is_empty() { (transcripts_section(&in_transcripts, &marks)) }
        }
    };
    Ok(frame("Search", &[], &body))
}

fn form(words: &str, whole: bool) -> Markup {
    html! {
        form.acts action="/search" method="get" {
            input type="search" name="q" value=(words) placeholder="Words" aria-label="Words to search for";
            label { input type="checkbox" name="whole" value="true" checked[whole]; " whole words" }
            button.always type="submit" { "Search" }
        }
    }
}

/// A hit, which leads to its record; one of a title to its session.
fn one(hit: &SearchHit, marks: &[String]) -> Markup {
    let session = format!("/sessions/{}", hit.session);
    let title = if hit.title.is_empty() { hit.session.as_str() } else { hit.title.as_str() };
    html! {
        @match hit.record {
            None => { a href=(session) { (title) } },
            Some(record) => { a href={ (session) "/records/" (record) } { (title) } },
        }
        " " span.sub { (hit.kind) @if let Some(turn) = hit.turn { ", turn " (turn) } @if let Some(record) = hit.record { ", record " (record) } }
        p { (marked(&hit.excerpt, marks)) }
    }
}

/// The hits in transcripts, whatever the kind that is chosen for sessions.
fn transcripts_section(found: &TranscriptHits, marks: &[String]) -> Markup {
    let title = |hit: &TranscriptHit| match hit.title.as_str() {
        "" => hit.transcript.clone(),
        title => title.to_owned(),
    };
    html! {
        section {
            h2 { "Transcripts" }
            @if found.hits.is_empty() { p.empty { "No text of a transcript has all of the words." } }
            ul.hits { @for hit in &found.hits { li {
                a href={ "/transcripts/" (hit.transcript) "/records/" (hit.record) } { (title(hit)) }
                " " span.sub { (hit.kind) ", turn " (hit.turn) ", record " (hit.record) }
                p { (marked(&hit.excerpt, marks)) }
            } } }
            @if found.unsearched > 0 {
                p.sub { (figure(found.unsearched as u64)) " older transcripts were not searched. More words find less." }
            }
        }
    }
}

/// The parameters of a search.
fn query_of(words: &str, whole: bool, kind: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("q", words);
    if whole {
        query.append_pair("whole", "true");
    }
    if let Some(kind) = kind {
        query.append_pair("kind", kind);
    }
    query.finish()
}

/// The kinds of hits, with how many there are of each.
fn kinds(hits: &[SearchHit]) -> Vec<(&'static str, usize)> {
    let mut kinds: Vec<(&'static str, usize)> = Vec::new();
    for hit in hits {
        match kinds.iter_mut().find(|(kind, _)| *kind == hit.kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((hit.kind, 1)),
        }
    }
    kinds
}
