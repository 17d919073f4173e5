//! The front page and the docs: their commands are understood, their settings are accepted, and what they show is printed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::place::Place;
use crate::ran::run;
use crate::sample::sample;

/// Every page, by its path from the root.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![PathBuf::from("README.md")];
    for folder in ["docs", "docs/guide"] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        files.extend(entries.map(|name| Path::new(folder).join(name)).filter(|path| is_page(path)));
    }
    files.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(root.join(path)).unwrap());
    files.into_iter().map(read).collect()
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The blocks of a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("\n```{language}\n");
    page.split(start.as_str()).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

/// The words of the first command of a line, as a shell splits them. A command whose words another one prints has none.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote, mut before) = (Vec::new(), None::<String>, None, ' ');
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '|' | '>' | '&' | ';') => break,
            (None, '#') if before == ' ' => break,
            (None, ' ') => words.extend(word.take()),
            (_, '$') => return None,
            _ => word.get_or_insert_default().push(letter),
        }
        before = letter;
    }
    words.extend(word);
    Some(words)
}

#[test]
fn every_command_of_the_pages_is_understood() {
    let place = Place::new();
    let (mut checked, mut wrong) = (0, Vec::new());
    for (path, page) in pages() {
        let lines = blocks(&page, "sh")
            .into_iter()
            .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>());
        for line in lines.filter(|line| line.starts_with("throughline")) {
            let Some(mut words) = words(line.trim_end_matches('\\')) else { continue };
            // Help is printed only where everything before it is understood; what follows `--` is another program's.
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.insert(end, "--help".to_owned());
            let ran = run(&mut place.bare(&words[1..].iter().map(String::as_str).collect::<Vec<_>>()));
            checked += 1;
            if ran.code != Some(0) {
                wrong.push(format!("{path}: {line}\n{}", ran.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 80, "{checked} commands");
}

#[test]
fn settings_of_the_guide_are_accepted() {
    let mut checked = 0;
    for (path, page) in pages().into_iter().filter(|(path, _)| path.starts_with("docs/guide/")) {
        for block in blocks(&page, "toml") {
            let place = Place::new();
            let folder = place.folder.path().join(".config/throughline");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("config.toml"), block).unwrap();
            let ran = run(&mut place.bare(&["config", "show"]));
            assert_eq!(ran.code, Some(0), "{path}: {}", ran.err);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// A line whose figures, ages and ids are one sign, because they differ from run to run.
fn masked(line: &str) -> String {
    let differs = |word: &&str| word.contains(|letter: char| letter.is_ascii_digit() || letter == '▕');
    let words = line.split_whitespace().map(|word| if differs(&word) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The first line of the page that is not in the output, in its order. `…` is any text, and as a line any lines.
fn missing<'a>(shown: &'a str, out: &str) -> Option<&'a str> {
    let out: Vec<String> = out.lines().map(masked).collect();
    let (mut at, mut skips) = (0, true);
    for line in shown.lines() {
        if line == "…" {
            skips = true;
            continue;
        }
        let expected = masked(line);
        let is_it = |found: &String| match expected.strip_suffix('…') {
            Some(start) => found.starts_with(start.trim_end()),
            None => *found == expected,
        };
        let rest = if skips { &out[at..] } else { &out[at..out.len().min(at + 1)] };
        let Some(place) = rest.iter().position(is_it) else { return Some(line) };
        at += place + 1;
        skips = false;
    }
    None
}

#[test]
fn what_the_guide_shows_is_what_the_demo_prints() {
    let mut checked = 0;
    for (path, page) in pages().into_iter().filter(|(path, _)| path.starts_with("docs/guide/")) {
        for block in blocks(&page, "console") {
            let (command, shown) = block.split_once('\n').unwrap();
            let words = words(command.strip_prefix("$ ").unwrap()).unwrap();
            let out = sample().run(&words[1..].iter().map(String::as_str).collect::<Vec<_>>()).done();
            let lacks = missing(shown, &out);
            assert!(lacks.is_none(), "{path}: `{command}` does not print {lacks:?}, but\n{out}");
            checked += 1;
        }
    }
    assert!(checked > 1, "{checked} commands");
}

#[test]
fn the_recording_of_the_demo_is_what_it_prints() {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/demo.txt");
    let recording = fs::read_to_string(recording).unwrap();
    // Calls of one answer end in any order, and two lines say where project and session are.
    let sorted = |text: &str| {
        let lines =
            text.lines().take_while(|line| !line.starts_with("The session") && !line.starts_with("session "));
        let lines = lines.filter(|line| !line.starts_with("project "));
        let mut lines: Vec<String> = lines.map(masked).collect();
        lines.sort();
        lines
    };
    let recorded = sorted(recording.split_once('\n').unwrap().1);
    assert_eq!(
        recorded,
        sorted(&sample().out),
        "take docs/pictures/demo.txt again, and run `cargo xtask pictures`"
    );
}

/// Files of source below a folder, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.file_stem().unwrap().to_str().unwrap() {
            "tests" => {}
            _ if path.is_dir() => sources(&path, found),
            _ if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn the_variables_that_the_program_reads_are_in_the_table_of_the_settings() {
    /// Words of these files that name no variable, or one that the program sets.
    const OTHERS: [&str; 5] = ["FRX", "PROVIDER", "TEMP", "TMPDIR", "TMP"];
    let is_name = |word: &&str| {
        let plain = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        word.len() > 2
            && word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && word.chars().all(plain)
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/settings.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Other variables")).unwrap();
    let (mut files, mut seen, mut missing) = (Vec::new(), 0, Vec::new());
    for folder in fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path()) {
        let tools = ["benches", "testkit", "testserver"];
        if folder.is_dir() && !tools.iter().any(|tool| folder.ends_with(tool)) {
            sources(&folder.join("src"), &mut files);
        }
    }
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        if !text.contains("env::var(") && !text.contains("env::var_os(") {
            continue;
        }
        for name in text.split('"').filter(is_name).filter(|name| !OTHERS.contains(name)) {
            seen += 1;
            // Telemetry has a page of its own.
            if !name.starts_with("OTEL_") && !section.contains(&format!("`{name}`")) {
                missing.push(format!("{}: {name}", file.display()));
            }
        }
    }
    assert!(seen > 40, "{seen}");
    assert!(missing.is_empty(), "{missing:#?}");
}
