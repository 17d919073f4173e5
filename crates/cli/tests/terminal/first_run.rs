//! The first run, without a key: the user says what to use, and the session begins.

use std::fs;

use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

const RIGHT: &str = "sk-right-81c4d7-canary";

fn server() -> Server {
    serve(Script::new().key(RIGHT).then(Answer::text("Here I am.")).repeat_last())
}

/// The binary without a key, in a terminal of this size.
fn start(place: &Place, server: &Server, size: (u16, u16)) -> Tmux {
    let mut words = Tmux::words(place, server, &[], &[]);
    words.retain(|word| !word.starts_with("ANTHROPIC_API_KEY="));
    let at = words.iter().position(|word| word.ends_with("/throughline")).unwrap();
    words.truncate(at + 1);
    words.insert(at, format!("ANTHROPIC_BASE_URL={}", server.url()));
    words.push("Are you there?".to_owned());
    Tmux::open(&place.work(), size, &words)
}

#[test]
fn a_key_is_asked_for_and_the_session_begins() {
    for size in [(80, 24), (120, 40), (60, 15)] {
        let (place, server) = (Place::new(), server());
        let screen = start(&place, &server, size);
        let asked = screen.shows("1 to 5, or Enter to leave:");
        assert!(asked.contains("Anthropic") && asked.contains("it is not running"), "{asked}");
        screen.say("9");
        screen.shows("Type one of the numbers.");
        screen.say("1");
        screen.shows("Key of anthropic (it is not shown):");
        screen.say("sk-wrong-canary");
        screen.shows("Try again, or press Enter to leave.");
        screen.say(RIGHT);
        screen.printed("Here I am.");
        screen.idle();
        assert!(!screen.all().contains("canary"), "{}", screen.all());
        screen.key("C-d");
        assert_eq!(screen.ended(), 0);
    }
}

#[test]
fn a_server_of_the_users_own_becomes_the_default() {
    let script = Script::new().model("house", 64_000).model("garden", 64_000);
    let (place, server) = (Place::new(), serve(script.then(Answer::text("Here I am.")).repeat_last()));
    let screen = start(&place, &server, (100, 30));
    screen.shows("1 to 5, or Enter to leave:");
    screen.say("5");
    screen.shows("Its address");
    screen.say("127.0.0.1:80");
    screen.shows("Try again");
    screen.say(&format!("{}/v1", server.url()));
    screen.shows("Its key");
    screen.say("");
    screen.shows("Model, by number or name:");
    screen.say("2");
    screen.printed("Here I am.");
    screen.idle();
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
    let file = place.folder.path().join(".config/throughline/config.toml");
    let settings = fs::read_to_string(file).unwrap();
    assert!(settings.contains("model = \"garden\"") && settings.contains("compatible"), "{settings}");
}

#[test]
fn who_leaves_is_shown_every_way() {
    let (place, server) = (Place::new(), server());
    let screen = start(&place, &server, (100, 30));
    screen.shows("1 to 5, or Enter to leave:");
    screen.say("4");
    assert_eq!(screen.ended(), 3);
    let said = screen.all();
    assert!(said.contains("ollama serve") && said.contains("export OPENAI_API_KEY"), "{said}");
    assert!(!place.folder.path().join(".config").exists(), "nothing was stored");
}
