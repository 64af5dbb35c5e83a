import { describe, expect, it } from 'vitest'
import type { ScopedMemory } from 'keepsake'
import { answerDutifully } from './dutiful-reader.ts'
import { fact, segmentAnswer } from './script-model.ts'
import {
  breaksOff,
  deadUrl,
  fails,
  hangs,
  says,
  sends,
  startEndpoint,
  streams,
  type Reply,
} from './model-endpoint.ts'
import { factsOf, requireSound } from './require-sound.ts'
import {
  CLOCKS,
  drained,
  faultyAt,
  IMPATIENT,
  isOtters,
  openOn,
  OTTERS,
  requireRecovered,
  START,
  tell,
  tellInTrouble,
  type Fetch,
} from './talk-in-trouble.ts'
import { temporaryFile } from './temporary-file.ts'

const isAboutOtters = (init: RequestInit | undefined): boolean =>
  typeof init?.body === 'string' && init.body.includes('I feed otters')

describe('a model that cannot be reached', () => {
  const inAnHour = { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }
  it.each<[string, Reply | 'refused', RegExp, number]>([
    ['never answers', hangs, /did not answer within 1000 ms/, 0],
    ['asks to wait for seconds', fails(429, 'slow down', { 'retry-after': '3600' }), /slow down/, 3_500_000],
    ['asks to wait until a date', fails(429, 'slow down', inAnHour), /slow down/, 3_000_000],
    ['answers 500', fails(500, 'out of order'), /out of order/, 0],
    ['is a page of a gateway', sends(502, '<html>bad gateway</html>'), /scripted\/one/, 0],
    ['refuses the connection', 'refused', /scripted\/one/, 0],
    ['breaks the connection', breaksOff, /scripted\/one/, 0],
    [
      'answers 200 with an error',
      sends(200, { error: { message: 'overloaded', code: 503 } }),
      /overloaded/,
      0,
    ],
    ['answers with an empty body', sends(200, ''), /scripted\/one/, 0],
    ['answers with half a body', sends(200, '{"choices":[{"index":0,"mess'), /scripted\/one/, 0],
    ['answers without a choice', sends(200, { choices: [] }), /scripted\/one/, 0],
  ])(
    'and %s leaves the segment queued, reads those behind it where it can be asked, and is read after reopening',
    async (_, fault, reason, wait) => {
      let isBroken = true
      const path = temporaryFile()
      const endpoint = await startEndpoint(faultyAt(fault === 'refused' ? hangs : fault, () => isBroken))
      const dead = await deadUrl()
      const refusing: Fetch = (url, init) =>
        fetch(fault === 'refused' && isAboutOtters(init) ? dead : url, init)
      const { keepsake, ana, failures } = await tellInTrouble(
        await openOn(path, endpoint, fault === hangs ? IMPATIENT : undefined, refusing),
        wait === 0,
      )
      // While a provider asks for no requests, the model is not asked about anything.
      expect(await factsOf(ana)).toEqual(wait === 0 ? [CLOCKS] : [])
      const jobs = await ana.jobs()
      expect(jobs.map(({ state, attempts }) => `${state} ${attempts}`)).toContain('queued 0')
      expect(jobs.map(({ kind }) => kind)).toContain('read-segment')
      expect(jobs.every((job) => job.reason === null || reason.test(job.reason))).toBe(true)
      for (const { error, parked } of failures) {
        expect(error).toMatchObject({
          code: 'model-failed',
          isRetryable: true,
          message: expect.stringMatching(reason),
        })
        expect(parked).toBe(false)
        expect('retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0).toBeGreaterThanOrEqual(wait)
      }
      await keepsake.close()
      isBroken = false
      await requireRecovered(await openOn(path, endpoint))
    },
  )

  it.each<[string, () => Reply]>([
    ['a 429 that asks for a second', () => fails(429, 'slow down', { 'retry-after': '1' })],
    [
      'a 429 that names a date',
      () => fails(429, 'slow', { 'retry-after': new Date(Date.now() + 1_500).toUTCString() }),
    ],
    ['a 500', () => fails(500, 'out of order')],
  ])('is asked again after %s, and nobody notices', async (_, fault) => {
    let faults = 0
    const endpoint = await startEndpoint((asked) =>
      isOtters(asked) && (faults += 1) === 1 ? fault() : answerDutifully(asked),
    )
    const keepsake = await openOn(temporaryFile(), endpoint, { retries: 1, timeoutMs: 20_000 })
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed otters.')
    expect(await drained(ana)).toBeNull()
    expect(await factsOf(ana)).toEqual([OTTERS])
    expect(await keepsake.jobs()).toEqual([])
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'segment')).toHaveLength(2)
  })

  it('has its work waiting with the reason however often it is tried, and done when opened again', async () => {
    let isBroken = true
    const path = temporaryFile()
    const endpoint = await startEndpoint(faultyAt(fails(500, 'out of order'), () => isBroken))
    const keepsake = await openOn(path, endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed otters.')
    for (let turn = 0; turn < 6; turn += 1) {
      // Each turn wakes the worker, which comes before its own time to try again.
      await drained(ana)
      await ana.remember({ id: `more-${turn}`, role: 'user', text: 'Hm.', at: START }, { session: 'one' })
    }
    await drained(ana)
    const jobs = await keepsake.jobs()
    expect(jobs).not.toEqual([])
    for (const { state, attempts, reason } of jobs)
      expect([state, attempts, reason]).toEqual(['queued', 0, expect.stringMatching(/out of order/)])
    isBroken = false
    await keepsake.close()
    const again = await openOn(path, endpoint)
    expect(await drained(again.scope({ user: 'ana' }))).toBeNull()
    expect(await again.jobs()).toEqual([])
    expect(await factsOf(again.scope({ user: 'ana' }))).toEqual([OTTERS])
  })

  it('keeps a short wait that the provider asked for when it is opened again', async () => {
    let isBroken = true
    const path = temporaryFile()
    const fault = fails(429, 'slow down', { 'retry-after': '30' })
    const endpoint = await startEndpoint(faultyAt(fault, () => isBroken))
    const keepsake = await openOn(path, endpoint)
    await tell(keepsake.scope({ user: 'ana' }), 'one', 'I feed otters.')
    await drained(keepsake.scope({ user: 'ana' }))
    await keepsake.close()
    isBroken = false
    const count = endpoint.asked.length
    const again = await openOn(path, endpoint)
    await drained(again.scope({ user: 'ana' }))
    expect(endpoint.asked).toHaveLength(count)
    expect((await again.jobs()).length).toBeGreaterThan(0)
  })
})

describe('rules, while a model is away', () => {
  it('state what they read, and what the model reads later takes its place', async () => {
    let isBroken = true
    const lyon = segmentAnswer([fact('The user is living in Lyon.', 1, 'I live in Lyon')])
    const endpoint = await startEndpoint((asked) => {
      if (isBroken) return fails(503, 'loading')
      return asked.prompt === 'segment' ? says(lyon) : answerDutifully(asked)
    })
    const keepsake = await openOn(temporaryFile(), endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I live in Lyon.', at: START }, { session: 'one' })
    await ana.endSession('one')
    await drained(ana)
    expect(await factsOf(ana)).toEqual(['The user lives in Lyon.'])
    isBroken = false
    await keepsake.retryJobs()
    expect(await drained(ana)).toBeNull()
    expect(await factsOf(ana)).toEqual(['The user is living in Lyon.'])
    const asked = endpoint.asked.filter(({ prompt }) => prompt === 'segment')
    await ana.remember({ role: 'assistant', text: 'Lovely.', at: START }, { session: 'two' })
    await drained(ana)
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'segment')).toHaveLength(asked.length)
    await requireSound(ana)
  })
})

describe('a model whose answer cannot be used', () => {
  const WHOLE = JSON.stringify(segmentAnswer([fact(OTTERS, 2, 'I feed otters')]))
  const DEEP = '['.repeat(9_000) + ']'.repeat(9_000)
  const EXAMPLE = JSON.stringify({
    memories: [{ evidence: ['3: …'], text: '…', search: '…' }],
    forget: [],
    summary: '…',
  })
  const TYPES = JSON.stringify({ summary: 7, memories: [{ text: ['otters'] }], forget: 'all' })
  it.each<[string, Reply, string, RegExp]>([
    ['is cut at its length', says(WHOLE.slice(0, 90), 'length'), WHOLE.slice(0, 90), /cut off/],
    ['is cut without saying so', says(WHOLE.slice(0, 90)), WHOLE.slice(0, 90), /never closed/],
    ['has the wrong types', says(TYPES), TYPES, /forget/],
    ['is empty', says(''), '', /empty/],
    ['has no text', says(null), '', /empty/],
    ['nests brackets without end', says(`{"memories":${DEEP}}`), `{"memories":${DEEP}}`, /syntax/],
    ['repeats the example of its prompt', says(EXAMPLE), EXAMPLE, /evidence|turn 3/],
    ['is prose', says('The user feeds otters, I think.'), 'The user feeds otters, I think.', /no JSON/],
    ['is filtered', says('I would rather not.', 'content_filter'), 'I would rather not.', /refused/],
    [
      'is a refusal',
      says(null, 'stop', { refusal: 'I would rather not.' }),
      'I would rather not.',
      /refused/,
    ],
  ])(
    'because it %s has the segment parked with it, and is read when tried again',
    async (_, fault, answer, reason) => {
      let isBroken = true
      const path = temporaryFile()
      const endpoint = await startEndpoint(faultyAt(fault, () => isBroken))
      const { keepsake, ana, failures } = await tellInTrouble(await openOn(path, endpoint))
      expect(await factsOf(ana)).toEqual([CLOCKS])
      const parked = [{ kind: 'read-segment', state: 'parked', branch: 'facts', answer }]
      expect(await keepsake.jobs()).toMatchObject(parked)
      expect((await keepsake.jobs())[0]?.reason).toMatch(reason)
      // When it was read, and once more when the next session ended.
      const failed = { parked: true, error: { code: 'model-answer' } }
      expect(failures).toMatchObject([
        { ...failed, attempts: 1 },
        { ...failed, attempts: 2 },
      ])
      expect((await ana.sessions()).map(({ endedAt }) => endedAt !== null)).toEqual([true, true])
      await keepsake.close()
      const still = await openOn(path, endpoint)
      await still.drain()
      expect(await still.jobs()).toMatchObject(parked)
      isBroken = false
      await requireRecovered(still)
    },
  )
})

describe('a step after the reading of a segment that fails', () => {
  // Whether a dozen is twelve only a model can tell, and the one that read it could not.
  const unsure = segmentAnswer([
    fact('The user feeds 12 otters.', 2, 'I feed a dozen otters', { word: 'unclear' }),
  ])
  const approval = { verdicts: [{ statement: 1, reason: 'a dozen is 12', verdict: 'stated-by-user' }] }

  it('leaves the segment unread when the check of its statements cannot be reached', async () => {
    const fault = fails(500, 'out of order')
    let isBroken = true
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt === 'segment') return says(unsure)
      if (asked.prompt === 'ground') return isBroken ? fault : says(approval)
      return answerDutifully(asked)
    })
    const keepsake = await openOn(temporaryFile(), endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed a dozen otters.')
    await drained(ana)
    expect(await ana.memories({ forms: ['fact'], statuses: ['live', 'quarantined'] })).toEqual([])
    const jobs = await keepsake.jobs()
    expect(new Set(jobs.map((job) => job.state))).toEqual(new Set(['queued']))
    isBroken = false
    await keepsake.retryJobs()
    expect(await drained(ana)).toBeNull()
    expect(await factsOf(ana)).toEqual(['The user feeds 12 otters.'])
    expect(await keepsake.jobs()).toEqual([])
    await requireSound(ana)
  })

  it('reads the segment again when the check of its only statement gives no usable answer', async () => {
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt === 'segment') return says(unsure)
      return asked.prompt === 'ground' ? says('Yes, all of it.') : answerDutifully(asked)
    })
    const keepsake = await openOn(temporaryFile(), endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed a dozen otters.')
    await drained(ana)
    const parked = { kind: 'read-segment', state: 'parked', answer: 'Yes, all of it.' }
    expect(await keepsake.jobs()).toMatchObject([parked])
    expect(await ana.memories({ forms: ['fact'], statuses: ['live', 'quarantined'] })).toEqual([])
    await requireSound(ana)
  })

  it('does not believe what is doubtful beside what is sure when the check gives no usable answer', async () => {
    const both = segmentAnswer([
      fact('The user feeds 12 otters.', 2, 'I feed a dozen otters', { word: 'unclear' }),
      fact('The user mends clocks.', 2, 'I mend clocks'),
    ])
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt === 'segment') return says(both)
      return asked.prompt === 'ground' ? says('Yes, all of it.') : answerDutifully(asked)
    })
    const keepsake = await openOn(temporaryFile(), endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed a dozen otters. I mend clocks.')
    await drained(ana)
    expect(await keepsake.jobs()).toEqual([])
    expect(await factsOf(ana)).toEqual([CLOCKS])
    const [doubtful] = await ana.memories({ forms: ['fact'], statuses: ['quarantined'] })
    expect(doubtful).toMatchObject({ reason: expect.stringContaining('leaves open whether it is so') })
    await requireSound(ana)
  })

  it('keeps facts and later sessions when the portrait fails, and ends the sessions once it does not', async () => {
    let isBroken = true
    const endpoint = await startEndpoint((asked) =>
      isBroken && asked.prompt.endsWith('portrait') ? says('A fine person.') : answerDutifully(asked),
    )
    const path = temporaryFile()
    const keepsake = await openOn(path, endpoint)
    const ana = keepsake.scope({ user: 'ana' })
    await tell(ana, 'one', 'I feed otters.')
    await drained(ana)
    await tell(ana, 'two', 'I mend clocks.', 1)
    await drained(ana)
    expect(await factsOf(ana)).toEqual([OTTERS, CLOCKS])
    expect((await ana.sessions()).map(({ endedAt }) => endedAt)).toEqual([null, null])
    const parked = { kind: 'end-session', state: 'parked', answer: 'A fine person.' }
    expect(await keepsake.jobs()).toMatchObject([parked, parked])
    await keepsake.close()
    isBroken = false
    const again = await openOn(path, endpoint)
    await requireRecovered(again, false)
    const { current } = await again.scope({ user: 'ana' }).portrait()
    expect(current?.text).toContain('Feeds otters.')
  })
})

describe('a reply whose stream fails', () => {
  it.each([
    ['is cut', 'cut'],
    ['ends unfinished', 'unfinished'],
    ['falls silent', 'silent'],
  ] as const)(
    'keeps the user turn and nothing of the answer when it %s, and can be asked again',
    async (_, end) => {
      let isBroken = false
      const { promise: wereRead, resolve: tellRead } = Promise.withResolvers<void>()
      const endpoint = await startEndpoint((asked) => {
        if (asked.prompt !== 'text') return answerDutifully(asked)
        return isBroken
          ? streams(['You feed ', 'giraffes'], end, wereRead)
          : streams(['You feed ', 'otters.'], 'well')
      })
      const path = temporaryFile()
      const keepsake = await openOn(path, endpoint, end === 'silent' ? IMPATIENT : undefined)
      const ana = keepsake.scope({ user: 'ana' })
      await tell(ana, 'one', 'I feed otters.')
      await drained(ana)
      // The first answer of a model is held back, since it may begin with a thought.
      await (
        await keepsake.scope({ user: 'zoe' }).reply({ role: 'user', text: 'What do I feed?' })
      ).text
      isBroken = true
      const question = { id: 'q', role: 'user', text: 'What do I feed?', at: START + 60_000 } as const
      const reply = await ana.reply(question, { session: 'two' })
      let streamed = ''
      const read = async (): Promise<void> => {
        for await (const piece of reply.textStream) {
          streamed += piece
          if (streamed === 'You feed giraffes') tellRead()
        }
      }
      await expect(read()).rejects.toMatchObject({ code: 'model-failed', isRetryable: true })
      await expect(reply.text).rejects.toMatchObject({ code: 'model-failed' })
      await expect(reply.remembered).rejects.toMatchObject({ code: 'model-failed' })
      expect(streamed).toBe('You feed giraffes')
      const idsOf = async (scope: ScopedMemory): Promise<string[]> =>
        (await requireSound(scope)).turns.map((turn) => turn.id)
      expect(await idsOf(ana)).toEqual(['one-a', 'one-u', 'q'])
      await keepsake.close()
      isBroken = false
      const again = await openOn(path, endpoint)
      const scope = again.scope({ user: 'ana' })
      const second = await scope.reply(question, { session: 'two' })
      expect(await second.text).toBe('You feed otters.')
      expect((await second.remembered)?.added).toBe(1)
      expect(await idsOf(scope)).toHaveLength(4)
      await drained(scope)
      expect(await factsOf(scope)).toEqual([OTTERS])
    },
  )
})
