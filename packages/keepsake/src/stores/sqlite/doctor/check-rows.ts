import { name, type Sql } from '../sql.ts'
import type { Finding } from './finding.ts'

/** Rows that belong to a row which is not there, by table: each can go, since nothing reaches it. */
const ORPHANS: Readonly<Record<string, string>> = {
  turn_documents: 'turn NOT IN (SELECT turn FROM turns WHERE text IS NOT NULL)',
  memory_documents: `memory NOT IN (SELECT memory FROM memories WHERE status <> 'erased')`,
  evidence: 'turn NOT IN (SELECT turn FROM turns) OR memory NOT IN (SELECT memory FROM memories)',
  payloads: 'operation NOT IN (SELECT operation FROM operations)',
  progress: 'scope NOT IN (SELECT scope FROM scopes)',
  jobs: 'scope NOT IN (SELECT scope FROM scopes)',
  images: 'owner NOT IN (SELECT owner FROM owners WHERE tenant IS NOT NULL)',
}

/** Rows without which others say nothing: they cannot be made again. */
const LOST: Readonly<Record<string, string>> = {
  'turns of scopes that are not there': 'turns WHERE scope NOT IN (SELECT scope FROM scopes)',
  'turns of sessions that are not there':
    'turns WHERE text IS NOT NULL AND session NOT IN (SELECT session FROM sessions)',
  'operations on memories that are not there':
    'operations WHERE memory IS NOT NULL AND memory NOT IN (SELECT memory FROM memories)',
  'operations that lost what they did': `operations o JOIN memories m ON m.memory = o.memory
    WHERE m.status <> 'erased' AND o.kind IN ('add', 'modify')
      AND o.operation NOT IN (SELECT operation FROM payloads)`,
}

/** Rows that nothing reaches, and rows whose other half is missing. */
export function checkOrphans(sql: Sql, mend: boolean): Finding[] {
  const findings: Finding[] = []
  for (const [table, condition] of Object.entries(ORPHANS)) {
    const count = sql.value<number>`SELECT count(*) FROM ${name(table)} WHERE ${name(condition)}` ?? 0
    if (count === 0) continue
    if (mend) sql.write(() => sql.run`DELETE FROM ${name(table)} WHERE ${name(condition)}`)
    const detail = `${count} rows of "${table}" belong to nothing.`
    findings.push({ check: 'orphans', detail, state: mend ? 'mended' : 'mendable' })
  }
  for (const [what, from] of Object.entries(LOST)) {
    const count = sql.value<number>`SELECT count(*) FROM ${name(from)}` ?? 0
    if (count > 0) findings.push({ check: 'orphans', detail: `There are ${count} ${what}.`, state: 'lost' })
  }
  return findings
}

/** People of whom turns stand in no index: recall does not find them. They are indexed by an open memory (`Keepsake.renewIndex`). */
export function findUnindexed(sql: Sql): readonly { readonly owner: number; readonly turns: number }[] {
  return sql.all`SELECT t.owner, count(*) AS turns FROM turns t
    LEFT JOIN turn_documents d ON d.turn = t.turn WHERE t.text IS NOT NULL AND d.turn IS NULL GROUP BY t.owner`
}
