import { expect } from 'vitest'
import type { EventMap, Keepsake, LanguageOptions, OpenOptions, ScopedMemory } from 'keepsake'
import { answerDutifully } from './dutiful-reader.ts'
import { askingAt } from './model-at-endpoint.ts'
import type { Asked, Endpoint, Reply, Script } from './model-endpoint.ts'
import { openForTest } from './open-for-test.ts'
import { factsOf, requireSound } from './require-sound.ts'

export const START = Date.parse('2024-03-04T18:00:00Z')
export const OTTERS = 'The user feeds otters.'
export const CLOCKS = 'The user mends clocks.'
/** For models that never answer. */
export const IMPATIENT: LanguageOptions = { retries: 0, timeoutMs: 1_000 }
/** For those that answer, on a busy machine as well. */
const PATIENT: LanguageOptions = { retries: 0, timeoutMs: 20_000 }
/** Longer than a test may take: what waited for the model's answer, or for the end of its time, would never end. */
export const ENDLESS: LanguageOptions = { retries: 0, timeoutMs: 600_000 }

export type Fetch = typeof globalThis.fetch

/** A memory on a file whose model is at the endpoint, through the real provider. */
export async function openOn(
  path: string,
  { url }: Endpoint,
  modelOptions: LanguageOptions = PATIENT,
  fetch?: Fetch,
): Promise<Keepsake> {
  return openForTest({ path, ...askingAt(url, modelOptions, fetch) })
}

/** A session of one round, ended. */
export async function tell(scope: ScopedMemory, session: string, text: string, day = 0): Promise<void> {
  const at = START + day * 86_400_000
  await scope.remember(
    [
      { id: `${session}-a`, role: 'assistant', text: 'Tell me more.', at },
      { id: `${session}-u`, role: 'user', text, at: at + 30_000 },
    ],
    { session },
  )
  await scope.endSession(session)
}

/** What draining rejects with; `null` when all went well. */
export async function drained(scope: ScopedMemory): Promise<unknown> {
  return scope.drain().then(
    () => null,
    (error: unknown) => error,
  )
}

export const isOtters = ({ prompt, words }: Asked): boolean =>
  prompt === 'segment' && words.includes('I feed otters')

/** The fault, whenever the segment about otters is read while `isBroken()`; else a dutiful answer. */
export function faultyAt(fault: Reply, isBroken: () => boolean): Script {
  return (asked) => (isBroken() && isOtters(asked) ? fault : answerDutifully(asked))
}

export interface Troubled {
  readonly keepsake: Keepsake
  readonly ana: ScopedMemory
  readonly failures: readonly EventMap['job-failed'][0][]
}

/**
 * Ana tells two things while the first cannot be read; Ben, on the same file, tells one.
 *
 * @param isAsked whether the model is asked about Ben meanwhile
 */
export async function tellInTrouble(keepsake: Keepsake, isAsked = true): Promise<Troubled> {
  const failures: EventMap['job-failed'][0][] = []
  keepsake.on('job-failed', (event) => failures.push(event))
  const ana = keepsake.scope({ user: 'ana' })
  const ben = keepsake.scope({ user: 'ben' })
  await tell(ana, 'one', 'I feed otters.')
  await drained(ana)
  await tell(ana, 'two', 'I mend clocks.', 1)
  await drained(ana)
  await tell(ben, 'one', 'I bake bread.')
  expect(await drained(ben)).toBeNull()
  expect(await factsOf(ben)).toEqual(isAsked ? ['The user bakes bread.'] : [])
  for (const [words, turn] of [
    ['otters', 'one-u'],
    ['clocks', 'two-u'],
  ] as const) {
    const { memories } = await ana.recall(words, { forms: ['utterance'], reinforce: false })
    expect(memories[0]?.memory.evidence.map((evidence) => evidence.turn)).toContain(turn)
  }
  const { turns } = await requireSound(ana)
  expect(turns.map((turn) => turn.id)).toEqual(['one-a', 'one-u', 'two-a', 'two-u'])
  return { keepsake, ana, failures }
}

/** After the fault is over and the file was opened again: all that was told is read, once. */
export async function requireRecovered(keepsake: Keepsake, hasBen = true): Promise<void> {
  const ana = keepsake.scope({ user: 'ana' })
  await keepsake.retryJobs()
  expect(await drained(ana)).toBeNull()
  expect(await keepsake.jobs()).toEqual([])
  expect(await factsOf(ana)).toEqual([OTTERS, CLOCKS])
  const { memories } = await requireSound(ana)
  const units = memories.filter(({ form, level }) => form === 'story' && level === 1)
  expect(units.map(({ text }) => text).sort()).toEqual([OTTERS, CLOCKS])
  expect((await ana.sessions()).map(({ endedAt }) => endedAt !== null)).toEqual([true, true])
  expect(await factsOf(keepsake.scope({ user: 'ben' }))).toEqual(hasBen ? ['The user bakes bread.'] : [])
}

/** As `openOn`, for a model that takes its time and a file that others use. */
export async function openPatiently(
  { url }: Endpoint,
  place: Pick<OpenOptions, 'path' | 'store'>,
  modelOptions: LanguageOptions = PATIENT,
): Promise<Keepsake> {
  return openForTest({ ...place, busyTimeoutMs: 20_000, ...askingAt(url, modelOptions) })
}

/** A session of one turn, ended. */
export async function tellOne(scope: ScopedMemory, session: string, text: string, day = 0): Promise<void> {
  const at = START + day * 86_400_000
  await scope.remember({ id: `${session}-u`, role: 'user', text, at }, { session })
  await scope.endSession(session)
}
