//! What a key can be stored for.

use super::KeyOwner;

#[test]
fn a_provider_or_an_address_owns_a_key() {
    for (text, name, shown) in [
        ("anthropic", "anthropic", "anthropic"),
        (" gemini ", "gemini", "gemini"),
        ("https://openrouter.ai/api/v1/", "server-openrouter.ai-443", "https://openrouter.ai/api/v1"),
        ("http://127.0.0.1:8000/v1", "server-127.0.0.1-8000", "http://127.0.0.1:8000/v1"),
    ] {
        let owner = KeyOwner::read(text).unwrap();
        assert_eq!((owner.name(), owner.to_string().as_str()), (name, shown));
    }
}

#[test]
fn others_are_refused_with_what_to_do() {
    for (text, says) in [
        ("ollama", "takes no key"),
        ("gemini_gca", "GOOGLE_CLOUD_ACCESS_TOKEN"),
        ("compatible", "by its address"),
        ("antropic", "anthropic, openai, gemini"),
        ("ftp://host", "https://"),
        ("https://me:secret@host/v1", "user name or a password"),
    ] {
        let error = KeyOwner::read(text).unwrap_err().text();
        assert!(error.contains(says), "{text}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
}
