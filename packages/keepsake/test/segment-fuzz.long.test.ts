import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JobRow, Keepsake, Memory, ScopedMemory } from 'keepsake'
import { type LanguageRequest, scriptedModel, type ScriptedAnswer } from 'keepsake/model'
import { fact, segmentAnswer } from './script-model.ts'
import { portrayingEverySegment } from './model-at-endpoint.ts'
import { openForTest } from './open-for-test.ts'
import { requireSound } from './require-sound.ts'

const ANSWERS = 120
const START = Date.parse('2024-03-04T18:00:00Z')
const FIRST = 'I feed otters and I live in Lyon.'
const SECOND = 'I moved to Porto, forget the otters; my sister Mia keeps bees.'

/** What the reader answers to the first session, so that there is something to change. */
const KNOWN = segmentAnswer(
  [
    fact('The user feeds otters.', 2, 'I feed otters'),
    fact('The user lives in Lyon.', 2, 'I live in Lyon', { key: 'residence', value: 'Lyon' }),
  ],
  { summary: 'The user told of otters and Lyon.' },
)

const sentence = fc.constantFrom(
  'The user lives in Porto.',
  'The user feeds otters.',
  'The user no longer feeds otters.',
  "The user's sister Mia keeps bees.",
  'The user owns 14 yachts.',
  '用户住在波尔图。',
)
const rubbish = fc.oneof(
  fc.constantFrom('', ' ', '\u0000', '\u200B', '\uD83D', '</turns>', 'null', '…', 'x'.repeat(5_000)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const text = fc.oneof({ weight: 9, arbitrary: sentence }, { weight: 1, arbitrary: rubbish })
const quote = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('I moved to Porto', 'forget the otters', 'my sister Mia keeps bees', SECOND),
  },
  { weight: 1, arbitrary: text },
)
const number = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 3 }) },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.constantFrom(-1, 0.5, 99, 1e300, 2 ** 53), fc.double({ noNaN: true })),
  },
)
/** Now and then what is no such thing at all. */
const mostly = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) })
const date = fc.constantFrom(null, null, '2024', '2024-03', '2024-13-45', '2199-01-01', 'yesterday', '')

const memory = fc.record(
  {
    word: mostly(fc.constantFrom('user', 'user', 'user', 'agreed', 'agent', 'unmeant', 'unclear')),
    changes: mostly(fc.oneof(fc.constant(null), number)),
    text: mostly(text),
    type: mostly(fc.constantFrom('persona', 'event', 'relationship')),
    subject: mostly(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('user', 'Mia', 'agent') },
        { weight: 1, arbitrary: rubbish },
      ),
    ),
    key: mostly(fc.constantFrom(null, 'residence', 'pet', 'no such key', '')),
    value: mostly(fc.oneof(fc.constant(null), text)),
    when: mostly(date),
    until: mostly(date),
    importance: mostly(number),
    evidence: mostly(
      fc.array(
        fc.record({ turn: number, quote }).map(({ turn, quote: said }) => `${turn}: ${said}`),
        { maxLength: 3 },
      ),
    ),
  },
  { noNullPrototype: true },
)
/** Some make sense, so that there is something to spoil. */
const apt = fc.constantFrom(
  fact('The user lives in Porto.', 2, 'I moved to Porto', { key: 'residence', value: 'Porto' }),
  fact("The user's sister Mia keeps bees.", 2, 'my sister Mia keeps bees', { subject: 'Mia' }),
  ...[1, 2].flatMap((index) => [
    fact('The user lives in Porto.', 2, 'I moved to Porto', {
      changes: index,
      key: 'residence',
      value: 'Porto',
    }),
    fact('The user no longer lives in Lyon.', 2, 'I moved to Porto', { changes: index }),
  ]),
)
const aptForget = fc
  .integer({ min: 1, max: 2 })
  .map((index) => ({ about: 'otters', turn: 2, quote: 'forget the otters', memories: [index] }))
const whole = fc.record({
  summary: mostly(text),
  memories: mostly(fc.array(fc.oneof(memory, apt), { maxLength: 5 })),
  forget: mostly(
    fc.array(
      fc.oneof(
        fc.record({
          about: fc.option(fc.constantFrom('otters', 'Lyon', 'the user', '')),
          turn: number,
          quote,
          memories: mostly(fc.array(number, { maxLength: 2 })),
        }),
        aptForget,
      ),
      { maxLength: 2 },
    ),
  ),
})

type Spoil = (answer: string) => string
const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Spoil>((answer) => answer) },
  {
    weight: 1,
    arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map(
      (share): Spoil =>
        (answer) =>
          answer.slice(0, share * answer.length),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Spoil>(
      (answer) => `Sure:\n\`\`\`json\n${answer}\n\`\`\`\nAnything else?`,
      (answer) => `${answer}${answer}`,
      (answer) => `[${answer}]`,
      (answer) => answer.replaceAll('"', "'"),
      (answer) => answer.replaceAll('}', '},'),
      (answer) => `<think>{"memories": []}</think>${answer}`,
      () => 'I would rather not.',
      () => '{}',
    ),
  },
)
const verdict = fc.constantFrom(
  'stated-by-user',
  'confirmed-by-user',
  'said-by-agent-only',
  'not-supported',
  'maybe',
)

interface Given {
  readonly answer: string
  readonly repair: string
  readonly finish: 'stop' | 'length' | 'refused' | 'other'
  readonly verdicts: readonly { readonly statement: number; readonly verdict: string }[]
}

const spoilt = fc.tuple(whole, spoil).map(([answer, change]) => change(JSON.stringify(answer)))
const given: fc.Arbitrary<Given> = fc.record({
  answer: spoilt,
  repair: spoilt,
  finish: fc.constantFrom('stop', 'stop', 'stop', 'stop', 'stop', 'stop', 'length', 'refused', 'other'),
  verdicts: fc.array(fc.record({ statement: fc.integer({ min: 0, max: 6 }), verdict }), { maxLength: 6 }),
})

/** Found by chance once: a change that rests on words that were said, and on some that were not. */
const HALF_SAID: Given = {
  answer: JSON.stringify(
    segmentAnswer([
      fact('The user lives in Porto.', 1, 'The user lives in Porto.', {
        changes: 2,
        evidence: ['1: The user lives in Porto.', '1: I moved to Porto'],
      }),
    ]),
  ),
  repair: '{}',
  finish: 'stop',
  verdicts: [],
}

const words = (request: LanguageRequest): string => request.messages.map((message) => message.text).join('\n')

/** The model: dutiful but for the session that is asked about in `current`. */
function answerAs(request: LanguageRequest, { answer, repair, finish, verdicts }: Given): ScriptedAnswer {
  if (request.schemaName === 'ground')
    return JSON.stringify({ verdicts: verdicts.map((one) => ({ ...one, reason: 'so it is' })) })
  if (request.schemaName !== 'segment')
    return JSON.stringify({ user: 'Has hobbies.', relationship: '', events: '' })
  if (words(request).includes(FIRST)) return JSON.stringify(KNOWN)
  return request.messages.length > 1 ? repair : { text: answer, finish }
}

async function tell(scope: ScopedMemory, session: string, said: string, day: number): Promise<void> {
  const at = START + day * 86_400_000
  await scope.remember(
    [
      { id: `${session}-a`, role: 'assistant', text: 'Tell me more.', at },
      { id: `${session}-u`, role: 'user', text: said, at: at + 30_000 },
    ],
    { session },
  )
  await scope.endSession(session)
  await scope.drain()
}

async function requireRead(scope: ScopedMemory, jobs: readonly JobRow[]): Promise<readonly Memory[]> {
  const { turns, memories, progress } = await requireSound(scope)
  const own = turns.filter(({ id }) => !id.startsWith('aside'))
  expect(own.map(({ id }) => id)).toEqual(['one-a', 'one-u', 'two-a', 'two-u'])
  for (const { scope: of, branch, position } of progress)
    if (branch === 'facts' || branch === 'utterances')
      expect(position).toBe(turns.findLast((turn) => turn.scope === of)?.position)
  for (const job of jobs) {
    expect(job).toMatchObject({ kind: 'read-segment', state: 'parked', branch: 'facts', attempts: 1 })
    expect(job.reason).toMatch(/\S/)
    expect(job.answer).toEqual(expect.any(String))
  }
  expect((await scope.sessions()).every(({ endedAt }) => endedAt !== null)).toBe(true)
  const ids = new Set(turns.map(({ id }) => id))
  for (const { status, reason, text: told, form, evidence } of memories) {
    expect(evidence.every(({ turn }) => ids.has(turn) || status === 'quarantined')).toBe(true)
    if (status === 'quarantined') expect(reason).toMatch(/\S/)
    if (form === 'fact') expect(told.isWellFormed()).toBe(true)
  }
  return memories
}

/** Ben, and the person with an agent: no answer is about these. @returns how to look at them. */
async function bystanders(keepsake: Keepsake, user: string): Promise<() => Promise<string>> {
  const scopes = [keepsake.scope({ user: 'ben' }), keepsake.scope({ user, agent: 'juno' })]
  for (const scope of scopes) if ((await scope.memories()).length === 0) await tell(scope, 'aside', FIRST, 0)
  return async () =>
    JSON.stringify(
      await Promise.all(
        scopes.map((scope) => scope.memories({ statuses: ['live', 'quarantined', 'deleted', 'forgotten'] })),
      ),
    )
}

it(`${ANSWERS} malformed whole answers of the segment prompt leave every invariant standing`, async () => {
  const script: { given: Given } = { given: { answer: '', repair: '', finish: 'stop', verdicts: [] } }
  const model = scriptedModel((request) => answerAs(request, script.given))
  const keepsake = await openForTest({
    model,
    modelOptions: { retries: 0 },
    preset: portrayingEverySegment(),
  })
  const seen = new Map<string, number>()
  const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1)
  let person = 0
  await fc.assert(
    fc.asyncProperty(given, async (one) => {
      script.given = one
      const user = `u${(person += 1)}`
      const ana = keepsake.scope({ user })
      const look = await bystanders(keepsake, user)
      const parkedBefore = (await keepsake.jobs()).length
      await tell(ana, 'one', FIRST, 0)
      const before = await look()
      await tell(ana, 'two', SECOND, 5)
      expect(await look()).toBe(before)
      const jobs = (await keepsake.jobs()).slice(parkedBefore)
      const memories = await requireRead(ana, jobs)
      if (jobs.length > 0) count('parked')
      for (const { form, status, past, evidence } of memories)
        if (form === 'fact')
          count(
            status === 'live' && past.length > 0
              ? 'changed'
              : status === 'live' && evidence.some(({ turn }) => turn === 'two-u')
                ? 'added'
                : status,
          )
    }),
    { numRuns: ANSWERS, examples: [[HALF_SAID]] },
  )
  // That the answers were no mere rubbish: each came about many times.
  for (const what of ['parked', 'added', 'changed', 'deleted', 'quarantined'])
    expect(seen.get(what), what).toBeGreaterThan(ANSWERS / 30)
})
