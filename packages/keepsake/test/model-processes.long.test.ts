import { comedy } from '@keepsake/papers'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Keepsake } from 'keepsake'
import { answerDutifully } from './dutiful-reader.ts'
import { runToEnd } from './kill-child.ts'
import { askingAt } from './model-at-endpoint.ts'
import { fails, says, startEndpoint, type Endpoint, type Reply } from './model-endpoint.ts'
import { openForTest } from './open-for-test.ts'
import { requireSound } from './require-sound.ts'
import { openWithoutClaims } from './store-without-claims.ts'
import { openPatiently, tellOne } from './talk-in-trouble.ts'
import { temporaryFile } from './temporary-file.ts'

const CHILD = join(import.meta.dirname, 'model-child.ts')

describe('two processes whose claims do not hold each other off', () => {
  /** Lets requests of a prompt go on when two have come, or it is clear that a second will not. */
  function meeting() {
    let waiting = 0
    const met = Promise.withResolvers<void>()
    return async (reply: Reply): Promise<Reply> => {
      if ((waiting += 1) === 2) met.resolve()
      await Promise.race([met.promise, sleep(15_000)])
      return reply
    }
  }

  async function both(
    path: string,
    keepsake: Keepsake,
    endpoint: Endpoint,
    preset: string[] = [],
  ): Promise<void> {
    const other = runToEnd(CHILD, [path, endpoint.url, '', 'no claims', ...preset])
    onTestFinished(() => other.then(() => undefined))
    await keepsake.drain()
    await other
    await keepsake.drain()
  }

  async function requireOnce(keepsake: Keepsake, wanted: readonly string[]): Promise<void> {
    const ana = keepsake.scope({ user: 'ana' })
    expect(await keepsake.jobs()).toEqual([])
    const { memories } = await requireSound(ana)
    expect(memories.map(({ form }) => form).sort()).toEqual(wanted)
    expect(memories.find(({ form }) => form === 'fact')?.evidence).toHaveLength(1)
  }

  it('apply a segment that both have read once', async () => {
    const path = temporaryFile()
    const meet = meeting()
    const endpoint = await startEndpoint((asked) =>
      asked.prompt === 'segment' ? meet(answerDutifully(asked)) : answerDutifully(asked),
    )
    const keepsake = await openPatiently(endpoint, { store: await openWithoutClaims(path) })
    await tellOne(keepsake.scope({ user: 'ana' }), 'one', 'I feed otters.')
    await both(path, keepsake, endpoint)
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'segment')).toHaveLength(2)
    await requireOnce(keepsake, ['fact', 'portrait', 'story', 'utterance'])
  })

  it('apply a parked segment that both have tried again once', async () => {
    const path = temporaryFile()
    const meet = meeting()
    let isBroken = true
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt !== 'segment') return answerDutifully(asked)
      return isBroken ? says('Otters?') : meet(answerDutifully(asked))
    })
    const keepsake = await openPatiently(endpoint, { store: await openWithoutClaims(path) })
    await tellOne(keepsake.scope({ user: 'ana' }), 'one', 'I feed otters.')
    await keepsake.drain()
    isBroken = false
    await keepsake.retryJobs()
    await both(path, keepsake, endpoint)
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'segment')).toHaveLength(4)
    await requireOnce(keepsake, ['fact', 'story', 'utterance'])
  })

  it('make one portrait where both have asked for one', async () => {
    const path = temporaryFile()
    const meet = meeting()
    const endpoint = await startEndpoint((asked) =>
      asked.prompt.endsWith('portrait') ? meet(answerDutifully(asked)) : answerDutifully(asked),
    )
    const keepsake = await openPatiently(endpoint, { store: await openWithoutClaims(path) })
    await tellOne(keepsake.scope({ user: 'ana' }), 'one', 'I feed otters.')
    await both(path, keepsake, endpoint)
    expect(endpoint.asked.filter(({ prompt }) => prompt.endsWith('portrait'))).toHaveLength(2)
    await requireOnce(keepsake, ['fact', 'portrait', 'story', 'utterance'])
  })

  it('pile up six segments once', async () => {
    const path = temporaryFile()
    const meet = meeting()
    let isHeld = false
    const endpoint = await startEndpoint((asked) => {
      if (asked.prompt !== 'story_summary') return answerDutifully(asked)
      return isHeld ? meet(answerDutifully(asked)) : fails(500, 'out of order')
    })
    const keepsake = await openPatiently(endpoint, { store: await openWithoutClaims(path) })
    const ana = keepsake.scope({ user: 'ana' })
    for (const [day, what] of ['otters', 'badgers', 'foxes', 'hedgehogs', 'squirrels', 'robins'].entries()) {
      await tellOne(ana, `s${day}`, `I feed ${what}.`, day)
      await keepsake.drain()
    }
    isHeld = true
    await keepsake.retryJobs()
    await both(path, keepsake, endpoint)
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'story_summary').length).toBeGreaterThan(2)
    expect(await keepsake.jobs()).toEqual([])
    const { memories } = await requireSound(ana)
    const levels = memories.flatMap(({ form, level }) => (form === 'story' ? [level] : []))
    expect(levels.sort((one, other) => one - other)).toEqual([1, 1, 1, 1, 1, 1, 2])
  })

  it('summarise a session that both have read once', async () => {
    const path = temporaryFile()
    const meet = meeting()
    const memory = {
      outcome: 'memory',
      events: [{ text: 'The user feeds otters.', turns: [1] }],
      user: [],
      agent: [],
    }
    const endpoint = await startEndpoint((asked) =>
      asked.prompt === 'session_memory' ? meet(says(memory)) : answerDutifully(asked),
    )
    const keepsake = await openForTest({
      store: await openWithoutClaims(path),
      ...askingAt(endpoint.url, { retries: 0, timeoutMs: 20_000 }),
      preset: comedy,
    })
    const ana = keepsake.scope({ user: 'ana' })
    await tellOne(ana, 'one', 'I feed otters.')
    await both(path, keepsake, endpoint, ['comedy'])
    expect(endpoint.asked.filter(({ prompt }) => prompt === 'session_memory')).toHaveLength(2)
    expect(await keepsake.jobs()).toEqual([])
    const { memories } = await requireSound(ana)
    expect(memories.map(({ form }) => form).sort()).toEqual(['portrait', 'summary'])
  })
})
