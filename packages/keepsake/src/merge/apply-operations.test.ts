import { describe, expect, it } from 'vitest'
import type { GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { makeCandidate, makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import type { ProposedOperation, RejectedOperation } from '../memories/candidate.ts'
import { keepsake } from '../presets/keepsake.ts'
import {
  openEngine,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { applyOperations } from './apply-operations.ts'

const CAT = makeFact({
  id: 'cat',
  text: 'The user has a cat.',
  value: 'cat',
  evidence: [{ turn: 't1', quote: 'a cat' }],
})
const LYON = makeFact({ id: 'lyon', value: 'Lyon', evidence: [{ turn: 't1', quote: 'in Lyon' }] })

/** Ana told of her cat once; now she says something else. */
async function open({ grounding = true, said = 'Please forget my cat.' } = {}): Promise<TestScope> {
  const preset = keepsake()
  const place = await openEngine({ preset: grounding ? preset : { ...preset, grounding: 'off' } })
  await storeTurns(place, { text: 'I have a cat, in Lyon.', at: 1_000 }, { text: said, at: 5_000 })
  await storeMemories(place, CAT, LYON)
  return place
}

async function apply(
  { engine, row }: TestScope,
  operations: readonly GroundedOperation[],
  related: readonly Memory[] = [CAT, LYON],
): Promise<readonly RejectedOperation[]> {
  const turns = await engine.store.listTurns({ userId: row.owner, ids: ['t2', 't3'] })
  const segment = { scope: row.scope, session: 's1', sessionNumber: 1, round: 2, turns }
  const extraction = { candidates: [], requests: [] }
  const extractor = { id: 'operations', prompt: 'operations/2', extract: () => extraction }
  const grounded = { candidates: [], operations }
  const drawn = {
    segment,
    extractor,
    extraction,
    grounded,
    related,
    mergeComplex: null,
  }
  const committed = await decideAndCommit(engine, row, (unit) => applyOperations(unit, drawn))
  return committed.result
}

async function states(place: TestScope): Promise<[text: string, status: string, reason: string | null][]> {
  return (await storedMemories(place)).map(({ text, status, reason }) => [text, status, reason])
}

const HEARD = [{ turn: 't2', quote: null }]
const sound = (operation: ProposedOperation): GroundedOperation => ({ operation, reason: null })
const remove = (index: number, evidence = HEARD): ProposedOperation => ({
  kind: 'delete',
  index,
  why: 'asked',
  at: 5_000,
  evidence,
})
const modify = (index: number, text: string, validFrom = 5_000): ProposedOperation => ({
  kind: 'modify',
  index,
  candidate: makeCandidate({ text, validFrom }),
})
const add = (text: string): ProposedOperation => ({
  kind: 'add',
  candidate: makeCandidate({ text, validFrom: 5_000 }),
})

const CAT_IS_LIVE = [CAT.text, 'live', null]
const LYON_IS_LIVE = [LYON.text, 'live', null]

describe('what a model proposed', () => {
  it('is nothing to do when it proposed nothing', async () => {
    const place = await open()
    expect(await apply(place, [])).toEqual([])
    expect(await states(place)).toEqual([CAT_IS_LIVE, LYON_IS_LIVE])
  })

  it('is carried out with the prompt named that asked for it', async () => {
    const place = await open()
    expect(await apply(place, [sound(modify(2, 'The user lives in Paris.'))])).toEqual([])
    const { engine, row } = place
    const { name: preset } = engine.preset
    const [last] = (await engine.store.listOperations({ userId: row.owner, memory: 'lyon' })).slice(-1)
    expect(last).toMatchObject({
      kind: 'modify',
      origin: { preset, step: 'operations', promptVersion: 'operations/2', model: null },
      payload: { after: { text: 'The user lives in Paris.', past: [{ text: LYON.text }] } },
    })
  })

  it('is decided on over what the memories say by now, not over what the model was shown', async () => {
    const place = await open()
    await decideAndCommit(place.engine, place.row, ({ changes }) => {
      changes.change('modify', 'lyon', { pinned: true }, ORIGIN)
    })
    const change = modify(2, 'The user lives in Paris.')
    expect(await apply(place, [sound(change)])).toEqual([
      { operation: change, reason: 'it would change a pinned memory' },
    ])
  })

  it('is decided on over what the model was shown where that is known no more', async () => {
    const place = await open()
    const change = modify(1, 'The user lives in Paris.')
    const shown = makeFact({ id: 'nowhere', status: 'deleted' })
    expect(await apply(place, [sound(change)], [shown])).toEqual([
      { operation: change, reason: 'it names a memory that is not live any more' },
    ])
  })

  it('holds from its telling when it is dated before what is known, but was told after it', async () => {
    const place = await open()
    await apply(place, [sound(modify(2, 'The user lives in Paris.', 50))])
    expect((await storedMemories(place)).at(-1)).toMatchObject({
      text: 'The user lives in Paris.',
      validFrom: 5_000,
      past: [{ text: LYON.text, validUntil: 5_000 }],
    })
  })

  it('was told when the last of its turns was', async () => {
    const place = await open()
    await storeTurns(place, { text: 'In Paris, that is.', at: 6_000 })
    const evidence = ['t2', 't3'].map((turn) => ({ turn, quote: null }))
    const candidate = makeCandidate({ validFrom: 50, evidence })
    await apply(place, [sound({ kind: 'modify', index: 2, candidate })])
    expect((await storedMemories(place)).at(-1)).toMatchObject({ validFrom: 6_000 })
  })

  it('holds from its date when it rests on no turn of the segment', async () => {
    const place = await open()
    const candidate = makeCandidate({ validFrom: 50, evidence: [{ turn: 't0', quote: null }] })
    await apply(place, [sound({ kind: 'modify', index: 2, candidate })])
    expect((await storedMemories(place)).at(-1)).toMatchObject({
      text: LYON.text,
      past: [{ text: 'The user lives in Paris.', validFrom: 50, validUntil: 100 }],
    })
  })
})

describe('a deletion that a model proposed', () => {
  it('drops what the user’s words name', async () => {
    const place = await open()
    expect(await apply(place, [sound(remove(1))])).toEqual([])
    expect(await states(place)).toEqual([[CAT.text, 'deleted', 'asked to be forgotten'], LYON_IS_LIVE])
  })

  it('is refused when the talk does not bear it out, and told with what else was refused', async () => {
    const place = await open({ said: 'I mend clocks.' })
    const [unknown, empty] = [modify(7, 'The user sings.'), modify(1, ' ')]
    expect(await apply(place, [sound(unknown), sound(remove(1)), sound(empty)])).toEqual([
      { operation: remove(1), reason: expect.stringMatching(/^the words quoted .* ask for nothing/) },
      { operation: unknown, reason: 'it names a memory that was not shown' },
      { operation: empty, reason: 'it states nothing' },
    ])
    expect((await states(place)).slice(0, 2)).toEqual([CAT_IS_LIVE, LYON_IS_LIVE])
  })

  it('reads what the memory rests on, where it quotes nothing', async () => {
    const place = await open({ said: 'Forget the one in Lyon, please.' })
    const whole = { ...CAT, value: null, evidence: [{ turn: 't1', quote: null }] }
    expect(await apply(place, [sound(remove(1))], [whole])).toEqual([])
  })

  it('is let through unasked when a preset wants nothing grounded', async () => {
    const place = await open({ grounding: false, said: 'I mend clocks.' })
    expect(await apply(place, [sound(remove(1))])).toEqual([])
    expect((await states(place))[0]).toEqual([CAT.text, 'deleted', 'asked to be forgotten'])
  })

  it('of a memory that was not shown is refused for that', async () => {
    const place = await open({ said: 'I mend clocks.' })
    expect(await apply(place, [sound(remove(3))])).toEqual([
      { operation: remove(3), reason: 'it names a memory that was not shown' },
    ])
  })

  it('that is doubted is neither done nor kept', async () => {
    const place = await open()
    expect(await apply(place, [{ operation: remove(1), reason: 'nobody said so' }])).toEqual([])
    expect(await states(place)).toEqual([CAT_IS_LIVE, LYON_IS_LIVE])
  })
})

describe('a statement that a model proposed and nobody believes', () => {
  it('is kept apart with the reason, whether it was to be new or to change something', async () => {
    const place = await open()
    const doubts = [add('The user sings.'), modify(2, 'The user lives in Rome.')]
    expect(
      await apply(
        place,
        doubts.map((operation) => ({ operation, reason: 'nobody said so' })),
      ),
    ).toEqual([])
    expect(await states(place)).toEqual([
      CAT_IS_LIVE,
      LYON_IS_LIVE,
      ['The user sings.', 'quarantined', 'nobody said so'],
      ['The user lives in Rome.', 'quarantined', 'nobody said so'],
    ])
  })

  it('is kept apart when the rules refuse it, unless it states nothing', async () => {
    const place = await open()
    await apply(place, [sound(modify(7, 'The user sings.')), sound(modify(7, ' ')), sound(remove(7))])
    expect((await states(place)).slice(2)).toEqual([
      ['The user sings.', 'quarantined', 'it names a memory that was not shown'],
    ])
  })

  it('is not kept by this door when the same answer drops something', async () => {
    const place = await open()
    const rejected = await apply(place, [sound(modify(7, 'The user sings.')), sound(remove(1))])
    expect(rejected).toHaveLength(1)
    expect((await states(place)).slice(2)).toEqual([])
  })
})
