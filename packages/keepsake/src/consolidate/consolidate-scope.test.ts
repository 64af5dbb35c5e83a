import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { scriptedExtractor } from '../extraction/extractor-fixture.ts'
import { eraseIds } from '../erase/erase-memories.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Branch, Preset } from '../presets/preset.ts'
import type { NewJob } from '../store/store.ts'
import { scriptedSummariser } from '../story/summariser-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { withMethod, listen, openEngine, storeTurns, type TestScope } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { consolidateScope } from './consolidate-scope.ts'

const UTTERANCES: Branch = { kind: 'utterances', order: 'answer' }
const AWAY = new ModelError('away')

async function open(
  branches: readonly Branch[],
  turns: readonly Partial<Turn>[],
  preset: Partial<Preset> = {},
) {
  const place = await openEngine({ preset: { ...keepsake(), branches, ...preset } })
  await storeTurns(place, ...turns)
  return place
}

async function queue({ engine, row }: TestScope, ...jobs: (Partial<NewJob> & Pick<NewJob, 'id'>)[]) {
  const queueJobs = jobs.map((job): NewJob => {
    return { kind: 'consolidate', scope: row.scope, session: null, at: 1, ...job }
  })
  await decideAndCommit(engine, row, () => undefined, { queueJobs })
}

const consolidate = ({ engine, row }: TestScope) => consolidateScope(engine, row)
const progress = async ({ engine, row }: TestScope) =>
  (await engine.users.load(row.owner)).progress(row.scope).branches
const jobs = async ({ engine }: TestScope) =>
  (await engine.store.listJobs()).map(({ id, kind, state }) => [id, kind, state])
const facts = (extract: Parameters<typeof scriptedExtractor>[0]): Branch => {
  return {
    kind: 'facts',
    every: { rounds: 1 },
    extractor: scriptedExtractor(extract, { prompt: 'segment/1' }),
  }
}

describe('bringing a scope up to its last turn', () => {
  it('does it though no job asks for it', async () => {
    const place = await open([UTTERANCES], [{}])
    await consolidate(place)
    expect(await progress(place)).toEqual({ utterances: 1 })
  })

  it('leaves the jobs of other scopes', async () => {
    const place = await open([UTTERANCES], [{}])
    const { engine } = place
    const row = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
    await queue({ engine, row }, { id: 'theirs', scope: row.scope })
    await queue(place, { id: 'mine' })
    await consolidate(place)
    expect(await jobs(place)).toEqual([['theirs', 'consolidate', 'queued']])
  })
})

describe('a branch that fails', () => {
  it('has the failures that came after it told beside', async () => {
    const other = new ModelError('away too')
    const summariser = scriptedSummariser(() => Promise.reject(other))
    const branches: Branch[] = [facts(() => Promise.reject(AWAY)), { kind: 'story', thresholds: [1, 1] }]
    const place = await open(branches, [{}], { summariser })
    const events = listen(place, 'background-failed')
    await expect(consolidate(place)).rejects.toBe(AWAY)
    expect(events).toEqual([{ error: other }])
  })
})

describe('a session that ends', () => {
  it('is passed over when its job names none', async () => {
    const place = await open([UTTERANCES], [{}])
    await queue(place, { id: 'e1', kind: 'end-session' }, { id: 'e2', kind: 'end-session', session: 's1' })
    await consolidate(place)
    expect(await jobs(place)).toEqual([['e1', 'end-session', 'queued']])
  })
})

describe('a job that ends', () => {
  /** How often jobs were to be finished, and with what outcome, with a turn that finds the job queued, and so queues none. */
  async function ended(comes: 'never' | 'while it is read' | 'in the last moment') {
    const outcomes: string[] = []
    const opened: TestScope[] = []
    const come = async () => {
      const [place] = opened.splice(0)
      if (place !== undefined) await storeTurns(place, {})
    }
    const branch = facts(async () => {
      if (comes === 'while it is read') await come()
      return {}
    })
    const place = await openEngine({
      preset: { ...keepsake(), branches: [branch] },
      wrapStore: (store) =>
        withMethod(store, 'commit', async (request, revision) => {
          if (request.finishJobs.length === 0) return store.commit(request, revision)
          if (comes === 'in the last moment') await come()
          const result = await store.commit(request, revision)
          outcomes.push(result.outcome)
          return result
        }),
    })
    await storeTurns(place, {})
    await queue(place, { id: 'j1' })
    opened.push(place)
    await consolidate(place)
    return { outcomes, read: await progress(place), left: await jobs(place) }
  }

  it.each([
    ['while it is read', ['committed']],
    ['in the last moment', ['conflict', 'committed']],
  ] as const)(
    'stays for a turn that comes %s, since that found it queued and queued none',
    async (comes, expected) => {
      const { outcomes, read, left } = await ended(comes)
      expect([read, left]).toEqual([{ facts: 2 }, []])
      expect(outcomes).toEqual(expected)
    },
  )

  it('ends where all that was said was erased: no state knows how far it went', async () => {
    const place = await open([UTTERANCES], [{}])
    const { engine, row } = place
    const [turn] = await engine.store.listTurns({ userId: row.owner })
    const resolved = { owner: row.owner, rows: [row], scopes: [row.scope] }
    await eraseIds(engine, resolved, new Set([turn?.id ?? '']), new Set())
    await queue(place, { id: 'j1' })
    await consolidate(place)
    expect(await jobs(place)).toEqual([])
  })

  it('ends at once where nothing came', async () => {
    const { outcomes, read, left } = await ended('never')
    expect([outcomes, read, left]).toEqual([['committed'], { facts: 1 }, []])
  })
})
