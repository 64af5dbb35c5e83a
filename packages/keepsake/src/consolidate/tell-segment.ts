import { memoryOf } from '../memories/make-memory.ts'
import type { Drawn } from '../merge/drawn.ts'
import { toldUnit } from '../story/make-story-unit.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Keeps what the extractor told of the segment as a unit of the story, where the preset's story is made of these. */
export function tellSegment({ engine, cache, changes }: UnitOfWork, drawn: Drawn): void {
  const { segment, extraction, extractor } = drawn
  const { summary } = extraction
  const isWanted = engine.preset.branches.some(
    (branch) => branch.kind === 'story' && branch.units === 'segments',
  )
  const [first] = segment.turns
  const last = segment.turns.at(-1)
  if (!isWanted || first === undefined || last === undefined) return
  if (summary === undefined || summary === null || summary.text.trim() === '') return
  const { scope, session, sessionNumber } = segment
  const setting = { session, sessionNumber, round: cache.roundAt(scope, last.position), learnedAt: last.at }
  changes.add(
    memoryOf(toldUnit(summary, first.at), setting),
    originOf(engine, extractor.id, extractor.prompt),
  )
}
