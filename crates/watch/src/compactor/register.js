// Answers `session.compact` with the view of the engine. Whatever goes wrong, Claude Code compacts by itself.
const COMMAND = ["{{command}}"]

// A later answer is not waited for.
const WAIT_MS = 2000

// Tools after which Claude Code lets the model edit a file.
const READERS = ['Read', 'Edit', 'Write']

// Asks the engine. Throws if it does not answer in time.
async function ask($, event) {
  const info = await $.session.info()
  const input = { ...event, session_id: await $.session.id(), transcript_path: info.transcriptPath, cwd: await $.session.cwd() }
  const run = await $.process.run(COMMAND, { stdin: JSON.stringify(input), env: await $.process.hookEnv(), timeoutMs: WAIT_MS })
  if (run.exitCode !== 0 || run.isStdoutTruncated) throw new Error('throughline: ' + run.stderr.slice(0, 300))
  return run.stdout === '' ? null : JSON.parse(run.stdout)
}

const isPrompt = row => row.role === 'user' && row.toolResults === undefined && row.text !== '' && !row.text.trimStart().startsWith('<')

// A row that hides its content holds thinking.
const isThinking = row => row.role === 'assistant' && row.text === '' && row.toolUses.length === 0

export function register(on) {
  // By conversation: the files that the model had read before a compaction, which forgets that.
  const readBefore = new Map()
  const conversation = e => e.agentId ?? ''

  on('session.start', async ($, e, next) => {
    await ask($, { hook_event_name: 'ModuleLoaded' }).catch(error => $.ui.log(String(error), { to: 'debug' }))
    return next(e)
  })

  on('session.compact', async ($, e, next) => {
    if (e.trigger === 'precompute') return { skip: 'throughline compacts when the time comes' }
    const usage = await $.session.usage()
    const last = e.messages.at(-1)
    const answer = await ask($, {
      hook_event_name: 'SessionCompact',
      compaction: {
        trigger: e.trigger,
        agent_id: e.agentId,
        instructions: e.instructions,
        window: usage.context?.window,
        answered: (last?.toolResults ?? []).map(result => result.tool_use_id),
        is_thinking: last?.toolResults !== undefined && e.messages.some(isThinking),
      },
    })
    if (typeof answer?.summary !== 'string') throw new Error('throughline: no view')
    const read = e.messages.flatMap(row => row.toolUses).filter(use => READERS.includes(use.tool) && use.text !== undefined && !use.isError)
    readBefore.set(conversation(e), new Set([...(readBefore.get(conversation(e)) ?? []), ...read.map(use => use.input.file_path)]))
    // Unchanged, the first request brings the environment and the rules with it.
    const first = e.messages.find(isPrompt)
    return { messages: [...(first ? [first] : []), { role: 'user', text: answer.summary, toolUses: [] }, ...answer.rows] }
  })

  // Once for each file that this conversation had read: Claude Code's own guard stands for every other one.
  on('tool.call', { tool: ['Edit', 'Write'] }, async ($, e, next) => {
    if (readBefore.get(conversation(e))?.delete(e.file_path)) await $.tool.call({ tool: 'Read', file_path: e.file_path })
    return next(e)
  })
}
