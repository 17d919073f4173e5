//! A part of a list.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::params::Params;
use crate::route::{LARGEST, Param, ParamKind};

/// How many elements.
pub(crate) const LIMIT: &str = "limit";
/// How many are before them.
pub(crate) const OFFSET: &str = "offset";

/// The parameters of every list.
pub(crate) const PAGED: &[Param] = &[
    Param {
        name: LIMIT,
        kind: ParamKind::Whole(1, MAX_LIMIT as u64),
        about: "elements of the page, from 1 to 200; 50 if it is not given",
    },
    Param { name: OFFSET, kind: ParamKind::Whole(0, LARGEST), about: "elements before the page" },
];

/// Elements of a page unless another number is given.
const USUAL: usize = 50;

/// Maximum number of elements of a page.
const MAX_LIMIT: usize = 200;

/// How many elements of a list, and how many before them are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    limit: usize,
    offset: usize,
    /// The number of elements was asked for.
    is_limited: bool,
}

impl Page {
    /// # Errors
    /// A number cannot be used.
    pub(crate) fn read(params: &Params) -> Result<Self, Failure> {
        let limit = params.number(LIMIT)?.unwrap_or(USUAL);
        if !(1..=MAX_LIMIT).contains(&limit) {
            let why = format!("`{LIMIT}` is {limit}; it must be from 1 to {MAX_LIMIT}");
            return Err(Failure::new(StatusCode::BAD_REQUEST, why));
        }
        let is_limited = params.text(LIMIT).is_some();
        Ok(Self { limit, offset: params.number(OFFSET)?.unwrap_or(0), is_limited })
    }

    /// The whole list.
    pub(crate) fn whole() -> Self {
        Self { limit: usize::MAX, offset: 0, is_limited: false }
    }

    /// The same for pages of another usual size.
    ///
    /// # Errors
    /// A number cannot be used.
    pub(crate) fn read_of(params: &Params, usual: usize) -> Result<Self, Failure> {
        let page = Self::read(params)?;
        Ok(if page.is_limited { page } else { Self { limit: usual, ..page } })
    }

    /// The page that has the element at a place from 0.
    pub(crate) fn at(self, place: usize) -> Self {
        Self { offset: place / self.limit.max(1) * self.limit, ..self }
    }

    /// The parameters of the usual page that has the element at a place from 0; empty for the first page.
    pub(crate) fn with(place: usize) -> String {
        match place / USUAL * USUAL {
            0 => String::new(),
            offset => format!("?{OFFSET}={offset}"),
        }
    }

    /// The same, or the last page where this one is behind the end of a list of `total`.
    pub(crate) fn within(self, total: usize) -> Self {
        if self.offset < total { self } else { self.at(total.saturating_sub(1)) }
    }

    /// The parameters of the page of the same size behind this many elements.
    pub(crate) fn query(self, offset: usize) -> String {
        if self.is_limited {
            format!("{OFFSET}={offset}&{LIMIT}={}", self.limit)
        } else {
            format!("{OFFSET}={offset}")
        }
    }

    /// The elements of this page.
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        let rest = all.get(self.offset..).unwrap_or_default();
        rest.get(..self.limit).unwrap_or(rest)
    }

    /// The offsets of the pages before and after this one, in a list of `total`.
    pub(crate) fn around(self, total: usize) -> (Option<usize>, Option<usize>) {
        let next = self.offset.saturating_add(self.limit);
        let before = (self.offset > 0).then(|| self.offset.saturating_sub(self.limit));
        (before, (next < total).then_some(next))
    }

    /// Maximum number of its elements.
    pub(crate) fn limit(self) -> usize {
        self.limit
    }

    /// The number of its first element, from 0.
    pub(crate) fn offset(self) -> usize {
        self.offset
    }

    /// The page as an answer: its elements as `object` writes them.
    pub(crate) fn answer<'a, T, S: Serialize>(
        self,
        name: &str,
        all: &'a [T],
        object: impl Fn(&'a T) -> S,
    ) -> Answer {
        let shown: Vec<Value> = self.of(all).iter().map(|one| json!(object(one))).collect();
        Ok(Json(self.object(name, &shown, all.len())))
    }

    /// The page as an object: the elements by their name, and where they are in the list of `total`.
    pub(crate) fn object(self, name: &str, elements: &[Value], total: usize) -> Value {
        let next = self.offset.saturating_add(elements.len());
        json!({
            name: elements,
            "total": total,
            "offset": self.offset,
            "next_offset": (next < total).then_some(next),
        })
    }
}

impl FromRequestParts<App> for Page {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        parts.extensions.get::<Params>().map_or_else(|| Self::read(&Params::default()), Self::read)
    }
}

#[cfg(test)]
mod tests;
