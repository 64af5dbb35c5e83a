import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { openEngine, storedMemories, storeMemories, type TestScope } from './engine-fixture.ts'
import { decideAndCommit } from './unit-of-work.ts'
import { ORIGIN } from '../memories/memory-fixture.ts'

/** Two people with a fact each, and how many changes each transaction held. */
async function open() {
  const ana = await openEngine()
  const { engine } = ana
  const row = await engine.store.ensureScope({ tenant: 'default', user: 'ben', agent: null, app: null })
  const ben = { engine, row }
  await storeMemories(ana, makeFact({ id: 'hers' }))
  await storeMemories(ben, makeFact({ id: 'his' }))
  const transactions: number[] = []
  const { store } = engine
  const [commit, commitAll] = [store.commit.bind(store), store.commitAll?.bind(store)]
  store.commit = (request) => (transactions.push(1), commit(request))
  store.commitAll = (requests) => (
    transactions.push(requests.length),
    commitAll?.(requests) ?? Promise.reject(new Error('cannot'))
  )
  return { engine, ana, ben, transactions }
}

const pin = ({ engine, row }: TestScope, id: string) =>
  decideAndCommit(engine, row, ({ changes }) => void changes.change('modify', id, { pinned: true }, ORIGIN))

const pinned = async (place: TestScope) => (await storedMemories(place)).map((memory) => memory.pinned)

describe('changes decided for several people', () => {
  it('are stored in one transaction when they come at the same time', async () => {
    const { ana, ben, transactions } = await open()
    const done = await Promise.all([pin(ana, 'hers'), pin(ben, 'his')])
    expect(done.map(({ operations }) => operations.length)).toEqual([1, 1])
    expect(transactions).toEqual([2])
    expect([await pinned(ana), await pinned(ben)]).toEqual([[true], [true]])
  })

  it('wait for nobody when one alone decides', async () => {
    const { ana, transactions } = await open()
    await pin(ana, 'hers')
    expect(transactions).toEqual([1])
  })

  it('do not wait for who takes long', async () => {
    const { engine, ana, ben } = await open()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    const slow = decideAndCommit(engine, ben.row, () => opened)
    await pin(ana, 'hers')
    expect(await pinned(ana)).toEqual([true])
    openGate()
    await slow
  })

  it('stand or fall each by its own expectations', async () => {
    const { engine, ana, ben } = await open()
    const stale = { epoch: 99, finishJobs: ['none'] }
    const [lost, kept] = await Promise.all([
      decideAndCommit(
        engine,
        ana.row,
        ({ changes }) => void changes.change('modify', 'hers', { pinned: true }, ORIGIN),
        stale,
      ),
      pin(ben, 'his'),
    ])
    expect([lost, kept.operations.length]).toEqual([null, 1])
    expect([await pinned(ana), await pinned(ben)]).toEqual([[false], [true]])
  })

  it('fail alone when one of them cannot be stored', async () => {
    const { engine, ana, ben } = await open()
    const unknown = decideAndCommit(engine, ana.row, () => undefined, {
      endSessions: [{ session: 'none', at: 1 }],
    })
    const [lost, kept] = await Promise.allSettled([unknown, pin(ben, 'his')])
    expect([lost.status, kept.status]).toEqual(['rejected', 'fulfilled'])
    expect(await pinned(ben)).toEqual([true])
  })
})
