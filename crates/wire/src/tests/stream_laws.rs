//! Laws of the decoders: pieces do not matter, and whatever comes, the answer has exactly one end.

use std::time::SystemTime;

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::sample::{Index, select};
use throughline_completion::{Assembly, CompletionEvent, ModelError};

use crate::errors::of_response;
use crate::stream::Decoded;
use crate::tests::stream_samples::{ALL, Make, lines, read};

/// One end, at the end.
fn one_end(events: &Decoded) -> bool {
    let is_end = |event: &Result<_, _>| matches!(event, Err(_) | Ok(CompletionEvent::Finished(_)));
    events.last().is_some_and(is_end) && events.iter().filter(|event| is_end(event)).count() == 1
}

fn pieces(bytes: &[u8], cuts: &[Index]) -> Vec<Vec<u8>> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|pair| bytes[pair[0]..pair[1]].to_vec()).collect()
}

fn recording() -> impl Strategy<Value = (Make, &'static str)> {
    select(ALL)
}

/// Lines that look like the wire, so that noise gets past the first check.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let texts: Vec<&'static str> = ALL.iter().flat_map(|(_, text)| text.split_inclusive('\n')).collect();
    let line = prop_oneof![
        6 => select(texts).prop_map(|line| line.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..40),
        1 => Just(b"data: {}\n\n".to_vec()),
        1 => Just(b"data: [1, null]\n\n\r\r\n".to_vec()),
        1 => Just(b"event: error\ndata: no json\n\n".to_vec()),
    ];
    vec(line, 0..40).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    // S3-31
    #[test]
    fn pieces_do_not_matter((make, text) in recording(), cuts in vec(any::<Index>(), 0..60), crlf in any::<bool>()) {
        let whole = lines(&read(make(), [text.as_bytes()]));
        let wire = if crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        let pieces = pieces(wire.as_bytes(), &cuts);
        prop_assert_eq!(lines(&read(make(), pieces.iter().map(Vec::as_slice))), whole);
    }

    #[test]
    fn a_cut_stream_ends_once((make, text) in recording(), cut in any::<Index>()) {
        let whole = read(make(), [text.as_bytes()]);
        let cut = read(make(), [&text.as_bytes()[..cut.index(text.len())]]);
        prop_assert!(one_end(&cut), "{}", lines(&cut));
        // Whatever was given before the end is what the whole stream gives.
        let before = cut.split_last().map_or(&[][..], |(_, before)| before);
        let same = before.iter().zip(&whole).take_while(|(a, b)| format!("{a:?}") == format!("{b:?}")).count();
        if matches!(cut.last(), Some(Err(ModelError::Interrupted { .. }))) {
            prop_assert_eq!(same, before.len());
        }
        // Nothing half-received is kept: an answer that assembles is the whole answer.
        let mut assembly = Assembly::default();
        for event in cut.into_iter().flatten() {
            assembly.push(event);
        }
        if let Ok(answer) = assembly.finish() {
            let mut all = Assembly::default();
            for event in whole.into_iter().flatten() {
                all.push(event);
            }
            prop_assert_eq!(answer.message, all.finish().unwrap().message);
        }
    }

    #[test]
    fn noise_ends_once_too((make, _) in recording(), bytes in noise(), cuts in vec(any::<Index>(), 0..20)) {
        let whole = read(make(), [bytes.as_slice()]);
        prop_assert!(one_end(&whole), "{}", lines(&whole));
        let pieces = pieces(&bytes, &cuts);
        prop_assert_eq!(lines(&read(make(), pieces.iter().map(Vec::as_slice))), lines(&whole));
    }

    #[test]
    fn random_bytes_end_once((make, _) in recording(), bytes in vec(any::<u8>(), 0..300)) {
        let events = read(make(), [bytes.as_slice()]);
        prop_assert!(one_end(&events), "{}", lines(&events));
    }

    #[test]
    fn any_response_has_an_error_of_one_line(
        status in any::<u16>(), wait in any::<Option<String>>(), body in vec(any::<u8>(), 0..200),
    ) {
        let error = of_response("p", status, wait.as_deref(), SystemTime::UNIX_EPOCH, &body).to_string();
        prop_assert!(!error.contains('\n') && error.len() < 1_000);
    }
}
