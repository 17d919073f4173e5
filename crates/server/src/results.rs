//! Large results, which the model sees in part.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use throughline_conversation::ResultRef;
use throughline_stored::{MAX_PAGE_BYTES, ReadRequest, ResultInfo, ResultPage};

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::page::{LIMIT, OFFSET, Page};
use crate::params::Params;
use crate::requests::{Numbered, split};
use crate::route::{LARGEST, Param, ParamKind};
use crate::sessions::{Named, known};

/// The parameters of a part of a result.
pub(crate) const PART: &[Param] = &[
    Param { name: OFFSET, kind: ParamKind::Whole(0, LARGEST), about: "bytes of the content before the part" },
    Param {
        name: LIMIT,
        kind: ParamKind::Whole(1, MAX_PAGE_BYTES),
        about: "maximum bytes of the part, from 1 to 16384, the default",
    },
    Param {
        name: QUERY,
        kind: ParamKind::Text,
        about: "the lines that have this text, or all of its words, instead of a part",
    },
];

const QUERY: &str = "q";

/// A stored result without its content.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Result")]
pub(crate) struct ResultObject {
    #[serde(rename = "ref")]
    id: String,
    tool: String,
    bytes: u64,
    at_ms: i64,
}

impl From<&ResultInfo> for ResultObject {
    fn from(info: &ResultInfo) -> Self {
        Self { id: info.id.to_string(), tool: info.tool.clone(), bytes: info.bytes, at_ms: info.at.0 }
    }
}

/// A part of a stored result.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResultPart")]
pub(crate) struct ResultPart {
    #[serde(rename = "ref")]
    id: String,
    /// The text of the part; with `q` the lines as `line:offset:text`. Bytes that are no UTF-8 are shown as U+FFFD.
    text: String,
    /// Its first byte in the content, and the byte behind its last one.
    offset: u64,
    end: u64,
    /// Bytes of the content.
    bytes: u64,
    /// Where the next part begins; null for the last one.
    next_offset: Option<u64>,
}

/// The stored results, oldest first.
pub(crate) async fn list(page: Page, State(app): State<App>, id: Named) -> Answer {
    let id = known(&app.storage, id).await?;
    let all = app.handle(&id).results().await?;
    page.answer("results", &all, ResultObject::from)
}

/// A part of a result, or the lines of it that have a text.
pub(crate) async fn show(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    named: Numbered,
) -> Answer {
    let (id, name) = split(named);
    let id = known(&app.storage, id).await?;
    let request = part(&params, &name)?;
    let ResultPage { content, range, total, next_offset, .. } = app.handle(&id).result_page(&request).await?;
    let id = request.ref_id.to_string();
    let part =
        ResultPart { id, text: content, offset: range.start, end: range.end, bytes: total, next_offset };
    Ok(Json(json!(part)))
}

/// The bytes of a result.
pub(crate) async fn content(State(app): State<App>, named: Numbered) -> Result<Response, Failure> {
    let (id, name) = split(named);
    let id = known(&app.storage, id).await?;
    let result = app.handle(&id).result(&ResultRef::from_text(&name)).await?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], result.content).into_response())
}

/// What the parameters ask of the result with a name.
pub(crate) fn part(params: &Params, name: &str) -> Result<ReadRequest, Failure> {
    let number = |name| Ok::<_, Failure>(params.number(name)?.map(|number| number as u64));
    let limit = number(LIMIT)?.unwrap_or(MAX_PAGE_BYTES);
    if !(1..=MAX_PAGE_BYTES).contains(&limit) {
        return Err(Failure::input(format!("`{LIMIT}` is {limit}; it must be from 1 to {MAX_PAGE_BYTES}")));
    }
    Ok(ReadRequest {
        offset: number(OFFSET)?.unwrap_or(0),
        limit,
        search: params.text(QUERY).map(str::to_owned),
        ..ReadRequest::new(ResultRef::from_text(name))
    })
}
