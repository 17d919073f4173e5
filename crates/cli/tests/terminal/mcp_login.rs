//! `/mcp login`: a session logs in to a server, and its tools are there without a restart.

use throughline_testserver::{Answer, OAuthServer, Script};

use crate::browser::{agree, browse};
use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

/// The address that the screen shows to log in.
fn address(printed: &str) -> String {
    let (_, rest) = printed.rsplit_once("open this address in a browser:").unwrap();
    let (address, _) = rest.split_once("It is copied").unwrap();
    address.split_whitespace().collect()
}

#[test]
fn a_session_logs_in_to_a_server_by_the_browser_and_by_a_pasted_address() {
    let server = serve(Script::new().then(Answer::text("Here I am.")).repeat_last());
    let (guarded, place) = (OAuthServer::start().unwrap(), Place::new());
    run(&mut place.bare(&["mcp", "add", "docs", &guarded.url()])).done();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    screen.ready();
    screen.printed("it needs a login: throughline mcp login docs");
    screen.say("/mcp");
    screen.shows("needs login: /mcp login");
    screen.say("/mcp login docs http://127.0.0.1/callback");
    screen.printed("No login to docs waits for an address");
    screen.say("/mcp login docs");
    screen.answered("› /mcp login docs", "It is copied");
    let printed = screen.all();
    assert!(browse(&agree(&address(&printed))).contains("You are logged in"));
    screen.printed("Logged in to docs.");
    screen.say("/mcp");
    screen.shows("mcp__docs__lookup");
    screen.say("Are you there?");
    screen.printed("Here I am.");
    let sent = server.received().last().unwrap().body.to_string();
    // New in a session, so found by a search: the list of tools stays, and with it the prompt cache.
    assert!(sent.contains("1 tools deferred"), "{sent}");

    screen.idle();
    screen.say("/mcp logout docs");
    screen.printed("Deleted the login to the MCP server docs.");
    screen.say("/mcp login docs");
    screen.answered("› /mcp logout docs", "It is copied");
    let printed = screen.all();
    screen.enter(&format!("/mcp login docs {}", agree(&address(&printed))));
    screen.answered("callback?code=", "Logged in to docs.");
}
