//! What is known of a route: the router and the OpenAPI document are made of it.

use axum::routing::MethodRouter;

use crate::app::App;

/// The method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Post,
    Put,
    Delete,
}

impl Verb {
    /// Its name in an OpenAPI document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Delete => "delete",
        }
    }
}

/// A parameter of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    /// `integer` or `string`.
    pub(crate) kind: &'static str,
    pub(crate) about: &'static str,
}

/// What a route answers with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// An object by the schema of this name.
    One(&'static str),
    /// A page of a list: the field with the elements, and their schema.
    Page(&'static str, &'static str),
    /// A page for a browser.
    Html,
    /// Another text, by its media type.
    Text(&'static str),
}

/// A route.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) params: &'static [&'static [Param]],
    /// The schema of the body; `None`: no body.
    pub(crate) body: Option<&'static str>,
    pub(crate) shape: Shape,
    pub(crate) handler: fn() -> MethodRouter<App>,
}

impl Route {
    /// The parameters of the query.
    pub(crate) fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().copied().flatten()
    }

    /// The names of the parameters in the path.
    pub(crate) fn places(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}
