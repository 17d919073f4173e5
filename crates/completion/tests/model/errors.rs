//! Which errors are worth another try, and what is known of models.

use throughline_completion::{CacheRules, ModelError, ModelInfo, Prices};

#[test]
fn only_what_passes_by_itself_is_transient() {
    let message = || "m".to_owned();
    let transient = [
        ModelError::RateLimited { message: message(), retry_after_ms: Some(5) },
        ModelError::Unavailable { message: message(), retry_after_ms: None },
        ModelError::Interrupted { message: message() },
        ModelError::Silent { message: message() },
    ];
    assert!(transient.iter().all(ModelError::is_transient));
    let lasting = [
        ModelError::Overflow { message: message(), limit: None, tokens: None },
        ModelError::Unauthorized { message: message() },
        ModelError::Unpaid { message: message() },
        ModelError::UnknownModel { message: message() },
        ModelError::TooLarge { message: message() },
        ModelError::PictureRefused { message: message() },
        ModelError::InvalidRequest { message: message() },
        ModelError::Other("why".into()),
    ];
    assert!(!lasting.iter().any(ModelError::is_transient));
}

#[test]
fn an_error_about_content_wants_a_text_and_one_about_a_tool_does_not() {
    let wants_text = |message: &str| ModelError::InvalidRequest { message: message.to_owned() }.wants_text();
    for message in [
        "messages.2.content: Input should be a valid string",
        "messages[0]: invalid type: sequence, expected a string at line 1",
        "Invalid type for 'input[3].output': expected a string, but got an array instead.",
        "body.input.3.output: Input should be a valid string",
    ] {
        assert!(wants_text(message), "{message}");
    }
    for message in [
        "body.tools.0.function.name: Input should be a valid string",
        "messages.2.tool_calls.0.function.arguments: Input should be a valid string",
        "tools[1].input_schema.properties.content.title: expected a string",
        "body.user: Input should be a valid string",
    ] {
        assert!(!wants_text(message), "{message}");
    }
}

#[test]
fn an_error_says_when_to_come_back() {
    for (ms, says) in [
        (None, "busy"),
        (Some(0), "busy"),
        (Some(1), "busy (it asks to retry in 1 s)"),
        (Some(7_001), "busy (it asks to retry in 8 s)"),
        (Some(120_000), "busy (it asks to retry in 2 min)"),
        (Some(125_000), "busy (it asks to retry in 2 min 5 s)"),
        (Some(3_660_000), "busy (it asks to retry in 1 h 1 min)"),
        (Some(86_399_000), "busy (it asks to retry in 24 h)"),
        (Some(180_000_000), "busy (it asks to retry in 2 days 2 h)"),
    ] {
        let limited = ModelError::RateLimited { message: "busy".to_owned(), retry_after_ms: ms };
        let busy = ModelError::Unavailable { message: "busy".to_owned(), retry_after_ms: ms };
        assert_eq!((limited.retry_after_ms(), busy.retry_after_ms()), (ms, ms));
        assert_eq!(limited.to_string(), format!("rate limited by the provider: {says}"));
        assert_eq!(busy.to_string(), format!("provider unavailable: {says}"));
    }
}

#[test]
fn an_error_says_what_was_attempted_and_its_source_says_why() {
    let error = ModelError::Other("the disk is on fire".into());
    assert_eq!(error.to_string(), "the model failed");
    let source = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("the disk is on fire"));
}

#[test]
fn facts_about_a_model_survive_a_file() {
    let mut info = ModelInfo::with_window("m", 200_000, 8_192);
    assert_eq!((info.cache, info.prices), (CacheRules::anthropic(), Prices::anthropic()));
    info.cache = CacheRules::automatic();
    info.prices = Prices::openai();
    let json = serde_json::to_string(&info).expect("text");
    assert_eq!(serde_json::from_str::<ModelInfo>(&json).expect("facts"), info);
}
