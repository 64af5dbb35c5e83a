// Processes that remember and recall turns, and the faults of such processes on one file.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent, Child, isChild, seededDraw, type Draw } from '@keepsake/bench/parts'
import { KeepsakeError, openMemory, type Keepsake } from 'keepsake'
import { appendNote, findBroken, ledgerOf, readNotes, type Fault, type Outcome, type Trial } from './trial.ts'

export interface TalkRequest {
  /** A file, or an address of Postgres. */
  readonly path: string
  /** File to which each acknowledged turn is appended as a line of JSON. */
  readonly notes: string
  readonly name: string
  readonly users: readonly string[]
  readonly rounds: number
  readonly seed: number
}

const PLACES = ['Porto', 'Lyon', 'Graz', 'Bergen', 'Leuven', 'Turku'] as const
const PETS = ['a parrot', 'two cats', 'a tortoise', 'an old dog', 'four hives of bees'] as const
const MAX_TRIES = 200
const RETRY_MS = 50

/** Returns a statement of a user. The mark must be different for each, so that no two statements are the same. */
export function makeStatement(draw: Draw, mark: string): string {
  return `Note ${mark}: I live in ${draw.pick(PLACES)} and keep ${draw.pick(PETS)}.`
}

async function retry<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof KeepsakeError) || !error.isRetryable || attempt === MAX_TRIES) throw error
      await sleep(RETRY_MS)
    }
  }
}

async function openStoreAt(path: string): Promise<Keepsake> {
  if (!path.startsWith('postgres')) return openMemory({ path, busyTimeoutMs: 30_000 })
  const { openPostgresStore } = await import('@keepsake/postgres')
  return openMemory({ store: await openPostgresStore({ connectionString: path, connections: 4 }) })
}

/** Remembers, recalls, ends sessions and drains, for all rounds or until the process is killed. */
async function talk({ path, notes, name, users, rounds, seed }: TalkRequest): Promise<number> {
  const draw = seededDraw(seed)
  const isOnServer = path.startsWith('postgres')
  const call = <Result>(work: () => Promise<Result>): Promise<Result> => (isOnServer ? retry(work) : work())
  const keepsake = await call(() => openStoreAt(path))
  for (let round = 0; round < rounds; round += 1) {
    const user = draw.pick(users)
    const scope = keepsake.scope({ user })
    const id = `${name}-${round}`
    const texts = [makeStatement(draw, `${name} ${round}`), `I see, ${name} ${round}.`] as const
    const session = `${name}-${Math.floor(round / 5)}`
    const turns = [
      { role: 'user', id: `${id}-u`, text: texts[0] },
      { role: 'assistant', id: `${id}-a`, text: texts[1] },
    ] as const
    await call(() => scope.remember(turns, { session }))
    for (const text of texts) appendNote(notes, 'keep', user, text)
    if (draw.chance(0.2)) await call(() => scope.endSession(session))
    if (draw.chance(0.3)) await call(() => scope.recall('Where do I live?'))
    if (draw.chance(0.3)) await call(() => scope.drain())
  }
  await keepsake.close()
  return rounds
}

export function startTalker(request: TalkRequest): Child<number> {
  const talker = new Child<number>(import.meta.url, request)
  // A killed talker gives no answer. Its caller gets the error.
  talker.started.catch(() => undefined)
  return talker
}

export async function finishTalkers(talkers: readonly Child<number>[]): Promise<void> {
  for (const talker of talkers) {
    await talker.started
    await talker.release()
  }
}

interface RaceOptions {
  readonly names: readonly string[]
  readonly users: readonly string[]
  readonly rounds: number
  /** Milliseconds from the start to the kill of the first process. `null` kills none. */
  readonly killAfterMs: number | null
}

/** Runs several processes that remember turns in one file. One of them may be killed. */
async function talkInProcesses({ folder, seed }: Trial, race: RaceOptions): Promise<Outcome> {
  const path = join(folder, 'memory.db')
  const notes = join(folder, 'acknowledged.jsonl')
  const { names, users, rounds, killAfterMs } = race
  const talkers = names.map((name, number) =>
    startTalker({ path, notes, name, users, rounds, seed: seed + 7_919 * number }),
  )
  const [victim, ...others] = talkers
  if (killAfterMs !== null) {
    await sleep(killAfterMs)
    await victim?.kill()
  }
  await finishTalkers(killAfterMs === null ? talkers : others)
  const ledger = ledgerOf(readNotes(notes))
  return {
    tried: { runners: names.length, kills: killAfterMs === null ? 0 : 1, acknowledged: ledger.size },
    broken: await findBroken({ path, ledger }),
  }
}

export const killConsolidation: Fault = {
  name: 'kill-consolidation',
  about: 'Of two processes that work for the same users on one store, one is killed.',
  try: (trial) =>
    talkInProcesses(trial, {
      names: ['victim', 'survivor'],
      users: ['ana', 'ben'],
      rounds: 12,
      // A process needs a third of a second to open the file.
      killAfterMs: trial.draw.whole(300, 1_100),
    }),
}

export const raceOpening: Fault = {
  name: 'race-migrations',
  about: 'Three processes run the migrations of one new store at once; one may be killed.',
  try: (trial) =>
    talkInProcesses(trial, {
      names: ['runner 0', 'runner 1', 'runner 2'],
      users: ['ana'],
      rounds: 2,
      killAfterMs: trial.draw.chance(0.5) ? trial.draw.whole(0, 700) : null,
    }),
}

if (isChild(import.meta.url)) await answerParent(talk)
