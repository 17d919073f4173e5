//! What is known of a route: the router and the OpenAPI document are made of it.

use std::borrow::Cow;

use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};
use throughline_store::UserRights;

use crate::app::App;

/// A parameter of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) kind: ParamKind,
    pub(crate) about: &'static str,
}

/// The values of a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ParamKind {
    Text,
    Flag,
    /// A whole number from the first to the last of these.
    Whole(u64, u64),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// The largest whole number of a parameter: that of a database.
pub(crate) const LARGEST: u64 = i64::MAX.cast_unsigned();

impl ParamKind {
    /// The JSON schema of the values.
    pub(crate) fn schema(self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Whole(first, last) => json!({ "type": "integer", "minimum": first, "maximum": last }),
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
        }
    }
}

/// A header of the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    pub(crate) name: &'static str,
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
    /// Server-sent events, and the schema of their data.
    Events(SchemaOf),
}

/// A route.
#[derive(Debug)]
pub(crate) struct Route {
    /// The method, as an OpenAPI document spells it.
    pub(crate) verb: &'static str,
    pub(crate) path: Cow<'static, str>,
    pub(crate) summary: Cow<'static, str>,
    /// What its callers must have.
    pub(crate) rights: UserRights,
    /// The audit log has its requests.
    pub(crate) is_change: bool,
    /// The name of the operation, where it is not made of the method and the path.
    pub(crate) name: Option<String>,
    /// The parameters of the query.
    pub(crate) params: Vec<Param>,
    pub(crate) headers: &'static [Header],
    /// `None`: no body.
    pub(crate) body: Option<SchemaOf>,
    pub(crate) content: Content,
    /// The page says what is lost of the log that it was read from.
    pub(crate) has_lost: bool,
    /// The schema of `error` where a request fails; `None`: a message alone.
    pub(crate) error: Option<SchemaOf>,
    pub(crate) handler: MethodRouter<App>,
}

/// Makes a route of a method, which answers with a page for browsers unless something else is said.
macro_rules! method {
    ($($verb:ident)+) => {$(
        pub(crate) fn $verb<H: Handler<T, App>, T: 'static>(path: impl Into<Cow<'static, str>>, handler: H) -> Route {
            Route {
                verb: stringify!($verb),
                path: path.into(),
                summary: Cow::Borrowed(""),
                rights: if stringify!($verb) == "get" { UserRights::Read } else { UserRights::Run },
                is_change: stringify!($verb) != "get",
                name: None,
                params: Vec::new(),
                headers: &[],
                body: None,
                content: Content::Text("text/html"),
                has_lost: false,
                error: None,
                handler: routing::$verb(handler),
            }
        }
    )+};
}

method!(get post put delete);

impl Route {
    pub(crate) fn summary(self, summary: impl Into<Cow<'static, str>>) -> Self {
        Self { summary: summary.into(), ..self }
    }

    /// Only administrators may ask.
    pub(crate) fn for_admins(self) -> Self {
        Self { rights: UserRights::Admin, ..self }
    }

    /// Says whether its requests are in the audit log.
    pub(crate) fn audited(self, is_change: bool) -> Self {
        Self { is_change, ..self }
    }

    /// Names the operation.
    pub(crate) fn named(self, name: String) -> Self {
        Self { name: Some(name), ..self }
    }

    /// Takes these headers.
    pub(crate) fn headers(self, headers: &'static [Header]) -> Self {
        Self { headers, ..self }
    }

    /// Answers errors of this type.
    pub(crate) fn errors<T: JsonSchema>(self) -> Self {
        Self { error: Some(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// Takes a JSON object of this schema.
    pub(crate) fn body_schema(self, schema: SchemaOf) -> Self {
        Self { body: Some(schema), ..self }
    }

    /// Answers with a JSON object of this schema.
    pub(crate) fn one_schema(self, schema: SchemaOf) -> Self {
        Self { content: Content::One(schema), ..self }
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

    /// The same of a list that is read from the log of a session. It says what of the log is lost.
    pub(crate) fn page_of_log<T: JsonSchema>(self, field: &'static str) -> Self {
        Self { has_lost: true, ..self.page::<T>(field) }
    }

    /// Answers with a text of this media type.
    pub(crate) fn text(self, kind: &'static str) -> Self {
        Self { content: Content::Text(kind), ..self }
    }

    /// Answers with server-sent events whose data is of this type.
    pub(crate) fn events<T: JsonSchema>(self) -> Self {
        Self { content: Content::Events(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// The names of the parameters in the path.
    pub(crate) fn places(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}
