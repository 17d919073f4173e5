//! The frame of the pages of a transcript. A long file is read for seconds, so the top of the page is sent before.

use axum::response::{IntoResponse as _, Response};
use maud::Markup;
use throughline_stored::FolderScope;
use throughline_text::headline;

use super::layout::{CRUMB, Crumb, PageFailure, page as frame, streamed};
use crate::app::App;
use crate::sessions::Named;
use crate::transcripts::{OpenedTranscript, TranscriptPart, routes, unknown_transcript};

/// A page of a transcript: the overview, whose name is that of the transcript, or one below it.
pub(super) async fn shown<F>(
    app: App,
    key: Named,
    name: Option<String>,
    body: impl FnOnce(App, OpenedTranscript) -> F + Send + 'static,
) -> Result<Response, PageFailure>
where
    F: Future<Output = Result<Markup, PageFailure>> + Send + 'static,
{
    let key = routes::key(key)?;
    let found = app.transcripts.find(&key, FolderScope::default()).await?;
    let found = found.ok_or_else(|| unknown_transcript(&key))?;
    if let Some(title) = app.transcripts.unread_title(&key, &found) {
        let (title, way) = heading(&title, &key, None, name);
        let read = async move {
            let opened = app.transcripts.open(&key).await?;
            body(app, opened).await
        };
        return Ok(streamed(&title, &way, read));
    }
    whole(app, key, name, body).await
}

/// The same for a page of something that the transcript may not have: its status is known when all of it is made.
pub(super) async fn shown_whole<F>(
    app: App,
    key: Named,
    name: String,
    body: impl FnOnce(App, OpenedTranscript) -> F + Send,
) -> Result<Response, PageFailure>
where
    F: Future<Output = Result<Markup, PageFailure>> + Send,
{
    whole(app, routes::key(key)?, Some(name), body).await
}

async fn whole<F>(
    app: App,
    key: String,
    name: Option<String>,
    body: impl FnOnce(App, OpenedTranscript) -> F + Send,
) -> Result<Response, PageFailure>
where
    F: Future<Output = Result<Markup, PageFailure>> + Send,
{
    let opened = app.transcripts.open(&key).await?;
    let (title, way) = heading(title(opened.part()?), &key, opened.parent.as_deref(), name);
    let body = body(app, opened).await?;
    Ok(frame(&title, &way, &body).into_response())
}

/// What a transcript is called.
pub(super) fn title(part: &TranscriptPart) -> &str {
    if part.title.is_empty() { &part.id } else { &part.title }
}

/// The title of a page and the way to it.
fn heading(title: &str, key: &str, parent: Option<&str>, name: Option<String>) -> (String, Vec<Crumb>) {
    match name {
        Some(name) => (name, vec![(headline(title, CRUMB), format!("/transcripts/{key}"))]),
        None => {
            let parent = parent.map(|parent| ("session".to_owned(), format!("/transcripts/{parent}")));
            (title.to_owned(), parent.into_iter().collect())
        }
    }
}
