import { describe, expect, it } from 'vitest'
import { ModelError, type OpenOptions, type ScopedMemory } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { openForTest, stoppedClock } from './open-for-test.ts'
import { answering, fact, segmentAnswer, shown } from './script-model.ts'
import { temporaryFile } from './temporary-file.ts'

const START = Date.parse('2024-03-04T18:00:00Z')
const DAY = 86_400_000

/** Rounds of a question and an answer: the user counts. */
function rounds(session: string, count: number, day = 0) {
  return Array.from({ length: count }, (_, n) => {
    const at = START + day * DAY + n * 60_000
    return [
      { id: `${session}-${n}u`, role: 'user' as const, text: `In ${session} I counted ${n + 1}.`, at },
      { id: `${session}-${n}a`, role: 'assistant' as const, text: 'Go on.', at: at + 20_000 },
    ]
  }).flat()
}

/** The user turns of a request, each with its number and words. */
function saidIn(request: LanguageRequest): { turn: number; text: string }[] {
  const lines = /<turns>\n([\s\S]*?)\n<\/turns>/.exec(shown(request))?.[1] ?? ''
  return [...lines.matchAll(/^\[(\d+)\].*?user[^:]*: "(.*)"$/gm)].map(([, turn, text = '']) => ({
    turn: Number(turn),
    text,
  }))
}

/** A reader that keeps every turn of the user's, and the turns that each of its calls read. */
function keeping() {
  const segments: string[][] = []
  const model = answering({
    segment: (request) => {
      const said = saidIn(request)
      segments.push(said.map(({ text }) => text))
      return segmentAnswer(said.map(({ turn, text }) => fact(`The user said: ${text}`, turn, text)))
    },
    story_summary: { sentences: [] },
    renew_portrait: { user: 'Counts.', relationship: '', events: '' },
    compress_portrait: { user: 'Counts.', relationship: '', events: '' },
    settle: { verdicts: [] },
  })
  return { model, segments }
}

async function open(options: OpenOptions) {
  const keepsake = await openForTest({ now: stoppedClock('2024-06-01T00:00:00Z').now, ...options })
  return { keepsake, ana: keepsake.scope({ user: 'ana' }) }
}

const factsOf = async (scope: ScopedMemory) =>
  (await scope.memories({ forms: ['fact'] })).map(({ text }) => text.replace('The user said: ', ''))

const counted = (session: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `In ${session} I counted ${n + 1}.`)

describe('a session that has ended', () => {
  it.each([
    [1, [1]],
    [6, [6]],
    [12, [12]],
    [25, [13, 12]],
    [40, [14, 13, 13]],
  ])('has been read to its end when it has %i rounds, in even segments', async (count, lengths) => {
    const { model, segments } = keeping()
    const { keepsake, ana } = await open({ model })
    await ana.remember(rounds('one', count), { session: 'one' })
    await ana.endSession('one')
    await ana.drain()
    expect(segments.map((said) => said.length)).toEqual(lengths)
    expect((await factsOf(ana)).sort()).toEqual(counted('one', count).sort())
    expect(await keepsake.jobs()).toEqual([])
  })

  it('has been read though it came turn by turn, and no segment was a scrap', async () => {
    const { model, segments } = keeping()
    const { ana } = await open({ model })
    for (const turn of rounds('one', 26)) {
      await ana.remember(turn, { session: 'one' })
      await ana.drain()
    }
    await ana.endSession('one')
    await ana.drain()
    expect(segments.flat()).toEqual(counted('one', 26))
    expect(segments).toHaveLength(2)
    expect(Math.min(...segments.map((said) => said.length))).toBeGreaterThanOrEqual(12)
  })

  it('has been read however short it is, and with it what nobody ended before; never two in one', async () => {
    const { model, segments } = keeping()
    const { ana } = await open({ model })
    for (const [day, session] of ['one', 'two', 'three'].entries())
      await ana.remember(rounds(session, day + 1, day), { session })
    await ana.drain()
    expect(segments).toEqual([])
    await ana.endSession('three')
    await ana.drain()
    expect(segments).toEqual([counted('one', 1), counted('two', 2), counted('three', 3)])
  })

  it.each([1, 6, 12, 25])(
    'is read once, to its end, when the process ended before the model had answered (%i rounds)',
    async (count) => {
      const path = temporaryFile()
      const away = answering({ segment: new ModelError('nobody answers', { isRetryable: true }) })
      const first = await open({ path, model: away, modelOptions: { retries: 0 } })
      await first.ana.remember(rounds('one', count), { session: 'one' })
      await first.ana.endSession('one')
      await first.ana.drain()
      await first.keepsake.close()
      const { model, segments } = keeping()
      const { keepsake, ana } = await open({ path, model })
      await keepsake.retryJobs()
      await ana.drain()
      expect(segments.flat()).toEqual(counted('one', count))
      expect((await factsOf(ana)).sort()).toEqual(counted('one', count).sort())
      expect(await keepsake.jobs()).toEqual([])
    },
  )

  it('is marked in the prompt where sessions ran side by side', async () => {
    const requests: string[] = []
    const model = answering({
      segment: (request) => {
        requests.push(shown(request))
        return segmentAnswer([])
      },
    })
    const { ana } = await open({ model })
    const [one, two] = [rounds('one', 2), rounds('two', 1)]
    await ana.remember(one.slice(0, 2), { session: 'one' })
    await ana.remember(two, { session: 'two' })
    await ana.remember(one.slice(2), { session: 'one' })
    await ana.endSession('one')
    await ana.drain()
    expect(requests).toHaveLength(1)
    expect(requests[0]?.match(/-- another conversation --/g)).toHaveLength(2)
  })
})

/** Ana tells one thing after another, each in a session of its own. */
async function tell(ana: ScopedMemory, ...texts: readonly string[]): Promise<void> {
  for (const [n, text] of texts.entries()) {
    const session = `s${n + 1}-${text.length}`
    await ana.remember({ role: 'user', text, at: START + n * DAY }, { session })
    await ana.endSession(session)
    await ana.drain()
  }
}

/** Answers each segment by the first of these that its words fit. */
function reading(answers: readonly (readonly [words: RegExp, answer: object | string])[]) {
  return (request: LanguageRequest) =>
    answers.find(([words]) => saidIn(request).some(({ text }) => words.test(text)))?.[1] ?? segmentAnswer([])
}

/** The check holds the one statement it is asked about to be the user's. */
const SAID = { ground: { verdicts: [{ statement: 1, reason: 'so', verdict: 'stated-by-user' }] } }
const NO_PORTRAIT = { renew_portrait: { user: '', relationship: '', events: '' } }

describe('whose word a statement is', () => {
  async function told(memories: readonly object[], said: string, verdict?: string) {
    const model = answering({
      segment: segmentAnswer(memories),
      ...(verdict === undefined ? {} : { ground: { verdicts: [{ statement: 1, reason: 'so', verdict }] } }),
      ...NO_PORTRAIT,
    })
    const { ana } = await open({ model })
    await ana.remember(
      [
        { role: 'assistant', text: 'You must love Rome, and you surely sing.', at: START },
        { role: 'user', text: said, at: START + 1_000 },
      ],
      { session: 'one' },
    )
    await ana.endSession('one')
    await ana.drain()
    const asked = model.requests.map(({ schemaName }) => schemaName)
    const all = await ana.memories({ forms: ['fact'], statuses: ['live', 'quarantined'] })
    return { asked, all: all.map(({ text, status, label }) => [text, status, label]) }
  }

  it('is settled in the same call where the words bear it out', async () => {
    const moved = fact('The user packed up in February 2024.', 2, 'We packed up last month')
    const { asked, all } = await told([moved], 'We packed up last month.')
    expect(all).toEqual([['The user packed up in February 2024.', 'live', 'user-stated']])
    expect(asked).toEqual(['segment'])
  })

  it('is the agent’s alone when the reader says so, though a turn of the user’s is quoted with it', async () => {
    const rome = fact('The user loves Rome.', 1, 'You must love Rome', { word: 'agent' })
    const both = { ...rome, evidence: ['1: You must love Rome', '2: Rome'] }
    const { asked, all } = await told([rome, both], 'Rome, well. Anyway, my cat is ill.')
    expect(all).toEqual([
      ['The user loves Rome.', 'quarantined', 'agent-stated'],
      ['The user loves Rome.', 'quarantined', 'agent-stated'],
    ])
    expect(asked).toEqual(['segment'])
  })

  it('is asked about once more where only the agent’s words say what the user is said to have told', async () => {
    const loves = fact('The user loves Rome.', 2, 'Ha, maybe', { word: 'user' })
    const { asked, all } = await told([loves], 'Ha, maybe.', 'said-by-agent-only')
    expect(asked).toEqual(['segment', 'ground'])
    expect(all).toEqual([['The user loves Rome.', 'quarantined', 'agent-stated']])
  })

  it('is asked about once more where the reader cannot tell', async () => {
    const moved = fact('The user relocated in February 2024.', 2, 'We packed up last month', {
      word: 'unclear',
    })
    const { asked, all } = await told([moved], 'We packed up last month.', 'stated-by-user')
    expect(asked).toEqual(['segment', 'ground'])
    expect(all).toEqual([['The user relocated in February 2024.', 'live', 'user-stated']])
  })
})

describe('a change', () => {
  const numberOf = (request: LanguageRequest, words: string): number =>
    Number(new RegExp(`\\((\\d+)\\)[^\\n]*${words}`).exec(shown(request))?.[1])

  it('takes the place of what it changes, which stays as past', async () => {
    const model = answering({
      segment: (request, call) =>
        call === 0
          ? segmentAnswer([fact('The user plans to climb Rysy in May.', 1, 'climb Rysy in May')])
          : segmentAnswer([
              fact('The user no longer plans to climb Rysy: the guide fell ill.', 1, 'The guide fell ill', {
                changes: numberOf(request, 'Rysy'),
              }),
            ]),
      ...SAID,
      ...NO_PORTRAIT,
    })
    const { ana } = await open({ model })
    await tell(ana, 'I will climb Rysy in May.', 'The guide fell ill, so that is off.')
    expect(await ana.memories({ forms: ['fact'] })).toMatchObject([
      {
        text: 'The user no longer plans to climb Rysy: the guide fell ill.',
        past: [{ text: 'The user plans to climb Rysy in May.' }],
      },
    ])
  })

  /** So many facts that not all fit the prompt, and one of them about a sleeping bag. */
  async function settle(verdict: string) {
    const bag = 'The user owns a green sleeping bag from her aunt.'
    const many = Array.from({ length: 60 }, (_, n) =>
      fact(`The user owes ${n + 1} crates of quinces to the neighbour of house ${n + 1}.`, 1, 'I owe crates'),
    )
    const wordy = fact('The user sold her green sleeping bag, that from her aunt.', 1, 'that thing is gone')
    const model = answering({
      segment: (_, call) =>
        segmentAnswer(call === 0 ? [fact(bag, 1, 'a green sleeping bag')] : call === 1 ? many : [wordy]),
      settle: { verdicts: [{ pair: 1, verdict }] },
      ground: {
        verdicts: many.map((_one, n) => ({ statement: n + 1, reason: '', verdict: 'stated-by-user' })),
      },
      story_summary: { sentences: [] },
      ...NO_PORTRAIT,
    })
    const { ana } = await open({ model })
    await tell(
      ana,
      'I own a green sleeping bag from my aunt.',
      `I owe crates ${many.map((_, n) => n + 1).join(' ')} of quinces to each neighbour, by house.`,
      'Crates of quinces to neighbours, and that thing is gone.',
    )
    const last = model.requests.findLast(({ schemaName }) => schemaName === 'segment')
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'settle').map(shown)
    const facts = await ana.memories({ forms: ['fact'] })
    return { bag, last: last === undefined ? '' : shown(last), asked, facts }
  }

  const FILLER = Array.from({ length: 60 }, (_, n) =>
    fact(`The user owes ${n + 1} crates of quinces to the neighbour of house ${n + 1}.`, 1, 'I owe crates'),
  )
  const OWED = `I owe crates ${FILLER.map((_, n) => n + 1).join(' ')} of quinces to each neighbour, by house.`
  const BORNE_OUT = {
    verdicts: FILLER.map((_one, n) => ({ statement: n + 1, reason: '', verdict: 'stated-by-user' })),
  }

  it('of a plan whose day has come is settled with it, though it is worded otherwise', async () => {
    const plan = 'The user sails in the regatta at Sligo on 2024-03-06 with her uncle, in the blue dinghy.'
    const went = 'In the blue dinghy the user came last, and her uncle was seasick.'
    const model = answering({
      segment: (_, call) =>
        segmentAnswer(
          call === 0
            ? [fact(plan, 1, 'I sail in the regatta')]
            : call === 1
              ? FILLER
              : [fact(went, 1, 'we came last, him seasick')],
        ),
      settle: { verdicts: [{ pair: 1, verdict: 'past' }] },
      ground: BORNE_OUT,
      story_summary: { sentences: [] },
      ...NO_PORTRAIT,
    })
    const { ana } = await open({ model })
    await tell(
      ana,
      'I sail in the regatta at Sligo on Wednesday with my uncle, in the blue dinghy.',
      OWED,
      'Crates of quinces to neighbours, and we came last, him seasick.',
    )
    const about = (await ana.memories({ forms: ['fact'] })).filter(({ text }) => text.includes('dinghy'))
    expect(about).toMatchObject([{ text: went, past: [{ text: plan }] }])
  })

  it('that the reader could not see is settled afterwards, in one small call', async () => {
    const { bag, last, asked, facts } = await settle('past')
    expect(last).not.toContain(bag)
    expect(asked).toEqual([expect.stringContaining(bag)])
    const about = facts.filter(({ text }) => text.includes('sleeping bag'))
    expect(about).toMatchObject([
      { text: 'The user sold her green sleeping bag, that from her aunt.', past: [{ text: bag }] },
    ])
  })

  it('is none where it says nothing that is not known: the memory rests on it as well', async () => {
    const { bag, facts } = await settle('same')
    const about = facts.filter(({ text }) => text.includes('sleeping bag'))
    expect(about).toMatchObject([{ text: bag, past: [] }])
    expect(about[0]?.evidence.map(({ quote }) => quote)).toEqual([
      'a green sleeping bag',
      'that thing is gone',
    ])
  })

  it('stands beside what it resembles where both are so', async () => {
    const { facts } = await settle('both')
    expect(facts.filter(({ text }) => text.includes('sleeping bag'))).toHaveLength(2)
  })
})

describe('a weak model', () => {
  const otters = fact('The user feeds otters.', 1, 'I feed otters')

  it('is used in part: entries of the wrong shape are left out one by one, and said to be', async () => {
    const broken = { ...otters, text: ['no', 'text'] }
    const answer = segmentAnswer([broken, otters, Object('and more')])
    const { keepsake, ana } = await open({ model: answering({ segment: answer, ...NO_PORTRAIT }) })
    const left: (readonly string[])[] = []
    keepsake.on('model-called', ({ leftOut }) => leftOut !== undefined && left.push(leftOut))
    await tell(ana, 'I feed otters.')
    expect(await factsOf(ana)).toEqual(['The user feeds otters.'])
    expect(await keepsake.jobs()).toEqual([])
    expect(left).toEqual([
      [expect.stringMatching(/^memories\.2/), expect.stringMatching(/^memories\.0\.text/)],
    ])
  })

  it('that answers nothing usable is stood in for by rules, until it reads the same turns after all', async () => {
    let isWeak = true
    const model = answering({
      segment: (request) =>
        isWeak
          ? 'You live in Lyon, I think.'
          : reading([
              [/Lyon/, segmentAnswer([fact('The user lives in Lyon, by the river.', 1, 'I live in Lyon')])],
            ])(request),
      ...SAID,
      ...NO_PORTRAIT,
    })
    const { keepsake, ana } = await open({ model })
    await tell(ana, 'I live in Lyon.', 'I work as a nurse.')
    const drawn = await ana.memories({ forms: ['fact'] })
    expect(drawn.map(({ text }) => text)).toEqual([
      'The user lives in Lyon.',
      expect.stringContaining('nurse'),
    ])
    for (const { origin } of drawn)
      expect(origin).toMatchObject({
        step: expect.stringMatching(/^persona-rules/),
        promptVersion: null,
        model: null,
      })
    expect((await keepsake.jobs()).map(({ kind, state }) => [kind, state])).toEqual([
      ['read-segment', 'parked'],
      ['read-segment', 'parked'],
    ])
    isWeak = false
    await keepsake.retryJobs()
    await ana.drain()
    expect(await factsOf(ana)).toEqual(['The user lives in Lyon, by the river.'])
    expect(await keepsake.jobs()).toEqual([])
  })

  it('that answers badly now and then is asked once more when the next session ends, for all at once', async () => {
    const bad = new Set(['otters', 'clocks'])
    let asked = 0
    const model = answering({
      segment: (request) => {
        asked += 1
        const [said] = saidIn(request)
        const word = /otters|clocks|bread/.exec(said?.text ?? '')?.[0] ?? ''
        // A bad answer, and a bad repair of it.
        if (bad.has(word)) return 'Hm.'
        return segmentAnswer([fact(`The user told of ${word}.`, 1, word)])
      },
      settle: { verdicts: [] },
      ...SAID,
      ...NO_PORTRAIT,
    })
    const { keepsake, ana } = await open({ model })
    await tell(ana, 'I feed otters.')
    bad.delete('otters')
    await tell(ana, 'I mend old clocks.')
    expect(await factsOf(ana)).toEqual(['The user told of otters.'])
    expect((await keepsake.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual([['parked', 1]])
    await tell(ana, 'I bake sour bread, mostly.')
    expect((await keepsake.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual([['parked', 2]])
    const before = asked
    await tell(ana, 'I bake much more bread.')
    expect(asked).toBe(before + 1)
    expect((await factsOf(ana)).length).toBeGreaterThanOrEqual(2)
  })

  it('that is down costs few tries, and its work waits and is never given up', async () => {
    const model = answering({ segment: new ModelError('nobody answers', { isRetryable: true }) })
    const { keepsake, ana } = await open({
      model,
      modelOptions: { retries: 1, timeoutMs: 1_000 },
    })
    await ana.remember({ role: 'user', text: 'I feed otters.', at: START }, { session: 'one' })
    await ana.endSession('one')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await ana.drain()
      await keepsake.retryJobs()
    }
    await ana.drain()
    const jobs = await keepsake.jobs()
    expect(jobs).not.toEqual([])
    expect(jobs.filter(({ state, attempts }) => state === 'parked' || attempts > 0)).toEqual([])
    expect(model.requests.length).toBeLessThan(16)
    expect((await ana.recall('otters')).memories[0]?.memory.text).toContain('I feed otters')
  })
})
