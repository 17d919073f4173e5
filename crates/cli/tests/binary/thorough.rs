//! Thorough summaries, which the model writes while the program works.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{last_object, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
/// In the prompt for a thorough summary alone.
const ASKED: &str = "Technical Context and Decisions";
const SUMMARY: &str = "## 3. Technical Context\nThe stories are plain text.\n## 6. Immediate Next Step\nRead the \
                       kestrel story again.";
const STEPS: usize = 60;
const STEP_TIME: Duration = Duration::from_millis(40);
const SUMMARY_TIME: Duration = Duration::from_secs(1);
/// The first summary is begun about six steps before the window is full. These are twice its time.
const STEP_TIME_MEANWHILE: Duration = Duration::from_millis(340);

/// Reads one file after the other, and takes its time for a summary. `asked`: when it was asked for the last one.
fn model(asked: &Mutex<Option<Instant>>, body: &Value) -> Option<Answer> {
    let messages = body["messages"].as_array()?;
    let mut asked = asked.lock().unwrap();
    if messages.last()?.to_string().contains(ASKED) {
        *asked = Some(Instant::now());
        return Some(Answer::text(SUMMARY).wait_head(SUMMARY_TIME));
    }
    let is_asked = asked.is_some_and(|at| at.elapsed() < SUMMARY_TIME);
    let step_time = if is_asked { STEP_TIME_MEANWHILE } else { STEP_TIME };
    let whole = body.to_string();
    let next = (0..STEPS).find(|step| {
        !whole.contains(&format!("\"step-{step}\"")) && !whole.contains(&format!("s{step}.txt"))
    });
    Some(match next {
        Some(step) => {
            let input = json!({ "path": format!("s{step}.txt") });
            Answer::call(&format!("step-{step}"), "read_file", input).wait_head(step_time)
        }
        None => Answer::text("All are read."),
    })
}

#[test]
fn no_compaction_of_a_run_waits_for_its_thorough_summary() {
    let place = Place::new();
    for step in 0..STEPS {
        let line = format!("A story {step} of many words that say very little about anything at all.\n");
        std::fs::write(place.work().join(format!("s{step}.txt")), line.repeat(60)).unwrap();
    }
    let settings = place.folder.path().join(".config/throughline/config.toml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "[compaction]\nsummary = \"thorough\"\n").unwrap();
    let asked = Mutex::new(None);
    let server = serve(Script::new().prompt_cache(1_024).unscripted(move |body| model(&asked, body)));
    let ran = run(&mut place.asks(&server, MODEL, &["--window", "24000", "-o", "json", "Read all stories."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(last_object(&ran)["text"], json!("All are read."));

    let log = run(&mut place.bare(&["export", "last"])).done();
    let bodies = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["body"].clone());
    let all: Vec<Value> = bodies.map(|body| body["compaction"].clone()).filter(Value::is_object).collect();
    assert!(all.len() >= 2, "{all:?}");
    assert!(all.iter().any(|one| one["authors"] == json!([MODEL.1])), "{all:?}");
    let waited: Vec<u64> = all.iter().filter_map(|one| one["blocked_ms"].as_u64()).collect();
    assert!(
        waited.iter().all(|ms| u128::from(*ms) < SUMMARY_TIME.as_millis()),
        "a summary takes longer: {waited:?}"
    );
    let shown = server.received().into_iter().filter(|one| one.body.to_string().contains("kestrel"));
    assert!(shown.count() > 0, "later requests have what the model wrote");
}
