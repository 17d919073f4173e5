//! Tests of variable expansion.

use super::expand;

fn check(text: &str, after: Result<&str, &str>) {
    let lookup = |name: &str| match name {
        "HOME" => Some("/home/ada".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    };
    let found = expand(text, &lookup);
    match after {
        Ok(after) => assert_eq!(found.as_deref(), Ok(after), "{text}"),
        Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{text}: {found:?}"),
    }
}

#[test]
fn variables_and_defaults() {
    check("", Ok(""));
    check("plain $HOME {}", Ok("plain $HOME {}"));
    check("${HOME}/x:${HOME}", Ok("/home/ada/x:/home/ada"));
    check("${NONE:-a b}", Ok("a b"));
    check("${NONE:-}", Ok(""));
    check("${EMPTY:-x}${EMPTY}", Ok("x"));
    check("${HOME:-x}", Ok("/home/ada"));
}

#[test]
fn errors_name_the_variable() {
    check("Bearer ${TOKEN}", Err("TOKEN is not set"));
    check("${HOME", Err("has no `}`"));
    check("${}", Err("not a variable name"));
    check("${A-B}", Err("not a variable name"));
    check("${1A}", Err("not a variable name"));
}

#[test]
fn a_value_is_not_expanded_again() {
    let lookup = |_: &str| Some("${OTHER}".to_owned());
    assert_eq!(expand("${A}", &lookup).as_deref(), Ok("${OTHER}"));
}
