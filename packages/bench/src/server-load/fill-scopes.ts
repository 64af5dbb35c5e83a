import { openMemory, openSqliteStore, type Keepsake } from 'keepsake'
import { answerParent, isChild } from '../processes/child.ts'
import { turnGenerator } from '../perf/generate.ts'
import { PersonCopy } from '../perf/person-copy.ts'
import { userOf } from './load-plan.ts'

export interface FillRequest {
  readonly path: string
  readonly scopes: number
  /** Turns told a scope; the user alone speaks, so that each is one utterance. */
  readonly memories: number
  readonly seed: number
}

export interface Filled {
  readonly memories: number
  readonly seconds: number
}

const TURNS_PER_SESSION = 100
const FROM = Date.UTC(2025, 0, 1)
/** People who are told turns of their own; the others have the same as one of them, read once and copied. */
const TOLD = 20

/**
 * Gives every scope its turns, read to the end, and asks for it once: what is measured is nothing left over, and of everybody there
 * is an image, as of people who were here before.
 */
async function fill({ path, scopes, memories, seed }: FillRequest): Promise<Filled> {
  const started = performance.now()
  const store = await openSqliteStore({ path, synchronous: 'normal' })
  const keepsake = await openMemory({ store })
  const nextTurn = turnGenerator(seed, FROM)
  const told = Math.min(TOLD, scopes)
  for (let scope = 0; scope < told; scope += 1) await tell(keepsake, { scope, memories, nextTurn })
  const copies = Array.from({ length: told }, (_, scope) => new PersonCopy(store, userOf(scope)))
  for (let scope = told; scope < scopes; scope += 1) await copies[scope % told]?.giveTo(store, userOf(scope))
  for (let scope = 0; scope < scopes; scope += 1)
    await keepsake.scope({ user: userOf(scope) }).recall('Who was here?', { reinforce: false })
  const { memories: made } = await keepsake.stats()
  await keepsake.close()
  return { memories: made.live, seconds: (performance.now() - started) / 1_000 }
}

interface Telling {
  readonly scope: number
  readonly memories: number
  readonly nextTurn: ReturnType<typeof turnGenerator>
}

async function tell(keepsake: Keepsake, { scope, memories, nextTurn }: Telling): Promise<void> {
  const memory = keepsake.scope({ user: userOf(scope) })
  for (let told = 0; told < memories; told += TURNS_PER_SESSION) {
    const turns = Array.from({ length: Math.min(TURNS_PER_SESSION, memories - told) }, nextTurn)
    await memory.remember(turns, { session: `session-${told / TURNS_PER_SESSION}` })
  }
  await memory.drain()
}

/** This module, for whoever starts it as a process. */
export const FILL_SCOPES = import.meta.url

if (isChild(import.meta.url)) await answerParent(fill)
