//! What shells and `man` read of the command line.

use std::fs;
use std::process::{Command, Stdio};

use crate::place::Place;
use crate::ran::{assert_says, run, run_with};

/// True if this machine has the program.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn completions_are_scripts_that_their_shell_takes() {
    let place = Place::new();
    for (shell, word) in
        [("bash", "complete -F"), ("zsh", "#compdef throughline"), ("fish", "complete -c throughline")]
    {
        let script = run(&mut place.bare(&["completions", shell])).done();
        assert_says(&script, &[word, "doctor", "data-dir", "replay", "peers"]);
        let file = place.folder.path().join(shell);
        fs::write(&file, &script).unwrap();
        if has(shell) {
            // Every shell reads a script without running it.
            let checked = run_with(Command::new(shell).arg("-n").arg(&file), Stdio::null());
            assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""), "{shell}");
        }
    }
    // bash itself completes with it.
    let asked = format!(
        "source {}; COMP_WORDS=(throughline doct); COMP_CWORD=1; _throughline throughline doct throughline; \
         echo \"${{COMPREPLY[*]}}\"",
        place.folder.path().join("bash").display()
    );
    assert_eq!(run(Command::new("bash").args(["-c", &asked])).done().trim(), "doctor");
    // Below a command, too, only options are offered that have an effect.
    let script = run(&mut place.bare(&["completions", "bash"])).done();
    for (command, with, without) in [
        ("mcp", "--database", "--none"),
        ("mcp__subcmd__add", "--log", "--data-dir"),
        ("mcp__subcmd__remove", "--data-dir", "--database"),
        ("config__subcmd__set", "--data-dir", "--blobs"),
        ("config__subcmd__path", "--log", "--data-dir"),
        ("config__subcmd__key__subcmd__new", "--log", "--database"),
        ("serve__subcmd__audit", "--database", "--blobs"),
    ] {
        let of_command =
            script.split_once(&format!("throughline__subcmd__{command})\n            opts=\"")).unwrap().1;
        let options: Vec<&str> = of_command.split_once('"').unwrap().0.split(' ').collect();
        assert!(options.contains(&with) && !options.contains(&without), "{command}: {options:?}");
    }
    assert_says(&run(&mut place.bare(&["completions", "tcsh"])).misused(), &["tcsh", "bash"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let pages = place.folder.path().join("man1");
    let said = run(place.bare(&["man", "--output"]).arg(&pages)).done();
    let files: Vec<String> =
        fs::read_dir(&pages).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    assert_says(&said, &[&format!("{} pages", files.len())]);
    for name in ["throughline.1", "throughline-run.1", "throughline-doctor.1", "throughline-config-key-new.1"]
    {
        assert!(files.iter().any(|file| file == name), "{files:?}");
    }
    // Every page that a page names is there.
    for file in &files {
        let page = fs::read_to_string(pages.join(file)).unwrap().replace("\\-", "-");
        for line in page.lines().filter(|line| line.starts_with("throughline-") && line.ends_with("(1)")) {
            let named = line.replace("(1)", ".1");
            assert!(
                named == "throughline-help.1" || named.ends_with("-help.1") || files.contains(&named),
                "{file}: {line}"
            );
        }
    }
    let nested = run(&mut place.bare(&["man", "sessions", "prune"])).done();
    assert_eq!(nested, fs::read_to_string(pages.join("throughline-sessions-prune.1")).unwrap());
    assert_says(&nested, &[".TH throughline-sessions-prune 1", "\\-\\-older\\-than"]);
    let page = run(&mut place.bare(&["man", "doctor"])).done();
    assert_eq!(page, fs::read_to_string(pages.join("throughline-doctor.1")).unwrap());
    assert_says(&page, &[".TH throughline-doctor 1", "\\-\\-offline"]);
    assert_says(&run(&mut place.bare(&["man", "doctr"])).failed(), &["no command \"doctr\"", "--help"]);
}
