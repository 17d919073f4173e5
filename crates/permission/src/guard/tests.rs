//! Tests of guarded tools: which calls run, which need approval, and what the model reads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_tools::contract::outputs_of;
use throughline_tools::{Access, Effect, Tool, ToolContext, ToolOutput, ToolRegistry};

use super::guarded;
use crate::{
    Approval, ApprovalRequest, Approver, InMemoryRuleStore, MockRuleStore, Mode, Permissions, RuleKind,
    RuleStore, RuleStoreError, Rules, Unattended, contract,
};

/// Counts its calls.
#[derive(Debug, Default)]
struct Shell(AtomicUsize);

#[async_trait]
impl Tool for Shell {
    fn definition(&self) -> ToolDefinition {
        let (name, description) = ("shell".to_owned(), "Runs.".to_owned());
        ToolDefinition { name, description, input_schema: json!({}), origin: ToolOrigin::Builtin }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Command, &call.input, "command")
    }

    async fn call(&self, _: &ToolCall, _: &ToolContext) -> ToolOutput {
        self.0.fetch_add(1, Ordering::SeqCst);
        ToolOutput::text("ran")
    }
}

/// Writes down what it is asked, and says always the same.
#[derive(Debug)]
struct Says {
    answer: Approval,
    asked: Mutex<Vec<ApprovalRequest>>,
    open: AtomicUsize,
    most: AtomicUsize,
}

impl Says {
    fn new(answer: Approval) -> Arc<Self> {
        let (open, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Self { answer, asked: Mutex::default(), open, most })
    }
}

#[async_trait]
impl Approver for Says {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(open, Ordering::SeqCst);
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        self.asked.lock().unwrap().push(request.clone());
        self.open.fetch_sub(1, Ordering::SeqCst);
        self.answer.clone()
    }
}

struct Stage {
    shell: Arc<Shell>,
    permissions: Arc<Permissions>,
    tools: ToolRegistry,
}

fn stage(permissions: Permissions, approver: &Arc<dyn Approver>) -> Stage {
    let (shell, permissions) = (Arc::new(Shell::default()), Arc::new(permissions));
    let mut registry = ToolRegistry::new();
    registry.register(shell.clone()).unwrap();
    let tools = guarded(&registry, &permissions, approver).unwrap();
    assert_eq!(tools.definitions(), registry.definitions());
    Stage { shell, permissions, tools }
}

impl Stage {
    async fn run(&self, lines: &[&str]) -> Vec<(bool, String)> {
        let call = |(place, line): (usize, &&str)| ToolCall {
            id: format!("c{place}"),
            name: "shell".to_owned(),
            input: json!({ "command": line }),
        };
        let calls: Vec<ToolCall> = lines.iter().enumerate().map(call).collect();
        let outputs = outputs_of(&self.tools, &calls, &ToolContext::new("."), 4).await;
        outputs.into_iter().map(|output| (output.is_error, output.to_text())).collect()
    }

    fn ran(&self) -> usize {
        self.shell.0.load(Ordering::SeqCst)
    }
}

fn asking() -> Permissions {
    Permissions::new(Mode::Ask, Rules::new(), "/w")
}

#[tokio::test]
async fn questions_are_asked_one_at_a_time_and_approval_runs_the_call() {
    let says = Says::new(Approval::Once);
    let stage = stage(asking(), &(says.clone() as Arc<dyn Approver>));
    let outputs = stage.run(&["make a", "make b", "make c"]).await;
    assert!(outputs.iter().all(|(is_error, text)| !is_error && text == "ran"), "{outputs:?}");
    assert_eq!((stage.ran(), says.most.load(Ordering::SeqCst), says.asked.lock().unwrap().len()), (3, 1, 3));
}

#[tokio::test]
async fn a_denial_reaches_the_model_with_the_users_feedback() {
    let feedback = Some("Use just instead.".to_owned());
    let denied = stage(asking(), &(Says::new(Approval::Deny { feedback }) as Arc<dyn Approver>));
    let (is_error, text) = denied.run(&["make"]).await.remove(0);
    assert!(is_error && text.contains("Use just instead.") && denied.ran() == 0, "{text}");
    let silent = stage(asking(), &(Says::new(Approval::Deny { feedback: None }) as Arc<dyn Approver>));
    let (is_error, text) = silent.run(&["make"]).await.remove(0);
    assert!(is_error && text.contains("declined this call of shell") && silent.ran() == 0, "{text}");
}

#[tokio::test]
async fn a_remembered_rule_settles_waiting_questions() {
    let (says, store) = (Says::new(Approval::Always), Arc::new(InMemoryRuleStore::default()));
    let first = stage(asking().remembering(store.clone()).await, &(says.clone() as Arc<dyn Approver>));
    first.run(&["cargo test a", "cargo test b", "cargo test c"]).await;
    assert_eq!((first.ran(), says.asked.lock().unwrap().len()), (3, 1));
    assert_eq!(store.load().await.unwrap(), ["shell(cargo test *)"]);
    // Another session has the rule until it is forgotten.
    let unattended: Arc<dyn Approver> = Arc::new(Unattended);
    let second = stage(asking().remembering(store.clone()).await, &unattended);
    assert!(!second.run(&["cargo test d"]).await.remove(0).0);
    second.permissions.forget("shell(cargo test *)").await.unwrap();
    assert!(second.run(&["cargo test d"]).await.remove(0).0);
    assert!(store.load().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_rule_that_the_user_edited_is_remembered_or_asked_about_again() {
    /// Writes these rules, one after the other.
    #[derive(Debug)]
    struct Writes(Mutex<Vec<&'static str>>, Mutex<Vec<String>>);
    #[async_trait]
    impl Approver for Writes {
        async fn approve(&self, request: &ApprovalRequest) -> Approval {
            self.1.lock().unwrap().push(request.why.clone());
            Approval::AlwaysBy(self.0.lock().unwrap().pop().unwrap().to_owned())
        }
    }
    let store = Arc::new(InMemoryRuleStore::default());
    let writes = Arc::new(Writes(Mutex::new(vec!["shell(cargo *)", "shell(*)"]), Mutex::default()));
    let stage = stage(asking().remembering(store.clone()).await, &(writes.clone() as Arc<dyn Approver>));
    stage.run(&["cargo test a", "cargo build"]).await;
    assert_eq!(stage.ran(), 2);
    assert_eq!(store.load().await.unwrap(), ["shell(cargo *)"]);
    let asked = writes.1.lock().unwrap().clone();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[1].contains("shell(*) is not used: it would allow every call"), "{asked:?}");
}

#[tokio::test]
async fn a_rule_that_cannot_be_saved_applies_to_the_session_and_is_reported() {
    let mut store = MockRuleStore::new();
    store.expect_load().returning(|| Ok(vec!["shell(".to_owned()]));
    store.expect_save().returning(|_| Err(RuleStoreError::Other("the disk is full".into())));
    let says = Says::new(Approval::Always);
    let stage = stage(asking().remembering(Arc::new(store)).await, &(says.clone() as Arc<dyn Approver>));
    stage.run(&["make test"]).await;
    assert!(!stage.run(&["make test"]).await.remove(0).0);
    assert_eq!((stage.ran(), says.asked.lock().unwrap().len()), (2, 1));
    let problems = stage.permissions.take_problems().join("\n");
    assert!(problems.contains("ignored") && problems.contains("the disk is full"), "{problems}");
    assert!(stage.permissions.take_problems().is_empty());
}

#[tokio::test]
async fn without_a_user_the_denial_names_the_rule_that_would_allow_it() {
    let stage = stage(asking(), &(Arc::new(Unattended) as Arc<dyn Approver>));
    let (is_error, text) = stage.run(&["cargo test"]).await.remove(0);
    assert!(is_error && text.contains("shell(cargo test *)") && text.contains("--mode yolo"), "{text}");
    assert_eq!(stage.ran(), 0);
}

#[tokio::test]
async fn a_deny_rule_refuses_without_a_question() {
    let mut rules = Rules::new();
    rules.add(RuleKind::Deny, "shell(rm *)", "/h/config.toml:3:9").unwrap();
    let says = Says::new(Approval::Once);
    let stage = stage(Permissions::new(Mode::Yolo, rules, "/w"), &(says.clone() as Arc<dyn Approver>));
    let (is_error, text) = stage.run(&["rm x"]).await.remove(0);
    assert!(is_error && text.contains("shell(rm *)") && text.contains("/h/config.toml:3:9"), "{text}");
    assert_eq!((stage.ran(), says.asked.lock().unwrap().len()), (0, 0));
    stage.permissions.set_mode(Mode::Plan);
    let (_, text) = stage.run(&["ls"]).await.remove(0);
    assert!(text.contains("plan mode"), "{text}");
}

#[tokio::test]
async fn a_cancelled_call_withdraws_its_question() {
    /// Never answers the first question, and allows what the later ones ask.
    #[derive(Debug, Default)]
    struct WaitsOnce(std::sync::atomic::AtomicBool);
    #[async_trait]
    impl Approver for WaitsOnce {
        async fn approve(&self, _: &ApprovalRequest) -> Approval {
            if !self.0.swap(true, Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            Approval::Once
        }
    }
    let stage = stage(asking(), &(Arc::new(WaitsOnce::default()) as Arc<dyn Approver>));
    let context = ToolContext::new(".");
    let call = ToolCall { id: "c".to_owned(), name: "shell".to_owned(), input: json!({ "command": "make" }) };
    let calls = [call.clone(), ToolCall { id: "d".to_owned(), ..call }];
    let stop = async {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        context.cancel.cancel();
    };
    let (outputs, ()) = tokio::join!(outputs_of(&stage.tools, &calls, &context, 4), stop);
    assert!(outputs.iter().all(|output| output.is_error) && stage.ran() == 0);
    // The next question can be asked.
    let outputs = outputs_of(&stage.tools, &calls[..1], &ToolContext::new("."), 4).await;
    assert!(!outputs[0].is_error && stage.ran() == 1, "{outputs:?}");
}

#[tokio::test]
async fn symbolic_links_are_resolved_before_the_decision() {
    /// Edits a file.
    #[derive(Debug)]
    struct Edit;
    #[async_trait]
    impl Tool for Edit {
        fn definition(&self) -> ToolDefinition {
            let (name, description) = ("edit_file".to_owned(), "Edits.".to_owned());
            ToolDefinition { name, description, input_schema: json!({}), origin: ToolOrigin::Builtin }
        }

        fn access(&self, call: &ToolCall) -> Access {
            Access::of(Effect::Edit, &call.input, "path")
        }

        async fn call(&self, _: &ToolCall, _: &ToolContext) -> ToolOutput {
            ToolOutput::text("edited")
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("src")).unwrap();
    std::fs::create_dir(root.join("secret")).unwrap();
    std::os::unix::fs::symlink("../secret", root.join("src/link")).unwrap();
    let mut rules = Rules::new();
    rules.add(RuleKind::Deny, "edit(secret/**)", "here").unwrap();
    let permissions = Arc::new(Permissions::new(Mode::Yolo, rules, &root));
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(Edit)).unwrap();
    let unattended: Arc<dyn Approver> = Arc::new(Unattended);
    let tools = guarded(&registry, &permissions, &unattended).unwrap();
    let mut ends = Vec::new();
    for path in ["src/a", "src/link/a", "src/link/new/b", "src/link/../src/a"] {
        let call =
            ToolCall { id: "c".to_owned(), name: "edit_file".to_owned(), input: json!({ "path": path }) };
        ends.push(tools.get("edit_file").unwrap().call(&call, &ToolContext::new(&root)).await.is_error);
    }
    assert_eq!(ends, [false, true, true, false]);
}

/// Lists those of these files that are not hidden.
#[derive(Debug)]
struct Grep(&'static [&'static str]);

#[async_trait]
impl Tool for Grep {
    fn definition(&self) -> ToolDefinition {
        let (name, description) = ("grep".to_owned(), "Searches.".to_owned());
        ToolDefinition { name, description, input_schema: json!({}), origin: ToolOrigin::Builtin }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::below(Effect::Read, &call.input, "path")
    }

    async fn call(&self, _: &ToolCall, context: &ToolContext) -> ToolOutput {
        let shown = |file: &&&str| !context.hides(file, &context.workspace.join(file));
        ToolOutput::text(self.0.iter().filter(shown).copied().collect::<Vec<_>>().join(" "))
    }
}

#[tokio::test]
async fn a_search_skips_files_that_may_not_be_read() {
    const FILES: &[&str] = &["a.txt", "keys/b.key", "deep/keys/c.key", "deep/.env", "deep/log.txt"];
    let mut rules = Rules::new();
    for (kind, text) in [
        (RuleKind::Deny, "read(**/.env)"),
        (RuleKind::Ask, "grep(**/*.key)"),
        (RuleKind::Deny, "read_file(a.txt)"),
        (RuleKind::Deny, "edit(**)"),
        (RuleKind::Ask, "read(deep/log.txt)"),
        (RuleKind::Allow, "read"),
    ] {
        rules.add(kind, text, "here").unwrap();
    }
    let permissions = Arc::new(Permissions::new(Mode::Yolo, rules, "/w"));
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(Grep(FILES))).unwrap();
    let says = Says::new(Approval::Once);
    let tools = guarded(&registry, &permissions, &(says.clone() as Arc<dyn Approver>)).unwrap();
    let shown = async |input| {
        let call = ToolCall { id: "c".to_owned(), name: "grep".to_owned(), input };
        tools.get("grep").unwrap().call(&call, &ToolContext::new("/w")).await.to_text()
    };
    assert_eq!(shown(json!({ "path": "keys" })).await, "a.txt");
    assert!(says.asked.lock().unwrap().is_empty());
    // The rule that matches the call itself was asked about, the others were not.
    assert_eq!(shown(json!({})).await, "a.txt deep/log.txt");
    assert_eq!(says.asked.lock().unwrap().len(), 1);
    let open = Arc::new(Permissions::new(Mode::Ask, Rules::new(), "/w"));
    let tools = guarded(&registry, &open, &(says as Arc<dyn Approver>)).unwrap();
    let call = ToolCall { id: "c".to_owned(), name: "grep".to_owned(), input: json!({}) };
    let all = tools.get("grep").unwrap().call(&call, &ToolContext::new("/w")).await;
    assert_eq!(all.to_text(), FILES.join(" "));
}

#[tokio::test]
async fn an_approval_after_the_cancel_runs_nothing() {
    /// Approves after the turn was cancelled.
    #[derive(Debug)]
    struct Late(throughline_tools::CancelFlag);
    #[async_trait]
    impl Approver for Late {
        async fn approve(&self, _: &ApprovalRequest) -> Approval {
            self.0.cancel();
            tokio::task::yield_now().await;
            Approval::Once
        }
    }
    let context = ToolContext::new(".");
    let stage = stage(asking(), &(Arc::new(Late(context.cancel.clone())) as Arc<dyn Approver>));
    let call = ToolCall { id: "c".to_owned(), name: "shell".to_owned(), input: json!({ "command": "make" }) };
    let output = stage.tools.get("shell").unwrap().call(&call, &context).await;
    let text = output.to_text();
    assert!(text.contains("was not run: the turn was stopped first"), "{text}");
    assert_eq!(stage.ran(), 0);
}

#[tokio::test]
async fn the_in_memory_store_fulfils_the_contract() {
    let store = InMemoryRuleStore::default();
    contract::rule_store(&store, &store).await;
}

/// A tool whose calls cannot succeed.
#[derive(Debug)]
struct Hopeless;

#[async_trait]
impl Tool for Hopeless {
    fn definition(&self) -> ToolDefinition {
        let (name, description) = ("edit_file".to_owned(), "Edits.".to_owned());
        ToolDefinition { name, description, input_schema: json!({}), origin: ToolOrigin::Builtin }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn check(&self, _: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        assert!(context.target.is_some(), "the path was resolved");
        Err(ToolOutput::error("old_string is not in a.txt."))
    }

    async fn call(&self, _: &ToolCall, _: &ToolContext) -> ToolOutput {
        panic!("it must not run")
    }
}

#[tokio::test]
async fn an_edit_that_cannot_be_made_is_not_put_to_the_user() {
    let says = Says::new(Approval::Once);
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(Hopeless)).unwrap();
    let approver = says.clone() as Arc<dyn Approver>;
    let permissions = Arc::new(Permissions::new(Mode::Ask, Rules::new(), "/"));
    let tools = guarded(&registry, &permissions, &approver).unwrap();
    let call =
        ToolCall { id: "c1".to_owned(), name: "edit_file".to_owned(), input: json!({"path": "a.txt"}) };
    let outputs = outputs_of(&tools, &[call], &ToolContext::new("/"), 1).await;
    assert!(outputs[0].is_error && outputs[0].to_text() == "old_string is not in a.txt.", "{outputs:?}");
    assert!(says.asked.lock().unwrap().is_empty());
}

/// A tool that says where its path leads.
#[derive(Debug)]
struct Where;

#[async_trait]
impl Tool for Where {
    fn definition(&self) -> ToolDefinition {
        let (name, description) = ("edit_file".to_owned(), "Edits.".to_owned());
        ToolDefinition { name, description, input_schema: json!({}), origin: ToolOrigin::Builtin }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn call(&self, _: &ToolCall, context: &ToolContext) -> ToolOutput {
        let target = context.target.as_ref().expect("the path that was decided about");
        ToolOutput::text(target.as_ref().unwrap().display().to_string())
    }
}

#[tokio::test]
async fn a_tool_is_given_the_path_that_was_decided_about() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().canonicalize().unwrap();
    std::fs::write(place.join("real.txt"), "x").unwrap();
    std::os::unix::fs::symlink("real.txt", place.join("link.txt")).unwrap();
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(Where)).unwrap();
    let approver = Says::new(Approval::Once) as Arc<dyn Approver>;
    let permissions = Arc::new(Permissions::new(Mode::Yolo, Rules::new(), &place));
    let tools = guarded(&registry, &permissions, &approver).unwrap();
    let input = json!({"path": "link.txt"});
    let call = ToolCall { id: "c1".to_owned(), name: "edit_file".to_owned(), input };
    let outputs = outputs_of(&tools, &[call], &ToolContext::new(&place), 1).await;
    assert_eq!(outputs[0].to_text(), place.join("real.txt").display().to_string());
}
