import { afterEach, describe, expect, it, vi } from 'vitest'
import { consolidateClaimed } from '../consolidate/consolidate-scope.ts'
import { makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import type { Store } from '../stores/store.ts'
import {
  instead,
  openEngine,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from './engine-fixture.ts'
import { indexText } from './index-text.ts'
import { newJob } from './new-job.ts'
import { turnsBetween } from './recent-turns.ts'
import { decideAndCommit, type UnitOfWork } from './unit-of-work.ts'

type Asked = 'version' | 'turns' | 'jobs' | 'sessions' | 'commit'

/** A store that is a way away, with how often each question was asked of it. */
function remote(store: Store, asked: Record<Asked, number>): Store {
  const counted = <Name extends Asked>(over: Store, name: Name): Store => {
    const own = store[name].bind(store) as (...given: unknown[]) => unknown
    return instead(over, name, ((...given: unknown[]) => {
      asked[name] += 1
      return own(...given)
    }) as Store[Name])
  }
  const names = ['version', 'turns', 'jobs', 'sessions', 'commit'] as const
  return names.reduce(counted<Asked>, instead(store, 'isRemote', true))
}

async function open() {
  const asked = { version: 0, turns: 0, jobs: 0, sessions: 0, commit: 0 }
  const place = await openEngine({ around: (store) => remote(store, asked) })
  const forget = (): void => {
    for (const name of Object.keys(asked)) asked[name as Asked] = 0
  }
  return { ...place, asked, forget }
}

/** Adds a fact unless there is one that says the same. */
function addOnce({ changes, cache, row }: UnitOfWork, text: string): void {
  if ([...cache.memories({ scopes: new Set([row.scope]) })].some((memory) => memory.text === text)) return
  const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact({ text })
  changes.add(rest, ORIGIN)
}

const textsIn = async (place: TestScope): Promise<string[]> =>
  (await storedMemories(place)).map(({ text }) => text)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('work in the background on a store that is a way away', () => {
  it('decides over what it saw a moment ago, and asks for no version before it commits', async () => {
    const { engine, row, asked, forget } = await open()
    await engine.caches.get(row.owner)
    forget()
    await decideAndCommit(engine, row, (unit) => addOnce(unit, 'It rains.'), { isAhead: true })
    expect(asked).toMatchObject({ version: 0, commit: 1 })
  })

  it('decides again where another process changed anything of the person since', async () => {
    const place = await open()
    const { engine, row, asked, forget } = place
    await engine.caches.get(row.owner)
    // As another process does: this one is not told.
    await storeMemories(place, makeFact({ id: 'a', text: 'It rains.' }))
    forget()
    await decideAndCommit(engine, row, (unit) => addOnce(unit, 'It rains.'), { isAhead: true })
    await decideAndCommit(engine, row, (unit) => addOnce(unit, 'It snows.'), { isAhead: true })
    expect(await textsIn(place)).toEqual(['It rains.', 'It snows.'])
    expect(asked.commit).toBe(2)
  })

  it('fails for what it did not see only where it is not there after all', async () => {
    const place = await open()
    const { engine, row } = place
    await engine.caches.get(row.owner)
    await storeMemories(place, makeFact({ id: 'a', text: 'It rains.' }))
    const rename = ({ changes }: UnitOfWork, id: string): unknown =>
      changes.change('modify', id, { text: 'It snows.' }, ORIGIN)
    await decideAndCommit(engine, row, (unit) => rename(unit, 'a'), { isAhead: true })
    expect(await textsIn(place)).toEqual(['It snows.'])
    await expect(
      decideAndCommit(engine, row, (unit) => rename(unit, 'nobody'), { isAhead: true }),
    ).rejects.toThrow()
  })

  it('reads what was just said from what came in, and its version and jobs from the claim', async () => {
    // No slice of time is over.
    vi.useFakeTimers({ toFake: ['performance'] })
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
    const { engine, row, asked, forget } = await open()
    await engine.caches.get(row.owner)
    for (const [round, text] of ['I live in Lyon.', 'I work as a baker.'].entries()) {
      const turn = (id: string, role: 'user' | 'agent', words: string) => ({
        id,
        role,
        text: words,
        speaker: null,
        timeZone: null,
        metadata: null,
        at: engine.now(),
        document: indexText(engine.embedding, words),
      })
      const request = {
        ...row,
        session: 's1',
        turns: [turn(`u${round}`, 'user', text), turn(`a${round}`, 'agent', 'Lovely.')],
        jobs: [newJob(engine, row, 'consolidate')],
      }
      engine.caches.applyAppend(request, await engine.store.append(request))
      const claim = await engine.store.claim({ leaseMs: 60_000, owner: row.owner })
      if (claim.outcome !== 'claimed') throw new Error('it is held')
      const version = await engine.store.version(row.owner)
      const jobs = await engine.store.jobs({ owner: row.owner, state: 'queued' })
      forget()
      await consolidateClaimed(engine, { ...claim.claim, version, jobs })
      expect(asked).toMatchObject({ version: 0, turns: 0, jobs: 0, sessions: 0 })
      await engine.store.release(claim.claim.id)
    }
    expect(await engine.store.jobs()).toEqual([])
    const memories = await engine.store.memories({ owner: row.owner, forms: ['utterance'] })
    expect(memories.length).toBeGreaterThan(1)
  })

  it('brings along what stands before, and reads turns that another process stored', async () => {
    const place = await open()
    const { engine, row, asked, forget } = place
    const texts = async (from: number, to: number): Promise<string[]> =>
      (await turnsBetween(engine, row, { from, to })).map(({ text }) => text)
    const said = Array.from({ length: 5 }, (_, index) => ({ text: `turn ${index + 1}` }))
    await storeTurns(place, ...said)
    await engine.caches.get(row.owner)
    forget()
    expect(await texts(3, 5)).toEqual(['turn 4', 'turn 5'])
    expect(await texts(0, 2)).toEqual(['turn 1', 'turn 2'])
    expect(asked.turns).toBe(1)
    await storeTurns(place, { text: 'turn 6' })
    await engine.caches.get(row.owner)
    expect(await texts(4, 6)).toEqual(['turn 5', 'turn 6'])
    expect(asked.turns).toBe(2)
  })
})
