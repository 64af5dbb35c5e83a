import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import { toldUnit } from '../story/make-story-unit.ts'
import type { Engine } from '../work/engine.ts'
import { memoryOf } from '../memories/make-memory.ts'
import { originOf } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'

/** Keeps what the extractor told of the segment as a unit of the story, where the preset's story is made of these. */
export function tellSegment(
  engine: Engine,
  cache: OwnerCache,
  changes: ChangeSet,
  segment: Segment,
  extraction: Extraction,
  extractor: Extractor,
): void {
  const { summary } = extraction
  const isWanted = engine.preset.branches.some(
    (branch) => branch.kind === 'story' && branch.units === 'segments',
  )
  const [first] = segment.turns
  const last = segment.turns.at(-1)
  if (!isWanted || first === undefined || last === undefined) return
  if (summary === undefined || summary === null || summary.text.trim() === '') return
  const place = {
    session: segment.session,
    sessionNumber: segment.sessionNumber,
    round: cache.roundAt(segment.scope, last.position),
    learnedAt: last.at,
  }
  const unit = toldUnit(summary, first.at)
  changes.add(memoryOf(unit, place, 'other'), originOf(engine, extractor.id, extractor.prompt))
}
