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

/** The level of story units that summarise turns. Units of higher levels summarise units. */
const LOWEST_LEVEL = 1

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
  const supported = supportedSummary(extracted)
  if (supported === null) return
  const summary = withoutTurns(supported, forgottenTurns(unit, segment.turns))
  if (summary.text.trim() === '') return
  const setting = { ...settingOfTurn(unit, last), session, sessionNumber }
  const storyMemory = memoryOf(storyUnit(LOWEST_LEVEL, first.at, summary), setting)
  changes.add(storyMemory, originOf(engine, extractor.id, extractor.prompt))
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
  // A sentence must not repeat a statement that the grounding refused.
  const refused = statementsOf(grounded).filter(({ reason }) => reason !== null)
  const doubted = refused.map(({ candidate }) => candidate.text)
  return { ...summary, text: keepSupported(summary.text, { turns, context, doubted }) }
}

/** Returns the turns that the user asked to forget: those of which a memory was forgotten on request. */
function forgottenTurns({ state, changes }: UnitOfWork, turns: readonly Turn[]): Turn[] {
  return turns.filter(({ id }) =>
    [...state.memoriesOfTurn(id)].some((memory) => changes.read(memory.id)?.reason === ASKED_TO_FORGET),
  )
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
