// A scripted server of Anthropic's Messages API on loopback, for agents that are whole programs.

import http from 'node:http'

import { OVERFLOW } from './script.mjs'

const blocks = message => (typeof message.content === 'string' ? [] : message.content)

/** What the real server would refuse. */
function fault({ messages }) {
  let open = []
  for (const [at, message] of messages.entries()) {
    const results = blocks(message).filter(block => block.type === 'tool_result').map(block => block.tool_use_id)
    if (open.some(id => !results.includes(id)) || results.some(id => !open.includes(id))) return `messages.${at}: calls and results differ`
    open = message.role === 'assistant' ? blocks(message).filter(block => block.type === 'tool_use').map(block => block.id) : []
  }
  return open.length > 0 ? 'a call without its result at the end' : undefined
}

/** Answers by the script. `requests` has the bodies, `refused` what broke a rule. */
export async function serve(plan, { call, usage }) {
  const state = { plan, requests: [], refused: [] }
  const server = http.createServer((request, response) => {
    let text = ''
    request.on('data', more => (text += more))
    request.on('end', () => {
      const json = (status, body) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      const error = (status, message) => json(status, { type: 'error', error: { type: 'invalid_request_error', message } })
      if (request.method !== 'POST' || !request.url.includes('/messages')) return error(404, request.url)
      const body = JSON.parse(text)
      if (request.url.includes('count_tokens')) return json(200, { input_tokens: Math.ceil(text.length / 4) })
      state.requests.push(body)
      const wrong = fault(body)
      if (wrong) state.refused.push(wrong)
      if (wrong) return error(400, wrong)
      let calls = []
      try {
        if (body.tools?.length > 0) calls = state.plan.next(JSON.stringify(body.messages))
      } catch {
        return error(400, OVERFLOW)
      }
      const content = calls.map(one => ({ type: 'tool_use', id: `toolu_${one.id}`, ...call(one) }))
      if (calls.length === 0) content.push({ type: 'text', text: 'done' })
      const message = { id: `msg_${state.requests.length}`, type: 'message', role: 'assistant', model: body.model, usage }
      const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
      if (!body.stream) return json(200, { ...message, content, stop_reason })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = data => response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
      event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } })
      content.forEach((block, index) => {
        const begun = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
        event({ type: 'content_block_start', index, content_block: begun })
        const delta =
          block.type === 'text'
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
        event({ type: 'content_block_delta', index, delta })
        event({ type: 'content_block_stop', index })
      })
      event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } })
      event({ type: 'message_stop' })
      response.end()
    })
  })
  await new Promise(listening => server.listen(0, '127.0.0.1', listening))
  state.url = `http://127.0.0.1:${server.address().port}`
  state.close = () => {
    server.closeAllConnections()
    return new Promise(closed => server.close(closed))
  }
  return state
}
