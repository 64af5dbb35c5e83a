import { expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import type { Memory, ScopedMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { answering, fact, segmentAnswer } from './script-model.ts'

const SAID = 'I live in Ystad.'
const AWAY = new ModelError('no answer', { isRetryable: true })

/** A memory whose model is away until `comeBack` is called. It then states what the user said, as the rules did. */
async function openInOutage() {
  let isAway = true
  const model = answering({
    segment: () =>
      isAway
        ? AWAY
        : segmentAnswer([
            fact('The user lives in Ystad.', 1, SAID, { key: 'residence', value: 'Ystad', importance: 9 }),
          ]),
  })
  const keepsake = await openForTest({ model, modelOptions: { retries: 0 } })
  const scope = keepsake.scope({ user: 'ana' })
  const { turns } = await scope.remember({ role: 'user', text: SAID }, { session: 'one' })
  await scope.endSession('one')
  await keepsake.drain()
  const comeBack = async () => {
    isAway = false
    await keepsake.retryJobs()
    await keepsake.drain()
    expect(await keepsake.jobs()).toEqual([])
    return scope.memories({ forms: ['fact'] })
  }
  return { keepsake, scope, turn: turns[0] ?? '', comeBack }
}

type Change = (scope: ScopedMemory, fact: Memory) => Promise<unknown>

it.each<[string, Change, object[]]>([
  [
    'an edit',
    (scope, { id }) => scope.edit(id, { text: 'The user lives in Lund.' }),
    [{ text: 'The user lives in Lund.', value: 'Lund', validUntil: null }],
  ],
  [
    'a correction of a mistake',
    (scope, { id, validFrom }) => scope.edit(id, { text: 'The user lives in Lund.', at: validFrom }),
    [{ text: 'The user lives in Lund.', value: 'Lund', validUntil: null }],
  ],
  ['a pin', (scope, { id }) => scope.pin(id), [{ value: 'Ystad', pinned: true }]],
  [
    'metadata',
    (scope, { id }) => scope.edit(id, { metadata: { from: 'form' } }),
    [{ value: 'Ystad', metadata: { from: 'form' } }],
  ],
  ['nothing', () => Promise.resolve(), [{ value: 'Ystad', signals: { importance: 9 } }]],
])('during an outage %s is kept when a model reads the talk', async (_, change, expected) => {
  const { scope, comeBack } = await openInOutage()
  const [first] = await scope.memories({ forms: ['fact'] })
  if (first === undefined) throw new Error('rules found no fact')
  await change(scope, first)
  expect(await comeBack()).toMatchObject(expected)
})

it('after an erasure, jobs of the user still count as waiting, and are retried on request', async () => {
  const { keepsake, scope, turn, comeBack } = await openInOutage()
  await scope.remember({ role: 'user', text: 'I like plums.' }, { session: 'two' })
  await scope.endSession('two')
  await keepsake.drain()
  await scope.erase({ turns: [turn] })
  expect((await keepsake.drain()).failed.map(({ kind }) => kind)).toContain('read-segment')
  const facts = await comeBack()
  expect(facts.map(({ text }) => text).join()).not.toContain('Ystad')
})
