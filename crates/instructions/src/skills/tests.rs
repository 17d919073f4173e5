//! Which folders are skills.

use expect_test::expect;

use super::{PluginParts, SessionFolders, SkillOrigin, Skills, SkillsPolicy};
use crate::stage::Stage;

pub(crate) fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nHow to {name}.\n")
}

fn discover(stage: &Stage, workspace: &str, trusted: bool) -> Skills {
    Skills::discover(&stage.places(workspace), &SkillsPolicy { trusted, ..SkillsPolicy::default() })
}

fn listed(stage: &Stage, skills: &Skills) -> String {
    let one = |skill: &super::Skill| format!("{} ({:?}, {})\n", skill.name, skill.origin, skill.shown);
    let problem = |problem: &super::SkillProblem| format!("! {}: {}\n", problem.place, problem.why);
    let lines: String = skills.iter().map(one).chain(skills.problems().iter().map(problem)).collect();
    stage.plain(&lines)
}

#[test]
fn the_users_come_first_then_the_nearest() {
    let stage = Stage::of(&[
        ("config/skills/fix/SKILL.md", &skill("fix", "the user's")),
        ("repo/.claude/skills/fix/SKILL.md", &skill("fix", "the project's")),
        ("repo/.claude/skills/review/SKILL.md", &skill("review", "of the root")),
        ("repo/app/.agents/skills/review/SKILL.md", &skill("review", "of the folder")),
        ("repo/app/.throughline/skills/b/SKILL.md", &skill("a-skill", "other name than its folder")),
        ("repo/app/.throughline/skills/README.md", "no folder"),
    ]);
    let skills = discover(&stage, "repo/app", true);
    expect![[r"
        a-skill (Project, .throughline/skills/b)
        fix (User, ~/config/skills/fix)
        review (Project, .agents/skills/review)
        ! ~/repo/.claude/skills/fix: ~/config/skills/fix has the name fix already; rename one of them
        ! ~/repo/.claude/skills/review: .agents/skills/review has the name review already; rename one of them
    "]]
    .assert_eq(&listed(&stage, &skills));
    assert_eq!(skills.get("fix").unwrap().description, "the user's");
    assert_eq!((skills.len(), skills.is_empty()), (3, false));
}

#[test]
fn the_user_can_name_more_folders() {
    let stage =
        Stage::of(&[("elsewhere/fix/SKILL.md", &skill("fix", "m")), ("secret/x/SKILL.md", &skill("x", "x"))]);
    stage.link("elsewhere/out", stage.path("secret/x"));
    let more = vec![stage.path("elsewhere"), stage.path("nowhere")];
    let policy = SkillsPolicy { more, ..SkillsPolicy::default() };
    expect![[r"
        fix (User, ~/elsewhere/fix)
        ! ~/elsewhere/out/SKILL.md: it lies outside of the folder that it may come from
        ! ~/nowhere: it is missing
    "]]
    .assert_eq(&listed(&stage, &Skills::discover(&stage.places("repo"), &policy)));
}

#[test]
fn a_project_that_is_not_trusted_has_none() {
    let stage = Stage::of(&[
        ("config/skills/mine/SKILL.md", &skill("mine", "m")),
        ("repo/.claude/skills/theirs/SKILL.md", &skill("theirs", "t")),
    ]);
    let skills = discover(&stage, "repo", false);
    expect![[r"
        mine (User, ~/config/skills/mine)
        ! .claude/skills: its skills are not used, because the project is not trusted
    "]]
    .assert_eq(&listed(&stage, &skills));
    assert_eq!(skills.get("mine").unwrap().origin, SkillOrigin::User);
}

#[test]
fn bad_ones_are_listed_with_the_reason() {
    let stage = Stage::of(&[
        ("outside/x/SKILL.md", &skill("outside", "o")),
        ("secret.md", "4711"),
        ("repo/.agents/skills/empty/README.md", ""),
        ("repo/.agents/skills/nameless/SKILL.md", "---\ndescription: d\n---\nb"),
        ("repo/.agents/skills/good/SKILL.md", &skill("good", "g")),
    ]);
    stage.put("repo/.agents/skills/latin/SKILL.md", b"---\nname: caf\xe9\n---\n");
    stage.put("repo/.agents/skills/huge/SKILL.md", skill("huge", "h").repeat(50_000).as_bytes());
    stage.link("repo/.agents/skills/link", stage.path("outside/x"));
    stage.link("repo/.agents/skills/linked/SKILL.md", stage.path("secret.md"));
    stage.link("repo/.claude/skills/good", "../../.agents/skills/good");
    let listed = listed(&stage, &discover(&stage, "repo", true));
    expect![[r#"
        good (Project, .agents/skills/good)
        ! .agents/skills/empty/SKILL.md: it is missing
        ! .agents/skills/huge/SKILL.md: it has more than a megabyte; put reference into files of their own
        ! .agents/skills/latin/SKILL.md: it is not written in UTF-8
        ! .agents/skills/link/SKILL.md: it lies outside of the folder that it may come from
        ! .agents/skills/linked/SKILL.md: it lies outside of the folder that it may come from
        ! .agents/skills/nameless/SKILL.md: its front matter has no name: add a line "name: …"
    "#]]
    .assert_eq(&listed);
}

#[test]
fn a_folder_of_thousands_is_bounded() {
    let stage = Stage::of(&[]);
    for number in 0..600 {
        stage.put(&format!("config/skills/s{number}/SKILL.md"), skill(&format!("s{number}"), "d").as_bytes());
    }
    let skills = discover(&stage, "repo", false);
    assert_eq!(skills.len(), 500);
    assert!(skills.problems()[0].why.starts_with("it has 600 folders"), "{:?}", skills.problems());
}

#[test]
fn skills_of_a_plugin_have_its_name_in_front_and_lie_in_its_folder() {
    let stage = Stage::of(&[
        (
            "plugin/skills/deploy/SKILL.md",
            "---\nname: Deploy It\ndescription: d\n---\nRun ${ROOT}/deploy.sh.\n",
        ),
        ("plugin/skills/empty/SKILL.md", "nothing"),
        ("outside/x/SKILL.md", &skill("outside", "o")),
    ]);
    stage.link("plugin/skills/link", stage.path("outside/x"));
    let root = stage.path("plugin").canonicalize().unwrap();
    let skills = ["deploy", "empty", "link"].map(|name| root.join("skills").join(name)).to_vec();
    let parts = PluginParts {
        name: "ops".to_owned(),
        root: root.clone(),
        skills,
        root_mark: "${ROOT}".to_owned(),
        ..PluginParts::default()
    };
    let policy = SkillsPolicy { plugins: vec![parts], ..SkillsPolicy::default() };
    let skills = Skills::discover(&SessionFolders::of(&stage.path("repo"), None), &policy);
    let deploy = skills.get("ops:deploy").unwrap();
    let (text, _) = crate::skill_text::body(deploy, 1_000).unwrap();
    assert!(
        text.contains("# Skill: ops:deploy") && text.contains(&format!("Run {}/deploy.sh.", root.display())),
        "{text}"
    );
    let places: Vec<&str> = skills.problems().iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(
        (skills.len(), places),
        (1, vec!["plugin ops: skills/empty/SKILL.md", "plugin ops: skills/link/SKILL.md"])
    );
}
