//! The detector and the readers of transcripts over what real agents have shown and written in sessions with compactions.

use std::fs;
use std::time::{Duration, Instant};

use crate::agent::ForeignAgent;
use crate::compactions::compactions;
use crate::detector::{CompactionDetector, ScreenSign};

/// How long before and after a compaction a sign still belongs to it: agents begin to draw before they ask, and draw the end late.
const NEAR: Duration = Duration::from_secs(3);

const SCREENS: [(&str, &str); 4] = [
    ("claude", include_str!("../../../recordings/claude_screens.txt")),
    ("codex", include_str!("../../../recordings/codex_screens.txt")),
    ("opencode", include_str!("../../../recordings/opencode_screens.txt")),
    ("gemini", include_str!("../../../recordings/gemini_screens.txt")),
];

const TRANSCRIPTS: [(ForeignAgent, &str, &str); 4] = [
    (
        ForeignAgent::Claude,
        "\"compact_boundary\"",
        include_str!("../../../recordings/claude_compactions.jsonl"),
    ),
    (
        ForeignAgent::Codex,
        "\"type\":\"compacted\"",
        include_str!("../../../recordings/codex_compactions.jsonl"),
    ),
    (
        ForeignAgent::Gemini,
        "Got it. Thanks for the additional context!",
        include_str!("../../../recordings/gemini_compactions.jsonl"),
    ),
    (
        ForeignAgent::Gemini,
        "Got it. Thanks for the additional context!",
        include_str!("../../../recordings/gemini_threshold.jsonl"),
    ),
];

/// A recorded screen.
struct Frame {
    at: Duration,
    compacting: bool,
    rows: Vec<String>,
}

/// Reads a recording: of each screen its time, and the rows that are other ones than before.
fn frames(recording: &str) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for line in recording.lines() {
        if let Some((millis, state)) = line.strip_prefix('@').and_then(|head| head.split_once(' ')) {
            let rows = frames.last().map(|last| last.rows.clone()).unwrap_or_default();
            let at = Duration::from_millis(millis.parse().unwrap());
            frames.push(Frame { at, compacting: state == "compacting", rows });
        } else if let Some((number, row)) = line.split_once('|') {
            let (number, rows) = (number.parse::<usize>().unwrap(), &mut frames.last_mut().unwrap().rows);
            rows.resize(rows.len().max(number + 1), String::new());
            row.clone_into(&mut rows[number]);
        }
    }
    frames
}

/// When each compaction began and ended.
fn windows(frames: &[Frame]) -> Vec<(Duration, Duration)> {
    let mut windows: Vec<(Duration, Duration)> = Vec::new();
    for (before, frame) in frames.iter().zip(frames.iter().skip(1)) {
        if frame.compacting && !before.compacting {
            windows.push((before.at, frame.at));
        } else if let Some(last) = windows.last_mut().filter(|_| frame.compacting || before.compacting) {
            last.1 = frame.at;
        }
    }
    windows
}

// S1-03 S1-04 S1-05
#[test]
fn recorded_screens_tell_of_each_compaction_once_and_of_no_other() {
    let (mut screens, mut found, mut all) = (0, 0, 0);
    for (agent, recording) in SCREENS {
        let (frames, begun, mut detector) = (frames(recording), Instant::now(), CompactionDetector::new([]));
        let mut signs: Vec<Duration> = Vec::new();
        for frame in &frames {
            let sign = detector.observe(frame.rows.iter().map(String::as_str), begun + frame.at);
            if matches!(sign, Some(ScreenSign::Compaction(_))) {
                signs.push(frame.at);
            }
        }
        let windows = windows(&frames);
        assert!(windows.len() >= 3, "{agent}: {} compactions", windows.len());
        let near =
            |at: &Duration, (from, to): &(Duration, Duration)| *at + NEAR >= *from && *at <= *to + NEAR;
        for sign in &signs {
            assert!(windows.iter().any(|window| near(sign, window)), "{agent}: no compaction at {sign:?}");
        }
        for window in &windows {
            let of_it = signs.iter().filter(|sign| near(sign, window)).count();
            assert!(of_it <= 1, "{agent}: {of_it} signs of one compaction");
            found += of_it;
        }
        println!("{agent}: {} screens, {} of {} compactions seen", frames.len(), signs.len(), windows.len());
        screens += frames.len();
        all += windows.len();
    }
    println!("{screens} screens: {found} of {all} compactions seen, no other sign");
    assert!(screens >= 200, "{screens} screens");
    assert!(found * 100 >= all * 95, "{found} of {all} compactions");
}

// S1-02
#[test]
fn a_transcript_tells_of_each_compaction_however_far_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    for (agent, mark, transcript) in TRANSCRIPTS {
        let ends = transcript.match_indices('\n').map(|(at, _)| at + 1);
        // Whole lines, and lines that are half written.
        for end in ends.flat_map(|end| [end, end - end.min(20) / 2]) {
            let written = &transcript.as_bytes()[..end];
            fs::write(&file, written).unwrap();
            let whole = String::from_utf8_lossy(written);
            let lines = whole.lines().filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok());
            let expected = lines.filter(|line| line.contains(mark)).count();
            assert_eq!(compactions(agent, &file).unwrap().len(), expected, "{agent} up to byte {end}");
        }
    }
}
