//! Tests of the file format.

use expect_test::{Expect, expect};

use super::parse_mcp_json;

fn lookup(name: &str) -> Option<String> {
    (name == "TOKEN").then(|| "secret-4711".to_owned())
}

fn check(text: &str, after: &Expect) {
    let shown = match parse_mcp_json(text, &lookup) {
        Err(error) => format!("{error}\n"),
        Ok(file) => {
            let servers = file.servers.iter().map(|server| format!("{server:?}\n"));
            let errors = file.errors.iter().map(|error| format!("{error}\n"));
            servers.chain(errors).chain(file.warnings.iter().map(|warning| format!("{warning}\n"))).collect()
        }
    };
    assert!(!shown.contains("4711"), "{shown}");
    after.assert_eq(&shown);
}

// S3-31
#[test]
fn servers_in_the_format_of_other_agents() {
    check(
        r#"{"mcpServers": {
            "files": {"command": "npx", "args": ["-y", "server-files", "${NONE:-/tmp}"], "env": {"KEY": "${TOKEN}"}},
            "web": {"type": "http", "url": "https://h/mcp?key=${TOKEN}", "headers": {"Authorization": "Bearer ${TOKEN}"}},
            "late": {"type": "stdio", "command": "x", "cwd": "sub", "timeout": 5000, "disabledTools": ["rm"]},
            "off": {"command": "x", "disabled": true}
        }}"#,
        &expect![[r#"
            ServerConfig { name: "files", transport: Stdio { command: "npx", args: 3, env: ["KEY"], cwd: None }, timeout: 120s, start_timeout: 60s, disabled_tools: {}, oauth: OAuthOptions { client_id: None, scopes: [], callback_port: None, .. } }
            ServerConfig { name: "late", transport: Stdio { command: "x", args: 0, env: [], cwd: Some("sub") }, timeout: 5s, start_timeout: 60s, disabled_tools: {"rm"}, oauth: OAuthOptions { client_id: None, scopes: [], callback_port: None, .. } }
            ServerConfig { name: "web", transport: Http { url: "https://h/mcp", headers: ["Authorization"] }, timeout: 120s, start_timeout: 60s, disabled_tools: {}, oauth: OAuthOptions { client_id: None, scopes: [], callback_port: None, .. } }
        "#]],
    );
}

#[test]
fn an_invalid_entry_is_named_and_the_others_are_used() {
    check(
        r#"{"mcpServers": {
            "good": {"command": "x", "alwaysAllow": ["a"]},
            "a": {},
            "b": {"command": "x", "url": "http://h"},
            "c": {"type": "sse", "url": "http://h"},
            "d": {"type": "secret-4711", "command": "x"},
            "e": {"command": "x", "args": ["ok", "${UNSET}"]},
            "f": {"url": "secret-4711"},
            "g": {"url": "ftp://h"},
            "h": {"url": "http://h", "headers": {"X-Key": "secret-4711\n"}},
            "i": {"command": "x", "args": "secret-4711"},
            "j": {"command": "x", "env": {"N": 4711}},
            "k": {"command": "x", "timeout": -1},
            "l": {"command": "x", "timeout": 0},
            "m": 7,
            "n": {"command": "x", "env": {"A=B": "1"}},
            "o": {"type": "http", "command": "x"},
            "p": {"command": "  "},
            "": {"command": "x"}
        }}"#,
        &expect![[r#"
            ServerConfig { name: "good", transport: Stdio { command: "x", args: 0, env: [], cwd: None }, timeout: 120s, start_timeout: 60s, disabled_tools: {}, oauth: OAuthOptions { client_id: None, scopes: [], callback_port: None, .. } }
            MCP server "" is ignored: it has no name
            MCP server "a" is ignored: it has neither `command` nor `url`
            MCP server "b" is ignored: it has a `command` and a `url`; remove one of them
            MCP server "c" is ignored: the old HTTP transport, `sse`, is not supported: ask for the server's streamable HTTP address, and write the type `http`
            MCP server "d" is ignored: its `type` is unknown; write `stdio` or `http`
            MCP server "e" is ignored: in `args[1]`: the environment variable UNSET is not set; set it, or write `${UNSET:-default}`
            MCP server "f" is ignored: its `url` is invalid; write it as `https://host/path`
            MCP server "g" is ignored: its `url` must begin with `https://` or `http://`
            MCP server "h" is ignored: in `headers.X-Key`: the value has characters that a header cannot contain
            MCP server "i" is ignored: its `args` must be a list of strings
            MCP server "j" is ignored: its `env` must be an object of strings
            MCP server "k" is ignored: its `timeout` must be a whole number of milliseconds
            MCP server "l" is ignored: its `timeout` is 0; write milliseconds, for example 60000
            MCP server "m" is ignored: it must be an object
            MCP server "n" is ignored: its `env` has "A=B", which is not a valid variable name
            MCP server "o" is ignored: it has no `url`; name the address of the server
            MCP server "p" is ignored: its `command` is empty
            MCP server "good": unknown field "alwaysAllow"
        "#]],
    );
}

#[test]
fn a_file_that_cannot_be_read_says_where() {
    check(
        "{\n  \"mcpServers\": {,}\n}",
        &expect![[r#"
            invalid MCP configuration: key must be a string at line 2 column 18; fix the JSON there
        "#]],
    );
    check(
        "{}",
        &expect![[r#"
            invalid MCP configuration: the `mcpServers` object is missing
        "#]],
    );
    check(
        r#"{"mcpServers": []}"#,
        &expect![[r#"
            invalid MCP configuration: `mcpServers` must be an object of servers by name
        "#]],
    );
}

#[test]
fn a_server_names_its_client_of_a_login() {
    check(
        r#"{"mcpServers": {
            "own": {"url": "https://h/mcp", "oauth": {"clientId": "house", "clientSecret": "${TOKEN}", "callbackPort": 8080, "scopes": "a b"}},
            "port": {"url": "https://h/mcp", "oauth": {"callbackPort": 0}},
            "typo": {"url": "https://h/mcp", "oauth": {"client": "house"}},
            "half": {"url": "https://h/mcp", "oauth": {"clientSecret": "${TOKEN}"}}
        }}"#,
        &expect![[r#"
            ServerConfig { name: "own", transport: Http { url: "https://h/mcp", headers: [] }, timeout: 120s, start_timeout: 60s, disabled_tools: {}, oauth: OAuthOptions { client_id: Some("house"), scopes: ["a", "b"], callback_port: Some(8080), .. } }
            ServerConfig { name: "typo", transport: Http { url: "https://h/mcp", headers: [] }, timeout: 120s, start_timeout: 60s, disabled_tools: {}, oauth: OAuthOptions { client_id: None, scopes: [], callback_port: None, .. } }
            MCP server "half" is ignored: its `oauth` has a client secret and no client id; set both
            MCP server "port" is ignored: its `oauth` must be an object, in which `clientId` and `clientSecret` are strings, `scopes` is a list of strings, and `callbackPort` a number from 1 to 65535
            MCP server "typo": unknown field "oauth.client"
        "#]],
    );
}
