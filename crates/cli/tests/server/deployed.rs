//! The files of a deployment: the program takes their arguments, and other programs take the files.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

fn deploy(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(deploy(name)).unwrap()
}

/// The arguments of the program in each file.
fn command_lines() -> [(&'static str, Vec<String>); 4] {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let unit = text("throughline.service");
    let unit = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let pod = text("kubernetes.yaml");
    let pod = pod.lines().find_map(|line| line.trim().strip_prefix("args: [")?.strip_suffix(']')).unwrap();
    let compose = text("compose.yaml");
    let listed = compose.lines().skip_while(|line| line.trim() != "command:").skip(1);
    let compose: Vec<String> =
        listed.map_while(|line| line.trim().strip_prefix("- ").map(str::to_owned)).collect();
    let image = text("Dockerfile");
    let json = |prefix: &str| {
        let list = image.lines().find_map(|line| line.strip_prefix(prefix)).unwrap();
        serde_json::from_str::<Vec<String>>(list).unwrap()
    };
    let entry = json("ENTRYPOINT ");
    let within = |args: Vec<String>| entry.iter().skip(1).cloned().chain(args).collect::<Vec<_>>();
    [
        ("throughline.service", words(unit)[1..].to_vec()),
        ("kubernetes.yaml", within(pod.split(", ").map(str::to_owned).collect())),
        ("compose.yaml", within(compose)),
        ("Dockerfile", within(json("CMD "))),
    ]
}

#[test]
fn the_arguments_of_every_deployment_start_a_server_that_is_ready() {
    for (file, args) in command_lines() {
        let folder = TempDir::new().unwrap();
        let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir(place("work")).unwrap();
        fs::write(place("token"), "0123456789abcdef".repeat(4)).unwrap();
        let args: Vec<String> = args
            .iter()
            .map(|arg| match arg.as_str() {
                "/var/lib/throughline" | "/data" => place("data"),
                "/srv/agents" => place("work"),
                "/secret/token" | "/run/secrets/token" => place("token"),
                other => other.replace("${PUBLIC_HOST}", "agents.example.com"),
            })
            .collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", folder.path());
        command.current_dir(place("work")).args(&args).args(["--port", "0"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.strip_prefix("Listening on http://").and_then(|rest| rest.split('/').next());
        let mut stream = TcpStream::connect(address.unwrap_or_else(|| panic!("{file}: {said}"))).unwrap();
        // A supervisor of containers names the address of the container.
        write!(stream, "GET /readyz HTTP/1.1\r\nHost: 10.1.2.3:8378\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ready\n"), "{file}: {answer}");
        if args.iter().any(|arg| arg == "--token-file") {
            assert!(said.contains(&"0123456789abcdef".repeat(4)), "{file}: the token is the named one");
        }
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{file}");
    }
}

#[test]
fn systemd_takes_the_unit() {
    let folder = TempDir::new().unwrap();
    let unit = folder.path().join("throughline.service");
    let text = text("throughline.service");
    let text = text.replace("/usr/local/bin/throughline", env!("CARGO_BIN_EXE_throughline"));
    // The pages are installed with the program.
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("Documentation=")).collect();
    fs::write(&unit, text.join("\n") + "\n").unwrap();
    match Command::new("systemd-analyze").arg("verify").arg(&unit).output() {
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success() && !said.contains("throughline.service"), "{said}");
        }
        Err(error) => eprintln!("skipped: systemd-analyze does not run: {error}"),
    }
}
