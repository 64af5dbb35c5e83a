/**
 * Times that no clock showed, which earlier versions took: a turn of the year 9999 made whatever came after it a thing of the past, and one beyond
 * the calendar could not be shown at all. A turn gets the time of the one before it, or now; what was drawn from it, now, in the log and in
 * what the log makes alike. No text changes.
 */
export const repairTimes = `
CREATE TABLE repair AS SELECT unixepoch('now') * 1000 AS now, unixepoch('now') * 1000 + 86400000 AS latest, -2208988800000 AS earliest;

UPDATE turns SET at = coalesce(
  (SELECT before.at FROM turns AS before
    WHERE before.scope = turns.scope AND before.position < turns.position
      AND before.at BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair)
    ORDER BY before.position DESC LIMIT 1),
  (SELECT now FROM repair))
WHERE at NOT BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair);

UPDATE sessions SET
  started_at = iif(started_at BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair), started_at, coalesce((SELECT min(at) FROM turns WHERE turns.session = sessions.session), (SELECT now FROM repair))),
  last_at = iif(last_at BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair), last_at, coalesce((SELECT max(at) FROM turns WHERE turns.session = sessions.session), (SELECT now FROM repair))),
  ended_at = iif(ended_at IS NULL OR ended_at BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair), ended_at, (SELECT now FROM repair))
WHERE started_at NOT BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair)
   OR last_at NOT BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair)
   OR ended_at NOT BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair);
${['$.validFrom', '$.validUntil', '$.learnedAt', '$.use.lastAt'].map(repairField).join('')}${['after', 'before'].map((column) => repairPast('payloads', column)).join('')}${repairPast('memories', 'state')}
DELETE FROM images;
DROP TABLE repair;
`

function repairField(path: string): string {
  return (
    [
      ['payloads', 'after'],
      ['payloads', 'before'],
      ['memories', 'state'],
    ] as const
  )
    .map(
      ([table, column]) => `
UPDATE ${table} SET ${column} = json_set(${column}, '${path}', (SELECT now FROM repair))
WHERE ${column} IS NOT NULL AND json_extract(${column}, '${path}') IS NOT NULL
  AND json_extract(${column}, '${path}') NOT BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair);
`,
    )
    .join('')
}

function repairPast(table: string, column: string): string {
  const isPlausible = (field: string): string =>
    `json_extract(one.value, '$.${field}') BETWEEN (SELECT earliest FROM repair) AND (SELECT latest FROM repair)`
  const repaired = (field: string): string =>
    `iif(${isPlausible(field)}, json_extract(one.value, '$.${field}'), (SELECT now FROM repair))`
  return `
UPDATE ${table} SET ${column} = json_set(${column}, '$.past', (
  SELECT json_group_array(json_set(one.value, '$.validFrom', ${repaired('validFrom')}, '$.validUntil', ${repaired('validUntil')}))
  FROM json_each(${table}.${column}, '$.past') AS one))
WHERE ${column} IS NOT NULL AND EXISTS (
  SELECT 1 FROM json_each(${table}.${column}, '$.past') AS one
  WHERE NOT (${isPlausible('validFrom')} AND ${isPlausible('validUntil')}));
`
}
