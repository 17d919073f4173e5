//! Reading each format.

use std::fmt::Write;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_testkit::render;

use super::{
    ATIF, CLAUDE_CODE, CODEX, COPILOT, GEMINI, MINI, OPENCODE, PI, PI_TREE, PYDANTIC_AI, SWE, parsed,
};

/// The session as text: its head, its messages with the reported usage, the repairs.
fn check(bytes: &[u8], expected: &Expect) {
    let session = parsed(bytes).unwrap();
    let mut out = format!("{} {} {}", session.format, session.id, session.model.as_deref().unwrap_or("-"));
    writeln!(out, " compactions={} system={:?}", session.recorded_compactions, session.system).unwrap();
    for turn in &session.turns {
        out.push_str(&render([&turn.user]));
        for step in &turn.steps {
            out.push_str(&render([&step.assistant]));
            if let Some(usage) = step.usage {
                let (input, read, write) = (usage.input, usage.cache_read, usage.cache_write);
                writeln!(out, "  used {input}+{read}+{write} -> {}", usage.output).unwrap();
            }
            for result in &step.results {
                let mark = if result.is_error { '!' } else { '=' };
                let pictures = "[picture]".repeat(result.images.len());
                let text = result.content.replace('\n', "\\n");
                writeln!(out, "  {} {mark} {text}{pictures}", result.call_id).unwrap();
            }
        }
    }
    for repair in &session.repairs {
        writeln!(out, "* {repair}").unwrap();
    }
    expected.assert_eq(&out);
}

#[test]
fn claude_code() {
    check(
        CLAUDE_CODE,
        &expect![[r#"
            claude-code s-claude claude-x compactions=1 system=None
            user: fix the bug
            assistant:
              thinking: look first
              -> t1 Read {"path":"a.rs"}
              -> t2 Read {"path":"b.rs"}
              used 3+0+1000 -> 40
              t1 = fn a() {}
              t2 ! no such file[picture]
            assistant: done
              used 5+1000+60 -> 4
            user: <system-reminder>\nCaveat: commands follow\n</system-reminder>
              thanks
            assistant:
              -> t3 Bash {"command":"ls"}
              t3 ! [no result: the call was cut off before the tool answered]
            * line 10: left out, it is no JSON (expected ident at column 2)
            * line 12: the entry before it is not in the file; the line before it in the file was taken
            * left out 1 lines of side conversations
            * left out 1 lines of other branches of the conversation
            * left out 1 messages that the program wrote in the model's name
            * message 6: added the missing result of call t3
        "#]],
    );
}

#[test]
fn codex() {
    check(
        CODEX,
        &expect![[r#"
        codex s-codex gpt-x compactions=1 system=Some("You are an agent.\n\nSandbox: read only.")
        user: <environment/>
          what is here
        assistant:
          thinking: list files
          I look
          -> c1 exec {"cmd":"ls"}
          -> c2 apply_patch {"input":"*** Begin Patch"}
          used 60+40+0 -> 20
          c1 = a.rs
          c2 = patched\nok
        assistant:
          -> c3 local_shell {"type":"exec","command":["pwd"]}
          c3 ! /w
        assistant: one file
          used 30+100+0 -> 10
        * left out 1 web searches that the provider did by itself
        * left out 1 thoughts that were not recorded
    "#]],
    );
}

#[test]
fn opencode() {
    check(
        OPENCODE,
        &expect![[r#"
        opencode ses_open big-one compactions=1 system=None
        user: read it
          [file: a.txt]
        assistant:
          thinking: both at once
          -> SAME read {"file":"a"}
          -> call_1 read {"file":"b"}
          used 50+30+0 -> 9
          SAME = alpha
          call_1 ! not found
        assistant: done
          used 20+80+0 -> 3
        user: continue
        assistant:
          -> c9 bash {"command":"sleep 9"}
          c9 ! [no result: the call was cut off before the tool answered]
        * message 5: added the missing result of call c9
    "#]],
    );
}

#[test]
fn a_command_of_opencode_that_failed_says_its_exit_code() {
    for (exit, said, shown) in
        [(0, "fine\n", "fine\n"), (101, "error: x\n", "error: x\n[exit code 101]"), (1, "", "[exit code 1]")]
    {
        let state = json!({"status": "completed", "input": {}, "output": said, "metadata": {"exit": exit}});
        let part = json!({"type": "tool", "callID": "c1", "tool": "bash", "state": state});
        let messages = [
            json!({"info": {"role": "user"}, "parts": [{"type": "text", "text": "test it"}]}),
            json!({"info": {"role": "assistant"}, "parts": [part]}),
        ];
        let document = json!({"info": {"id": "o"}, "messages": messages});
        let session = parsed(document.to_string().as_bytes()).unwrap();
        assert_eq!(session.turns[0].steps[0].results[0].content, shown);
    }
}

#[test]
fn pi() {
    check(
        PI,
        &expect![[r#"
            pi s-pi model-pi compactions=1 system=None
            user: list
            assistant:
              thinking: hm
              -> c1 bash {"command":"ls"}
              used 10+0+90 -> 5
              c1 = a.rs
            user: <system-reminder>\nThe user ran `pwd`:\n```\n/w\n```\n</system-reminder>
              and now
            assistant: nothing
              used 1+90+30 -> 2
        "#]],
    );
}

#[test]
fn pi_with_branches() {
    check(
        PI_TREE,
        &expect![[r#"
            pi s-tree m compactions=0 system=None
            user: try one way
            assistant: the other way
            user: <system-reminder>\none way failed\n</system-reminder>
            assistant: good
            * left out 1 messages of other branches of the conversation
        "#]],
    );
}

#[test]
fn mini_swe_agent() {
    check(
        MINI,
        &expect![[r#"
        mini-swe-agent repo__1 deep-x compactions=0 system=Some("You have a shell.")
        user: solve it
        assistant:
          -> call_1 bash {"command":"ls"}
          used 6+64+0 -> 8
          call_1 = <output>a.py</output>
        assistant: I hand in
          -> call_2 bash {"input":"echo done"}
          call_2 ! [no result: the call was cut off before the tool answered]
        * message 3: added the missing result of call call_2
    "#]],
    );
}

#[test]
fn swe_agent() {
    check(
        SWE,
        &expect![[r#"
        swe-agent recording - compactions=0 system=Some("SETTING: a shell.")
        user: find the flag
        assistant: I look.\n```\nls\n```
        user: flag.txt\nbash-$
        assistant: ```\nsubmit x\n```
    "#]],
    );
}

#[test]
fn atif() {
    check(
        ATIF,
        &expect![[r#"
        atif s-atif model-a compactions=0 system=Some("You are an agent.")
        user: what is here
          [a picture that was not recorded]
        assistant:
          thinking: list files
          I look
          -> c1 bash {"command":"ls"}
          -> c2 view {}
          used 100+600+300 -> 20
          c2 = a picture[picture]
          c1 ! no shell
        user: Context was reset.
          3 files left
        assistant:
          -> c3 delegate {"to":"reader"}
          c3 = [subagent t-2]
        user: [probe]
          [health {"port":1}]
          up
        assistant: one file
          used 1200+0+0 -> 9
        * step 9: its step_id does not follow the one before
        * step 9: left out, its source "robot" is not known
        * the trajectory continues in next.json
        * left out 1 answers that were copied from an earlier trajectory
        * left out 1 trajectories of subagents
        * took 1 steps without a request to a model as text
    "#]],
    );
}

#[test]
fn copilot_cli() {
    check(
        COPILOT,
        &expect![[r#"
            copilot-cli s-copilot model-a compactions=1 system=Some("You are an agent.")
            user: <now/>
              what is here
              [image/png]
            assistant:
              thinking: list files
              I look
              -> c1 bash {"command":"ls"}
              -> c2 view {"path":"a.png"}
              used 100+600+300 -> 20
              c1 ! no shell
              c2 = a picture[picture]
            assistant: one file
            user: <system-reminder>\nThe user ran bash {"command":"pwd"}:\n```\n/w\n```\n</system-reminder>
              and now
            assistant:
              -> c5 grep {"pattern":"x"}
              c5 = 1 match
            assistant: nothing
            * left out 2 events of subagents
            * left out 2 messages that the user had rewound
        "#]],
    );
}

// Written from the items of OpenAI's Responses API that Codex stores: a search with a call id was run by Codex itself.
#[test]
fn codex_tool_searches() {
    check(
        br#"{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"weather?"}]}}
{"type":"response_item","payload":{"type":"tool_search_call","id":"tsc_1","call_id":"c1","execution":"client","status":"completed","arguments":{"query":"weather"}}}
{"type":"response_item","payload":{"type":"tool_search_output","id":"tso_1","call_id":"c1","execution":"client","status":"completed","tools":[{"type":"function","name":"get_weather"}]}}
{"type":"response_item","payload":{"type":"tool_search_call","id":"tsc_2","execution":"server","status":"completed","arguments":{"goal":"maps"}}}
{"type":"response_item","payload":{"type":"tool_search_output","id":"tso_2","execution":"server","status":"completed","tools":[]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"sunny"}]}}"#,
        &expect![[r#"
            codex s - compactions=0 system=None
            user: weather?
            assistant:
              -> c1 tool_search {"query":"weather"}
              c1 = [{"type":"function","name":"get_weather"}]
            assistant: sunny
            * left out 1 tool searches that the provider did by itself
        "#]],
    );
}

#[test]
fn gemini_cli() {
    check(
        GEMINI,
        &expect![[r#"
        gemini-cli s-gemini gemini-x compactions=1 system=None
        user: fix the bug
          <hook_context>be brief</hook_context>
          [image/png]
        assistant:
          thinking: Look
        at the file
          -> c1 run_shell_command {"command":"wc -l a.txt"}
          -> c2 read_file {"file_path":"b.txt"}
          used 400+600+0 -> 15
          c1 = 2 a.txt
          c2 ! File not found.
        assistant: There are two.
          used 1100+0+0 -> 4
        user: I ran the following shell command: ls
          continue
        assistant: Done.
          used 300+0+0 -> 2
        * line 19: left out, it is no JSON (EOF while parsing a string at column 42)
        * left out 2 messages that the user had rewound
    "#]],
    );
}

#[test]
fn gemini_cli_before_it_wrote_lines() {
    let old = br#"{"sessionId":"s-old","projectHash":"5ca5","messages":[
        {"id":"u1","type":"user","content":"hello"},{"id":"g1","type":"gemini","content":"Hi.","model":"gemini-x"}]}"#;
    check(
        old,
        &expect![[r#"
        gemini-cli s-old gemini-x compactions=0 system=None
        user: hello
        assistant: Hi.
    "#]],
    );
}

#[test]
fn pydantic_ai() {
    check(
        PYDANTIC_AI,
        &expect![[r#"
        pydantic-ai counts-1 claude-sonnet-4-5 compactions=0 system=Some("You count lines.")
        user: How many lines?
          [image/png]
        assistant:
          thinking: Two files.
          I read both.
          -> call_1 read {"path":"a.txt"}
          -> call_2 read {"path":"b.txt"}
          used 900+0+100 -> 20
          call_1 = one\ntwo
          call_2 ! there is no b.txt
        assistant:
          -> call_3 table {}
          used 200+800+100 -> 20
          call_3 = {"a.txt":2}
        assistant: Two lines in a.txt.
          used 300+800+100 -> 20
        user: And once more?
        assistant: Two lines in a.txt.
          used 400+800+100 -> 20
    "#]],
    );
}

#[test]
fn messages_and_entries_of_pydantic_ai_are_read_without_the_conversation() {
    let whole: Value = serde_json::from_slice(PYDANTIC_AI).unwrap();
    let messages = &whole["messages"];
    let entries: Vec<Value> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|message| json!({"id": "e", "parent_id": null, "kind": "message", "message": message}))
        .collect();
    let expected = parsed(PYDANTIC_AI).unwrap().messages();
    for document in [messages, &json!(entries)] {
        let read = parsed(document.to_string().as_bytes()).unwrap();
        assert_eq!((read.messages(), read.id.as_str()), (expected.clone(), "counts-1"));
    }
}
