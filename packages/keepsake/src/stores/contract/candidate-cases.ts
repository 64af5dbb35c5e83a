import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { CandidateQuestion, FoundCandidates, Store } from '../store.ts'
import type { StoreCases } from './cases.ts'
import { addOf, ADA, commitOf, documentOf, eraseOf, operationOf, turnOf } from './samples.ts'

const NONE = { words: 0, nearest: 0, time: 0, latest: 0 }

function questionOf({ owner, scope }: ScopeRow, asked: Partial<CandidateQuestion> = {}): CandidateQuestion {
  return {
    owner,
    forms: ['fact', 'note'],
    findsKeptTurns: true,
    branch: 'utterances',
    scopes: [scope],
    terms: [],
    vector: null,
    embedder: 'test/1',
    times: [],
    asOf: null,
    keys: [],
    most: NONE,
    ...asked,
  }
}

async function find(
  store: Store,
  of: ScopeRow,
  asked: Partial<CandidateQuestion> = {},
): Promise<FoundCandidates> {
  ok(store.candidates, 'the store gives candidates')
  const question = questionOf(of, asked)
  await store.candidates.keep(question)
  return store.candidates.find(question)
}

/** By one word. */
async function findWord(store: Store, of: ScopeRow, term: string, asked: Partial<CandidateQuestion> = {}) {
  const words = { ...NONE, words: 10 }
  return find(store, of, { terms: [{ term, weight: 1 }], most: words, ...asked })
}

function idsOf({ rows }: FoundCandidates): string[] {
  return rows.documents.map(({ id }) => id).sort()
}

/** Turns far apart: each in a session of its own, so that none is a neighbour. */
async function say(store: Store, of: ScopeRow, said: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, text] of Object.entries(said)) await store.append({ ...turnOf(of, id, text), session: id })
}

function readUpTo(of: ScopeRow, from: number, to: number) {
  return { ...commitOf(of, []), progress: [{ branch: 'utterances', from, to }] }
}

/** Of stores that give candidates. */
export const candidateCases: StoreCases = {
  part: 'candidates',
  needsCandidates: true,
  cases: {
    'knows a person of many turns and memories from one of few': async ({ store, ada }) => {
      await say(store, ada, { t1: 'one', t2: 'two' })
      const add = addOf(ada, 'm1', 'a fact', ['t1'], { form: 'fact' })
      const documents = [{ id: 'm1', kind: 'memory' as const, ...documentOf('a fact') }]
      await store.commit({ ...commitOf(ada, [add]), documents })
      equal(await store.candidates?.isLarge(ada.owner, 3), true)
      equal(await store.candidates?.isLarge(ada.owner, 4), false)
    },

    'finds by words, rare ones first, and tells how rare they are in the whole': async ({ store, ada }) => {
      await say(store, ada, { t1: 'red red car', t2: 'red', t3: 'blue car', t4: '绿色 小船' })
      const terms = ['car', 'red', 'never'].map((term) => ({ term, weight: 1 }))
      const best = await find(store, ada, { terms, most: { ...NONE, words: 1 } })
      deepEqual(idsOf(best), ['t1'])
      const { documents, terms: length, turnTerms, sessions, holding, sessionsHolding } = best.whole
      deepEqual([documents, length, turnTerms, sessions], [4, 8, 8, 4])
      deepEqual(Object.fromEntries(holding), { car: 2, red: 2 })
      deepEqual(Object.fromEntries(sessionsHolding), { car: 2, red: 2 })
      deepEqual(idsOf(await findWord(store, ada, '小船')), ['t4'])
      deepEqual(best.rows.version, await store.version(ada.owner))
    },

    'finds the nearest by cosine of one embedder, the latest, and what was said in a time': async ({
      store,
      ada,
    }) => {
      const vectors = { t1: [1, 0, 0], t2: [0, 1, 0], t3: [0.9, 0.1, 0] }
      let at = 1_000
      for (const [id, vector] of Object.entries(vectors)) {
        const document = { ...documentOf(id), vector: new Float32Array(vector) }
        await store.append({ ...turnOf(ada, id, id, { at: (at += 1_000), document }), session: id })
      }
      const other = { ...documentOf('t4'), vector: new Float32Array([1, 0]), embedder: 'test/2' }
      await store.append({ ...turnOf(ada, 't4', 't4', { at: 9_000, document: other }), session: 't4' })
      const vector = new Float32Array([1, 0, 0])
      const near = await find(store, ada, { vector, most: { ...NONE, nearest: 2 } })
      deepEqual(idsOf(near), ['t1', 't3'])
      deepEqual(idsOf(await find(store, ada, { most: { ...NONE, latest: 1 } })), ['t4'])
      const times = [{ from: 3_000, to: 4_000 }]
      deepEqual(idsOf(await find(store, ada, { times, most: { ...NONE, time: 5 } })), ['t2'])
      deepEqual(idsOf(await find(store, ada, { asOf: 2_500, most: { ...NONE, latest: 9 } })), ['t1'])
    },

    'brings the turns around a turn, of its session alone': async ({ store, ada }) => {
      await store.append(turnOf(ada, 't1', 'before'))
      await store.append({ ...turnOf(ada, 't2', 'other'), session: 's2' })
      await store.append(turnOf(ada, 't3', 'car'))
      await store.append(turnOf(ada, 't4', 'after'))
      deepEqual(idsOf(await findWord(store, ada, 'car')), ['t1', 't3', 't4'])
    },

    'finds a turn while it waits, and afterwards as long as a live utterance keeps it': async ({
      store,
      ada,
    }) => {
      await say(store, ada, { t1: 'red car', t2: 'blue car' })
      deepEqual(idsOf(await findWord(store, ada, 'car')), ['t1', 't2'])
      const kept = addOf(ada, 'm1', 'red car', ['t1'])
      await store.commit({
        ...readUpTo(ada, 0, 2),
        ...commitOf(ada, [kept]),
        progress: readUpTo(ada, 0, 2).progress,
      })
      const after = await findWord(store, ada, 'car')
      deepEqual(idsOf(after), ['t1'])
      deepEqual(
        after.rows.memories.map(({ memory }) => memory.id),
        ['m1'],
      )
      equal(after.whole.documents, 1)
      const deleted = operationOf(ada, 'delete', 'm1', { status: 'deleted' })
      await store.commit(commitOf(ada, [deleted], [kept]))
      deepEqual(idsOf(await findWord(store, ada, 'car')), [])
    },

    'finds live memories of the forms that are recalled, and with them the turns they rest on': async ({
      store,
      ada,
    }) => {
      await say(store, ada, { t1: 'hello', t2: 'hi', t3: 'bye' })
      const adds = [
        addOf(ada, 'm1', 'name Ada', ['t1'], { form: 'fact', key: 'name', learnedAt: 1 }),
        addOf(ada, 'm2', 'name Bea', ['t2'], { form: 'fact', key: 'name', learnedAt: 2, status: 'deleted' }),
        addOf(ada, 'm3', 'name Cyd', ['t3'], { form: 'summary' }),
        addOf(ada, 'm4', 'said at t1', ['t1'], { form: 'fact' }),
      ]
      const documents = ['m1', 'm2', 'm3', 'm4'].map((id) => ({
        id,
        kind: 'memory' as const,
        ...documentOf(id === 'm4' ? 'other' : 'name'),
      }))
      await store.commit({ ...commitOf(ada, adds), documents })
      const byWord = await findWord(store, ada, 'name')
      deepEqual(idsOf(byWord), ['m1', 't1'])
      // A live one with words of its own that is no candidate does not come along.
      deepEqual(
        byWord.rows.memories.map(({ memory }) => memory.id),
        ['m1'],
      )
      deepEqual(idsOf(await find(store, ada, { keys: ['name'] })), ['m1', 't1'])
      const dropped = operationOf(ada, 'delete', 'm1', { status: 'deleted' })
      await store.commit(commitOf(ada, [dropped], adds))
      deepEqual(idsOf(await findWord(store, ada, 'name')), [])
    },

    'keeps to the person and the scopes that are asked': async ({ store, ada }) => {
      const agent = await store.ensureScope({ ...ADA, agent: 'coach' })
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await say(store, ada, { t1: 'red car' })
      await say(store, agent, { t2: 'blue car' })
      await say(store, bob, { t3: 'green car' })
      deepEqual(idsOf(await findWord(store, ada, 'car')), ['t1'])
      deepEqual(idsOf(await findWord(store, agent, 'car')), ['t2'])
      const both = await findWord(store, ada, 'car', { scopes: [ada.scope, agent.scope] })
      deepEqual(idsOf(both), ['t1', 't2'])
      deepEqual(idsOf(await findWord(store, bob, 'car')), ['t3'])
    },

    'takes in documents that were made anew': async ({ store, ada }) => {
      await say(store, ada, { t1: 'red car' })
      await findWord(store, ada, 'car')
      const fresh = { ...documentOf('blue boat'), embedder: 'test/2', vector: new Float32Array([1, 2]) }
      await store.reindex(ada.owner, [{ id: 't1', kind: 'turn', ...fresh }])
      deepEqual(idsOf(await findWord(store, ada, 'car')), [])
      const found = await findWord(store, ada, 'boat')
      deepEqual([idsOf(found), found.whole.documents, found.whole.terms], [['t1'], 1, 2])
    },

    'finds nothing of what was erased': async ({ store, ada }) => {
      await say(store, ada, { t1: 'secret car', t2: 'blue car' })
      deepEqual(idsOf(await findWord(store, ada, 'car')), ['t1', 't2'])
      await store.erase(eraseOf(ada, ['t1'], []))
      const after = await findWord(store, ada, 'car', { most: { ...NONE, words: 9, latest: 9 } })
      deepEqual([idsOf(after), after.whole.documents, after.whole.holding.get('car')], [['t2'], 1, 1])
      deepEqual(idsOf(await findWord(store, ada, 'secret')), [])
      await store.erase({ id: 'e2', owner: ada.owner, at: 5, target: 'person', operations: [] })
      const again = await store.ensureScope(ADA)
      deepEqual(idsOf(await findWord(store, again, 'car')), [])
    },
  },
}
