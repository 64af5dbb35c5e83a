import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ClosedError, type EventMap, type ScopedMemory } from 'keepsake'
import { answerDutifully } from './dutiful-reader.ts'
import { fact, segmentAnswer } from './script-model.ts'
import { hangs, says, startEndpoint, streams, type Asked, type Reply } from './model-endpoint.ts'
import { openForTest } from './open-for-test.ts'
import { factsOf, requireSound } from './require-sound.ts'
import { filesHolding } from './search-bytes.ts'
import { ENDLESS, openPatiently, START, tellOne } from './talk-in-trouble.ts'
import { temporaryFile } from './temporary-file.ts'

const CHILD = join(import.meta.dirname, 'model-child.ts')

/** A place that requests come to and are held at until it is opened. */
function gate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const pass = async (reply: Reply): Promise<Reply> => {
    reached.resolve()
    await opened.promise
    return reply
  }
  return { reached: reached.promise, open: () => opened.resolve(), pass }
}

describe('a process killed while a model is asked', () => {
  // Who read it leaves open whether a couple is two, so that a checker is asked.
  const couple = segmentAnswer(
    [fact('The user feeds 2 otters.', 1, 'I feed a couple of otters', { word: 'unclear' })],
    {
      summary: 'Otters.',
    },
  )
  const approval = { verdicts: [{ statement: 1, reason: 'a couple is 2', verdict: 'stated-by-user' }] }
  const answer = (asked: Asked): Reply => {
    if (asked.prompt === 'segment') return says(couple)
    return asked.prompt === 'ground' ? says(approval) : answerDutifully(asked)
  }

  /** Runs the child until the kill, and reads what it left. */
  async function killAndReopen(path: string, onAsked: (asked: Asked, kill: () => void) => Reply) {
    const child: { process?: ChildProcess } = {}
    let isKilled = false
    const kill = (): void => {
      isKilled = true
      child.process?.kill('SIGKILL')
    }
    const endpoint = await startEndpoint((asked) => (isKilled ? answer(asked) : onAsked(asked, kill)))
    child.process = spawn(process.execPath, [CHILD, path, endpoint.url, 'I feed a couple of otters.'], {
      stdio: 'ignore',
    })
    const [, signal] = await once(child.process, 'close')
    expect(signal).toBe('SIGKILL')
    const keepsake = await openPatiently(endpoint, { path })
    await keepsake.drain()
    expect(await keepsake.jobs()).toEqual([])
    const ana = keepsake.scope({ user: 'ana' })
    expect(await factsOf(ana)).toEqual(['The user feeds 2 otters.'])
    const { turns, memories } = await requireSound(ana)
    expect(turns.map(({ id }) => id)).toEqual(['one-u'])
    const forms = memories.map(({ form }) => form).sort()
    expect(forms).toEqual(['fact', 'portrait', 'story', 'utterance'])
    expect((await ana.sessions()).every(({ endedAt }) => endedAt !== null)).toBe(true)
    return endpoint.asked.filter(({ prompt }) => prompt === 'segment').length
  }

  it.each([
    ['the segment', 'segment', 2],
    ['the check of its statements', 'ground', 2],
    ['the portrait', 'portrait', 1],
  ])('at %s does that again when reopened, and nothing twice', async (_, stage, readings) => {
    const asked = await killAndReopen(temporaryFile(), (one, kill) => {
      if (!one.prompt.endsWith(stage)) return answer(one)
      kill()
      return hangs
    })
    expect(asked).toBe(readings)
  })

  it('or just answered has nothing doubled', async () => {
    for (const afterMs of [0, 8]) {
      await killAndReopen(temporaryFile(), (one, kill) => {
        if (one.prompt === 'ground') setTimeout(kill, afterMs)
        // Held where it would end before it is killed.
        return one.prompt.endsWith('portrait') ? hangs : answer(one)
      })
    }
  })
})

const SECRET = 'Zephyrinus'
const TOLD = `I feed a dozen otters with ${SECRET}.`
const reading = segmentAnswer([fact(`The user feeds otters with ${SECRET}.`, 1, `otters with ${SECRET}`)], {
  summary: `The user and ${SECRET} feed otters.`,
})
/** Whether a dozen is twelve who read it leaves to a checker. */
const unsureReading = segmentAnswer([
  fact(`The user feeds 12 otters with ${SECRET}.`, 1, `a dozen otters with ${SECRET}`, { word: 'unclear' }),
])

describe('an erasure while a model reads', () => {
  type Erase = (ana: ScopedMemory) => Promise<unknown>
  const erasures: [string, Erase][] = [
    ['the turns', (ana) => ana.erase({ turns: ['one-u'] })],
    ['the session', (ana) => ana.erase({ sessions: ['one'] })],
    ['the person', (ana) => ana.erase({ everything: true })],
  ]
  const answers: [string, string, Reply, Reply][] = [
    ['answers well', 'segment', says(reading), says(reading)],
    ['answers what cannot be used', 'segment', says(reading), says(`It is about ${SECRET}, is it not?`)],
    [
      'refuses in their words',
      'segment',
      says(reading),
      says(`I will not speak of ${SECRET}.`, 'content_filter'),
    ],
    [
      'checks its statements',
      'ground',
      says(unsureReading),
      says({ verdicts: [{ statement: 1, reason: SECRET, verdict: 'stated-by-user' }] }),
    ],
    [
      'makes a portrait of them',
      'portrait',
      says(reading),
      says({ user: `Knows ${SECRET}.`, relationship: '', events: SECRET }),
    ],
    ['makes no portrait of them', 'portrait', says(reading), says(`${SECRET}!`)],
  ]
  const cases = erasures.flatMap(([what, erase]) =>
    answers.map(([does, ...rest]) => [what, does, erase, ...rest] as const),
  )

  it.each(cases)(
    'of %s lets nothing come back when it then %s',
    async (_, __, erase, stage, segment, late) => {
      const path = temporaryFile()
      const { reached, open: release, pass } = gate()
      const endpoint = await startEndpoint((asked) => {
        if (!asked.words.includes(SECRET)) return answerDutifully(asked)
        if (asked.prompt.endsWith(stage)) return pass(late)
        return asked.prompt === 'segment' ? segment : answerDutifully(asked)
      })
      const keepsake = await openPatiently(endpoint, { path })
      const failed: Error[] = []
      keepsake.on('background-failed', ({ error }) => failed.push(error))
      const ana = keepsake.scope({ user: 'ana' })
      const ben = keepsake.scope({ user: 'ben' })
      await tellOne(ben, 'one', 'I bake bread.')
      await keepsake.drain()
      await tellOne(ana, 'one', TOLD)
      await reached
      await erase(ana)
      release()
      await keepsake.drain()
      await sleep(20)
      expect(failed).toEqual([])
      expect(JSON.stringify(await keepsake.jobs())).not.toContain(SECRET)
      const kept = await ana.memories({ statuses: ['live', 'quarantined', 'deleted', 'forgotten'] })
      expect(JSON.stringify(kept)).not.toContain(SECRET)
      expect((await ana.recall('otters')).memories).toEqual([])
      expect(filesHolding(dirname(path), [SECRET])).toEqual([])
      expect(await factsOf(ben)).toEqual(['The user bakes bread.'])
      await tellOne(ana, 'again', 'I keep bees.', 1)
      await keepsake.drain()
      expect(await factsOf(ana)).toEqual(['The user keeps bees.'])
      await requireSound(ana)
      await keepsake.close()
      expect(filesHolding(dirname(path), [SECRET])).toEqual([])
    },
  )

  it('of the turns lets no raw answer come back when a parked segment is tried again', async () => {
    const path = temporaryFile()
    const held = gate()
    let isHeld = false
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt !== 'segment' || !asked.words.includes(SECRET)) return answerDutifully(asked)
      const prose = says(`It is about ${SECRET}.`)
      return isHeld ? held.pass(prose) : prose
    })
    const keepsake = await openPatiently(endpoint, { path })
    const ana = keepsake.scope({ user: 'ana' })
    await tellOne(ana, 'one', TOLD)
    await keepsake.drain()
    expect(await keepsake.jobs()).toMatchObject([{ state: 'parked', answer: `It is about ${SECRET}.` }])
    isHeld = true
    await keepsake.retryJobs()
    await held.reached
    await ana.erase({ turns: ['one-u'] })
    held.open()
    await keepsake.drain()
    expect(JSON.stringify(await keepsake.jobs())).not.toContain(SECRET)
    expect(filesHolding(dirname(path), [SECRET])).toEqual([])
    await keepsake.retryJobs()
    await keepsake.drain()
    expect(await keepsake.jobs()).toEqual([])
    expect(await factsOf(ana)).toEqual([])
  })
})

describe('a turn removed before a model has read it', () => {
  it('yields no facts', async () => {
    const endpoint = await startEndpoint(answerDutifully)
    const keepsake = await openPatiently(endpoint, { path: temporaryFile() })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(
      [
        { id: 'u1', role: 'user', text: 'I feed otters.', at: START },
        { id: 'a1', role: 'assistant', text: 'Nice.', at: START },
      ],
      { session: 'one' },
    )
    await keepsake.drain()
    const [utterance] = await ana.memories({ forms: ['utterance'] })
    await ana.forget(utterance?.id ?? '')
    await ana.endSession('one')
    await keepsake.drain()
    expect(await factsOf(ana)).toEqual([])
  })
})

describe('closing while a model is asked', () => {
  it.each(['segment', 'portrait'])('ends the %s call, and the work goes on when reopened', async (stage) => {
    const path = temporaryFile()
    const { reached, pass } = gate()
    let isClosed = false
    const endpoint = await startEndpoint((asked) =>
      asked.prompt.endsWith(stage) && !isClosed ? pass(hangs) : answerDutifully(asked),
    )
    const keepsake = await openPatiently(endpoint, { path }, ENDLESS)
    const failures: EventMap['job-failed'][0][] = []
    keepsake.on('job-failed', (event) => failures.push(event))
    const ana = keepsake.scope({ user: 'ana' })
    await tellOne(ana, 'one', 'I feed otters.')
    await reached
    await keepsake.close()
    isClosed = true
    expect(failures).toEqual([])
    const again = await openPatiently(endpoint, { path })
    expect((await again.jobs()).every(({ state, attempts }) => state === 'queued' && attempts === 0)).toBe(
      true,
    )
    await again.drain()
    expect(await again.jobs()).toEqual([])
    expect(await factsOf(again.scope({ user: 'ana' }))).toEqual(['The user feeds otters.'])
    await requireSound(again.scope({ user: 'ana' }))
  })

  it('ends a drain and a reply that wait for it, and keeps the turns', async () => {
    const path = temporaryFile()
    const { reached, pass } = gate()
    let isKnown = false
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt === 'text') return streams(['You feed '], isKnown ? 'silent' : 'well')
      return asked.prompt === 'segment' ? pass(hangs) : answerDutifully(asked)
    })
    // The first answer of a model is held back, since it may begin with a thought.
    const before = await openPatiently(endpoint, { path: temporaryFile() }, ENDLESS)
    await (
      await before.scope({ user: 'ben' }).reply({ role: 'user', text: 'What do I feed?' })
    ).text
    await before.close()
    isKnown = true
    const keepsake = await openPatiently(endpoint, { path }, ENDLESS)
    const ana = keepsake.scope({ user: 'ana' })
    await tellOne(ana, 'one', 'I feed otters.')
    const reply = await ana.reply({ id: 'q', role: 'user', text: 'What do I feed?' }, { session: 'two' })
    const reader = reply.textStream.getReader()
    expect(await reader.read()).toEqual({ done: false, value: 'You feed ' })
    const draining = expect(ana.drain()).rejects.toThrow()
    await reached
    const ended = [
      expect(reply.text).rejects.toThrow(ClosedError),
      expect(reply.remembered).rejects.toThrow(ClosedError),
      expect(reader.read()).rejects.toThrow(ClosedError),
      draining,
    ]
    await keepsake.close()
    await Promise.all(ended)
    const again = await openForTest({ path })
    const { turns } = await requireSound(again.scope({ user: 'ana' }))
    expect(turns.map(({ id }) => id)).toEqual(['one-u', 'q'])
  })
})
