//! What `mcp add` makes of its words.

use clap::{Command, FromArgMatches as _, Subcommand as _};
use throughline_settings::McpTransport;

use super::McpChange;

fn transport(words: &[&str]) -> Result<McpTransport, String> {
    let root = McpChange::augment_subcommands(Command::new("mcp").no_binary_name(true));
    let matches = root.try_get_matches_from(words).map_err(|error| error.to_string())?;
    match McpChange::from_arg_matches(&matches).unwrap() {
        McpChange::Add(args) => args.transport().map_err(|error| error.to_string()),
        McpChange::Remove(_) => unreachable!(),
    }
}

#[test]
fn a_program_has_arguments_and_variables() {
    let made =
        transport(&["add", "--env", "GITHUB_TOKEN", "--env", "LEVEL=debug", "gh", "npx", "-y", "server"]);
    let McpTransport::Stdio { command, args, env, .. } = made.unwrap() else { panic!("no program") };
    assert_eq!(
        (command.as_str(), args.as_slice()),
        ("npx", ["-y".to_owned(), "server".to_owned()].as_slice())
    );
    let env: Vec<_> = env.iter().collect();
    assert_eq!(env, [("GITHUB_TOKEN", "${GITHUB_TOKEN}"), ("LEVEL", "debug")]);
}

#[test]
fn an_address_has_headers() {
    let made = transport(&["add", "--header", "Authorization: Bearer ${TOKEN}", "x", "https://x.org/mcp"]);
    let McpTransport::Http { url, headers, .. } = made.unwrap() else { panic!("no address") };
    assert_eq!((url.as_str(), headers.iter().count()), ("https://x.org/mcp", 1));
}

#[test]
fn an_own_option_behind_the_command_is_refused_and_passed_on_behind_two_dashes() {
    for (words, says) in [
        (&["add", "z", "prog", "--env", "TOKEN=canary"][..], "mcp add --env … z COMMAND"),
        (&["add", "z", "prog", "-y", "--env=TOKEN=canary"], "mcp add z -- COMMAND --env …"),
        (&["add", "y", "https://x.org", "--header", "Authorization: canary"], "mcp add --header … y COMMAND"),
        (&["add", "x", "--environment=canary", "prog"], "no option of mcp add"),
    ] {
        let error = transport(words).unwrap_err();
        assert!(error.contains(says) && !error.contains("canary"), "{words:?}: {error}");
    }
    for (words, passed) in [
        (&["z", "--", "prog", "--env", "dev"][..], &["--env", "dev"][..]),
        // A `--` behind the program is the program's own.
        (&["z", "prog", "--", "--env", "dev"], &["--", "--env", "dev"]),
    ] {
        let made = transport(&[&["add"], words].concat()).unwrap();
        let McpTransport::Stdio { command, args, .. } = made else { panic!("no program") };
        assert_eq!(
            (command.as_str(), args),
            ("prog", passed.iter().map(|word| (*word).to_owned()).collect())
        );
    }
    let made = transport(&["add", "z", "--env", "LEVEL=debug", "prog"]).unwrap();
    assert!(matches!(made, McpTransport::Stdio { args, .. } if args.is_empty()));
}

#[test]
fn what_contradicts_itself_or_shows_a_secret_is_refused() {
    for (words, says) in [
        (&["add", "x"][..], "COMMAND"),
        (&["add", "--header", "a: b", "x", "npx"], "--env"),
        (&["add", "--env", "A", "x", "https://x.org"], "--header"),
        (&["add", "x", "https://x.org", "-y"], "takes no arguments"),
        (&["add", "--env", "API_KEY=sk-canary", "x", "npx"], "--env API_KEY"),
        (&["add", "--header", "Authorization: Bearer canary", "x", "https://x.org"], "${TOKEN}"),
        (&["add", "--header", "X-Api-Key: canary", "x", "https://x.org"], "${TOKEN}"),
        (&["add", "--header", "nothing", "x", "https://x.org"], "name: value"),
    ] {
        let error = transport(words).unwrap_err();
        assert!(error.contains(says) && !error.contains("canary"), "{words:?}: {error}");
    }
}
