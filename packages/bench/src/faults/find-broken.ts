import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  MEMORY_STATUSES,
  openMemory,
  openSqliteStore,
  projectLog,
  type Keepsake,
  type Memory,
  type Operation,
  type ScopeRow,
  type Store,
} from 'keepsake'
import type { Promised } from './promised.ts'

export interface Inspected {
  /** The file; or `openStore`, for any other store. */
  readonly path?: string
  readonly openStore?: () => Promise<Store>
  readonly promised: Promised
}

/** After which work that is left behind counts as stuck: it takes a second or two. */
const STUCK_MS = 60_000

/**
 * Opens what a trial left behind, as the next process would, and tells what does not hold: every acknowledged turn once, no job
 * lost, no scope stuck, memories as the log says, each turn kept as one utterance.
 *
 * @returns a sentence for each thing that does not hold
 */
export async function findBroken({ path, openStore, promised }: Inspected): Promise<string[]> {
  const open = openStore ?? (() => openSqliteStore({ path: path ?? ':memory:' }))
  const broken = await withStore(open, findLostJobs)
  const keepsake = await openMemory({ store: await open() })
  try {
    broken.push(...(await settle(keepsake)))
    const rows = await keepsake.scopes()
    for (const user of new Set([...promised.users, ...rows.map((row) => row.user)]))
      broken.push(...(await inspect(keepsake, user, promised)))
  } finally {
    await keepsake.close()
  }
  return broken
}

async function withStore<Result>(
  open: () => Promise<Store>,
  look: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await open()
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** Turns that nothing has read yet, and no job that would. What an agent said last waits for the user's answer, without one. */
async function findLostJobs(store: Store): Promise<string[]> {
  const queued = new Set((await store.jobs()).map(({ scope }) => scope))
  const broken: string[] = []
  for (const { owner, scope, user } of await store.listScopes()) {
    const { branches } = await store.progress(owner, scope)
    const unread = await store.turns({ owner, scopes: [scope], afterPosition: branches['utterances'] ?? 0 })
    const isWaiting = unread.every(({ role, session }) => role === 'agent' && session === unread[0]?.session)
    if (!isWaiting && !queued.has(scope))
      broken.push(`the job of ${user} is lost: ${unread.length} turns are unread`)
  }
  return broken
}

/** Has everything that waits done. */
async function settle(keepsake: Keepsake): Promise<string[]> {
  const work = async (): Promise<void> => {
    await keepsake.drain()
    for (const row of await keepsake.scopes()) await keepsake.scope(keyOf(row)).drain()
  }
  const late = sleep(STUCK_MS, 'late' as const, { ref: false })
  if ((await Promise.race([work(), late])) === 'late')
    return [`work is stuck: it was not done after ${STUCK_MS / 1_000} seconds`]
  const jobs = await keepsake.jobs()
  return jobs.map(({ kind, state, reason }) => `a job is left: ${kind}, ${state}, ${reason ?? 'no reason'}`)
}

function keyOf({ tenant, user, agent, app }: ScopeRow) {
  return { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
}

type ExportedRow = { readonly row: string; readonly text?: string } & Operation

async function inspect(keepsake: Keepsake, user: string, promised: Promised): Promise<string[]> {
  const scope = keepsake.scope({ user })
  const rows: ExportedRow[] = []
  for await (const line of scope.export()) rows.push(JSON.parse(line) as ExportedRow)
  const texts = rows.flatMap(({ row, text }) => (row === 'turn' && text !== undefined ? [text] : []))
  const memories = await scope.memories({ statuses: MEMORY_STATUSES })
  const operations = rows.filter(({ row }) => row === 'operation')
  return [
    ...promised.findBroken(user, texts),
    ...compareWithLog(user, memories, operations),
    ...findTwice(user, memories),
  ]
}

function compareWithLog(
  user: string,
  memories: readonly Memory[],
  operations: readonly Operation[],
): string[] {
  const projected = projectLog(operations)
  const odd = memories.filter((memory) => {
    const logged = projected.get(memory.id)
    // An export numbers the person's scopes anew.
    return logged === undefined || !isDeepStrictEqual({ ...logged, scope: memory.scope }, asLogged(memory))
  })
  if (odd.length === 0 && projected.size === memories.length) return []
  return [`${Math.max(1, odd.length)} memories of ${user} are not as the log says`]
}

/** As the log has it: the words of utterances and raw units are their turns' and not stored twice. */
function asLogged(memory: Memory): Memory {
  const isOfTurns = memory.form === 'utterance' || memory.level === 1
  return isOfTurns ? { ...memory, text: '' } : memory
}

function findTwice(user: string, memories: readonly Memory[]): string[] {
  const kept = memories.filter(({ form, status }) => form === 'utterance' && status === 'live')
  const turns = kept.flatMap(({ evidence }) => evidence.map(({ turn }) => turn))
  const twice = turns.length - new Set(turns).size
  return twice === 0 ? [] : [`${twice} turns of ${user} are kept in two utterances`]
}
