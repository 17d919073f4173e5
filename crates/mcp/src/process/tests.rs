//! Tests of server processes.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::environment;

#[test]
fn a_server_gets_the_inherited_variables_and_its_own() {
    let ours = ["PATH", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "HOME", "LD_PRELOAD", "SSH_AUTH_SOCK"];
    let ours = ours.map(|name| (OsString::from(name), OsString::from("ours")));
    let own = BTreeMap::from([("TOKEN".to_owned(), "own".to_owned()), ("PATH".to_owned(), "own".to_owned())]);
    let mut got = BTreeMap::new();
    got.extend(
        environment(ours, &own)
            .into_iter()
            .map(|(n, v)| (n.into_string().unwrap(), v.into_string().unwrap())),
    );
    let shown: Vec<String> = got.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(shown, ["HOME=ours", "PATH=own", "TOKEN=own"]);
}
