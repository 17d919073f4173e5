//! `/plugin`: a session lists plugins, and has their commands or not.

use std::fs;

use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

/// Installs a plugin with one command.
fn install(place: &Place) {
    let shop = place.folder.path().join("shop");
    for (name, text) in [
        (
            ".claude-plugin/marketplace.json",
            r#"{ "name": "shop", "owner": { "name": "A" }, "plugins": [{ "name": "yard", "source": "./yard" }] }"#,
        ),
        ("yard/.claude-plugin/plugin.json", r#"{ "name": "yard", "version": "1.0.0" }"#),
        (
            "yard/commands/ship.md",
            "---\ndescription: Ships a version\nargument-hint: VERSION\n---\nShip $1 now.\n",
        ),
    ] {
        let path = shop.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    run(&mut place.bare(&["plugin", "marketplace", "add", shop.to_str().unwrap()])).done();
    run(&mut place.bare(&["plugin", "install", "yard", "--yes"])).done();
}

#[test]
fn a_session_uses_disables_and_enables_the_commands_of_a_plugin() {
    let server = serve(Script::new().then(Answer::text("It sails.")).repeat_last());
    let place = Place::new();
    install(&place);
    let screen = Tmux::start(&place, &server, (100, 40), &[]);
    screen.ready();
    screen.say("/plugin");
    screen.shows("/yard:ship");
    screen.idle();
    screen.text("/yard");
    screen.shows("Ships a version");
    screen.key("C-u");
    screen.say("/ship v2");
    screen.printed("It sails.");
    let sent = server.received().last().unwrap().body.to_string();
    assert!(sent.contains("Ship v2 now."), "{sent}");
    screen.idle();
    screen.say("/plugin disable yard");
    screen.printed("The plugin yard is disabled, from the next session on.");
    screen.say("/ship v3");
    screen.printed("there is no command /ship");
    screen.say("/plugin enable yard");
    screen.idle();
    screen.say("/yard:ship v4");
    screen.asked(&server, 2);
    let sent = server.received().last().unwrap().body.to_string();
    assert!(sent.contains("Ship v4 now."), "{sent}");
}
