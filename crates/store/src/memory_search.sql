-- Memos and chunks that have one of the words, best first. bm25 gives lower numbers to better ones.
-- $1 the query, $2 the folder or NULL for all, $3 and $4 whether memos and chunks are asked for, $5 the weight of a
-- tag, $6 how many, $7 the folder that the memos of the project belong to.
SELECT
    memo.row_id AS memo_row,
    memo.id,
    memo.content AS memo_content,
    memo.tags,
    memo.workspace,
    memo.digest,
    memo.session_id,
    memo.exchange,
    memo.created_at,
    memo.updated_at,
    file.name,
    chunk.first_line,
    chunk.last_line,
    chunk.content AS chunk_content
FROM memory_fts
LEFT JOIN llm_memos AS memo ON memory_fts.rowid % 2 = 0 AND memo.row_id = memory_fts.rowid / 2
LEFT JOIN memory_chunks AS chunk ON memory_fts.rowid % 2 = 1 AND chunk.row_id = memory_fts.rowid / 2
LEFT JOIN memory_files AS file ON file.row_id = chunk.file
WHERE
    memory_fts MATCH $1
    AND (
        ($3 AND memo.row_id IS NOT NULL AND ($2 IS NULL OR memo.workspace IS NULL OR memo.workspace IN ($2, $7)))
        OR ($4 AND file.row_id IS NOT NULL AND ($2 IS NULL OR file.workspace IS NULL OR file.workspace = $2))
    )
ORDER BY bm25(memory_fts, 1.0, $5), memory_fts.rowid
LIMIT $6
