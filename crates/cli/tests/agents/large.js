// An MCP server on its standard streams. Its tool `numbers` gives 1,800 lines.
const version = "2025-06-18"
const answers = {
  initialize: () => ({ protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: "large", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "numbers", description: "Gives numbers.", inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: Array.from({ length: 1800 }, (_, n) => `line ${n + 1}\n`).join("") }] }),
}
const lines = require("node:readline").createInterface({ input: process.stdin })
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const rest = answer ? { result: answer() } : { error: { code: -32601, message: method } }
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }))
})
