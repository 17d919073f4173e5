//! Pins and STATE of a context: what an operation says of them.

#![expect(clippy::unwrap_used, reason = "tests may fail")]

use throughline_contexts::{
    Contexts, ErrorCode, GetReport, GiveAnswer, NextRequest, Open, Pin, Redo, SetDocuments, Undo, Unpin,
    UserMessage,
};

async fn opened() -> Contexts {
    let contexts = Contexts::default();
    let open = Open { model: "test".to_owned(), window: Some(50_000), ..Open::default() };
    contexts.open("pins", None, open).await.unwrap();
    contexts
}

async fn turn(contexts: &Contexts, text: &str) {
    let message = UserMessage { text: text.to_owned(), images: Vec::new() };
    contexts.run("pins", None, message).await.unwrap();
    let request = contexts.run("pins", None, NextRequest {}).await.unwrap().id;
    let body =
        serde_json::from_str(r#"{"content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn"}"#);
    contexts.run("pins", None, GiveAnswer { request, body: body.unwrap() }).await.unwrap();
}

#[tokio::test]
async fn a_pin_has_a_number_by_which_it_is_removed() {
    let contexts = opened().await;
    for text in ["First rule.", "Second rule."] {
        turn(&contexts, text).await;
    }
    let of = |turn| Pin { turn: Some(turn), ..Pin::default() };
    assert_eq!(contexts.run("pins", None, of(2)).await.unwrap().pin, 1);
    assert_eq!(contexts.run("pins", None, of(1)).await.unwrap().pin, 2);
    let pins = contexts.run("pins", None, GetReport::default()).await.unwrap().pins;
    let said: Vec<_> = pins.iter().map(|pin| (pin.pin, pin.turn, pin.texts.concat())).collect();
    assert_eq!(said, [(1, 2, "Second rule.Done.".to_owned()), (2, 1, "First rule.Done.".to_owned())]);
    contexts.run("pins", None, Unpin { pin: 1 }).await.unwrap();
    let pins = contexts.run("pins", None, GetReport::default()).await.unwrap().pins;
    assert_eq!(pins.iter().map(|pin| pin.pin).collect::<Vec<_>>(), [2]);
}

#[tokio::test]
async fn an_error_names_no_command_of_the_program() {
    let contexts = opened().await;
    turn(&contexts, "First.").await;
    let record = Pin { record: Some(99), ..Pin::default() };
    let text = Pin { turn: Some(1), text: Some("nowhere".to_owned()), ..Pin::default() };
    for (pin, said) in [
        (record, "nothing to pin: no message has this id"),
        (text, "nothing to pin: the text does not occur there"),
    ] {
        assert_eq!(contexts.run("pins", None, pin).await.unwrap_err().message, said);
    }
    contexts.run("pins", None, Undo::default()).await.unwrap();
    turn(&contexts, "Second.").await;
    let error = contexts.run("pins", None, Redo::default()).await.unwrap_err();
    assert_eq!(error.message, "there is no turn to redo: turn 2 began since");
}

#[tokio::test]
async fn a_state_that_takes_the_window_is_named() {
    let contexts = opened().await;
    let state = Some("y".repeat(400_000));
    contexts.run("pins", None, SetDocuments { state, scratchpad: None }).await.unwrap();
    let message = UserMessage { text: "Go.".to_owned(), images: Vec::new() };
    let refused = match contexts.run("pins", None, message).await {
        Ok(_) => contexts.run("pins", None, NextRequest {}).await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(refused.code, ErrorCode::DoesNotFit);
    let said = "; STATE alone has 400,000 characters, and a shorter one can be set with `set_documents`";
    assert!(refused.message.ends_with(said), "{refused}");
}
