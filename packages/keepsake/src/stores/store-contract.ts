import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/not-found-error.ts'
import { NotPossibleError } from '../errors/not-possible-error.ts'
import { TurnConflictError } from '../errors/turn-conflict-error.ts'
import { projectLog } from '../memories/apply-operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import {
  addOf,
  commitOf,
  documentOf,
  eraseOf,
  jobOf,
  memoryOf,
  operationOf,
  turnOf,
  unreadSegmentOf,
} from './store-samples.ts'
import type { ExportRow, Store } from './store.ts'

/** What a job that says nothing more is given. */
const UNREAD = {
  branch: null,
  from: null,
  to: null,
  state: 'queued',
  attempts: 0,
  reason: null,
  answer: null,
}

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

/**
 * What any store must do, whatever keeps its rows. Texts given to a store are well-formed Unicode (the engine
 * sees to it with `toWellFormed`); apart from that every character comes back, NUL included.
 *
 * @param name shown in the test's title.
 * @param makeStore a new, empty store each time; closed by the suite.
 * @example
 * describeStore('sqlite in memory', () => openSqliteStore({ path: ':memory:' }))
 */
export function describeStore(name: string, makeStore: () => Promise<Store>): void {
  describe(`store contract: ${name}`, () => {
    const opened: Store[] = []
    let store: Store
    let ada: ScopeRow
    const open = async (): Promise<Store> => {
      const made = await makeStore()
      opened.push(made)
      return made
    }
    beforeEach(async () => {
      store = await open()
      ada = await store.ensureScope(ADA)
    })
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close()
    })
    const given = (): { store: Store; ada: ScopeRow; open: () => Promise<Store> } => ({ store, ada, open })
    describeScopes(given)
    describeTurns(given)
    describeCommits(given)
    describeLog(given)
    describeIndex(given)
    describeJobs(given)
    describeErasing(given)
    describeExport(given)
  })
}

type Given = () => { store: Store; ada: ScopeRow; open: () => Promise<Store> }

async function collect(rows: AsyncIterable<ExportRow>): Promise<ExportRow[]> {
  const all: ExportRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

function describeScopes(given: Given): void {
  it('makes a scope once and finds it by its exact key', async () => {
    const { store, ada } = given()
    const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
    expect(await store.ensureScope(ADA)).toEqual(ada)
    expect(poet.owner).toBe(ada.owner)
    expect(poet.scope).not.toBe(ada.scope)
    expect(await store.findScope({ ...ADA, agent: 'poet' })).toEqual(poet)
    expect(await store.findScope({ ...ADA, app: 'poet' })).toBeNull()
    expect(await store.listScopes({ user: 'ada' })).toEqual([ada, poet])
    expect(await store.listScopes({ tenant: 'other' })).toEqual([])
  })

  it('keeps two people apart in every query', async () => {
    const { store, ada } = given()
    const bob = await store.ensureScope({ ...ADA, user: 'bob' })
    await store.append(turnOf(ada, 't1', 'my secret garden'))
    await store.commit(commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]))
    const owner = bob.owner
    expect(await store.turns({ owner, ids: ['t1'] })).toEqual([])
    expect(await store.turns({ owner, scopes: [ada.scope] })).toEqual([])
    expect(await store.sessions(owner, [ada.scope])).toEqual([])
    expect(await store.memories({ owner, ids: ['m1'], scopes: [ada.scope] })).toEqual([])
    expect(await store.memories({ owner, evidenceTurns: ['t1'] })).toEqual([])
    expect(await store.operations({ owner, memory: 'm1' })).toEqual([])
    expect((await store.indexRows(owner, 0)).documents).toEqual([])
    expect((await store.vectors(owner, ['t1', 'm1'], 'test/1')).size).toBe(0)
    await expect(store.append({ ...turnOf(ada, 't2', 'x'), owner })).rejects.toThrow(NotFoundError)
    await expect(store.commit({ ...commitOf(ada, []), owner })).rejects.toThrow(NotFoundError)
    await expect(store.progress(owner, ada.scope)).rejects.toThrow(NotFoundError)
    await store.append({ ...turnOf(bob, 't1', 'another text under the same id') })
    expect((await store.turns({ owner: ada.owner }))[0]?.text).toBe('my secret garden')
  })
}

function describeTurns(given: Given): void {
  it('gives back every character of a turn', async () => {
    const { store, ada } = given()
    const texts = ['', 'a\0b', 'שלום עולם', '👩‍👩‍👧‍👦 你好', `${'x'.repeat(1 << 20)}end`, "'; DROP TABLE turns; --"]
    for (const [index, text] of texts.entries()) await store.append(turnOf(ada, `t${index}`, text))
    expect((await store.turns({ owner: ada.owner })).map((turn) => turn.text)).toEqual(texts)
  })

  it('numbers positions by one within the scope, across sessions and scopes', async () => {
    const { store, ada } = given()
    const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
    await store.append(turnOf(ada, 'a', '1'))
    await store.append(turnOf(poet, 'b', '2'))
    await store.append({ ...turnOf(ada, 'c', '3'), session: 's2' })
    await store.append(turnOf(ada, 'd', '4'))
    const turns = await store.turns({ owner: ada.owner })
    expect(turns.map((turn) => [turn.id, turn.scope, turn.position])).toEqual([
      ['a', ada.scope, 1],
      ['c', ada.scope, 2],
      ['d', ada.scope, 3],
      ['b', poet.scope, 1],
    ])
    const owner = ada.owner
    expect((await store.turns({ owner, session: 's1', scopes: [ada.scope] })).map((turn) => turn.id)).toEqual(
      ['a', 'd'],
    )
    expect(
      (await store.turns({ owner, scopes: [ada.scope], afterPosition: 1, limit: 1 })).map((turn) => turn.id),
    ).toEqual(['c'])
    expect((await store.progress(owner, ada.scope)).lastPosition).toBe(3)
  })

  it('keeps the first and last time of a session, whatever order turns come in', async () => {
    const { store, ada } = given()
    await store.append(turnOf(ada, 'a', '1', { at: 500 }))
    const { session } = await store.append(turnOf(ada, 'b', '2', { at: 100 }))
    expect(session).toEqual({
      scope: ada.scope,
      id: 's1',
      number: 1,
      startedAt: 100,
      lastAt: 500,
      endedAt: null,
    })
    await store.append({ ...turnOf(ada, 'c', '3'), session: 's2' })
    expect((await store.sessions(ada.owner, [ada.scope])).map(({ id, number }) => [id, number])).toEqual([
      ['s1', 1],
      ['s2', 2],
    ])
  })

  it('takes a repeat as such, and opens an ended session again only for a new turn', async () => {
    const { store, ada } = given()
    await store.append(turnOf(ada, 'a', 'hello'))
    await store.commit({ ...commitOf(ada, []), endSessions: [{ session: 's1', at: 77 }] })
    const again = await store.append(turnOf(ada, 'a', 'hello', { at: 999 }))
    expect(again).toMatchObject({ added: [], repeated: ['a'], session: { endedAt: 77 } })
    const more = await store.append({
      ...turnOf(ada, 'b', 'more'),
      turns: [...turnOf(ada, 'a', 'hello').turns, ...turnOf(ada, 'b', 'more').turns],
    })
    expect(more).toMatchObject({ repeated: ['a'], session: { endedAt: null } })
    expect(more.added.map((turn) => turn.id)).toEqual(['b'])
  })

  it('refuses an id that comes with other content, and stores nothing of that call', async () => {
    const { store, ada } = given()
    await store.append(turnOf(ada, 'a', 'first'))
    const turns = [...turnOf(ada, 'new', 'x').turns, ...turnOf(ada, 'a', 'second').turns]
    await expect(store.append({ ...turnOf(ada, 'a', ''), turns })).rejects.toThrow(TurnConflictError)
    await expect(store.append(turnOf(ada, 'a', 'first', { role: 'agent' }))).rejects.toThrow(/"a"/)
    const twice = [...turnOf(ada, 'n', 'one').turns, ...turnOf(ada, 'n', 'two').turns]
    await expect(store.append({ ...turnOf(ada, 'n', ''), turns: twice })).rejects.toThrow(TurnConflictError)
    const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
    await expect(store.append(turnOf(poet, 'a', 'first'))).rejects.toThrow(TurnConflictError)
    expect((await store.turns({ owner: ada.owner })).map((turn) => turn.text)).toEqual(['first'])
  })
}

function describeCommits(given: Given): void {
  it('finds memories by scope, status, form, session and evidence', async () => {
    const { store, ada } = given()
    const { owner } = ada
    await store.append(turnOf(ada, 't1', 'one'))
    await store.append({ ...turnOf(ada, 't2', 'two'), session: 's2' })
    await store.commit(
      commitOf(ada, [
        addOf(ada, 'm1', 'one', ['t1']),
        addOf(ada, 'm2', 'two', ['t2'], { session: 's2', form: 'fact' }),
        addOf(ada, 'm3', 'api', [], { session: 'nowhere' }),
      ]),
    )
    const ids = async (query: object): Promise<string[]> =>
      (await store.memories({ owner, ...query })).map(({ memory }) => memory.id)
    expect(await ids({})).toEqual(['m1', 'm2', 'm3'])
    expect(await ids({ evidenceTurns: ['t2'] })).toEqual(['m2'])
    expect(await ids({ session: 's2' })).toEqual(['m2'])
    expect(await ids({ session: 'nowhere' })).toEqual(['m3'])
    expect(await ids({ forms: ['fact'] })).toEqual(['m2'])
    expect(await ids({ statuses: ['deleted'] })).toEqual([])
    expect(await ids({ ids: ['m3', 'm1'] })).toEqual(['m1', 'm3'])
    expect(await ids({ scopes: [ada.scope + 1] })).toEqual([])
  })

  it('gives memories back as they were committed', async () => {
    const { store, ada } = given()
    const add = addOf(ada, 'm1', '她养了一只猫', [], {
      key: 'pet',
      value: 'cat',
      signals: { arousal: 3.25, surprise: 80.5, importance: 4 },
    })
    await store.commit(commitOf(ada, [add]))
    const portrait = addOf(ada, 'm2', 'keeps a cat', [], { form: 'portrait', sources: ['m1'] })
    await store.commit(commitOf(ada, [portrait], [add]))
    expect(await store.memories({ owner: ada.owner })).toEqual([
      { memory: memoryOf(add), sequence: 1 },
      { memory: memoryOf(portrait), sequence: 2 },
    ])
    expect(await store.memories({ owner: ada.owner, forms: ['portrait'] })).toMatchObject([
      { memory: { id: 'm2', sources: ['m1'] } },
    ])
  })

  it('answers a conflict and changes nothing when an expectation does not hold', async () => {
    const { store, ada } = given()
    const { owner } = ada
    await store.append(turnOf(ada, 't1', 'one'))
    await store.commit({
      ...commitOf(ada, [addOf(ada, 'm1', 'one', ['t1'])]),
      progress: [{ branch: 'pairs', from: 0, to: 1 }],
    })
    const forget = operationOf(ada, 'forget', 'm1', { status: 'forgotten' })
    await store.commit(commitOf(ada, [forget], [addOf(ada, 'm1', 'one', ['t1'])]))
    const before = JSON.stringify([
      await store.stats(),
      await store.operations({ owner }),
      await store.memories({ owner }),
    ])
    const add = addOf(ada, 'm2', 'two', ['t1'])
    const behind = { progress: [{ branch: 'pairs', from: 0, to: 1 }] }
    const stale = [
      { on: 'epoch', expectation: { epoch: 1, expectJobs: ['gone'] } },
      { on: 'job', expectation: { expectJobs: ['gone'], ...behind } },
      { on: 'progress', expectation: { ...behind, expect: [{ memory: 'm1', sequence: 1 }] } },
      { on: 'memory', expectation: { expect: [{ memory: 'm1', sequence: 1 }] } },
      { on: 'memory', expectation: { expect: [{ memory: 'unknown', sequence: 9 }] } },
    ]
    for (const { on, expectation } of stale) {
      const answer = await store.commit({ ...commitOf(ada, [add]), ...expectation })
      expect(answer).toMatchObject({ outcome: 'conflict', on })
    }
    expect(
      await store.commit(commitOf(ada, [{ ...forget, memory: 'm1' }], [addOf(ada, 'm1', 'one', ['t1'])])),
    ).toMatchObject({ outcome: 'conflict', on: 'memory' })
    expect(
      JSON.stringify([
        await store.stats(),
        await store.operations({ owner }),
        await store.memories({ owner }),
      ]),
    ).toBe(before)
    const current = {
      expect: [{ memory: 'm1', sequence: 2 }],
      progress: [{ branch: 'pairs', from: 1, to: 1 }],
    }
    expect(await store.commit({ ...commitOf(ada, [add]), ...current })).toMatchObject({
      outcome: 'committed',
    })
  })

  it('applies a commit whole or not at all', async () => {
    const { store, ada } = given()
    const add = addOf(ada, 'm1', 'one', [])
    await expect(
      store.commit({ ...commitOf(ada, [add]), endSessions: [{ session: 'unknown', at: 1 }] }),
    ).rejects.toThrow(NotFoundError)
    await expect(
      store.commit({
        ...commitOf(ada, [add]),
        documents: [{ id: 'unknown', kind: 'memory', ...documentOf('x') }],
      }),
    ).rejects.toThrow(/unknown/)
    await expect(store.commit({ ...commitOf(ada, [add]), memories: [] })).rejects.toThrow(/m1/)
    await expect(store.commit({ ...commitOf(ada, []), memories: [memoryOf(add)] })).rejects.toThrow(/m1/)
    expect(await store.stats()).toMatchObject({ operations: 0, memories: { live: 0 } })
    expect(await store.version(ada.owner)).toEqual({ revision: 0, epoch: 0 })
  })
}

function describeLog(given: Given): void {
  it('numbers the log without gaps and finds operations by id, parent, memory and scope', async () => {
    const { store, ada } = given()
    const { owner } = ada
    const adds = [addOf(ada, 'm1', 'one', []), addOf(ada, 'm2', 'two', [])]
    await store.commit(commitOf(ada, adds))
    const cascade = { ...operationOf(ada, 'delete', 'm2', { status: 'deleted' }), parent: adds[0]?.id ?? '' }
    const recalled = {
      ...operationOf(ada, 'reinforce', null, {}),
      payload: null,
      touched: [
        { memory: 'm2', rank: 'first' as const },
        { memory: 'm1', rank: 'second' as const },
      ],
    }
    await store.commit(commitOf(ada, [cascade, recalled], adds))
    const log = await store.operations({ owner })
    expect(log.map(({ sequence, kind, memory }) => [sequence, kind, memory])).toEqual([
      [1, 'add', 'm1'],
      [2, 'add', 'm2'],
      [3, 'delete', 'm2'],
      [4, 'reinforce', null],
    ])
    expect(log[3]?.touched).toEqual(recalled.touched)
    expect(log[2]).toEqual({ ...cascade, sequence: 3 })
    const sequences = async (query: object): Promise<number[]> =>
      (await store.operations({ owner, ...query })).map(({ sequence }) => sequence)
    expect(await sequences({ memory: 'm1' })).toEqual([1, 4])
    expect(await sequences({ memory: 'm2' })).toEqual([2, 3, 4])
    expect(await sequences({ parent: adds[0]?.id })).toEqual([3])
    expect(await sequences({ ids: [recalled.id] })).toEqual([4])
    expect(await sequences({ afterSequence: 1, limit: 2 })).toEqual([2, 3])
    expect(await sequences({ scopes: [ada.scope + 1] })).toEqual([])
  })

  it('keeps memories that are the projection of the log', async () => {
    const { store, ada } = given()
    const add = addOf(ada, 'm1', 'lives in Rome', [])
    const modify = operationOf(ada, 'modify', 'm1', { text: 'lives in Paris' })
    const recalled = {
      ...operationOf(ada, 'reinforce', null, {}),
      payload: null,
      touched: [{ memory: 'm1', rank: 'first' as const }],
    }
    await store.commit(commitOf(ada, [add]))
    await store.commit(commitOf(ada, [modify, recalled], [add]))
    const projected = projectLog(await store.operations({ owner: ada.owner }))
    const kept = await store.memories({ owner: ada.owner })
    expect(kept.map(({ memory }) => memory)).toEqual([...projected.values()])
    expect(kept[0]).toMatchObject({ sequence: 3, memory: { text: 'lives in Paris', use: { first: 1 } } })
  })
}

function describeIndex(given: Given): void {
  it('tells a cache what is newer than it has seen', async () => {
    const { store, ada } = given()
    const { owner } = ada
    const { version } = await store.append(turnOf(ada, 't1', 'red car'))
    const first = await store.indexRows(owner, 0)
    expect(first.version).toEqual(version)
    expect(first.documents).toEqual([
      {
        id: 't1',
        kind: 'turn',
        scope: ada.scope,
        session: 's1',
        position: 1,
        role: 'user',
        speaker: 'Ada',
        at: 1000,
        ...documentOf('red car'),
      },
    ])
    expect(await store.indexRows(owner, first.version.revision)).toMatchObject({
      documents: [],
      memories: [],
    })
    const add = addOf(ada, 'm1', 'a red car', ['t1'])
    await store.commit({
      ...commitOf(ada, [add]),
      documents: [{ id: 'm1', kind: 'memory', ...documentOf('a red car') }],
    })
    const next = await store.indexRows(owner, first.version.revision)
    expect(next.documents.map(({ id, kind, session }) => [id, kind, session])).toEqual([
      ['m1', 'memory', 's1'],
    ])
    expect(next.memories).toEqual([{ memory: memoryOf(add), sequence: 1 }])
  })

  it('replaces index rows without bringing back what was erased', async () => {
    const { store, ada } = given()
    const { owner } = ada
    await store.append(turnOf(ada, 't1', 'one'))
    await store.append(turnOf(ada, 't2', 'two'))
    await store.erase(eraseOf(ada, ['t1'], []))
    const { version } = await store.indexRows(owner, 0)
    const fresh = { ...documentOf('new terms'), embedder: 'test/2', vector: new Float32Array([1, 2]) }
    await store.reindex(
      owner,
      ['t1', 't2', 'unknown'].map((id) => ({ id, kind: 'turn' as const, ...fresh })),
    )
    const after = await store.indexRows(owner, version.revision)
    expect(after.documents.map(({ id, terms, vector }) => [id, terms, vector])).toEqual([
      ['t2', ['new', 'terms'], new Float32Array([1, 2])],
    ])
    expect((await store.vectors(owner, ['t1', 't2'], 'test/1')).size).toBe(0)
    expect(await store.vectors(owner, ['t1', 't2'], 'test/2')).toEqual(
      new Map([['t2', new Float32Array([1, 2])]]),
    )
  })

  it('keeps documents that are not embedded yet', async () => {
    const { store, ada } = given()
    await store.append(
      turnOf(ada, 't1', '', { document: { ...documentOf(''), vector: null, embedder: null } }),
    )
    expect((await store.indexRows(ada.owner, 0)).documents[0]).toMatchObject({
      terms: [],
      vector: null,
      embedder: null,
    })
  })
}

function describeJobs(given: Given): void {
  it('keeps jobs until they are finished, without doubling one that waits', async () => {
    const { store, ada } = given()
    await store.append(
      turnOf(ada, 't1', 'one', {}, [jobOf(ada, 'j1'), jobOf(ada, 'j2'), jobOf(ada, 'j3', 's1')]),
    )
    expect((await store.jobs()).map(({ id }) => id)).toEqual(['j1', 'j3'])
    await store.updateJob('j1', { state: 'parked', attempts: 3, reason: 'no answer' })
    await store.append(turnOf(ada, 't2', 'two', {}, [jobOf(ada, 'j4')]))
    expect((await store.jobs({ owner: ada.owner, state: 'queued' })).map(({ id }) => id)).toEqual([
      'j3',
      'j4',
    ])
    expect(await store.jobs({ state: 'parked' })).toEqual([
      {
        ...jobOf(ada, 'j1'),
        owner: ada.owner,
        branch: null,
        from: null,
        to: null,
        state: 'parked',
        attempts: 3,
        reason: 'no answer',
        answer: null,
      },
    ])
    await store.commit({
      ...commitOf(ada, []),
      finishJobs: ['j1', 'j4', 'gone'],
      queueJobs: [jobOf(ada, 'j5')],
    })
    expect((await store.jobs()).map(({ id }) => id)).toEqual(['j3', 'j5'])
  })

  it('parks a segment that a model could not read, one a branch and segment', async () => {
    const { store, ada } = given()
    const parked = unreadSegmentOf(ada, 'j1', 20, 'Sure! Here is\0 what I found')
    const alike = { ...parked, id: 'j2', answer: 'another answer' }
    const others = [
      { ...parked, id: 'j3', branch: 'story' },
      { ...parked, id: 'j4', from: 5 },
      { ...parked, id: 'j5', to: 30 },
      { ...parked, id: 'j6', state: 'queued' as const },
    ]
    await store.commit({ ...commitOf(ada, []), queueJobs: [parked, alike, ...others] })
    expect(await store.jobs({ owner: ada.owner })).toEqual(
      [parked, ...others].map((job) => ({ ...job, owner: ada.owner })),
    )
    expect((await store.jobs({ state: 'queued' })).map(({ id }) => id)).toEqual(['j6'])
  })

  it('changes nothing for a job that is finished already', async () => {
    const { store, ada } = given()
    const jobs = [{ id: 'j1', kind: 'consolidate', scope: ada.scope, session: null, at: 1 }] as const
    const work = { finishJobs: ['j1'], expectJobs: ['j1'] }
    await store.commit({ ...commitOf(ada, []), queueJobs: jobs })
    const first = await store.commit({ ...commitOf(ada, [addOf(ada, 'm1', 'plain', [])]), ...work })
    expect(first.outcome).toBe('committed')
    const second = await store.commit({ ...commitOf(ada, [addOf(ada, 'm2', 'again', [])]), ...work })
    expect(second).toMatchObject({ outcome: 'conflict', on: 'job', reason: expect.stringContaining('j1') })
    expect((await store.memories({ owner: ada.owner })).map(({ memory }) => memory.id)).toEqual(['m1'])
  })

  it('keeps the answer of a job until it is told another', async () => {
    const { store, ada } = given()
    await store.commit({ ...commitOf(ada, []), queueJobs: [unreadSegmentOf(ada, 'j1', 20, 'first')] })
    const stands = async (): Promise<unknown[]> =>
      (await store.jobs()).map(({ state, attempts, reason, answer }) => [state, attempts, reason, answer])
    await store.updateJob('j1', { state: 'queued', attempts: 0, reason: null })
    expect(await stands()).toEqual([['queued', 0, null, 'first']])
    await store.updateJob('j1', { state: 'parked', attempts: 1, reason: 'again', answer: 'second' })
    expect(await stands()).toEqual([['parked', 1, 'again', 'second']])
    await store.updateJob('j1', { state: 'parked', attempts: 1, reason: 'again', answer: null })
    expect(await stands()).toEqual([['parked', 1, 'again', null]])
    await store.updateJob('gone', { state: 'parked', attempts: 1, reason: 'again', answer: 'late' })
    expect(await stands()).toHaveLength(1)
  })
}

function describeErasing(given: Given): void {
  it('erases named turns with the memories that rest on them, and keeps the rest', async () => {
    const { store, ada } = given()
    const { owner } = ada
    await store.append(turnOf(ada, 't1', 'secret words'))
    await store.append(turnOf(ada, 't2', 'plain words'))
    const adds = [addOf(ada, 'm1', 'secret', ['t1']), addOf(ada, 'm2', 'plain', ['t2'])]
    await store.commit({
      ...commitOf(ada, adds),
      documents: adds.map(({ memory }) => ({
        id: memory ?? '',
        kind: 'memory' as const,
        ...documentOf('x'),
      })),
    })
    const before = await store.version(owner)
    const receipt = await store.erase(eraseOf(ada, ['t1'], ['m1']))
    const drawnBefore = { ...commitOf(ada, [addOf(ada, 'm3', 'secret again', [])]), epoch: before.epoch }
    expect(await store.commit(drawnBefore)).toMatchObject({ outcome: 'conflict', on: 'epoch' })
    expect(receipt).toMatchObject({ turns: 1, memories: 1, payloads: 1, documents: 2 })
    expect(receipt.scrubbedAt).not.toBeNull()
    expect(await store.receipts(owner)).toEqual([receipt])
    expect(await store.version(owner)).toEqual({ revision: before.revision + 1, epoch: before.epoch + 1 })
    expect((await store.turns({ owner })).map(({ id }) => id)).toEqual(['t2'])
    expect((await store.indexRows(owner, 0)).documents.map(({ id }) => id)).toEqual(['t2', 'm2'])
    const kept = (await store.memories({ owner })).map(({ memory }) => memory)
    expect(kept).toEqual([...projectLog(await store.operations({ owner })).values()])
    expect(kept.map(({ id, status, text }) => [id, status, text])).toEqual([
      ['m1', 'erased', ''],
      ['m2', 'live', 'plain'],
    ])
    expect((await store.operations({ owner })).map(({ kind, payload }) => [kind, payload === null])).toEqual([
      ['add', true],
      ['add', false],
      ['erase', true],
    ])
  })

  it('does not store an erased turn again when it comes again', async () => {
    const { store, ada } = given()
    await store.append(turnOf(ada, 't1', 'secret'))
    await store.erase(eraseOf(ada, ['t1'], []))
    expect(await store.append(turnOf(ada, 't1', 'secret'))).toMatchObject({ added: [], repeated: ['t1'] })
    await store.reindex(ada.owner, [{ id: 't1', kind: 'turn', ...documentOf('secret') }])
    expect(await store.turns({ owner: ada.owner })).toEqual([])
    expect((await store.indexRows(ada.owner, 0)).documents).toEqual([])
  })

  it('refuses to erase a turn on which a memory rests, or ever rested, that was not named', async () => {
    const { store, ada } = given()
    await store.append(turnOf(ada, 't1', 'secret'))
    const add = addOf(ada, 'm1', 'secret', ['t1'])
    await store.commit(commitOf(ada, [add]))
    await store.commit(
      commitOf(ada, [operationOf(ada, 'modify', 'm1', { text: 'other', evidence: [] })], [add]),
    )
    await expect(store.erase(eraseOf(ada, ['t1'], []))).rejects.toMatchObject({
      code: 'store-busy',
      isRetryable: true,
    })
    expect(await store.turns({ owner: ada.owner })).toHaveLength(1)
    expect(
      (await store.memories({ owner: ada.owner, evidenceTurns: ['t1'] })).map(({ memory }) => memory.id),
    ).toEqual(['m1'])
  })

  it('erases what models answered, and takes no answer to what was erased meanwhile', async () => {
    const { store, ada } = given()
    const bob = await store.ensureScope({ ...ADA, user: 'bob' })
    await store.append(turnOf(ada, 't1', 'secret'))
    const { epoch } = await store.version(ada.owner)
    for (const scope of [ada, bob]) {
      const job = unreadSegmentOf(scope, `j${scope.scope}`, 10, 'the secret')
      await store.commit({ ...commitOf(scope, []), queueJobs: [job] })
    }
    await store.erase(eraseOf(ada, ['t1'], []))
    const adas = async (): Promise<unknown> => (await store.jobs({ owner: ada.owner }))[0]
    expect(await adas()).toMatchObject({ branch: 'facts', attempts: 2, reason: null, answer: null })
    expect(await store.jobs({ owner: bob.owner })).toMatchObject([{ answer: 'the secret' }])
    const late = {
      state: 'parked',
      attempts: 3,
      reason: 'no "secret" in JSON',
      answer: 'the secret',
    } as const
    await store.updateJob(`j${ada.scope}`, { ...late, epoch })
    expect(await adas()).toMatchObject({ attempts: 3, reason: null, answer: null })
    await store.updateJob(`j${ada.scope}`, { ...late, answer: 'since', epoch: epoch + 1 })
    expect(await adas()).toMatchObject({ attempts: 3, answer: 'since' })
  })

  it('erases a person, whose key then makes a new one', async () => {
    const { store, ada } = given()
    const bob = await store.ensureScope({ ...ADA, user: 'bob' })
    await store.append(turnOf(bob, 't1', 'bob stays'))
    await store.append(turnOf(ada, 't1', 'secret', {}, [jobOf(ada, 'j1')]))
    await store.commit({
      ...commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]),
      progress: [{ branch: 'pairs', from: 0, to: 1 }],
      queueJobs: [unreadSegmentOf(ada, 'j2', 1, 'the secret')],
    })
    const receipt = await store.erase({ id: 'e1', owner: ada.owner, at: 5, target: 'person', operations: [] })
    expect(receipt).toMatchObject({ turns: 1, memories: 1, payloads: 1, documents: 1 })
    expect(
      await store.erase({ id: 'e1', owner: ada.owner, at: 6, target: 'person', operations: [] }),
    ).toEqual(receipt)
    expect(await store.findScope(ADA)).toBeNull()
    expect(await store.listScopes()).toEqual([bob])
    expect(await store.jobs()).toEqual([])
    await expect(store.append(turnOf(ada, 't9', 'late'))).rejects.toThrow(NotFoundError)
    const kept = (await store.memories({ owner: ada.owner })).map(({ memory }) => memory)
    expect(kept).toEqual([...projectLog(await store.operations({ owner: ada.owner })).values()])
    const again = await store.ensureScope(ADA)
    expect(again.owner).not.toBe(ada.owner)
    expect((await store.append(turnOf(again, 't1', 'a fresh start'))).added).toHaveLength(1)
    expect(await store.turns({ owner: bob.owner })).toHaveLength(1)
    expect(await store.stats()).toMatchObject({ owners: 2, scopes: 2, turns: 2 })
  })
}

function describeExport(given: Given): void {
  it('exports and imports so that the next export is the same to the byte', async () => {
    const { store, ada, open } = given()
    await store.ensureScope({ ...ADA, user: 'someone before' })
    const poet = await store.ensureScope({ ...ADA, agent: 'poet', app: 'web' })
    for (const scope of [poet, ada])
      await store.append(turnOf(scope, `t${scope.scope}`, `text of ${scope.scope}\0`))
    await store.append({ ...turnOf(ada, 'gone', 'erased'), session: 's2' })
    const adds = [addOf(ada, 'm1', 'one', [`t${ada.scope}`]), addOf(poet, 'm2', 'two', [])]
    await store.commit({
      ...commitOf(ada, adds),
      progress: [{ branch: 'pairs', from: 0, to: 1 }],
      endSessions: [{ session: 's1', at: 9 }],
    })
    await store.commit(commitOf(ada, [operationOf(ada, 'forget', 'm1', { status: 'forgotten' })], adds))
    await store.erase(eraseOf(ada, ['gone'], []))
    const queueJobs = [jobOf(poet, 'j1', 's1'), unreadSegmentOf(ada, 'j2', 10, 'raw\0 answer')]
    const portrait = addOf(ada, 'm3', 'all told', [], { form: 'portrait', sources: ['m1'] })
    await store.commit({ ...commitOf(ada, [portrait]), queueJobs })
    const exported = await collect(store.exportRows(ada.owner))
    const other = await open()
    for (let made = 0; made < 3; made++) await other.ensureScope({ ...ADA, user: `someone ${made}` })
    const [first] = await other.importRows(exported)
    const again = await collect(other.exportRows(first?.owner ?? 0))
    expect(again.map((row) => JSON.stringify(row))).toEqual(exported.map((row) => JSON.stringify(row)))
    const memories = async (from: Store, owner: number): Promise<unknown> =>
      (await from.memories({ owner })).map(({ memory, sequence }) => ({ ...memory, scope: 0, sequence }))
    expect(await memories(other, first?.owner ?? 0)).toEqual(await memories(store, ada.owner))
    expect((await other.jobs()).map((job) => ({ ...job, owner: 0, scope: 0 }))).toEqual(
      queueJobs.map((job) => ({ ...UNREAD, ...job, owner: 0, scope: 0 })),
    )
    expect(await other.append(turnOf(first ?? ada, 'gone', 'erased'))).toMatchObject({ repeated: ['gone'] })
    await expect(other.importRows(exported)).rejects.toThrow(NotPossibleError)
  })

  it('imports an export of before memories named their sources and jobs their segments', async () => {
    const { store, ada, open } = given()
    const old = { branch: undefined, from: undefined, to: undefined, answer: undefined }
    await store.commit({ ...commitOf(ada, [addOf(ada, 'm1', 'one', [])]), queueJobs: [jobOf(ada, 'j1')] })
    const rows = (await collect(store.exportRows(ada.owner))).map((row) =>
      row.row === 'job' ? (JSON.parse(JSON.stringify({ ...row, ...old })) as ExportRow) : row,
    )
    expect(JSON.stringify(rows)).not.toMatch(/sources|branch|answer/)
    const other = await open()
    const [first] = await other.importRows(rows)
    expect(await other.memories({ owner: first?.owner ?? 0 })).toMatchObject([{ memory: { sources: [] } }])
    expect(await other.jobs()).toMatchObject([{ id: 'j1', ...UNREAD }])
  })

  it('imports all or nothing', async () => {
    const { store, ada, open } = given()
    await store.append(turnOf(ada, 't1', 'one'))
    await store.commit(commitOf(ada, [addOf(ada, 'm1', 'one', ['t1']), addOf(ada, 'm2', 'two', ['t1'])]))
    const rows = await collect(store.exportRows(ada.owner))
    const other = await open()
    const broken: ExportRow[][] = [
      [],
      rows.slice(1),
      rows.filter((row) => row.row !== 'scope'),
      rows.filter((row) => !(row.row === 'operation' && row.sequence === 1)),
      [...rows, ...rows.filter((row) => row.row === 'turn')],
    ]
    for (const lines of broken)
      await expect(other.importRows(lines)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await other.stats()).toMatchObject({ owners: 0, scopes: 0, turns: 0, operations: 0 })
  })

  it('refuses everything once closed', async () => {
    const { store, ada } = given()
    await store.close()
    await store.close()
    await expect(store.version(ada.owner)).rejects.toMatchObject({ code: 'closed' })
    await expect(store.backup('nowhere')).rejects.toMatchObject({ code: 'closed' })
  })
}
