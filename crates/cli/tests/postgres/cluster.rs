//! A PostgreSQL server of the tests' own, in a temporary folder.

use std::ffi::{OsStr, OsString};
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
    setup: Setup,
}

/// How a server differs from the usual one.
#[derive(Debug, Default)]
struct Setup {
    /// Its commits wait for the disk.
    is_durable: bool,
    /// The megabytes of the disk that its tablespace `small` is on; `None`: it has none.
    small_disk: Option<u64>,
    /// The write-ahead log is on that disk, too, in pieces of a megabyte.
    small_log: bool,
    /// Further settings.
    settings: Vec<String>,
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

/// A command that runs another one, which alone sees a new disk of this many megabytes at a place. Root mounts it for the
/// server's user; another user does it in a namespace of its own, in which the server has this user's number again.
fn mounted(place: &Path, megabytes: u64, words: &[impl AsRef<OsStr>]) -> Command {
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let (namespace, owner, own_number) = match user() {
        Some(user) => (&["-m"][..], number_of(user), Vec::new()),
        None => {
            let own_number = [format!("--map-user={uid}"), format!("--map-group={gid}")];
            (
                &["-Urm"][..],
                "0".to_owned(),
                ["unshare", "-U"].map(str::to_owned).into_iter().chain(own_number).collect(),
            )
        }
    };
    let script = format!(
        r#"mount -t tmpfs -o size={megabytes}m,mode=0700,uid={owner} tmpfs "$1" && shift && exec "$@""#
    );
    let mut command = Command::new("unshare");
    command.args(namespace).args(["sh", "-c", &script, "sh"]).arg(place).args(own_number).args(words);
    command
}

fn number_of(user: &str) -> String {
    let found = Command::new("id").args(["-u", user]).output().unwrap();
    String::from_utf8_lossy(&found.stdout).trim().to_owned()
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

    /// A new server, which may lose data with the machine.
    pub(crate) fn new() -> Self {
        Self::made(Setup::default(), |_| {})
    }

    /// A new server, which writes as one of users does.
    pub(crate) fn durable() -> Self {
        Self::made(Setup { is_durable: true, ..Setup::default() }, |_| {})
    }

    /// A new server that speaks TLS, with `server.crt` and `server.key`, which `make` writes into a folder.
    pub(crate) fn with_tls(make: impl FnOnce(&Path)) -> Self {
        let settings = ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"];
        let settings = settings.map(str::to_owned).to_vec();
        Self::made(Setup { settings, ..Setup::default() }, make)
    }

    /// A new server with a tablespace `small` on a disk of its own, of this many megabytes.
    ///
    /// # Errors
    /// The system lets this user mount nothing.
    pub(crate) fn with_small_disk(megabytes: u64) -> Result<Self, String> {
        Self::on_small_disk(megabytes, false)
    }

    /// A new server whose write-ahead log is on a disk of its own, of this many megabytes. It can be started once.
    ///
    /// # Errors
    /// The system lets this user mount nothing.
    pub(crate) fn with_small_log(megabytes: u64) -> Result<Self, String> {
        Self::on_small_disk(megabytes, true)
    }

    fn on_small_disk(megabytes: u64, small_log: bool) -> Result<Self, String> {
        let tried = mounted(Path::new("/mnt"), megabytes, &["true"]).output();
        let tried = tried.map_err(|error| format!("`unshare` cannot be run: {error}"))?;
        if !tried.status.success() {
            return Err(format!("no disk can be mounted: {}", String::from_utf8_lossy(&tried.stderr).trim()));
        }
        let make = |folder: &Path| std::fs::create_dir(folder.join("small")).unwrap();
        let settings = if small_log { &["min_wal_size=2MB", "max_wal_size=64MB"][..] } else { &[] };
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        let setup = Setup { small_disk: Some(megabytes), small_log, settings, ..Setup::default() };
        let cluster = Self::made(setup, make);
        if small_log {
            return Ok(cluster);
        }
        let place = cluster.small_disk();
        let made =
            cluster.psql("postgres", &format!("CREATE TABLESPACE small LOCATION '{}'", place.display()));
        assert!(made.0, "{}", made.1);
        Ok(cluster)
    }

    /// The words before a command that make it move the write-ahead log to the small disk first.
    fn moving_the_log(&self) -> Vec<OsString> {
        const MOVE: &str = r#"cp -a "$0/pg_wal/." "$1" && rm -r "$0/pg_wal" && ln -s "$1" "$0/pg_wal" && shift && exec "$@""#;
        if !self.setup.small_log {
            return Vec::new();
        }
        let places = [self.dir.path().join("data"), self.small_disk()].map(PathBuf::into_os_string);
        ["sh", "-c", MOVE].map(OsString::from).into_iter().chain(places).collect()
    }

    fn small_disk(&self) -> PathBuf {
        self.dir.path().join("small")
    }

    /// Why there can be no server; `None`: there can.
    pub(crate) fn missing() -> Option<&'static str> {
        let is_there = programs().join("initdb").is_file();
        (!is_there).then_some("its programs are not in /usr/lib/postgresql; install the package postgresql")
    }

    /// `prepare` gets the folder before the server's user does.
    fn made(setup: Setup, prepare: impl FnOnce(&Path)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        prepare(dir.path());
        let password = dir.path().join("password");
        std::fs::write(&password, PASSWORD).unwrap();
        if let Some(user) = user() {
            let owned = Command::new("chown").arg("-R").arg(user).arg(dir.path()).status().unwrap();
            assert!(owned.success());
        }
        let mut init = command("initdb", user());
        init.arg("-D").arg(dir.path().join("data")).args(["-U", "ann", "-A", "scram-sha-256", "--no-sync"]);
        init.args(["-E", "UTF8", "--locale=C.UTF-8"]).arg("--pwfile").arg(&password).current_dir("/");
        if setup.small_log {
            init.arg("--wal-segsize=1");
        }
        let made = init.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let cluster = Self { dir, port, server: Mutex::new(None), databases: AtomicUsize::new(0), setup };
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
        let mut own = command("postgres", user());
        if let Some(megabytes) = self.setup.small_disk {
            let words = [own.get_program()].into_iter().chain(own.get_args()).map(OsStr::to_owned);
            let words = self.moving_the_log().into_iter().chain(words).collect::<Vec<_>>();
            own = mounted(&self.small_disk(), megabytes, &words);
        }
        server.arg(own.get_program()).args(own.get_args());
        server.arg("-D").arg(&data).arg("-k").arg(self.dir.path());
        for setting in [
            "listen_addresses=127.0.0.1",
            &format!("port={}", self.port),
            if self.setup.is_durable { "fsync=on" } else { "fsync=off" },
            "max_connections=200",
            "shared_buffers=64MB",
        ] {
            server.args(["-c", setting]);
        }
        for setting in &self.setup.settings {
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

    /// Runs SQL. Returns whether it worked, and the rows that it printed, or why it failed.
    ///
    /// A warning of the server is no row: a connection that ends by itself while it is being ended gives one.
    pub(crate) fn psql(&self, database: &str, sql: &str) -> (bool, String) {
        let mut psql = Command::new("psql");
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "ann"]);
        psql.args(["-p", &self.port.to_string(), "-d", database, "-c", sql]).env("PGPASSWORD", PASSWORD);
        let ran = psql.output().unwrap();
        let worked = ran.status.success();
        let text = if worked { ran.stdout } else { [ran.stdout, ran.stderr].concat() };
        (worked, String::from_utf8_lossy(&text).trim().to_owned())
    }

    /// The address of a new database.
    pub(crate) fn database(&self) -> String {
        self.database_in("pg_default")
    }

    /// The address of a new database in a tablespace.
    pub(crate) fn database_in(&self, tablespace: &str) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let made = self.psql("postgres", &format!("CREATE DATABASE {name} TABLESPACE {tablespace}"));
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
