//! Input and its history.

use std::path::Path;

use tokio::sync::mpsc;

use super::*;

#[tokio::test]
async fn an_input_is_recorded_when_it_is_entered() {
    let place = tempfile::tempdir().unwrap();
    let history = InputHistory::new(place.path(), Path::new("/project"));
    let (act, acts) = mpsc::unbounded_channel();
    let (_end, ended) = mpsc::channel(1);
    let (show, _shown) = mpsc::unbounded_channel();
    let screen = Screen::new(show);
    let mut input = InputSource { acts, ended, history: Some(history.clone()), screen };
    for one in [
        Act::Entered("first".to_owned()),
        Act::Submit("first".to_owned()),
        // The running turn takes it from the screen.
        Act::Entered("second".to_owned()),
        Act::Entered("third".to_owned()),
        Act::Submit("third".to_owned()),
        Act::Quit,
    ] {
        act.send(one).unwrap();
    }
    let mut seen = Vec::new();
    loop {
        match input.next().await {
            Input::Act(Act::Quit) | Input::End(_) => break,
            Input::Act(act) => seen.push(act),
        }
    }
    assert_eq!(seen, [Act::Submit("first".to_owned()), Act::Submit("third".to_owned())]);
    assert_eq!(history.earlier().unwrap(), ["first", "second", "third"]);
}
