//! The S3 server, and its buckets as the client of AWS sees them.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// A secret of the tests that nothing may show.
pub(crate) const SECRET: &str = "test-secret-canary";

/// A running server; it ends with the test.
pub(crate) struct S3 {
    child: Child,
    url: String,
}

/// A bucket of it.
pub(crate) struct Bucket {
    server: S3,
    name: String,
}

fn python() -> Command {
    let python = std::env::var_os("THROUGHLINE_S3_PYTHON").map(PathBuf::from);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/objects/s3.py");
    let mut command = Command::new(python.expect("`cargo xtask integration objects` sets the Python"));
    command.arg(script);
    command
}

impl S3 {
    /// Starts one. `locked`: it knows no keys, and refuses every request.
    pub(crate) fn start(mode: &str) -> Self {
        // One at a time: each takes seconds of all cores.
        static STARTING: Mutex<()> = Mutex::new(());
        let _one = STARTING.lock();
        let mut command = python();
        command.args(["serve", mode]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening ").map(str::to_owned))
            .expect("the server says where it listens");
        Self { child, url }
    }

    /// What a program needs to use it.
    pub(crate) fn variables(&self) -> [(String, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", "test-key-canary"),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", &self.url),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Bucket {
    /// A bucket of a server of its own.
    pub(crate) fn new() -> Self {
        let bucket = Self { server: S3::start("open"), name: "results".to_owned() };
        bucket.client("make", &[]);
        bucket
    }

    pub(crate) fn place(&self) -> String {
        format!("s3://{}/team/a", self.name)
    }

    pub(crate) fn variables(&self) -> [(String, String); 4] {
        self.server.variables()
    }

    /// Keys and sizes.
    pub(crate) fn objects(&self) -> Vec<(String, u64)> {
        let listed = self.client("list", &[]);
        let parse = |line: &str| {
            let (key, size) = line.rsplit_once(' ').unwrap();
            (key.to_owned(), size.parse().unwrap())
        };
        listed.lines().map(parse).collect()
    }

    pub(crate) fn remove(&self, key: &str) {
        self.client("remove", &[key]);
    }

    pub(crate) fn spoil(&self, key: &str) {
        self.client("spoil", &[key]);
    }

    /// The server ends; the bucket is away.
    pub(crate) fn stop(&mut self) {
        let _ = self.server.child.kill();
        let _ = self.server.child.wait();
    }

    fn client(&self, what: &str, rest: &[&str]) -> String {
        let output = python().args([what, &self.server.url, &self.name]).args(rest).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}
