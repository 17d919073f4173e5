//! What is known of a route: the router and the OpenAPI document are made of it.

use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;

/// A parameter of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    /// `integer` or `string`.
    pub(crate) kind: &'static str,
    pub(crate) about: &'static str,
}

/// Gives the schema of a type, or a reference to it.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What a route answers with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content {
    /// An object.
    One(SchemaOf),
    /// A page of a list: the field with the elements, and their schema.
    Page(&'static str, SchemaOf),
    /// A text, by its media type.
    Text(&'static str),
}

/// A route.
#[derive(Debug)]
pub(crate) struct Route {
    /// The method, as an OpenAPI document spells it.
    pub(crate) verb: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The parameters of the query.
    pub(crate) params: Vec<Param>,
    /// `None`: no body.
    pub(crate) body: Option<SchemaOf>,
    pub(crate) content: Content,
    pub(crate) handler: MethodRouter<App>,
}

/// Makes a route of a method, which answers with a page for browsers unless something else is said.
macro_rules! method {
    ($($verb:ident)+) => {$(
        pub(crate) fn $verb<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
            Route {
                verb: stringify!($verb),
                path,
                summary: "",
                params: Vec::new(),
                body: None,
                content: Content::Text("text/html"),
                handler: routing::$verb(handler),
            }
        }
    )+};
}

method!(get post put delete);

impl Route {
    pub(crate) fn summary(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    /// Takes these parameters, too.
    pub(crate) fn query(mut self, params: &[Param]) -> Self {
        self.params.extend(params);
        self
    }

    /// Takes a JSON object.
    pub(crate) fn body<T: JsonSchema>(self) -> Self {
        Self { body: Some(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// Answers with a JSON object.
    pub(crate) fn one<T: JsonSchema>(self) -> Self {
        Self { content: Content::One(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// Answers with a page of a list, whose elements are in this field.
    pub(crate) fn page<T: JsonSchema>(self, field: &'static str) -> Self {
        Self { content: Content::Page(field, SchemaGenerator::subschema_for::<T>), ..self }
            .query(crate::page::PAGED)
    }

    /// Answers with a text of this media type.
    pub(crate) fn text(self, kind: &'static str) -> Self {
        Self { content: Content::Text(kind), ..self }
    }

    /// The names of the parameters in the path.
    pub(crate) fn places(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}
