import { describe, expect, it } from 'vitest'
import { consolidateScope } from '../consolidate/consolidate-scope.ts'
import { StoreError } from '../errors/store-error.ts'
import { makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import type { CommitRequest, Store } from '../stores/store.ts'
import {
  instead,
  listen,
  openEngine,
  readTo,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from './engine-fixture.ts'
import { GatheredSteps } from './gathered-steps.ts'
import { newJob } from './new-job.ts'
import { decideAndCommit } from './unit-of-work.ts'

const ROUND = [
  { role: 'user', text: 'My name is Ana. I live in Porto.' },
  { role: 'agent', text: 'Nice to meet you, Ana.' },
] as const

/** Calls `before` with each commit that is about to be made. */
function watching(before: (request: CommitRequest) => Promise<void>): (store: Store) => Store {
  return (store) =>
    instead(store, 'commit', async (request) => {
      await before(request)
      return store.commit(request)
    })
}

/** Somebody said a round, and nothing is read of it yet. */
async function open(before: (request: CommitRequest) => Promise<void> = () => Promise.resolve()) {
  const commits: CommitRequest[] = []
  let isWatched = false
  const around = watching(async (request) => {
    if (!isWatched) return
    commits.push(request)
    await before(request)
  })
  const place = await openEngine({ around })
  await storeTurns(place, ...ROUND)
  const { engine, row } = place
  await decideAndCommit(engine, row, () => undefined, { queueJobs: [newJob(engine, row, 'consolidate')] })
  isWatched = true
  return { ...place, commits, consolidate: () => consolidateScope(engine, row) }
}

const known = async (place: TestScope) => (await storedMemories(place)).map(({ form, text }) => text || form)
const fact = (text: string) => {
  const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact({ text })
  return rest
}
const READ = ['utterance', "The user's name is Ana.", 'The user lives in Porto.']

describe('what the steps of a pass decide', () => {
  it('is stored by one commit, with how far each got and the finished job, and told as before', async () => {
    const place = await open()
    const added = listen(place, 'memory-added')
    await place.consolidate()
    expect(place.commits).toHaveLength(1)
    expect(place.commits[0]?.progress.map(({ branch }) => branch)).toEqual(['utterances', 'facts'])
    expect(await known(place)).toEqual(READ)
    expect(added.map(({ memory, operation }) => [memory.form, operation.sequence])).toEqual([
      ['utterance', 1],
      ['fact', 2],
      ['fact', 3],
    ])
    expect(await place.engine.store.jobs()).toEqual([])
  })

  it('stands in the cache as it is stored, so that what comes next rests on it', async () => {
    const place = await open()
    await place.consolidate()
    const { engine, row } = place
    const cache = await engine.caches.get(row.owner)
    const stored = await engine.store.memories({ owner: row.owner })
    expect(stored.map(({ memory }) => cache.known(memory.id)?.sequence)).toEqual([1, 2, 3])
    expect(cache.version).toEqual(await engine.store.version(row.owner))
    expect(cache.hasUnstored).toBe(false)
  })

  it('is seen by the steps after it, and stored before anybody else sees it', async () => {
    const place = await open()
    const { engine, row, commits } = place
    await new GatheredSteps(engine).during(async (steps) => {
      await decideAndCommit(steps, row, ({ changes }) => changes.add(fact('It rains.'), ORIGIN))
      const seen = await decideAndCommit(steps, row, ({ cache }) => [...cache.memories()].length)
      expect([seen.result, commits.length]).toEqual([1, 0])
      const cache = await engine.caches.get(row.owner)
      expect([[...cache.memories()].length, commits.length]).toEqual([1, 1])
    })
    expect(commits).toHaveLength(1)
  })

  it('is stored, too, where the cache is let go of meanwhile', async () => {
    const place = await open()
    const { engine, row, commits } = place
    const gathered = new GatheredSteps(engine)
    await gathered.during(async (steps) => {
      await decideAndCommit(steps, row, ({ changes }) => changes.add(fact('It rains.'), ORIGIN))
      engine.caches.drop(row.owner)
      const seen = await decideAndCommit(steps, row, ({ cache, changes }) => {
        changes.add(fact('It snows.'), ORIGIN)
        return [...cache.memories()].map(({ text }) => text)
      })
      expect([seen.result, commits.length]).toEqual([['It rains.'], 1])
      await decideAndCommit(steps, row, ({ changes }) => {
        engine.caches.drop(row.owner)
        changes.add(fact('It hails.'), ORIGIN)
      })
    })
    expect(gathered.isRefused).toBe(false)
    expect(await known(place)).toEqual(['It rains.', 'It snows.', 'It hails.'])
  })

  it('changes what an earlier step made, in one commit', async () => {
    const place = await open()
    const { engine, row, commits } = place
    await new GatheredSteps(engine).during(async (steps) => {
      const made = await decideAndCommit(
        steps,
        row,
        ({ changes }) => changes.add(fact('It rains.'), ORIGIN).id,
      )
      await decideAndCommit(steps, row, ({ changes }) =>
        changes.change('modify', made.result, { text: 'It pours.' }, ORIGIN),
      )
    })
    expect([await known(place), commits.length]).toEqual([['It pours.'], 1])
  })

  it('is decided again, each step by itself, where somebody was first', async () => {
    let isFirst = true
    const place: Awaited<ReturnType<typeof open>> = await open(async () => {
      if (!isFirst) return
      isFirst = false
      // As another process does: this one is not told.
      await storeMemories(place, makeFact({ id: 'theirs', text: 'It rains.' }))
    })
    await place.consolidate()
    expect(await known(place)).toEqual(['It rains.', ...READ])
    expect(await place.engine.store.jobs()).toEqual([])
  })

  it('is not stored where a later step sees what somebody else changed meanwhile', async () => {
    const place = await open()
    const { engine, row } = place
    const gathered = new GatheredSteps(engine)
    await gathered.during(async (steps) => {
      await decideAndCommit(steps, row, ({ changes }) => changes.add(fact('It rains.'), ORIGIN))
      await storeMemories(place, makeFact({ id: 'theirs', text: 'It snows.' }))
      const seen = await decideAndCommit(steps, row, ({ cache, changes }) => {
        changes.add(fact('It hails.'), ORIGIN)
        return [...cache.memories()].map(({ text }) => text)
      })
      expect(seen.result).toEqual(['It snows.'])
    })
    expect(gathered.isRefused).toBe(true)
    expect(await known(place)).toEqual(['It snows.', 'It hails.'])
  })

  it('leaves how far somebody else has read as the store has it', async () => {
    const place = await open()
    const { engine, row } = place
    await new GatheredSteps(engine).during(async (steps) => {
      const progress = [{ branch: 'utterances', from: 0, to: 2 }]
      await decideAndCommit(steps, row, () => undefined, { progress })
      await readTo(place, { facts: 2 })
      await decideAndCommit(steps, row, () => undefined)
    })
    const { branches } = (await engine.caches.lately(row.owner)).progress(row.scope)
    expect(branches).toEqual({ facts: 2 })
    await place.consolidate()
    expect(await known(place)).toEqual(['utterance'])
  })

  it('leaves the job where turns come meanwhile', async () => {
    let isFirst = true
    const place: Awaited<ReturnType<typeof open>> = await open(async () => {
      if (!isFirst) return
      isFirst = false
      await storeTurns(place, { role: 'user', text: 'I have a cat.' }, { role: 'agent', text: 'Lovely.' })
    })
    await place.consolidate()
    expect(await known(place)).toEqual(['utterance', ...READ, 'The user has a cat.'])
    expect(await place.engine.store.jobs()).toEqual([])
  })

  it('is gone where it could not be stored, and read again', async () => {
    let isFull = true
    const place = await open(() => {
      if (isFull) throw new StoreError('store-full', 'The disk is full.')
      return Promise.resolve()
    })
    const { engine, row } = place
    await expect(place.consolidate()).rejects.toThrow('The disk is full.')
    expect([...(await engine.caches.get(row.owner)).memories()]).toEqual([])
    isFull = false
    await place.consolidate()
    expect(await known(place)).toEqual(READ)
  })
})
