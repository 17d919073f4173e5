//! The OpenAPI document, made of the table of routes.

use axum::Json;
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::params::TOKEN;
use crate::route::{Route, Shape};
use crate::schemas::schemas;
use crate::table::ROUTES;

/// The document.
pub(crate) async fn show() -> Answer {
    Ok(Json(document()))
}

/// The document of all routes, in OpenAPI 3.1.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(verbs) = path.as_object_mut() {
            verbs.insert(route.verb.name().to_owned(), operation(route));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Throughline",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Sessions on the loopback interface. Every request needs the token.",
        },
        "security": [{ "bearer": [] }, { "query": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "query": { "type": "apiKey", "in": "query", "name": TOKEN },
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let places = route.places().map(|name| {
        let kind = if name == "number" { "integer" } else { "string" };
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": kind } })
    });
    let query = route.params().map(|param| {
        json!({ "name": param.name, "in": "query", "description": param.about, "schema": { "type": param.kind } })
    });
    let mut operation = json!({
        "summary": route.summary,
        "parameters": places.chain(query).collect::<Vec<Value>>(),
        "responses": {
            "200": { "description": "done", "content": content(route.shape) },
            "default": {
                "description": "an error",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "properties": { "error": {
                        "type": "object", "properties": { "message": { "type": "string" } }, "required": ["message"],
                    } },
                    "required": ["error"],
                } } },
            },
        },
    });
    if let (Some(body), Some(object)) = (route.body, operation.as_object_mut()) {
        let content = json!({ "application/json": { "schema": named(body) } });
        object.insert("requestBody".to_owned(), json!({ "required": true, "content": content }));
    }
    operation
}

fn content(shape: Shape) -> Value {
    match shape {
        Shape::One(name) => json!({ "application/json": { "schema": named(name) } }),
        Shape::Page(field, name) => json!({ "application/json": { "schema": {
            "type": "object",
            "properties": {
                field: { "type": "array", "items": named(name) },
                "total": { "type": "integer" },
                "offset": { "type": "integer" },
                "next_offset": { "type": ["integer", "null"] },
            },
            "required": [field, "total", "offset", "next_offset"],
        } } }),
        Shape::Html => json!({ "text/html": {} }),
        Shape::Text(kind) => json!({ kind: {} }),
    }
}

fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
