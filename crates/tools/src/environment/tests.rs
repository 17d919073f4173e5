//! Tests of the variables that pass.

use std::ffi::OsString;

use super::Environment;

fn passing(environment: &Environment, variables: &[&str]) -> Vec<String> {
    let variables = variables.iter().map(|text| text.split_once('=').unwrap_or((text, "x")));
    let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    environment.of(variables).map(|(name, _)| name.into_string().unwrap()).collect()
}

#[test]
fn build_tools_find_what_they_need() {
    let needed = [
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LC_ALL",
        "TERM",
        "CARGO_HOME",
        "CARGO_TARGET_DIR",
        "RUSTUP_HOME",
        "RUSTFLAGS",
        "GOPATH",
        "NVM_DIR",
        "JAVA_HOME",
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "HTTPS_PROXY=http://proxy:3128",
        "no_proxy",
        "HTTP_PROXY=proxy:3128",
        "CC",
        "GOPROXY=https://proxy.golang.org,direct",
        "MAVEN_OPTS=-Xmx1g -Dmaven.test.skip=true",
        "PIP_INDEX_URL=https://index.example/simple",
        "BUNDLE_PATH=vendor/bundle",
        "CCACHE_REMOTE_STORAGE=http://cache.example|read-only=true",
        "CARGO_NET_GIT=ssh://git@github.com/x",
        "LD_LIBRARY_PATH",
        "NIX_SSL_CERT_FILE",
        "CONDA_PREFIX",
        "GRADLE_USER_HOME",
        "NIX_CONFIG=experimental-features = nix-command flakes\nmax-jobs = 4",
        "PIP_PROXY=proxy:3128",
        "CONDA_CHANNELS=https://conda.example/t,https://conda.example/main",
        "UV_INDEX_URL=https://pkgs.example/8a1cbb2e-55aa-4b1c-9f00-c0ffee123456/_packaging/python-2024-internal/simple",
        "PIP_EXTRA_INDEX_URL=https://index.example/manylinux2014/simple?format=json",
        "NODE_OPTIONS=--import=file:///nix/store/0123456789abcdef0123456789abcdef-x/y.js --max-old-space-size=4096",
        "CFLAGS=-DKEYBOARD=1 -march=x86-64",
        "GOFLAGS=-mod=mod -tags=monkey",
    ];
    let names: Vec<&str> = needed.iter().map(|text| text.split('=').next().unwrap()).collect();
    assert_eq!(passing(&Environment::new(), &needed), names);
}

#[test]
fn secrets_and_addresses_of_the_session_do_not_pass() {
    let others = [
        "ANTHROPIC_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "CARGO_REGISTRY_TOKEN",
        "NPM_CONFIG__AUTHTOKEN",
        "UV_INDEX_PASSWORD",
        "PIP_INDEX_URL=https://me:hidden@index.example/simple",
        "HTTP_PROXY=http://me:pw@proxy:3128",
        "PIP_EXTRA_INDEX_URL=https://a-token@index.example/simple",
        "GOPROXY=https://proxy.golang.org,https://a-token@go.example",
        "HTTPS_PROXY=me:pw@proxy:3128",
        "https_proxy=me@proxy:3128",
        "BUNDLE_GEMS__EXAMPLE__COM=me:pw",
        "BUNDLE_RUBYGEMS__PKG__GITHUB__COM=a-token",
        "CCACHE_REMOTE_STORAGE=redis://:pw@cache.example",
        "CCACHE_REMOTE_STORAGE=http://cache.example|bearer-token=abc",
        "MAVEN_OPTS=-Xmx1g -Ddb.password=abc",
        "GRADLE_OPTS=-Dorg.gradle.project.sonatypePassword=abc",
        "JAVA_TOOL_OPTIONS=-Djavax.net.ssl.keyStorePassword=abc",
        "NIX_CONFIG=access-tokens = github.com=abc",
        "NIX_CONFIG=max-jobs = 4\nextra-access-tokens=github.com=abc",
        "PIP_PROXY=me:pw@proxy:3128",
        "NPM_CONFIG_HTTPS_PROXY=me@proxy:3128",
        "CONDA_CHANNELS=https://conda.example/t/abc/main",
        "PIP_EXTRA_INDEX_URL=https://index.example/1YAbcdEfGh2jKlMnOpQr/simple",
        "UV_INDEX_URL=https://index.example/simple?key=abc",
        "CCACHE_REMOTE_STORAGE=https://cache.example/?sv=1&sig=abc",
        "GRADLE_OPTS=-Xmx1g -Pkey=abc",
        "GRADLE_OPTS=-PsigningKey=abc",
        "TMUX",
        "TMUX_PANE",
        "STY",
        "DBUS_SESSION_BUS_ADDRESS",
        "SSH_AUTH_SOCK",
        "SSH_AGENT_PID",
        "XDG_RUNTIME_DIR",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "VSCODE_IPC_HOOK_CLI",
        "DOCKER_HOST",
        "LD_PRELOAD",
        "DATABASE_URL",
        "MY_OWN",
    ];
    assert_eq!(passing(&Environment::new(), &others), Vec::<String>::new());
    // A pattern widens the list, not to secrets.
    let all = passing(&Environment::new().with(["*"]), &others);
    assert_eq!(all, ["LD_PRELOAD", "DATABASE_URL", "MY_OWN"]);
    // A name that the user writes passes.
    assert_eq!(
        passing(&Environment::new().with(["GITHUB_TOKEN", "MY_*"]), &others),
        ["GITHUB_TOKEN", "MY_OWN"]
    );
}
