//! Settings of kinds.

use throughline_instructions::KindSetting;
use throughline_settings::{Resolved, keys};

use super::*;

fn kind(settings: &[(&'static str, &str, usize)]) -> AgentKind {
    let [mut kind, _] = built_in();
    let settings =
        settings.iter().map(|(key, text, line)| KindSetting { key, text: (*text).to_owned(), line: *line });
    kind.settings = settings.collect();
    kind
}

#[test]
fn they_stand_over_those_of_the_session() {
    let session =
        Layer::from_toml(Scope::User, "config.toml", "[agent]\neconomy = \"faithful\"\nstrict = true\n")
            .unwrap();
    let session = throughline_settings::resolve([session], true).unwrap();
    let own = settings(&kind(&[("agent.economy", "lean", 7), ("agent.policy", "dex", 4)])).unwrap();
    let all: Resolved = session.with(own).unwrap();
    let found = (all.get(keys::ECONOMY), all.get(keys::POLICY), all.get(keys::STRICT));
    assert_eq!(found, (Some("lean".to_owned()), Some("dex".to_owned()), Some(true)));
    assert_eq!(session.get(keys::ECONOMY).as_deref(), Some("faithful"));
}

#[test]
fn a_value_that_cannot_be_used_is_named_with_its_line() {
    let wrong = kind(&[("agent.policy", "dex\"x", 4), ("agent.economy", "lean", 5)]);
    let problem = problem(&wrong, &settings(&wrong).unwrap_err());
    assert!(problem.why.starts_with("line 4, `policy`: \"dex\\\"x\" is not one of"), "{}", problem.why);
}
