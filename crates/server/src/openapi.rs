//! The OpenAPI document, made of the table of routes and the types of bodies and answers.

mod plain;

use axum::Json;
use schemars::generate::SchemaSettings;
use schemars::transform::ReplaceBoolSchemas;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};

use self::plain::plain_choices;
use crate::inspector::LostRecords;
use crate::params::TOKEN;
use crate::route::{Content, LARGEST, ParamKind, Route};
use crate::sessions::LOST;
use crate::table::routes;

/// A document in OpenAPI 3.1.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OpenApi {
    openapi: &'static str,
    info: Value,
    servers: Value,
    security: Value,
    paths: Map<String, Value>,
    components: Map<String, Value>,
}

/// The document.
pub(crate) async fn show() -> Json<OpenApi> {
    Json(document())
}

/// The document of all routes.
fn document() -> OpenApi {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        // Generators of clients do not take `true` as a schema.
        let mut objects = ReplaceBoolSchemas::default();
        objects.skip_additional_properties = true;
        settings.transforms.push(Box::new(objects));
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    for route in routes() {
        let mut operation = operation(&route, &mut schemas);
        plain_choices(&mut operation);
        if let Some(verbs) = paths.entry(route.path.as_ref()).or_insert_with(|| json!({})).as_object_mut() {
            verbs.insert(route.verb.to_owned(), operation);
        }
    }
    let security = json!({
        "bearer": { "type": "http", "scheme": "bearer" },
        "query": { "type": "apiKey", "in": "query", "name": TOKEN },
    });
    let mut definitions = Value::Object(schemas.take_definitions(true));
    plain_choices(&mut definitions);
    let components = [("schemas".to_owned(), definitions), ("securitySchemes".to_owned(), security)];
    OpenApi {
        openapi: "3.1.0",
        info: json!({
            "title": "Throughline",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Sessions and contexts of a server. Every request needs a token.",
            "license": { "name": "MIT or Apache 2.0", "identifier": "MIT OR Apache-2.0" },
        }),
        servers: json!([{
            "url": "http://127.0.0.1:{port}",
            "description": "This machine.",
            "variables": { "port": { "default": "8378", "description": "The port that the server printed at its start." } },
        }]),
        security: json!([{ "bearer": [] }, { "query": [] }]),
        paths,
        components: components.into_iter().collect(),
    }
}

fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let places = route.places().map(|name| {
        let schema = match name {
            "number" => ParamKind::Whole(1, LARGEST).schema(),
            "id" => json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" }),
            _ => ParamKind::Text.schema(),
        };
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    });
    let query = route.params.iter().map(|param| {
        json!({ "name": param.name, "in": "query", "description": param.about, "schema": param.kind.schema() })
    });
    let headers = route.headers.iter().map(|header| {
        json!({ "name": header.name, "in": "header", "description": header.about, "schema": { "type": "string" } })
    });
    let parameters: Vec<Value> = places.chain(query).chain(headers).collect();
    let failed = failed(route, schemas);
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.summary,
        "description": format!("Needs the rights `{}`.", route.rights.name()),
        "parameters": parameters,
        "responses": {
            "200": { "description": "done", "content": content(route, schemas) },
            "4XX": failed,
            "5XX": failed,
        },
    });
    if let Content::Events(_) = route.content
        && let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut)
    {
        let nothing = json!({ "description": "the turn has ended, and the client has all of its events" });
        responses.insert("204".to_owned(), nothing);
    }
    if let (Some(body), Some(object)) = (route.body, operation.as_object_mut()) {
        let content = json!({ "application/json": { "schema": body(schemas) } });
        object.insert("requestBody".to_owned(), json!({ "required": true, "content": content }));
    }
    operation
}

/// An answer that is an error.
fn failed(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    if let Content::Text("text/html") = route.content {
        return json!({ "description": "an error", "content": { "text/html": {} } });
    }
    let message = json!({
        "type": "object", "properties": { "message": { "type": "string" } }, "required": ["message"],
    });
    let error = match route.error {
        // A request that is refused before the operation begins has no code.
        Some(schema) => json!({ "anyOf": [schema(schemas), message] }),
        None => message,
    };
    let schema = json!({ "type": "object", "properties": { "error": error }, "required": ["error"] });
    json!({ "description": "an error", "content": { "application/json": { "schema": schema } } })
}

/// Its name; else the method and the words of the path: `get_api_sessions_id_messages`.
fn operation_id(route: &Route) -> String {
    if let Some(name) = &route.name {
        return name.clone();
    }
    let words =
        route.path.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(route.verb).chain(words).collect::<Vec<_>>().join("_")
}

fn content(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut content = content_of(route.content, schemas);
    if route.has_lost
        && let Some(schema) = content.pointer_mut("/application~1json/schema")
    {
        let lost = schemas.subschema_for::<LostRecords>();
        if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            fields.insert(LOST.to_owned(), json!({ "type": "array", "items": lost }));
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.push(LOST.into());
        }
    }
    content
}

fn content_of(content: Content, schemas: &mut SchemaGenerator) -> Value {
    match content {
        Content::One(schema) => json!({ "application/json": { "schema": schema(schemas) } }),
        Content::Page(field, schema) => json!({ "application/json": { "schema": {
            "type": "object",
            "properties": {
                field: { "type": "array", "items": schema(schemas) },
                "total": { "type": "integer" },
                "offset": { "type": "integer" },
                "next_offset": { "type": ["integer", "null"] },
            },
            "required": [field, "total", "offset", "next_offset"],
        } } }),
        Content::Text(kind) => json!({ kind: {} }),
        Content::Events(schema) => json!({ "text/event-stream": { "schema": {
            "type": "string",
            "description": "Server-sent events. The data of each is JSON of this schema.",
            "contentMediaType": "text/event-stream",
            "contentSchema": schema(schemas),
        } } }),
    }
}
