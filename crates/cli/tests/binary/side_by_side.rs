//! Providers are asked for their models side by side.

use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::by_hand::{answer, asked};
use crate::place::{KEY, Place};
use crate::ran::run;

#[test]
fn no_provider_waits_for_another_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    // Nobody is answered before all three have asked.
    let serving = thread::spawn(move || {
        let mut streams: Vec<TcpStream> = (0..3).map(|_| listener.accept().unwrap().0).collect();
        let asked: Vec<String> = streams.iter_mut().map(asked).collect();
        for stream in streams {
            answer(
                stream,
                "200 OK",
                "{\"data\":[{\"id\":\"a\"}],\"models\":[{\"name\":\"a\",\"modified_at\":\"\",\"size\":1}]}",
            );
        }
        asked
    });
    let place = Place::new();
    let mut command = place.bare(&["models", "--json"]);
    command.env("OLLAMA_HOST", &url);
    command.env("ANTHROPIC_BASE_URL", &url).env("ANTHROPIC_API_KEY", KEY);
    command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", KEY);
    let told = run(&mut command).json();
    let reachable: Vec<_> =
        told["providers"].as_array().unwrap().iter().map(|one| one["reachable"].as_bool()).collect();
    assert_eq!(reachable, [Some(true); 3], "{told}");
    assert_eq!(serving.join().unwrap().len(), 3);
}
