-- Summaries and checkpoints as tables to look into. Both are read from the log: there is one truth, and what is deleted
-- there is gone here.

CREATE VIEW summaries AS
SELECT log.session_id,
       log.seq                                                  AS record,
       log.at                                                   AS created_at,
       json_extract(action.value, '$.span.first')               AS first_record,
       json_extract(action.value, '$.span.last')                AS last_record,
       json_extract(action.value, '$.note.parent.first')        AS parent_first,
       json_extract(action.value, '$.note.parent.last')         AS parent_last,
       json_extract(action.value, '$.note.template')            AS template,
       json_extract(action.value, '$.note.model')               AS model,
       json_extract(action.value, '$.note.tokens')              AS tokens,
       json_extract(action.value, '$.summary')                  AS text
FROM log, json_each(log.payload, '$.actions') AS action
WHERE log.kind = 'edit'
  AND json_extract(action.value, '$.do') = 'cover'
  AND json_extract(action.value, '$.summary') IS NOT NULL;

CREATE VIEW session_checkpoints AS
SELECT session_id,
       seq                                                      AS record,
       at                                                       AS created_at,
       json_extract(payload, '$.reason')                        AS reason,
       json_extract(payload, '$.iteration')                     AS iteration,
       json_extract(payload, '$.hat')                           AS hat,
       payload                                                  AS state
FROM log
WHERE kind = 'checkpoint';
