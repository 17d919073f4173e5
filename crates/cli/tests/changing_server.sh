# An MCP server whose tool `add` gives it another one, `more`.
say() { printf '%s\n' "$1"; }
add='{"name":"add","description":"Adds a tool.","inputSchema":{"type":"object"}}'
tools=$add
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case $line in
    *'"method":"initialize"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"shop","version":"1"}}}' ;;
    *'"method":"tools/list"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":['"$tools"']}}' ;;
    *'"method":"tools/call"'*)
      tools=$add',{"name":"more","description":"Is new.","inputSchema":{"type":"object"}}'
      say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"Added."}]}}' ;;
  esac
done
