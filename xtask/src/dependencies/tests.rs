//! Tests of what is reported.

use serde_json::{Value, json};

use super::{REGISTRY, allowed, fault};

const FILE: &str =
    "[licenses]\nallow = [\n    \"MIT\",\n    \"ISC\",\n]\n[[licenses.clarify]]\ncrate = \"read\"\n";

fn faults(package: &Value) -> Option<String> {
    fault(package, FILE, &allowed(FILE))
}

#[test]
fn a_package_has_an_allowed_licence_and_comes_from_the_registry() {
    assert_eq!(allowed(FILE), ["MIT", "ISC"]);
    let package = |name: &str, source: Value, licence: Value| {
        faults(&json!({"name": name, "version": "1.0.0", "source": source, "license": licence}))
    };
    assert_eq!(package("own", Value::Null, json!("secret")), None);
    assert_eq!(package("good", json!(REGISTRY), json!("MIT OR GPL-3.0")), None);
    assert_eq!(package("read", json!(REGISTRY), Value::Null), None);
    let wrong = package("a", json!(REGISTRY), json!("GPL-3.0")).unwrap();
    assert_eq!(wrong, "a 1.0.0 has the licence GPL-3.0");
    assert_eq!(package("a", json!(REGISTRY), Value::Null).unwrap(), "a 1.0.0 names no licence");
    let from = package("a", json!("git+https://x.example/a"), json!("MIT")).unwrap();
    assert_eq!(from, "a 1.0.0 comes from git+https://x.example/a, and not from crates.io");
}
