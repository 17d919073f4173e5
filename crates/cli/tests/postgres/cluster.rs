//! A PostgreSQL server of the tests' own, in a temporary folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_store::{Durability, ServerUrl, Store};

/// The password of the server. It is in no output.
pub(crate) const PASSWORD: &str = "pw-7f3a91";

/// A running server. It is stopped when it is dropped, and when this process ends in any way.
pub(crate) struct Cluster {
    dir: TempDir,
    port: u16,
    server: Mutex<Option<Child>>,
    databases: AtomicUsize,
}

/// The folder of the server's programs.
fn programs() -> PathBuf {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.filter_map(|version| Some(version.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    found.retain(|folder| folder.join("initdb").is_file());
    found.sort();
    found.pop().unwrap_or_default()
}

/// A command of the server. It refuses to run as root, so root runs it as another user.
fn command(program: &str, user: Option<&str>) -> Command {
    let program = programs().join(program);
    let Some(user) = user else { return Command::new(program) };
    let mut command = Command::new("setpriv");
    command.args(["--reuid", user, "--regid", user, "--clear-groups"]).arg(program);
    command
}

/// The user that the server runs as; `None`: this one.
fn user() -> Option<&'static str> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let known = |user: &&str| Command::new("id").arg(user).output().is_ok_and(|found| found.status.success());
    // The other one owns nothing, on every system.
    ["postgres", "65534"].into_iter().find(known)
}

impl Cluster {
    /// The server that the tests share while any of them runs.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let new = Arc::new(Self::new());
            *shared = Arc::downgrade(&new);
            new
        })
    }

    /// A new server.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let password = dir.path().join("password");
        std::fs::write(&password, PASSWORD).unwrap();
        if let Some(user) = user() {
            let owned = Command::new("chown").arg("-R").arg(user).arg(dir.path()).status().unwrap();
            assert!(owned.success());
        }
        let mut init = command("initdb", user());
        init.arg("-D").arg(dir.path().join("data")).args(["-U", "ann", "-A", "scram-sha-256", "--no-sync"]);
        init.args(["-E", "UTF8", "--locale=C.UTF-8"]).arg("--pwfile").arg(&password).current_dir("/");
        let made = init.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let cluster = Self { dir, port, server: Mutex::new(None), databases: AtomicUsize::new(0) };
        cluster.start();
        cluster
    }

    /// Starts the server, and waits until it takes connections.
    pub(crate) fn start(&self) {
        let data = self.dir.path().join("data");
        let log =
            std::fs::File::options().create(true).append(true).open(self.dir.path().join("log")).unwrap();
        // The shell ends the server when its input is closed, which happens however this process ends.
        let script = r#""$@" & server=$!; cat > /dev/null; kill -INT $server; wait $server"#;
        let mut server = Command::new("sh");
        server.args(["-c", script, "sh"]);
        let own = command("postgres", user());
        server.arg(own.get_program()).args(own.get_args());
        server.arg("-D").arg(&data).arg("-k").arg(self.dir.path());
        for setting in [
            "listen_addresses=127.0.0.1",
            &format!("port={}", self.port),
            "fsync=off",
            "max_connections=200",
            "shared_buffers=64MB",
        ] {
            server.args(["-c", setting]);
        }
        server.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log);
        *self.server.lock().unwrap() = Some(server.spawn().unwrap());
        let until = Instant::now() + Duration::from_secs(30);
        while !self.psql("postgres", "SELECT 1").0 {
            assert!(Instant::now() < until, "{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops the server: connections are ended, what is committed stays.
    pub(crate) fn stop(&self) {
        if let Some(mut server) = self.server.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(server.stdin.take());
            server.wait().unwrap();
        }
    }

    /// What the server has logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    /// Runs SQL. Returns whether it worked, and what it printed.
    pub(crate) fn psql(&self, database: &str, sql: &str) -> (bool, String) {
        let mut psql = Command::new("psql");
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "ann"]);
        psql.args(["-p", &self.port.to_string(), "-d", database, "-c", sql]).env("PGPASSWORD", PASSWORD);
        let ran = psql.output().unwrap();
        let text = [ran.stdout, ran.stderr].concat();
        (ran.status.success(), String::from_utf8_lossy(&text).trim().to_owned())
    }

    /// The address of a new database.
    pub(crate) fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let made = self.psql("postgres", &format!("CREATE DATABASE {name}"));
        assert!(made.0, "{}", made.1);
        self.url(&name)
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://ann:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    /// The folder of the server.
    pub(crate) fn folder(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Opens a database.
pub(crate) async fn open(url: &str) -> Store {
    let url: ServerUrl = url.parse().unwrap();
    Store::open_server(&url, Durability::Normal).await.unwrap()
}
