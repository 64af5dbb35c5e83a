import { openMemory } from 'keepsake'
import { answerParent, isChild } from '../processes/child.ts'
import { turnGenerator } from '../perf/generate.ts'
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

/** Tells every scope its turns and has them read to the end, so that what is measured is nothing left over. */
async function fill({ path, scopes, memories, seed }: FillRequest): Promise<Filled> {
  const started = performance.now()
  const keepsake = await openMemory({ path, synchronous: 'normal' })
  const nextTurn = turnGenerator(seed, FROM)
  for (let scope = 0; scope < scopes; scope += 1) {
    const memory = keepsake.scope({ user: userOf(scope) })
    for (let told = 0; told < memories; told += TURNS_PER_SESSION) {
      const turns = Array.from({ length: Math.min(TURNS_PER_SESSION, memories - told) }, nextTurn)
      await memory.remember(turns, { session: `session-${told / TURNS_PER_SESSION}` })
    }
    await memory.drain()
  }
  const { memories: made } = await keepsake.stats()
  await keepsake.close()
  return { memories: made.live, seconds: (performance.now() - started) / 1_000 }
}

/** This module, for whoever starts it as a process. */
export const FILL_SCOPES = import.meta.url

if (isChild(import.meta.url)) await answerParent(fill)
