//! A browser whose page a test reads, clicks and photographs, by the DevTools protocol over two pipes.

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
    /// The addresses that the page asked for.
    pub(crate) asked: Vec<String>,
}

impl DrivenPage {
    /// Opens an address. Profile and pipes are in a folder of the test.
    pub(crate) fn open(folder: &Path, address: &str) -> Self {
        let (commands, answers) = (folder.join("commands"), folder.join("answers"));
        let made = Command::new("mkfifo").args([&commands, &answers]).status().unwrap();
        assert!(made.success());
        // The protocol's pipes are descriptors 3 and 4. A browser that does not end is ended.
        let run = "exec timeout -k 5 600 chromium --headless --no-sandbox --disable-gpu --no-first-run --hide-scrollbars \
                   --disable-background-networking --remote-debugging-pipe --user-data-dir=\"$1\" 3<\"$2\" 4>\"$3\"";
        let mut command = Command::new("sh");
        command.args(["-c", run, "sh"]).arg(folder.join("profile")).args([&commands, &answers]);
        // A browser that is ended leaves its sockets there.
        command.env("TMPDIR", folder);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let commands = OpenOptions::new().write(true).open(commands).unwrap();
        let answers = BufReader::new(File::open(answers).unwrap());
        let mut page = Self {
            child,
            commands,
            answers,
            session: Value::Null,
            sent: 0,
            complaints: Vec::new(),
            asked: Vec::new(),
        };
        let target = page.ask("Target.createTarget", &json!({ "url": "about:blank" }))["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        page.session = page.ask("Target.attachToTarget", &attach)["sessionId"].clone();
        for domain in ["Runtime.enable", "Log.enable", "Page.enable", "Network.enable"] {
            page.ask(domain, &json!({}));
        }
        page.go(address);
        page
    }

    /// Opens another address and waits until it is shown and its script has run.
    pub(crate) fn go(&mut self, address: &str) {
        self.value("window.before = true");
        self.ask("Page.navigate", &json!({ "url": address }));
        self.wait_for_page();
    }

    /// Waits for the page that follows the one in which `window.before` was set.
    pub(crate) fn wait_for_page(&mut self) {
        self.wait_for("!window.before && document.readyState === 'complete' && document.documentElement.dataset.script === ''");
    }

    /// Waits until an expression of the page is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.evaluated(expression)["result"]["value"] != json!(true) {
            let page = self.evaluated("document.querySelector('main')?.innerText");
            assert!(begin.elapsed() < Duration::from_secs(30), "{expression}: {page}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The value of an expression of the page; of a promise what it gives.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let mut evaluated = self.evaluated(expression);
        assert!(evaluated.get("exceptionDetails").is_none(), "{expression}: {evaluated}");
        evaluated["result"]["value"].take()
    }

    /// The text of an element, or of the whole page with `body`.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?}).innerText"));
        text.as_str().unwrap().to_owned()
    }

    /// The path of the page, with its parameters and the part behind `#`.
    pub(crate) fn place(&mut self) -> String {
        self.value("location.pathname + location.search + location.hash").as_str().unwrap().to_owned()
    }

    /// Clicks into the middle of the first element that a selector finds, as a mouse does.
    pub(crate) fn click(&mut self, selector: &str) {
        let found = format!(
            "(() => {{ const one = document.querySelector({selector:?}); one.scrollIntoView({{ block: 'center' }}); \
             const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let middle = self.value(&found);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", &event);
        }
    }

    /// Clicks on what leads to another page, and waits for it. Gives its path.
    pub(crate) fn follow(&mut self, selector: &str) -> String {
        self.value("window.before = true");
        self.click(selector);
        self.wait_for_page();
        self.place()
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Escape" => ("", 27),
            key => (key, 0),
        };
        let down = json!({ "type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code });
        self.ask("Input.dispatchKeyEvent", &down);
        self.ask(
            "Input.dispatchKeyEvent",
            &json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    /// Presses a key that leads to another page, and waits for it. Gives its path.
    pub(crate) fn press_to(&mut self, key: &str) -> String {
        self.value("window.before = true");
        self.press(key);
        self.wait_for_page();
        self.place()
    }

    /// Writes a text where the cursor is.
    pub(crate) fn write(&mut self, text: &str) {
        self.ask("Input.insertText", &json!({ "text": text }));
    }

    /// Goes back to the page before, as the browser's button does. Gives its path.
    pub(crate) fn back(&mut self) -> String {
        let here = json!(self.place());
        self.value("history.back()");
        // The browser may show the page in the state in which the user left it.
        self.wait_for(&format!(
            "document.readyState === 'complete' && location.pathname + location.search + location.hash !== {here}"
        ));
        self.value("window.before = false");
        self.place()
    }

    /// Opens a file without waiting for its script.
    pub(crate) fn open_file(&mut self, file: &Path) {
        self.ask("Page.navigate", &json!({ "url": format!("file://{}", file.display()) }));
    }

    /// Shows the page as a user of the dark theme prints it, or as on a screen.
    pub(crate) fn print_media(&mut self, is_printed: bool) {
        let dark = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        let media =
            if is_printed { json!({ "media": "print", "features": dark }) } else { json!({ "media": "" }) };
        self.ask("Emulation.setEmulatedMedia", &media);
    }

    /// Sets the size of the window in pixels, and the theme: `light` or `dark`.
    pub(crate) fn dress(&mut self, (width, height): (u32, u32), theme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700 });
        self.ask("Emulation.setDeviceMetricsOverride", &size);
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.ask("Emulation.setEmulatedMedia", &media);
    }

    /// The first screen as a picture, as PNG in base 64.
    pub(crate) fn picture(&mut self) -> String {
        let mut taken = self.ask("Page.captureScreenshot", &json!({ "format": "png" }));
        let Value::String(data) = taken["data"].take() else { panic!("no picture: {taken}") };
        data
    }

    /// The printed page, as PDF in base 64.
    pub(crate) fn printed(&mut self) -> String {
        let mut printed = self.ask("Page.printToPDF", &json!({ "printBackground": true }));
        let Value::String(data) = printed["data"].take() else { panic!("no PDF: {printed}") };
        data
    }

    /// Fails if the page or the browser complained, or the page asked another place than this one for something.
    pub(crate) fn check_quiet(&self, origin: &str) {
        assert!(self.complaints.is_empty(), "{:?}", self.complaints);
        let own = |address: &&String| {
            address.starts_with(origin) || address.starts_with("data:") || *address == "about:blank"
        };
        let others: Vec<&String> = self.asked.iter().filter(|address| !own(address)).collect();
        assert!(others.is_empty(), "{others:?}");
    }

    fn evaluated(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        // A page that is being left answers nothing.
        self.try_ask("Runtime.evaluate", &asked).unwrap_or_default()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_ask(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
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
                return match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                };
            }
            self.note(&mut answer);
        }
    }

    fn note(&mut self, event: &mut Value) {
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                self.complaints.push(event["params"].take());
            }
            "Network.requestWillBeSent" => {
                self.asked.extend(event["params"]["request"]["url"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
}

impl Drop for DrivenPage {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
