# An MCP server of one tool, which asks the user before it answers: `file` says where an issue is filed.
say() { printf '%s\n' "$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case $line in
    *'"method":"initialize"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"tracker","version":"1"}}}' ;;
    *'"method":"tools/list"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"file","description":"Files an issue.","inputSchema":{"type":"object"}}]}}' ;;
    *'"method":"tools/call"'*)
      call=$id
      say '{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"Where does the issue belong?","requestedSchema":{"type":"object","properties":{"project":{"type":"string","title":"Project"},"urgent":{"type":"boolean"}},"required":["project"]}}}' ;;
    *'"id":"e"'*)
      answer=$(printf '%s' "$line" | sed 's/"/\\"/g')
      say '{"jsonrpc":"2.0","id":'"$call"',"result":{"content":[{"type":"text","text":"'"$answer"'"}]}}' ;;
  esac
done
