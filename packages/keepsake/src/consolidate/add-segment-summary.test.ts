import { expect, it } from 'vitest'
import type { Extraction } from '../extraction/extractor.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine, storedMemories, storeTurns } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { addSegmentSummary } from './add-segment-summary.ts'

const SUMMARY = { text: 'They spoke of Lyon.', evidence: [{ turn: 't2', quote: 'Lyon' }] }
const TURNS = [
  makeTurn({ id: 't1', position: 1, at: 10, text: 'They spoke of Lyon.' }),
  makeTurn({ id: 't3', position: 3, at: 30 }),
]
const OF_SEGMENTS: Preset = {
  ...keepsake(),
  branches: [{ kind: 'story', thresholds: [1], units: 'segments' }],
}

async function told(
  summary: Extraction['summary'],
  { preset = OF_SEGMENTS, turns = TURNS }: { preset?: Preset; turns?: readonly Turn[] } = {},
) {
  const place = await openEngine({ preset })
  const { engine, row } = place
  await storeTurns(place, {}, { role: 'assistant' }, {}, {})
  const extraction = { candidates: [], requests: [], ...(summary === undefined ? {} : { summary }) }
  await decideAndCommit(engine, row, (unit) =>
    addSegmentSummary(unit, {
      segment: { scope: row.scope, session: 's1', sessionNumber: 4, round: 9, turns },
      extractor: { id: 'segment', prompt: 'segment/3', extract: () => extraction },
      extraction,
      grounded: { candidates: [], operations: [] },
      related: [],
      mergeComplex: null,
    }),
  )
  return storedMemories(place)
}

it('keeps what was told of a segment as a unit of the story, of the round it reaches', async () => {
  expect(await told(SUMMARY)).toMatchObject([
    {
      form: 'story',
      level: 1,
      ...SUMMARY,
      session: 's1',
      sessionNumber: 4,
      round: 2,
      validFrom: 10,
      learnedAt: 30,
      origin: { step: 'segment', promptVersion: 'segment/3' },
    },
  ])
})

it('keeps nothing where nothing was told', async () => {
  expect(await told(undefined)).toEqual([])
  expect(await told(null)).toEqual([])
  expect(await told({ ...SUMMARY, text: ' \n' })).toEqual([])
  expect(await told(SUMMARY, { turns: [] })).toEqual([])
})

it('keeps nothing where the story is not made of segments', async () => {
  expect(await told(SUMMARY, { preset: keepsake() })).toEqual([])
  const facts = keepsake().branches.filter(({ kind }) => kind !== 'story')
  expect(await told(SUMMARY, { preset: { ...keepsake(), branches: facts } })).toEqual([])
})
