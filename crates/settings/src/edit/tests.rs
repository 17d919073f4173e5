//! Changes of a text, and what they leave alone.

use expect_test::{Expect, expect};

use super::{SettingsText, setting_named};
use crate::origin::Scope;

const FILE: &str = "# mine\n\n[model] # who answers\nprovider = \"openai\" # for now\n\n# limits\n[limits]\n# a session\ncost = 5\n";

fn of(text: &str) -> SettingsText<'_> {
    SettingsText { scope: Scope::User, file: "/u/config.toml", text }
}

fn set(text: &str, key: &str, value: &str, expected: &Expect) {
    expected.assert_eq(&of(text).set(key, value).unwrap_or_else(|error| error.to_string()));
}

#[test]
fn a_new_value_leaves_comments_and_order() {
    set(
        FILE,
        "model.provider",
        "anthropic",
        &expect![[r##"
        # mine

        [model] # who answers
        provider = "anthropic" # for now

        # limits
        [limits]
        # a session
        cost = 5
    "##]],
    );
    set(
        FILE,
        "model.retries",
        "3",
        &expect![[r##"
        # mine

        [model] # who answers
        provider = "openai" # for now
        retries = 3

        # limits
        [limits]
        # a session
        cost = 5
    "##]],
    );
    set(
        FILE,
        "permissions.deny",
        "[\"shell(git push *)\"]",
        &expect![[r##"
        # mine

        [model] # who answers
        provider = "openai" # for now

        # limits
        [limits]
        # a session
        cost = 5

        [permissions]
        deny = ["shell(git push *)"]
    "##]],
    );
    set(
        "# only a comment\n",
        "limits.cost",
        "$2.5",
        &expect![[r##"
        # only a comment

        [limits]
        cost = "2.5 USD"
    "##]],
    );
}

#[test]
fn every_way_to_write_a_section_is_changed_in_place() {
    set(
        "agent.policy = \"dex\"\n",
        "agent.strict",
        "true",
        &expect![[r#"
        agent.policy = "dex"
        agent.strict = true
    "#]],
    );
    set(
        "agent = { policy = \"dex\" }\n",
        "agent.hard_block",
        "0.9",
        &expect![[r#"
        agent = { policy = "dex" , hard_block = 0.9 }
    "#]],
    );
    set(
        "[model.headers]\nx = \"1\"\n",
        "model.retries",
        "3",
        &expect![[r#"
        [model]
        retries = 3
        [model.headers]
        x = "1"
    "#]],
    );
}

#[test]
fn what_the_table_refuses_is_not_written() {
    set(
        "",
        "agent.polcy",
        "dex",
        &expect!["the setting `agent.polcy`: unknown key; did you mean `agent.policy`?"],
    );
    set("", "sandbox", "true", &expect!["the setting `sandbox`: unknown key; did you mean `tools.sandbox`?"]);
    set(
        "",
        "mcp.servers.a",
        "x",
        &expect![
            "the setting `mcp.servers.a`: unknown key; `throughline mcp add` adds a server, and the file has it below [mcp.servers.NAME]"
        ],
    );
    set(
        "",
        "agent.policy",
        "dx",
        &expect![[
            r#"the setting `agent.policy`: "dx" is not one of throughline, dex, vibe, rubichan, slop, off; did you mean "dex"?"#
        ]],
    );
    set(
        "",
        "model.headers",
        "x=1",
        &expect![
            "the setting `model.headers`: it may hold a secret, and a command line is recorded; write it into the file yourself"
        ],
    );
    set(
        "",
        "model.window",
        "18446744073709551615",
        &expect!["the setting `model.window`: write a whole number, 1000 or above"],
    );
    set(
        "[agent]\npolicy =\n",
        "agent.policy",
        "dex",
        &expect![
            "the settings in /u/config.toml, line 2, `policy`: string values must be quoted, expected literal string"
        ],
    );
    set(
        "agent = 3\n",
        "agent.policy",
        "dex",
        &expect!["the settings in /u/config.toml, line 1, `agent`: it is a number; write a section"],
    );
    assert!(setting_named("model.headers").is_ok());
}

#[test]
fn a_removed_key_takes_only_its_own_comments() {
    let removed = of(FILE).unset("limits.cost").unwrap().unwrap();
    expect![[r##"
        # mine

        [model] # who answers
        provider = "openai" # for now

        # limits
        [limits]
    "##]]
    .assert_eq(&removed);
    assert_eq!(of(FILE).unset("agent.policy").unwrap(), None);
    assert_eq!(of(FILE).unset("limits.cost_per_day").unwrap(), None);
    assert!(of(FILE).unset("limits.cst").is_err());
    assert!(of(FILE).unset("limits").is_err());
}

#[test]
fn an_unknown_key_is_removed_too_and_no_empty_section_stays() {
    let check = |text: &str, key: &str, left: &str| {
        assert_eq!(of(text).unset(key).unwrap().as_deref(), Some(left), "{key}");
    };
    check("[agent]\npolcy = \"dex\"\nstrict = true\n", "agent.polcy", "[agent]\nstrict = true\n");
    check("[agnt]\npolicy = \"dex\"\n", "agnt.policy", "");
    check("[agnt]\npolicy = \"dex\"\n", "agnt", "");
    check("polcy = \"dex\"\n", "polcy", "");
    check("agent.policy = \"dex\"\n", "agent.policy", "");
    check("agent = { policy = \"dex\" }\n", "agent.policy", "");
    check("[agent]\npolicy = \"dex\"\n\n[ui]\nascii = true\n", "agent.policy", "\n[ui]\nascii = true\n");
    check("# mine\n[agent]\npolicy = \"dex\"\n", "agent.policy", "# mine\n[agent]\n");
    assert!(of("[agent]\npolcy = 3\n").unset("agent.plcy").is_err());
}
