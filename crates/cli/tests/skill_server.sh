# An MCP server of one tool and one skill (SEP-2640).
skill='---
name: release
description: Releases a version.
---
Tag the commit first.
'
text=$(printf '%s\n' "$skill" | sed ':a;N;$!ba;s/\n/\\n/g')
digest=$(printf '%s\n' "$skill" | sha256sum | cut -d' ' -f1)
size=$(printf '%s\n' "$skill" | wc -c)
say() { printf '%s\n' "$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case $line in
    *'"method":"initialize"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}},"serverInfo":{"name":"forge","version":"1"}}}' ;;
    *'"method":"tools/list"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"tag","description":"Tags a commit.","inputSchema":{"type":"object"}}]}}' ;;
    *'"method":"skills/list"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"skills":[{"uri":"skill://forge/release/SKILL.md","frontmatter":{"name":"release","description":"Releases a version."},"resources":[{"uri":"skill://forge/release/SKILL.md","digest":"sha256:'"$digest"'","size":'"$size"'}]}]}}' ;;
    *'"method":"resources/read"'*)
      say '{"jsonrpc":"2.0","id":'"$id"',"result":{"contents":[{"uri":"skill://forge/release/SKILL.md","text":"'"$text"'\n"}]}}' ;;
  esac
done
