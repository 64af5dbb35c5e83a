import { describe, expect, it } from 'vitest'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { openEngine, storeMemories, type TestScope } from '../work/engine-fixture.ts'
import { viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { knownFacts, mergeFacts, type ExtractedSegment } from './merge-facts.ts'

/** What a segment of one turn yielded. */
function drawn(
  candidates: readonly GroundedCandidate[],
  rest: Partial<ExtractedSegment> = {},
): ExtractedSegment {
  const segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns: [makeTurn({ id: 't2' })] }
  const extraction = { candidates: [], requests: [] }
  return {
    segment,
    extractor: { id: 'rules/1', extract: () => extraction },
    extraction,
    grounded: { candidates, operations: [] },
    related: [],
    mergeComplex: null,
    ...rest,
  }
}

const believed = (traits: Partial<Candidate>): GroundedCandidate => ({
  candidate: makeCandidate(traits),
  reason: null,
})

async function merge(place: TestScope, given: ExtractedSegment) {
  const committed = await decideAndCommit(place.engine, place.row, (unit) => mergeFacts(unit, given))
  return committed.operations
}

describe('knownFacts', () => {
  it('are live facts of a subject, in the scope, as the changes leave them', async () => {
    const place = await openEngine()
    await storeMemories(
      place,
      makeFact({ id: 'lyon' }),
      makeFact({ id: 'gone', status: 'deleted' }),
      makeFact({ id: 'summary', form: 'summary' }),
      makeFact({ id: 'anna', subject: 'Anna' }),
      makeFact({ id: 'dropped' }),
      makeFact({ id: 'dog' }),
    )
    const { engine, row } = place
    const other = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
    await storeMemories({ engine, row: other }, makeFact({ id: 'elsewhere' }))
    const seen = knownFacts(await viewScope(engine, row)).about('user')
    expect(seen.map(({ id }) => id)).toEqual(['lyon', 'dropped', 'dog'])
    await decideAndCommit(engine, row, (unit) => {
      unit.changes.change('delete', 'dropped', { status: 'deleted' }, ORIGIN)
      unit.changes.change('modify', 'dog', { text: 'It barks.' }, ORIGIN)
      const now = knownFacts(unit).about('user')
      expect(now.map(({ id, text }) => [id, text])).toEqual([
        ['lyon', 'The user lives in Lyon.'],
        ['dog', 'It barks.'],
      ])
    })
  })
})

describe('mergeFacts', () => {
  it('merges what is believed with what is known of its subject, by key', async () => {
    const place = await openEngine()
    await storeMemories(place, makeFact({ id: 'age', key: 'age', value: '34', text: 'The user is 34.' }))
    const older = believed({ key: 'age', value: '35', text: 'The user is 35.' })
    const operations = await merge(
      place,
      drawn([older, believed({ subject: 'Anna', key: 'age', value: '7' })]),
    )
    expect(operations.map(({ kind, memory }) => [kind, memory])).toEqual([
      ['modify', 'age'],
      ['add', 'id-0002'],
    ])
    expect(operations[0]).toMatchObject({ payload: { after: { value: '35', past: [{ value: '34' }] } } })
  })

  it('keeps what is not believed apart, with the reason, and meets nothing with it', async () => {
    const place = await openEngine()
    await storeMemories(place, makeFact({ id: 'age', key: 'age', value: '34' }))
    const doubted = { candidate: makeCandidate({ key: 'age', value: '35' }), reason: 'nobody said so' }
    expect(await merge(place, drawn([doubted]))).toMatchObject([
      { kind: 'add', payload: { after: { value: '35', status: 'quarantined', reason: 'nobody said so' } } },
    ])
  })

  it('decides on nothing when nothing was drawn', async () => {
    expect(await merge(await openEngine(), drawn([]))).toEqual([])
  })

  it('says who drew it, and by which prompt of which model', async () => {
    const place = await openEngine()
    const preset = place.engine.preset.name
    expect(await merge(place, drawn([believed({})]))).toMatchObject([
      { origin: { preset, step: 'rules/1', promptVersion: null, model: null } },
    ])
    const extractor = {
      id: 'segment',
      prompt: 'segment/3',
      extract: () => ({ candidates: [], requests: [] }),
    }
    const other = believed({ text: 'The user sings.' })
    expect(await merge(place, drawn([other], { extractor }))).toMatchObject([
      { origin: { preset, step: 'segment', promptVersion: 'segment/3', model: null } },
    ])
  })

  it('deletes a value under an opposed key that means the same', async () => {
    const place = await openEngine()
    await storeMemories(
      place,
      makeFact({ id: 'spicy', key: 'likes', value: 'spicy food' }),
      makeFact({ id: 'wine', key: 'likes', value: 'red wine' }),
    )
    const dislikes = (value: string) =>
      believed({ key: 'dislikes', value, text: `The user dislikes ${value}.` })
    const operations = await merge(place, drawn([dislikes('white wine'), dislikes('spicy foods')]))
    expect(operations.map(({ kind, memory }) => [kind, memory])).toEqual([
      ['add', 'id-0001'],
      ['delete', 'spicy'],
      ['add', 'id-0004'],
    ])
  })

  it('leaves complex keys to the answer of a model that was asked before', async () => {
    const place = await openEngine()
    await storeMemories(place, makeFact({ id: 'trip', key: 'promises', value: 'a trip' }))
    const mergeComplex: ExtractedSegment['mergeComplex'] = (candidate, [known]) => [
      { kind: 'confirm', memory: known?.id ?? '', evidence: candidate.evidence },
    ]
    const journey = believed({ key: 'promises', value: 'a journey', text: 'The user promised a journey.' })
    expect(await merge(place, drawn([journey], { mergeComplex }))).toMatchObject([
      { kind: 'modify', memory: 'trip', payload: { after: { evidence: [{ turn: 't1' }, { turn: 't2' }] } } },
    ])
    const other = await openEngine()
    await storeMemories(other, makeFact({ id: 'trip', key: 'promises', value: 'a trip' }))
    expect(await merge(other, drawn([journey]))).toMatchObject([{ kind: 'add' }])
  })
})
