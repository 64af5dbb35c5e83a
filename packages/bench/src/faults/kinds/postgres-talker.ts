import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeepsakeError, openMemory, type ScopedMemory } from 'keepsake'
import { seededDraw } from '../../metrics/seeded-draw.ts'
import { answerParent, isChild } from '../../processes/child.ts'
import { sayingOf } from './talker.ts'

export interface PostgresTalkRequest {
  readonly address: string
  /** Where each acknowledged turn is noted, a line of JSON each. */
  readonly notes: string
  readonly name: string
  readonly users: readonly string[]
  readonly rounds: number
  readonly seed: number
}

/** How often a call is tried that may succeed later, and how long is waited in between. */
const TRIES = 200
const WAIT_MS = 50

async function untilDone<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof KeepsakeError) || !error.isRetryable || tried === TRIES) throw error
      await sleep(WAIT_MS)
    }
  }
}

/** Talks to a memory on a server that may be gone for a while: what fails is sent again under the same ids. */
async function talk({ address, notes, name, users, rounds, seed }: PostgresTalkRequest): Promise<number> {
  const { openPostgresStore } = await import('@keepsake/postgres')
  const draw = seededDraw(seed)
  const store = await untilDone(() => openPostgresStore({ connectionString: address, connections: 4 }))
  const keepsake = await openMemory({ store })
  for (let round = 0; round < rounds; round += 1) {
    const user = draw.pick(users)
    const scope = keepsake.scope({ user })
    const told = [sayingOf(draw, `${name} ${round}`), `I see, ${name} ${round}.`] as const
    await untilDone(() => tell(scope, told, `${name}-${round}`))
    for (const one of told) appendFileSync(notes, `${JSON.stringify([user, one])}\n`)
    if (draw.chance(0.3)) await untilDone(() => scope.recall('Where do I live?'))
  }
  await keepsake.close()
  return rounds
}

async function tell(
  scope: ScopedMemory,
  [text, answer]: readonly [string, string],
  id: string,
): Promise<void> {
  await scope.remember(
    [
      { id: `${id}-u`, role: 'user', text },
      { id: `${id}-a`, role: 'agent', text: answer },
    ],
    { session: id.split('-', 1)[0] ?? '' },
  )
}

/** This module, for whoever starts it as a process. */
export const POSTGRES_TALKER = import.meta.url

if (isChild(import.meta.url)) await answerParent(talk)
