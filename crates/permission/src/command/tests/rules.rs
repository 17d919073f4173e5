//! Tests of what a rule covers and finds.

use crate::command::{CommandPattern, parse_plain, parts};

#[test]
fn an_allow_rule_covers_no_argument_that_runs_a_program_or_writes_elsewhere() {
    let covers = |rule: &str, line: &str| {
        let commands = parse_plain(line).unwrap_or_default();
        let pattern = CommandPattern::parse(rule).unwrap();
        !commands.is_empty() && commands.iter().all(|words| pattern.covers(words))
    };
    for (rule, lines) in [
        (
            "git *",
            &[
                "git merge-index ./ev.sh -a",
                "git checkout-index --prefix=/h/ -f .rc",
                "git fast-export --export-marks=F",
                "git fast-import --export-marks=F",
                "git read-tree --index-output=F HEAD",
                "git bundle create F HEAD",
                "git clone . /h/x",
                "git init /h/x",
                "git worktree add /h/x",
                "git mailsplit -o/h x",
                "git hash-object -w /etc/shadow",
                "git format-patch --output-directory=/h HEAD",
                "git new-command-of-a-later-version",
            ][..],
        ),
        (
            "sed *",
            &[
                "sed -n '1e touch X' s",
                "sed s/1/touch/e s",
                "sed 's/1/touch X/e' s",
                "sed '1w F' s",
                "sed 's/1/2/w F' s",
                "sed --in-place s/1/2/ s",
                "sed -ni s/1/2/ s",
                "sed -n -e p -e '1e x' s",
                "sed --expression='W F' s",
                "sed --expression 'W F' s",
                "sed -e 'W F' s",
                "sed -n 'w s'",
                "sed 'r /etc/shadow' s",
                "sed -f script s",
                "sed 's/[/]/;w F' s",
                "sed '1{w F' s",
            ],
        ),
        (
            "curl *",
            &[
                "curl -D F x",
                "curl --dump-header F x",
                "curl -c F x",
                "curl --trace F x",
                "curl --stderr F x",
                "curl -so F x",
                "curl --output F x",
                "curl -w '%output{F}' x",
            ],
        ),
        ("wget *", &["wget -P /h x", "wget --use-askpass=./ev.sh x", "wget -O F x", "wget -qO F x"]),
        (
            "tar *",
            &[
                "tar -xf a --checkpoint=1 --checkpoint-action=exec=x",
                "tar czf /h/F a",
                "tar -xf a -C /h",
                "tar xPf a",
                "tar -x --to-command=x -f a",
            ],
        ),
        ("xxd *", &["xxd -r s F", "xxd s F"]),
        ("npm *", &["npm exec -c 'rm x'", "npm exec --call='rm x'"]),
        ("npx *", &["npx -c 'rm x'"]),
        (
            "sqlite3 *",
            &[
                "sqlite3 db '.shell rm x'",
                "sqlite3 db '.once F' 'select 1'",
                "sqlite3 -cmd .quit db",
                "sqlite3 db \"select 1;\n .system rm x\"",
                "sqlite3 db \"select writefile('F', 'x')\"",
                "sqlite3 db \"ATTACH 'F' as f\"",
            ],
        ),
        (
            "psql *",
            &["psql -c '\\! rm x'", "psql -o F", "psql --output=F", "psql -c \"copy t to program 'rm x'\""],
        ),
        ("mysql *", &["mysql -e 'system rm x'", "mysql -e '\\! rm x'", "mysql --tee=F"]),
        ("ssh *", &["ssh -E F host true", "ssh -I lib.so host true"]),
        ("gdb *", &["gdb -ex 'shell rm x'", "gdb -batch --ex=q a", "gdb -x F a", "gdb --command=F a"]),
        ("dd *", &["dd if=a of=/h/F"]),
        (
            "git *",
            &[
                "git merge -s x main",
                "git merge -sours main",
                "git rebase --strategy=x main",
                "git pull -s x",
                "git cherry-pick --strategy x main",
            ],
        ),
        ("go *", &["go build -ldflags=-extld=x", "go build -ldflags '-s -extld=x'", "go env -w CC=x"]),
        ("kubectl *", &["kubectl config set-credentials x --exec-command=x", "kubectl -n a exec x -- sh"]),
        ("gh *", &["gh alias set x '!x'", "gh config set editor x"]),
        ("npm *", &["npm config set script-shell x", "npm x y"]),
        ("docker *", &["docker run -v /:/h x", "docker exec x sh", "docker -H tcp://x ps"]),
        ("pip *", &["pip --python=./x list", "pip config set x y"]),
        ("openssl *", &["openssl engine ./x"]),
        (
            "rsync *",
            &["rsync -M--rsync-path=x a b", "rsync --remote-option=x a b", "rsync --backup-dir=/x a b"],
        ),
        ("cargo *", &["cargo build --target-dir /h", "cargo rustc -- -C linker=x"]),
        ("helm *", &["helm plugin install x"]),
        ("gpg *", &["gpg --photo-viewer x y"]),
        ("mysql *", &["mysql -e 'source x'", "mysql --defaults-file=x"]),
        // Programs that are not known.
        ("tcpdump *", &["tcpdump -z x -w y -G 1"]),
        ("helm *", &["helm template x --post-renderer y"]),
        ("gcc *", &["gcc -wrapper x y", "gcc -fplugin=./x.so y", "gcc @x"]),
        ("/usr/bin/gcc *", &["/usr/bin/gcc -wrapper x y"]),
        ("rustc *", &["rustc -C linker=x y", "rustc -Clinker=x y"]),
        ("pandoc *", &["pandoc -F x y", "pandoc --filter=x y"]),
        ("zstd *", &["zstd -o /etc/x y"]),
        ("7z *", &["7z x y -o/etc"]),
        ("of-tomorrow *", &["of-tomorrow --run x", "of-tomorrow -- -x", "of-tomorrow --json=x"]),
    ] {
        for line in lines {
            assert!(!covers(rule, line), "{rule} allows {line}");
        }
    }
    for (rule, line) in [
        ("git *", "git status"),
        ("git *", "git --no-pager log --oneline -5"),
        ("git clone *", "git clone x y"),
        ("sed *", "sed -n '1,20p;$p' s"),
        ("sed *", "sed -E 's/a;b/c/g; /x/d' s"),
        ("sed *", "sed -e p -e s,a,b, s"),
        ("sed *", "sed -e p 'w s'"),
        ("sed *", "sed --expression=p 'w s'"),
        ("sed *", "sed --expression p 'w s'"),
        ("sed -i *", "sed -i s/a/b/ s"),
        ("curl *", "curl -sSL -H 'A: b' https://x.org"),
        ("wget *", "wget -q --spider https://x.org"),
        ("tar *", "tar tzf a.tar.gz"),
        ("tar *", "tar -xzf a.tar.gz b"),
        ("tar czf *", "tar czf a.tar.gz b"),
        ("xxd *", "xxd -l 16 s"),
        ("npm *", "npm run test -- --watch=false"),
        ("npm exec -c *", "npm exec -c 'ls'"),
        ("sqlite3 *", "sqlite3 -readonly app.db 'select a from t'"),
        ("psql *", "psql -h db.example -c 'select 1'"),
        ("ssh *", "ssh -p 22 host ls"),
        ("gdb *", "gdb -batch a core"),
        ("dd *", "dd if=a bs=1 count=3"),
        ("git *", "git merge -X theirs --no-ff main"),
        ("git merge -s ours *", "git merge -s ours main"),
        ("git *", "git cherry-pick -s main"),
        ("go *", "go build -ldflags '-s -w' ./..."),
        ("docker *", "docker logs --tail 50 -f x"),
        ("docker run *", "docker run --rm x"),
        ("kubectl get *", "kubectl get pods -n a -o yaml"),
        ("npm *", "npm run init --silent"),
        ("pip *", "pip list --format=json"),
        ("mkdir *", "mkdir -p a/b"),
        ("cargo *", "cargo build --target x86_64-unknown-linux-gnu --release"),
        ("cp *", "cp -r a b"),
        ("python3.12 *", "python3.12 -m pytest -x"),
        ("timeout *", "timeout -k 5 10 make"),
        ("poetry run *", "poetry run pytest -x"),
        ("./check.sh *", "./check.sh --fast"),
        ("terraform *", "terraform validate"),
        ("terraform *", "terraform fmt -check -recursive src"),
        ("terraform plan -out=p *", "terraform plan -out=p"),
        ("helm --namespace=* *", "helm --namespace=a list"),
    ] {
        assert!(covers(rule, line), "{rule} does not allow {line}");
    }
}

#[test]
fn a_deny_rule_finds_its_program_behind_any_wrapper_option_and_variable() {
    let denied = |line: &str| {
        let pattern = CommandPattern::parse("rm *").unwrap();
        parts(line).all.iter().any(|part| pattern.touches(part))
    };
    for line in [
        "taskset 1 rm x",
        "chrt -o 0 rm x",
        "runuser -u me -- rm x",
        "setpriv --reuid 1 rm x",
        "prlimit --nproc=5 rm x",
        "setarch x86_64 rm x",
        "fakeroot rm x",
        "dbus-run-session -- rm x",
        "ssh-agent rm x",
        "perf stat rm x",
        "valgrind /bin/rm x",
        "tmux new-session 'rm x'",
        "sg staff 'rm x'",
        "tar -xf a --checkpoint=1 --checkpoint-action=exec='rm x'",
        "ssh -o ProxyCommand='rm x' host",
        "npm exec -c 'rm x'",
        "GIT_SSH_COMMAND='rm x' git fetch",
        "GIT_EXTERNAL_DIFF=rm git diff",
        "EDITOR=/bin/rm git commit",
        "export EDITOR='rm -f'; git commit",
        "a-wrapper-of-tomorrow --run rm x",
        "git -c core.pager='rm x' log",
        // Programs mark what they run, read it, and have it in the word of an option.
        "git -c credential.helper='!rm x;:' credential fill",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.q GIT_CONFIG_VALUE_0='!rm x' git q",
        "env GIT_CONFIG_KEY_0=alias.q GIT_CONFIG_VALUE_0='!rm' git q",
        "env EDITOR=rm git commit",
        "git -c protocol.ext.allow=always ls-remote 'ext::rm x'",
        "socat - EXEC:'rm x'",
        "ed <<< '!rm x'",
        "ed <<E\n!rm x\nE",
        "sqlite3 :memory: <<<'.shell rm x'",
        "less zz '+!rm x'",
        "python3 -c 'import os; os.system(\"rm x\")'",
        "git grep -O'rm -f x #' a",
    ] {
        assert!(denied(line), "{line}");
    }
    for line in ["git rm x", "echo rm x", "grep rm x", "ls", "git commit -m 'form'", "cargo test rms"] {
        assert!(!denied(line), "{line}");
    }
}

#[test]
fn what_becomes_a_command_only_when_it_runs_is_unclear() {
    // Marks without an end are read in one step.
    assert!(parts(&format!("{}rm x", "!".repeat(60_000))).all.len() < 10);
    for line in [
        "echo 'rm x' | xargs -I% sh -c %",
        "echo 'rm x' | xargs -I % -P 2 sh -c %",
        "echo rm | xargs -I% % x",
        "echo rm | xargs --replace {} x",
        "xargs -a <(printf 'rm\nx\n') env",
        "BASH_ENV=<(echo rm x) bash -c :",
        "export BASH_ENV=start",
        "env BASH_ENV=start bash -c :",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.q GIT_CONFIG_VALUE_0=push git q",
        "GIT_CONFIG_PARAMETERS=\"'alias.q=push'\" git q",
    ] {
        assert!(parts(line).opaque, "{line}");
    }
    for line in ["ls | xargs -I{} cp {} x", "ls | xargs -n1 wc -l", "ENV=test npm test", "cat <<< 'a b'"] {
        assert!(!parts(line).opaque, "{line}");
    }
}

#[test]
fn a_deny_rule_for_a_command_of_git_finds_it_in_submodules_and_under_its_own_name() {
    let pattern = CommandPattern::parse("git push *").unwrap();
    let denied = |line: &str| parts(line).all.iter().any(|part| pattern.touches(part));
    for line in [
        "git submodule foreach git push",
        "git submodule --quiet foreach --recursive 'git push origin main'",
        "git submodule foreach git -C x push",
        "git bisect run git push",
        "/usr/lib/git-core/git-push origin",
        "git-push",
        "git --exec-path=/x push",
    ] {
        assert!(denied(line), "{line}");
    }
    for line in ["git submodule foreach git pull", "git-pull origin", "git log --grep=push", "git run-hooks"]
    {
        assert!(!denied(line), "{line}");
    }
}
