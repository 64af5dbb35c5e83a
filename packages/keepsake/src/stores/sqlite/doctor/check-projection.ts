import { isDeepStrictEqual } from 'node:util'
import { changeFromBlank, memoryFromBlank, projectLog } from '../../../memories/apply-operation.ts'
import type { Memory } from '../../../memories/memory.ts'
import type { MemoryChange } from '../../../memories/operation.ts'
import { turnsQuoted } from '../../../memories/turns-quoted.ts'
import { raiseRevision } from '../keep-scopes.ts'
import { readOperations } from '../read-operations.ts'
import { name, type Sql } from '../sql.ts'
import type { Finding } from './finding.ts'

interface StoredState {
  readonly row: number
  readonly id: string
  readonly scope: number
  readonly status: string
  readonly form: string
  readonly state: string | null
}

/** Makes each person's memories again from the log and compares. What differs is written as the log has it. */
export function checkProjection(sql: Sql, mend: boolean): Finding[] {
  const owners = sql.cells<readonly [number]>`SELECT owner FROM owners ORDER BY owner`
  return owners.flatMap(([owner]) => checkOwner(sql, owner, mend))
}

function checkOwner(sql: Sql, owner: number, mend: boolean): Finding[] {
  const log = sql.read(() => readOperations(sql, { owner }))
  const projected = projectLog(log)
  const stored = sql.all<StoredState>`SELECT m.memory AS row, m.id, m.scope, m.status, m.form,
    coalesce(m.state, p.after) AS state FROM memories m LEFT JOIN payloads p ON p.operation = m.payload
    WHERE m.owner = ${owner}`
  const wrong = stored.filter((one) => !isAsLogged(one, projected.get(one.id)))
  const erased = new Set(log.filter(({ kind }) => kind === 'erase').map(({ memory }) => memory))
  /** Where the log itself lost what it did, the row may be all that is left. */
  const isKnown = ({ id }: StoredState): boolean =>
    projected.has(id) && (projected.get(id)?.status !== 'erased' || erased.has(id))
  const unknown = wrong.filter((one) => !isKnown(one)).length
  const findings: Finding[] = []
  if (unknown > 0) {
    const detail = `Of person ${owner}, the log can no longer tell what ${unknown} memories are.`
    findings.push({ check: 'projection', detail, state: 'lost' })
  }
  const differing = wrong.filter(isKnown)
  if (differing.length === 0) return findings
  if (mend)
    sql.write(() => {
      const revision = raiseRevision(sql, owner)
      for (const one of differing) putRight(sql, { owner, revision }, one, projected.get(one.id) as Memory)
    })
  const detail = `Of person ${owner}, ${differing.length} memories are not what the log makes them.`
  return [...findings, { check: 'projection', detail, state: mend ? 'mended' : 'mendable' }]
}

function isAsLogged({ id, scope, status, form, state }: StoredState, memory: Memory | undefined): boolean {
  const stored = readState(id, scope, state)
  if (memory === undefined || stored === null) return false
  return (
    status === memory.status &&
    form === memory.form &&
    isDeepStrictEqual(changeFromBlank(stored), changeFromBlank(memory))
  )
}

function readState(id: string, scope: number, state: string | null): Memory | null {
  try {
    return state === null ? null : memoryFromBlank(id, scope, JSON.parse(state) as MemoryChange)
  } catch {
    // Damaged: it is as wrong as another state.
    return null
  }
}

function putRight(
  sql: Sql,
  { owner, revision }: { readonly owner: number; readonly revision: number },
  { row }: StoredState,
  memory: Memory,
): void {
  const state = JSON.stringify(changeFromBlank(memory))
  const { status, form } = memory
  sql.run`UPDATE memories SET status = ${status}, form = ${form}, state = ${state}, payload = NULL,
    name = ${status === 'live' ? memory.name : null}, revision = ${revision} WHERE memory = ${row}`
  const operations = readOperations(sql, { owner, memory: memory.id })
  for (const turn of turnsQuoted(memory, operations))
    sql.run`INSERT OR IGNORE INTO ${name('evidence')} (turn, memory)
      SELECT turn, ${row} FROM turns WHERE owner = ${owner} AND id = ${turn}`
}
