// Ends facts that are no longer so, or puts them in doubt. Every end that a user states is applied here.
import { languageOfTalk, type Ending } from '@keepsake/text'
import type { Extractor, Segment } from '../extraction/extractor.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Evidence } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { matchEnding } from './match-ending.ts'
import { deleteFact, expireFact, type MergeDecision } from './merge-decisions.ts'
import { knownFacts } from './merge-facts.ts'

/** Name of this step in the log. */
const STEP = 'endings/1'
const NO_LONGER_SO = 'no longer so'

/** What a user states against a fact. */
interface EndStatement {
  readonly at: number
  readonly evidence: Evidence
  /** The step that read it, for the log. */
  readonly step?: string
}

/** Decides the end of a fact: it expires and stays with its end date, or is deleted if the preset says so (MMM). */
export function decideEnd(
  fact: KnownFact,
  end: number,
  evidence: readonly Evidence[],
  over: Preset['over'],
): MergeDecision {
  return over === 'delete'
    ? deleteFact(fact, Math.max(end, fact.validFrom), NO_LONGER_SO)
    : expireFact(fact, end, evidence)
}

/** Applies the end of a fact that the user stated explicitly. */
export function endFact(
  { engine, changes }: UnitOfWork,
  fact: Memory,
  { at, evidence, step = STEP }: EndStatement,
): void {
  const origin = originOf(engine, step)
  if (engine.preset.over === 'delete')
    changes.change('delete', fact.id, { status: 'deleted', reason: NO_LONGER_SO }, origin)
  else changes.change('modify', fact.id, { validUntil: at, evidence: [...fact.evidence, evidence] }, origin)
}

/** Puts a fact in doubt by the words that speak against it. A later statement of the fact removes the doubt. */
export function questionFact(
  { engine, changes }: UnitOfWork,
  { id }: Memory,
  { at, evidence }: EndStatement,
): void {
  const fact = changes.read(id)
  if (fact?.status !== 'live' || isOver(fact, at)) return
  const isKnown = fact.evidence.some(({ turn, against }) => against === true && turn === evidence.turn)
  if (isKnown) return
  const against = [...fact.evidence, { ...evidence, against: true }]
  changes.change('modify', id, { evidence: against }, originOf(engine, STEP))
}

/**
 * Ends the facts of which the user says that they are over, and questions those that may be over. Facts that a model
 * extracted are only questioned, and so are all facts if a model reads the turns: the model decides on their ends.
 */
export function endFacts(unit: UnitOfWork, { turns }: Segment, { prompt }: Extractor): void {
  for (const turn of turns) {
    if (currentFacts(unit, turn).length === 0) continue
    const isBefore = ({ turn: id }: Evidence): boolean =>
      (unit.state.turns.get(id)?.position ?? Number.POSITIVE_INFINITY) < turn.position
    for (const { ending, evidence } of endingsIn(turn)) {
      const facts = currentFacts(unit, turn).filter((fact) =>
        fact.evidence.every((source) => source.against || isBefore(source)),
      )
      const { over, doubted } = matchEnding(ending, facts)
      const statement = { at: turn.at, evidence }
      for (const fact of over)
        if (prompt === undefined && fact.origin.model === null) endFact(unit, fact, statement)
        else questionFact(unit, fact, statement)
      for (const fact of doubted) questionFact(unit, fact, statement)
    }
  }
}

/** Finds the endings that a user's turn states, each with its sentence. */
function endingsIn(turn: Turn): { readonly ending: Ending; readonly evidence: Evidence }[] {
  const { endings } = languageOfTalk(turn.text)
  if (turn.role !== 'user' || endings === undefined) return []
  return sentencesOf(turn).flatMap(({ text, quote }, index, sentences) =>
    endings(text, sentences[index - 1]?.text ?? null).map((ending) => ({
      ending,
      evidence: { turn: turn.id, quote },
    })),
  )
}

/** Returns the facts about the speaker that are current at the time of a turn. */
export function currentFacts(unit: UnitOfWork, turn: Turn): Memory[] {
  const facts = knownFacts(unit)
  return [...new Set([whoSpeaks(turn), 'user'])].flatMap((subject) =>
    facts
      .about(subject)
      .filter((fact) => !fact.pinned && !isOver(fact, turn.at) && fact.validFrom <= turn.at),
  )
}
