//! A home folder whose large results are in an object store, and turns of a scripted model in it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::bucket::Bucket;
use crate::place::{Place, serve};
use crate::ran::{Ran, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// In the middle of a long result, and in no command line.
pub(crate) const MARK: &str = "heronnest";

/// Prints more than is stored in the database.
pub(crate) const LONG: &str = "seq 1 30000 | sed 's/^3000$/heron''nest/'";

pub(crate) struct Stage {
    pub(crate) place: Place,
    variables: Vec<(String, String)>,
}

impl Stage {
    /// With a bucket, by the settings.
    pub(crate) fn new(bucket: &Bucket) -> Self {
        let stage = Self { place: Place::new(), variables: bucket.variables().to_vec() };
        stage.run(&["config", "set", "storage.blobs", &bucket.place()]).done();
        stage
    }

    /// With this place and these variables.
    pub(crate) fn with(place: &str, variables: Vec<(String, String)>) -> Self {
        let mut variables = variables;
        variables.push(("THROUGHLINE_STORAGE_BLOBS".to_owned(), place.to_owned()));
        Self { place: Place::new(), variables }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.place.folder.path().join(".local/share/throughline/throughline.db")
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.place.bare(args);
        command.envs(self.variables.iter().cloned());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.command(args))
    }

    /// A turn in which the model makes these calls. Gives the session.
    pub(crate) fn turn(&self, args: &[&str], calls: &[(&str, Value)]) -> String {
        let ran = self.try_turn(args, calls);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        object["session"].as_str().unwrap().to_owned()
    }

    pub(crate) fn try_turn(&self, args: &[&str], calls: &[(&str, Value)]) -> Ran {
        let mut script = Script::new();
        for (number, (tool, input)) in calls.iter().enumerate() {
            script = script.then(Answer::call(&format!("c{number}"), tool, input.clone()));
        }
        let server = serve(script.then(Answer::text("Done.")));
        let mut all = vec!["-o", "json"];
        all.extend(args);
        all.push("Go.");
        let mut command = self.place.asks(&server, MODEL, &all);
        run(command.envs(self.variables.iter().cloned()))
    }

    /// A turn with a long result. Gives the session and the reference.
    pub(crate) fn long_turn(&self) -> (String, String) {
        let session = self.turn(&[], &[("shell", json!({ "command": LONG }))]);
        let reference = self.reference(&session);
        (session, reference)
    }

    /// The first reference in a session.
    pub(crate) fn reference(&self, session: &str) -> String {
        let log = self.run(&["export", session]).done();
        let (_, rest) = log.split_once(r#"ref_id=\""#).unwrap();
        rest.split('\\').next().unwrap().to_owned()
    }

    /// What the model reads of a stored result when it looks for the mark.
    pub(crate) fn read(&self, session: &str, reference: &str) -> String {
        let call = ("read_result", json!({ "ref_id": reference, "search": MARK }));
        self.turn(&["--resume", session], &[call]);
        let log = self.run(&["export", session]).done();
        let line = log.lines().rfind(|line| line.contains(r#""tool_result""#));
        line.unwrap_or_else(|| panic!("no result: {log}")).to_owned()
    }

    /// Deletes sessions permanently.
    pub(crate) fn delete(&self, sessions: &[&str]) -> Ran {
        let mut args = vec!["sessions", "delete", "--yes"];
        args.extend(sessions);
        self.run(&args)
    }
}
