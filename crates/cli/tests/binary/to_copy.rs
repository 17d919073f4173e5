//! Printed command lines for users to copy: they do what their text says.

use std::process::Command;

use throughline_conversation::SessionId;
use throughline_store::lock_session;
use throughline_testserver::{Answer, ErrorKind, Script};
use throughline_text::shell_word;

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
/// A name that a shell would take for several, and run one of.
const AWKWARD: &str = "jo's $(data); folder";

/// The command line behind these words, run by a shell.
#[track_caller]
fn pasted(place: &Place, url: &str, says: &str, behind: &str) -> Command {
    let line = says.lines().find_map(|line| line.split_once(behind)).unwrap_or_else(|| panic!("{says}")).1;
    let line = line.strip_prefix("throughline ").unwrap_or_else(|| panic!("{line}"));
    let given = place.bare(&[]);
    let mut shell = Command::new("sh");
    // The line names the server if the run had it from its command line.
    let model = match line.contains("--base-url") {
        true => format!("--model {}", MODEL.1),
        false => format!("--provider {} --model {} --base-url {url}", MODEL.0, MODEL.1),
    };
    shell.arg("-c").arg(format!("\"$0\" {line} -o json {model}")).arg(given.get_program());
    shell.env_clear().envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("ANTHROPIC_API_KEY", crate::place::KEY).current_dir(place.work());
    shell
}

#[test]
fn the_hint_to_continue_finds_the_data_the_session_and_the_folder() {
    let script = Script::new().then(Answer::error(ErrorKind::Unauthorized)).then(Answer::text("Now."));
    let (place, server) = (Place::new(), serve(script));
    std::fs::create_dir(place.work().join("a b")).unwrap();
    let ran = run(&mut place.asks(&server, MODEL, &["--data-dir", AWKWARD, "--workspace", "a b", "Go."]));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_says(&ran.err, &[r"--data-dir 'jo'\''s $(data); folder'", "--workspace 'a b'"]);
    let again = run(&mut pasted(&place, &server.url(), &ran.err, "to continue: ")).json();
    assert_eq!(again["text"], "Now.", "{again}");
    let folder = place.work().canonicalize().unwrap().join("a b");
    let asked = server.received().last().unwrap().body.to_string();
    assert_says(&asked, &[&format!("The working folder is {}", folder.display()), "Go."]);
}

#[test]
fn the_hint_to_copy_a_session_that_is_open_runs_in_the_same_way() {
    let script = Script::new().then(Answer::text("One.")).then(Answer::text("Two.")).repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let data = place.work().join(AWKWARD);
    let mut first = place.asks(&server, MODEL, &["--data-dir", AWKWARD, "-o", "json", "Go."]);
    // The workspace holds the data.
    let first = run(first.args(["--tools", "read"])).json();
    let id = first["session"].as_str().unwrap().to_owned();
    let _lock = lock_session(&data, &SessionId::new(id.clone()).unwrap()).unwrap();
    let mut again = place.asks(&server, MODEL, &["--data-dir", AWKWARD, "--workspace", ".", "-c", "More."]);
    let says = run(again.args(["--tools", "read"])).failed();
    let server_of_run = format!("--provider {} --base-url {}", MODEL.0, shell_word(&server.url()));
    let copies = format!("--resume {id} --fork --workspace . {server_of_run}");
    assert_says(&says, &["open in another process", &copies]);
    let mut copy =
        pasted(&place, &server.url(), &format!("{says} --tools read 'More.'"), "in a copy of it: ");
    let ran = run(&mut copy);
    assert_says(&ran.err, &[&format!("a copy of {id}, which stays unchanged")]);
    let copy: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(copy["text"], "Two.", "{copy}");
    assert_ne!(copy["session"], first["session"]);
}
