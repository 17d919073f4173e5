//! Limits in a file that other versions and other programs write, too.

use std::fs;

use super::*;

fn server(port: u16) -> ServerAddress {
    ServerAddress { host: "127.0.0.1".to_owned(), port }
}

#[test]
fn a_limit_belongs_to_one_model_at_one_server_until_it_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let file = LimitsFile::in_folder(folder.path());
    file.learn(&server(1), "team/house", LearnedLimit::Window(8_192)).unwrap();
    file.learn(&server(1), "team/house", LearnedLimit::MaxOutput(1_000)).unwrap();
    file.learn(&server(2), "team/house", LearnedLimit::Window(4_096)).unwrap();
    let tokens = |port, model: &str| {
        let known = file.of(&server(port), model).unwrap();
        (known.window.map(|limit| limit.tokens), known.max_output.map(|limit| limit.tokens))
    };
    assert_eq!(tokens(1, "team/house"), (Some(8_192), Some(1_000)));
    assert_eq!((tokens(2, "team/house"), tokens(1, "house")), ((Some(4_096), None), (None, None)));
    assert_eq!(file.forget("house").unwrap(), []);
    assert_eq!(file.forget("127.0.0.1:1/team/house").unwrap().len(), 1);
    assert_eq!((tokens(1, "team/house"), tokens(2, "team/house")), ((None, None), (Some(4_096), None)));
    assert_eq!(file.forget("team/house").unwrap()[0].0, "127.0.0.1:2/team/house");
    assert_eq!(file.all().unwrap(), []);
}

#[test]
fn fields_of_a_later_version_stay_and_figures_that_are_no_limits_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"models": {"h:1/m": {"window": {"tokens": 8192, "at": 5, "sure": true}, "speed": 9},
                   "h:1/odd": {"window": {"tokens": 7, "at": 5}, "max_output": {"tokens": 0, "at": 5}}}, "version": 2}"#;
    fs::write(folder.path().join("limits.json"), text).unwrap();
    let file = LimitsFile::in_folder(folder.path());
    let at = ServerAddress { host: "h".to_owned(), port: 1 };
    file.learn(&at, "m", LearnedLimit::MaxOutput(99)).unwrap();
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("limits.json")).unwrap()).unwrap();
    assert_eq!((&written["version"], &written["models"]["h:1/m"]["speed"]), (&2.into(), &9.into()));
    assert_eq!(written["models"]["h:1/m"]["window"]["sure"], true);
    assert_eq!(written["models"]["h:1/m"]["max_output"]["tokens"], 99);
    let odd = file.of(&at, "odd").unwrap();
    assert_eq!((odd.window, odd.max_output), (None, None));
}

#[test]
fn a_damaged_file_is_an_error_that_names_it_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("limits.json"), "{").unwrap();
    let file = LimitsFile::in_folder(folder.path());
    let said = file.of(&server(1), "m").unwrap_err().to_string();
    assert!(said.contains("limits.json is damaged; repair it, or remove it"), "{said}");
    file.learn(&server(1), "m", LearnedLimit::Window(8_192)).unwrap_err();
    assert_eq!(fs::read_to_string(folder.path().join("limits.json")).unwrap(), "{");
}
