import type { Extraction } from '../extraction/extractor.ts'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { memoryOf } from '../memories/candidate.ts'
import { restWithout } from '../memories/kept-words.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import { toldUnit } from '../story/make-story-unit.ts'
import type { Turn } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

type Summary = NonNullable<Extraction['summary']>

/** Adds the extractor's summary of the segment as a story unit, if the preset builds its story of segments. */
export function addSegmentSummary(unit: UnitOfWork, drawn: ExtractedSegment): void {
  const { engine, state, changes } = unit
  const { segment, extractor } = drawn
  const summary = summaryToKeep(unit, drawn)
  const isWanted = engine.preset.branches.some(
    (branch) => branch.kind === 'story' && branch.units === 'segments',
  )
  const [first] = segment.turns
  const last = segment.turns.at(-1)
  if (!isWanted || first === undefined || last === undefined) return
  if (summary === null || summary.text.trim() === '') return
  const { scope, session, sessionNumber } = segment
  const setting = { session, sessionNumber, round: state.roundAt(scope, last.position), learnedAt: last.at }
  changes.add(
    memoryOf(toldUnit(summary, first.at), setting),
    originOf(engine, extractor.id, extractor.prompt),
  )
}

/** Removes turns from the summary that the same segment asks to forget. */
function summaryToKeep({ state, changes }: UnitOfWork, drawn: ExtractedSegment): Summary | null {
  const { segment } = drawn
  const summary = supportedSummary(drawn)
  const isDropped = ({ id }: Turn): boolean =>
    [...state.memoriesOfTurn(id)].some((memory) => changes.read(memory.id)?.reason === ASKED_TO_FORGET)
  const dropped = segment.turns.filter(isDropped)
  if (summary === null || dropped.length === 0) return summary
  const gone = new Set(dropped.map(({ id }) => id))
  return {
    text: restWithout(
      summary.text,
      dropped.map(({ text }) => text),
    ),
    evidence: summary.evidence.filter(({ turn }) => !gone.has(turn)),
  }
}

/** Reduces the summary to what the conversation supports. */
function supportedSummary({ segment, extraction, grounded, related }: ExtractedSegment): Summary | null {
  const { summary } = extraction
  if (summary === undefined || summary === null) return null
  const around = [...(segment.before ?? []), ...related].map(({ text }) => text)
  const changed = grounded.operations.flatMap(({ operation, reason }) =>
    operation.kind === 'delete' ? [] : [{ candidate: operation.candidate, reason }],
  )
  const doubted = [...grounded.candidates, ...changed].flatMap(({ candidate, reason }) =>
    reason === null ? [] : [candidate.text],
  )
  return { ...summary, text: keepSupported(summary.text, { turns: segment.turns, around, doubted }) }
}
