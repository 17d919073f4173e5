//! Limits of cost: a run stops before the request that would pass one, and the session continues under a higher one.

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, last_object, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// Each request costs $0.09: 20,000 new tokens of input and 2,000 of output.
fn looping() -> Server {
    let usage = Usage { input: 20_000, cache_read: 0, cache_write: 0, output: 2_000, searches: 0 };
    serve(Script::new().then(Answer::call("c1", "list_files", json!({})).usage(usage)).repeat_last())
}

fn asked(place: &Place, server: &Server, args: &[&str]) -> Ran {
    let args: Vec<&str> = ["-o", "json"].iter().chain(args).copied().collect();
    run(&mut place.asks(server, MODEL, &args))
}

fn cost(result: &Value) -> f64 {
    result["cost_usd"].as_f64().unwrap()
}

fn settings(place: &Place, text: &str) -> String {
    let file = place.folder.path().join("limits.toml");
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn a_session_stops_before_the_request_that_would_pass_its_limit_and_continues_under_a_higher_one() {
    let (place, server) = (Place::new(), looping());
    let ran = asked(&place, &server, &["--max-cost", "0.30 USD", "Go."]);
    let result = last_object(&ran);
    assert_eq!((ran.code, result["outcome"].as_str()), (Some(5), Some("limit")), "{ran:?}");
    assert!(cost(&result) <= 0.30 && cost(&result) >= 0.17, "{ran:?}");
    assert_eq!(result["requests"].as_u64().unwrap(), server.prompted().len() as u64, "{ran:?}");
    let error = result["error"].as_str().unwrap();
    assert_says(error, &["limit of $0.30 for this session", "is spent", "limits.cost"]);

    // What the session has cost before counts.
    let sent = server.prompted().len();
    let again = asked(&place, &server, &["--continue", "--max-cost", "$0.30", "More."]);
    assert_eq!((again.code, server.prompted().len()), (Some(5), sent), "{again:?}");
    let raised = asked(&place, &server, &["--continue", "--max-cost", "0.60", "More."]);
    assert!(server.prompted().len() > sent, "{raised:?}");
    assert_eq!(last_object(&raised)["session"], result["session"]);
}

#[test]
fn the_list_of_sessions_shows_what_each_has_cost() {
    let (place, server) = (Place::new(), looping());
    let result = last_object(&asked(&place, &server, &["--max-cost", "0.30 USD", "Go."]));
    let listed = run(&mut place.bare(&["sessions", "--json"])).json();
    let of_session =
        listed.as_array().unwrap().iter().find(|row| row["session"] == result["session"]).unwrap();
    assert!((cost(of_session) - cost(&result)).abs() < 1e-9, "{of_session} and {result}");
    assert_eq!(of_session["cost_usd_at_least"], of_session["cost_usd"]);

    let table = run(&mut place.bare(&["sessions"])).done();
    assert_says(&table, &["COST", &format!("${:.4}", cost(&result))]);
}

#[test]
fn a_turn_and_a_day_have_limits_of_their_own() {
    let (place, server) = (Place::new(), looping());
    let file = settings(&place, "[limits]\ncost_per_turn = \"0.20 USD\"\ncost_per_day = 0.5\n");
    let turn = asked(&place, &server, &["--config", &file, "Go."]);
    assert_says(
        last_object(&turn)["error"].as_str().unwrap(),
        &["$0.20 for this turn", "limits.cost_per_turn"],
    );
    let mut all = cost(&last_object(&turn));
    let mut last = turn;
    // Each run is a new session.
    for _ in 0..5 {
        last = asked(&place, &server, &["--config", &file, "Go."]);
        assert_eq!(last.code, Some(5), "{last:?}");
        all += cost(&last_object(&last));
    }
    // The first request of a session is expected to be as small as it looks here.
    assert!(all <= 0.5 + 0.09, "all sessions together cost ${all}: {last:?}");
    assert_says(
        last_object(&last)["error"].as_str().unwrap(),
        &["$0.50 for 24 hours", "limits.cost_per_day"],
    );
}

#[test]
fn a_limit_that_cannot_be_enforced_is_refused() {
    let (place, server) = (Place::new(), looping());
    let model = ("openai", "a-model-without-a-price");
    let ran = run(&mut place.asks(&server, model, &["--max-cost", "5", "Go."]));
    assert_says(&ran.err, &["price of openai/a-model-without-a-price is unknown", "limits.cost"]);
    assert!(server.prompted().is_empty() && ran.code != Some(0), "{ran:?}");

    for wrong in ["0", "-1", "5 EUR", "much", "inf"] {
        let ran = run(&mut place.asks(&server, MODEL, &[&format!("--max-cost={wrong}"), "Go."]));
        assert_says(&ran.misused(), &["--max-cost", "US dollars"]);
    }
}

#[test]
fn a_project_that_is_not_trusted_lowers_the_limit_and_does_not_raise_it() {
    let (place, server) = (Place::new(), looping());
    let own = settings(&place, "[limits]\ncost = \"0.20 USD\"\n");
    let project = place.work().join(".throughline");
    std::fs::create_dir_all(&project).unwrap();
    for (amount, holds) in [("9 USD", "$0.20"), ("0.10 USD", "$0.10")] {
        std::fs::write(project.join("config.toml"), format!("[limits]\ncost = \"{amount}\"\n")).unwrap();
        let ran = asked(&place, &server, &["--config", &own, "Go."]);
        assert_says(last_object(&ran)["error"].as_str().unwrap(), &[&format!("the limit of {holds}")]);
    }
}
