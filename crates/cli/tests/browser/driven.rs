//! A browser whose page a test reads and clicks, by the DevTools protocol over two pipes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// One page in a browser of its own. It ends with the test.
pub(crate) struct DrivenPage {
    child: Child,
    commands: File,
    answers: BufReader<File>,
    session: Value,
    sent: u64,
    /// What the page and the browser complained about.
    pub(crate) complaints: Vec<Value>,
}

impl DrivenPage {
    /// Opens an address. Profile and pipes are in a folder of the test.
    pub(crate) fn open(folder: &Path, address: &str) -> Self {
        let (commands, answers) = (folder.join("commands"), folder.join("answers"));
        let made = Command::new("mkfifo").args([&commands, &answers]).status().unwrap();
        assert!(made.success());
        // The protocol's pipes are descriptors 3 and 4. A browser that does not end is ended.
        let run = "exec timeout -k 5 120 chromium --headless --no-sandbox --disable-gpu --no-first-run \
                   --disable-background-networking --remote-debugging-pipe --user-data-dir=\"$1\" 3<\"$2\" 4>\"$3\"";
        let mut command = Command::new("sh");
        command.args(["-c", run, "sh"]).arg(folder.join("profile")).args([&commands, &answers]);
        // A browser that is ended leaves its sockets there.
        command.env("TMPDIR", folder);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let commands = OpenOptions::new().write(true).open(commands).unwrap();
        let answers = BufReader::new(File::open(answers).unwrap());
        let mut page =
            Self { child, commands, answers, session: Value::Null, sent: 0, complaints: Vec::new() };
        let target = page.ask("Target.createTarget", &json!({ "url": "about:blank" }))["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        page.session = page.ask("Target.attachToTarget", &attach)["sessionId"].clone();
        for domain in ["Runtime.enable", "Log.enable", "Page.enable"] {
            page.ask(domain, &json!({}));
        }
        page.ask("Page.navigate", &json!({ "url": address }));
        page
    }

    /// Waits until an expression of the page is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.value(expression) != json!(true) {
            let page = self.value("document.querySelector('main')?.innerText");
            assert!(begin.elapsed() < Duration::from_secs(30), "{expression}: {page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The value of an expression of the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        self.ask("Runtime.evaluate", &asked)["result"]["value"].clone()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if self.session.is_string() {
            message["sessionId"] = self.session.clone();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            assert_ne!(self.answers.read_until(0, &mut bytes).unwrap(), 0, "the browser has ended");
            bytes.pop();
            let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.sent {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            let method = answer["method"].as_str().unwrap_or_default();
            if ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"].contains(&method) {
                self.complaints.push(answer["params"].take());
            }
        }
    }
}

impl Drop for DrivenPage {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
