import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from '@keepsake/bench/parts'
import { MEMORY_STATUSES, openMemory, openSqliteStore } from 'keepsake'
import type { Keepsake, Memory, Operation, ScopeRow } from 'keepsake'
import { projectLog, type Store } from 'keepsake/store'

/** A fault while a memory is used. `bench faults` tries each with many seeds. A `Ledger` records what the memory acknowledged. */
export interface Fault {
  /** The name in the report, such as `kill-server`. */
  readonly name: string
  /** Describes the fault in a sentence. */
  readonly about: string
  /** Returns why the fault cannot be tried on this machine, or `null` if it can. Without this function it always can. */
  readonly obstacle?: () => Promise<string | null>
  /** Tries the fault once, and stops all processes that it started. */
  readonly try: (trial: Trial) => Promise<Outcome>
}

export interface Trial {
  /** An empty folder, which is removed after the trial. */
  readonly folder: string
  /** Makes all random choices of the trial, so that it can be repeated, except for the timing of processes. */
  readonly draw: Draw
  readonly seed: number
}

export interface Outcome {
  /** Counts of what happened: `{ kills: 1, cut_off_requests: 4 }`. */
  readonly tried: Readonly<Record<string, number>>
  /** One sentence for each broken promise. */
  readonly broken: readonly string[]
}

/** Records the acknowledged turns and erasures of each user. Every kept turn must be stored once, and no erased turn may be stored. */
export class Ledger {
  readonly #kept = new Map<string, Set<string>>()
  readonly #erased = new Map<string, Set<string>>()
  readonly #refusals = new Map<string, number>()
  readonly #waiters: { left: number; readonly end: () => void }[] = []
  /** Requests that got no whole answer. */
  cutOffRequests = 0

  /** Waits until this number of further turns and erasures was acknowledged. */
  async waitForAcknowledged(count: number): Promise<void> {
    if (count > 0) await new Promise<void>((end) => this.#waiters.push({ left: count, end }))
  }

  /** Notes an acknowledged turn. No two turns of a user have the same text. */
  keep(user: string, text: string): void {
    textsOfUser(this.#kept, user).add(text)
    this.#countDown()
  }

  /** Notes that an erasure was sent. Until it is acknowledged, the turn may be stored or not. */
  beginErasing(user: string, text: string): void {
    this.#kept.get(user)?.delete(text)
  }

  /** Notes an acknowledged erasure. */
  erase(user: string, text: string): void {
    this.beginErasing(user, text)
    textsOfUser(this.#erased, user).add(text)
    this.#countDown()
  }

  #countDown(): void {
    for (const wait of this.#waiters) if ((wait.left -= 1) === 0) wait.end()
  }

  /** Notes an answer that no request should get. */
  refuse(answer: string): void {
    this.#refusals.set(answer, (this.#refusals.get(answer) ?? 0) + 1)
  }

  get users(): readonly string[] {
    return [...new Set([...this.#kept.keys(), ...this.#erased.keys()])]
  }

  /** The number of turns that must be stored. */
  get size(): number {
    return [...this.#kept.values()].reduce((sum, texts) => sum + texts.size, 0)
  }

  get erasedTexts(): readonly string[] {
    return [...this.#erased.values()].flatMap((texts) => [...texts])
  }

  /** Sentences, one for each kind of answer that no request should get. */
  get refusals(): readonly string[] {
    return [...this.#refusals].map(([answer, count]) => `${count} requests were answered with ${answer}`)
  }

  /** Compares the texts of a user's turns with what was acknowledged. @returns a sentence for each difference */
  findBroken(user: string, texts: readonly string[]): string[] {
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
    const lost = [...(this.#kept.get(user) ?? [])].filter((text) => !counts.has(text)).length
    const doubled = [...counts.values()].filter((count) => count > 1).length
    const returned = [...(this.#erased.get(user) ?? [])].filter((text) => counts.has(text)).length
    return [
      ...(lost === 0 ? [] : [`${lost} acknowledged turns of ${user} are lost`]),
      ...(doubled === 0 ? [] : [`${doubled} turns of ${user} are there more than once`]),
      ...(returned === 0 ? [] : [`${returned} erased turns of ${user} are there`]),
    ]
  }
}

/** A call of {@link Ledger}: `keep` for an acknowledged turn, `beginErasing` for a sent erasure, `erase` for an acknowledged one. */
type Note = readonly [what: 'keep' | 'beginErasing' | 'erase', user: string, text: string]

/** Notes in a file what a process did, since it may be killed before it answers. */
export function appendNote(file: string, ...note: Note): void {
  appendFileSync(file, `${JSON.stringify(note)}\n`)
}

/** Reads the notes of a file. A line that a kill cut off does not count. */
export function readNotes(file: string): Note[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Note)
}

export function ledgerOf(notes: readonly Note[]): Ledger {
  const ledger = new Ledger()
  for (const [what, user, text] of notes) ledger[what](user, text)
  return ledger
}

function textsOfUser(sets: Map<string, Set<string>>, user: string): Set<string> {
  const set = sets.get(user) ?? new Set()
  sets.set(user, set)
  return set
}

export interface InspectOptions {
  /** The file of the memory. For other stores, `openStore` is given instead. */
  readonly path?: string
  readonly openStore?: () => Promise<Store>
  readonly ledger: Ledger
}

/** Milliseconds after which background work counts as stuck. It usually takes one or two seconds. */
const STUCK_MS = 60_000

/**
 * Opens the memory after a trial and returns the failed checks. Every kept turn must be stored once and be in one utterance, no job may be
 * stuck or lost, and the memories must be those of the log.
 */
export async function findBroken({ path, openStore, ledger }: InspectOptions): Promise<string[]> {
  const open = openStore ?? (() => openSqliteStore({ path: path ?? ':memory:' }))
  const store = await open()
  const broken = await findLostJobs(store)
  await store.close()
  const keepsake = await openMemory({ store: await open() })
  try {
    broken.push(...(await waitForWork(keepsake)))
    const rows = await keepsake.scopes()
    for (const user of new Set([...ledger.users, ...rows.map((row) => row.user)]))
      broken.push(...(await inspectUser(keepsake, user, ledger)))
  } finally {
    await keepsake.close()
  }
  return broken
}

/** Finds turns that are not consolidated and have no job. The agent's last turns need none until the user answers. */
async function findLostJobs(store: Store): Promise<string[]> {
  const queued = new Set((await store.listJobs()).map(({ scope }) => scope))
  const broken: string[] = []
  for (const { owner, scope, user } of await store.listScopes()) {
    const { scopes, turns } = await store.loadUser({ userId: owner, afterRevision: 0 })
    const read = scopes.find((one) => one.scope === scope)?.branches['utterances'] ?? 0
    const unread = turns.filter((turn) => turn.scope === scope && turn.position > read)
    const isWaiting = unread.every(
      ({ role, session }) => role === 'assistant' && session === unread[0]?.session,
    )
    if (!isWaiting && !queued.has(scope))
      broken.push(`the job of ${user} is lost: ${unread.length} turns are unread`)
  }
  return broken
}

async function waitForWork(keepsake: Keepsake): Promise<string[]> {
  const work = async (): Promise<void> => {
    await keepsake.drain()
    for (const row of await keepsake.scopes()) await keepsake.scope(keyOf(row)).drain()
  }
  const timeout = sleep(STUCK_MS, 'late' as const, { ref: false })
  if ((await Promise.race([work(), timeout])) === 'late')
    return [`work is stuck: it was not done after ${STUCK_MS / 1_000} seconds`]
  const jobs = await keepsake.jobs()
  return jobs.map(({ kind, state, reason }) => `a job is left: ${kind}, ${state}, ${reason ?? 'no reason'}`)
}

function keyOf({ tenant, user, agent, app }: ScopeRow) {
  return { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
}

type ExportedRow = { readonly row: string; readonly text?: string } & Operation

async function inspectUser(keepsake: Keepsake, user: string, ledger: Ledger): Promise<string[]> {
  const scope = keepsake.scope({ user })
  const rows: ExportedRow[] = []
  for await (const line of scope.export()) rows.push(JSON.parse(line) as ExportedRow)
  const texts = rows.flatMap(({ row, text }) => (row === 'turn' && text !== undefined ? [text] : []))
  const memories = await scope.memories({ statuses: MEMORY_STATUSES })
  const operations = rows.filter(({ row }) => row === 'operation')
  return [
    ...ledger.findBroken(user, texts),
    ...compareWithLog(user, memories, operations),
    ...findDoubledTurns(user, memories),
  ]
}

function compareWithLog(
  user: string,
  memories: readonly Memory[],
  operations: readonly Operation[],
): string[] {
  const projected = projectLog(operations)
  const different = memories.filter((memory) => {
    const logged = projected.get(memory.id)
    // An export renumbers scopes, and the log does not count recalls.
    const { scope, use } = memory
    return logged === undefined || !isDeepStrictEqual({ ...logged, scope, use }, withoutTurnText(memory))
  })
  if (different.length === 0 && projected.size === memories.length) return []
  return [`${Math.max(1, different.length)} memories of ${user} are not as the log says`]
}

/** Removes the text if the log does not have it: utterances and raw units have their text only in their turns. */
function withoutTurnText(memory: Memory): Memory {
  const isOfTurns = memory.form === 'utterance' || memory.level === 1
  return isOfTurns ? { ...memory, text: '' } : memory
}

function findDoubledTurns(user: string, memories: readonly Memory[]): string[] {
  const kept = memories.filter(({ form, status }) => form === 'utterance' && status === 'live')
  const turns = kept.flatMap(({ evidence }) => evidence.map(({ turn }) => turn))
  const twice = turns.length - new Set(turns).size
  return twice === 0 ? [] : [`${twice} turns of ${user} are kept in two utterances`]
}
