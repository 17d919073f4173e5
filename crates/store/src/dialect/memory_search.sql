-- The search of memory_search.sql, for PostgreSQL. The score is the one that bm25() of SQLite's FTS5 gives, so that both
-- databases find the same in the same order.
-- $1 the query, $2 the folder or NULL for all, $3 and $4 whether memos and chunks are asked for, $5 the weight of a
-- tag, $6 how many, $7 the folder that the memos of the project belong to.
WITH terms AS (SELECT DISTINCT term FROM unnest(string_to_array($1, ' ')) AS term),
    query AS (
        SELECT string_agg(quote_literal(term), ' | ')::tsquery AS any_of, array_agg(term) AS all_of FROM terms
    ),
    total AS (SELECT count(*)::float8 AS texts, avg(size)::float8 AS size FROM memory_fts),
    found AS (
        SELECT
            entry.rowid,
            entry.size::float8 AS size,
            word.lexeme,
            (
                SELECT sum(CASE weight WHEN 'A' THEN $5 ELSE 1 END) FROM unnest(word.weights) AS weight
            ) AS often
        FROM query, memory_fts AS entry, unnest(entry.words) AS word
        WHERE entry.words @@ query.any_of AND word.lexeme = ANY (query.all_of)
    ),
    rarity AS (
        SELECT lexeme, greatest(ln((total.texts - count(*) + 0.5) / (count(*) + 0.5)), 1e-6) AS weight
        FROM found, total
        GROUP BY lexeme, total.texts
    ),
    scored AS (
        SELECT
            found.rowid,
            sum(
                rarity.weight * found.often * 2.2
                / (found.often + 1.2 * (0.25 + 0.75 * found.size / total.size))
            ) AS score
        FROM found JOIN rarity USING (lexeme) CROSS JOIN total
        GROUP BY found.rowid
    )
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
FROM scored
LEFT JOIN llm_memos AS memo ON scored.rowid % 2 = 0 AND memo.row_id = scored.rowid / 2
LEFT JOIN memory_chunks AS chunk ON scored.rowid % 2 = 1 AND chunk.row_id = scored.rowid / 2
LEFT JOIN memory_files AS file ON file.row_id = chunk.file
WHERE
    ($3 AND memo.row_id IS NOT NULL AND ($2 IS NULL OR memo.workspace IS NULL OR memo.workspace IN ($2, $7)))
    OR ($4 AND file.row_id IS NOT NULL AND ($2 IS NULL OR file.workspace IS NULL OR file.workspace = $2))
ORDER BY scored.score DESC, scored.rowid
LIMIT $6
