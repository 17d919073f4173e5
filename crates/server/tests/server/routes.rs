//! Every route of the OpenAPI document, with right and wrong requests.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::Served;

/// The routes of the document: method, path, and operation.
async fn routes(served: &Served) -> Vec<(String, String, Value)> {
    let document = served.ask("GET", "/api/openapi.json", "").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let (mut routes, mut ids) = (Vec::new(), BTreeSet::new());
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, operation) in verbs.as_object().unwrap() {
            assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{path}");
            routes.push((verb.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    assert!(routes.len() > 40, "{}", routes.len());
    routes
}

/// A path with values in its places.
fn filled(path: &str, served: &Served) -> String {
    let path = path.replace("{id}", &served.id).replace("{number}", "1");
    path.replace("{key}", "absent.key").replace("{question}", "q1").replace("{transcript}", "absent")
}

#[tokio::test]
async fn every_route_refuses_a_wrong_host_origin_and_token() {
    let served = Served::new().await;
    let bearer = format!("Bearer {}", served.token);
    let cookie = format!("throughline-{}={}", served.host.split_once(':').unwrap().1, served.token);
    let (host, auth) = (("Host", served.host.as_str()), ("Authorization", bearer.as_str()));
    for (verb, path, _) in routes(&served).await {
        let first = format!("{verb} {}", filled(&path, &served));
        for (status, headers) in [
            (403, vec![("Host", "evil.example.com"), auth]),
            (403, vec![auth]),
            (403, vec![host, auth, ("Origin", "https://example.com")]),
            (403, vec![host, auth, ("Origin", "null")]),
            (403, vec![host, ("Cookie", cookie.as_str()), ("Origin", "http://localhost:1")]),
            (403, vec![host, ("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-site")]),
            (401, vec![host]),
            (401, vec![host, ("Authorization", "Bearer x")]),
            (401, vec![host, ("Cookie", "throughline-1=x")]),
        ] {
            let answer = served.send(&first, &headers, "{}").await;
            assert_eq!(answer.status, status, "{first} {headers:?}: {}", answer.body);
            assert!(answer.head.contains("content-security-policy: default-src 'none'"), "{}", answer.head);
            assert!(!answer.body.contains(&served.token), "{}", answer.body);
        }
        if verb != "GET" {
            let answer = served.send(&first, &[host, ("Cookie", &cookie)], "{}").await;
            assert_eq!(answer.status, 403, "{first} with the cookie and without an origin: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn no_route_fails_on_hostile_ids_numbers_parameters_and_bodies() {
    let served = Served::new().await;
    let long = "a".repeat(10_000);
    let texts = ["..%2f", "%00", "a%00b", "%ff", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "-1", "%E2%80%AE", &long];
    for (verb, path, operation) in routes(&served).await {
        for text in texts {
            for place in ["{id}", "{number}", "{key}", "{question}", "{ref}", "{transcript}"]
                .into_iter()
                .filter(|place| path.contains(place))
            {
                let path = path.replace(place, text).replace("{id}", &served.id).replace("{number}", "1");
                let path =
                    path.replace("{key}", "watch.size").replace("{question}", "q1").replace("{ref}", "r-1");
                let path = path.replace("{transcript}", "absent");
                let answer = served.ask(&verb, &path, "{}").await;
                assert!(
                    [400, 404, 414, 431].contains(&answer.status),
                    "{verb} {path}: {} {}",
                    answer.status,
                    answer.body
                );
            }
            let path = filled(&path, &served);
            let answer = served.ask(&verb, &format!("{path}?limit={text}"), "{}").await;
            assert!(
                [400, 404, 414, 431].contains(&answer.status),
                "{verb} {path}: {} {}",
                answer.status,
                answer.body
            );
            let answer = served.ask(&verb, &format!("{path}?nonsense={text}"), "{}").await;
            assert!(
                [400, 414, 431].contains(&answer.status),
                "{verb} {path}: {} {}",
                answer.status,
                answer.body
            );
        }
        if operation["requestBody"].is_object() {
            let path = filled(&path, &served);
            let bodies = ["", "[", "[]", "null", "{\"change\": \"<x>\", \"confirm\": 1, \"value\": []}"];
            for body in
                bodies.into_iter().filter(|body| !(path.ends_with("/compactions") && body.starts_with('{')))
            {
                let answer = served.ask(&verb, &path, body).await;
                let allowed = path.ends_with("/contexts") && body.starts_with('{');
                assert!(
                    allowed || [400, 404, 415].contains(&answer.status),
                    "{verb} {path} {body}: {} {}",
                    answer.status,
                    answer.body
                );
            }
        }
    }
}

#[tokio::test]
async fn answers_have_the_fields_that_the_document_promises() {
    let served = Served::new().await;
    let document = served.ask("GET", "/api/openapi.json", "").await.json();
    let mut seen = 0;
    for (verb, path, operation) in routes(&served).await {
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if verb != "GET"
            || schema.is_null()
            || path.contains("/compactions/")
            || path.contains("{ref}")
            || path.contains("{transcript}")
        {
            continue;
        }
        let query = if path.starts_with("/api/search") { "?q=heron" } else { "" };
        let path = path.replace("{id}", &served.id).replace("{number}", "1");
        let answer = served.ask("GET", &format!("{path}{query}"), "").await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        check(&document, schema, &answer.json(), &path);
        seen += 1;
    }
    assert!(seen > 18, "{seen}");
}

/// Fails unless a value has the required fields of a schema, in their types.
#[track_caller]
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        let named = &document["components"]["schemas"][name];
        assert!(named.is_object(), "{place}: there is no schema {name}");
        return check(document, named, value, place);
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let fits = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    };
    assert!(kinds.iter().any(fits), "{place}: {value} must be one of {kinds:?}");
    for field in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(value.get(field).is_some(), "{place}: no field {field} in {value}");
    }
    for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(found) = value.get(field) {
            check(document, inner, found, &format!("{place}.{field}"));
        }
    }
    for (number, element) in value.as_array().into_iter().flatten().enumerate() {
        check(document, &schema["items"], element, &format!("{place}[{number}]"));
    }
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_with_its_reason() {
    let served = Served::new().await;
    let path = format!("/api/sessions/{}/compactions", served.id);
    let broken = served.ask("POST", &path, "{\"instructions\": ").await;
    assert_eq!(broken.status, 400, "{}", broken.body);
    assert!(broken.body.contains("the body is not JSON: instructions: EOF while parsing"), "{}", broken.body);
    let bearer = format!("bearer {}", served.token);
    let headers = [("Host", served.host.as_str()), ("Authorization", &bearer)];
    let untyped = served.send(&format!("POST {path}"), &headers, "").await;
    assert_eq!(untyped.status, 415, "{}", untyped.body);
    assert!(untyped.body.contains("Content-Type: application/json"), "{}", untyped.body);
}

#[tokio::test]
async fn parameters_have_their_bounds_in_the_document() {
    let served = Served::new().await;
    let document = served.ask("GET", "/api/openapi.json", "").await.json();
    let parameters = &document["paths"]["/api/sessions/{id}/requests"]["get"]["parameters"];
    let schema = |name: &str| {
        let all = parameters.as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap()["schema"].clone()
    };
    assert_eq!(schema("limit"), json!({ "type": "integer", "minimum": 1, "maximum": 200 }));
    assert_eq!(schema("id")["pattern"], "^[A-Za-z0-9_-]{1,64}$");
    let page = &document["paths"]["/sessions/{id}"]["get"]["responses"]["4XX"]["content"];
    assert_eq!(page, &json!({ "text/html": {} }));
    let call = "/properties/error/anyOf/1/required";
    let failed = &document["paths"]["/api/contexts/{id}/open"]["post"]["responses"]["4XX"];
    let schema = &failed["content"]["application/json"]["schema"];
    assert_eq!(schema.pointer(call), Some(&json!(["message"])), "{schema}");
}
