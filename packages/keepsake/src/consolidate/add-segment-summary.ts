// Stores the summary that an extractor wrote of a segment.
import type { Extraction } from '../extraction/extractor.ts'
import { statementsOf } from '../extraction/grounding/grounded-extraction.ts'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import { memoryOf } from '../memories/candidate.ts'
import { ASKED_TO_FORGET, removeMentions } from '../memories/delete-memory.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import { storyUnit } from '../story/story-units.ts'
import type { Turn } from '../turns/turn.ts'
import { originOf, settingOfTurn } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

type Summary = NonNullable<Extraction['summary']>

/** Adds the extractor's summary of a segment as a story unit, if the preset builds its story from segments. */
export function addSegmentSummary(unit: UnitOfWork, extracted: ExtractedSegment): void {
  const { engine, changes } = unit
  const { extractor, segment } = extracted
  const { turns, session, sessionNumber } = segment
  const [first] = turns
  const last = turns.at(-1)
  const buildsStoryFromSegments = engine.preset.branches.some(
    (branch) => branch.kind === 'story' && branch.units === 'segments',
  )
  if (!buildsStoryFromSegments || first === undefined || last === undefined) return
  const summary = withoutForgottenTurns(unit, supportedSummary(extracted), extracted)
  if (summary === null || summary.text.trim() === '') return
  const setting = { ...settingOfTurn(unit, last), session, sessionNumber }
  changes.add(
    memoryOf(storyUnit(1, first.at, summary), setting),
    originOf(engine, extractor.id, extractor.prompt),
  )
}

/** Returns the part of the summary that the conversation supports. */
function supportedSummary({
  segment: { turns, before = [] },
  extraction: { summary },
  grounded,
  related,
}: ExtractedSegment): Summary | null {
  if (summary === undefined || summary === null) return null
  const context = [...before, ...related].map(({ text }) => text)
  const doubted = statementsOf(grounded).flatMap(({ candidate, reason }) =>
    reason === null ? [] : [candidate.text],
  )
  return { ...summary, text: keepSupported(summary.text, { turns, context, doubted }) }
}

/** Removes the words and the evidence of turns that the segment asks to forget. */
function withoutForgottenTurns(
  { state, changes }: UnitOfWork,
  summary: Summary | null,
  { segment }: ExtractedSegment,
): Summary | null {
  const forgotten = segment.turns.filter(({ id }) =>
    [...state.memoriesOfTurn(id)].some((memory) => changes.read(memory.id)?.reason === ASKED_TO_FORGET),
  )
  return summary === null ? null : withoutTurns(summary, forgotten)
}

/** Removes the words and the evidence of turns from a summary. */
export function withoutTurns(summary: Summary, forgotten: readonly Turn[]): Summary {
  if (forgotten.length === 0) return summary
  const ids = new Set(forgotten.map(({ id }) => id))
  const forgottenTexts = forgotten.map(({ text }) => text)
  return {
    text: removeMentions(summary.text, forgottenTexts),
    evidence: summary.evidence.filter(({ turn }) => !ids.has(turn)),
  }
}
