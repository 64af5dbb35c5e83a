import { languageOfTalk, type Ending } from '@keepsake/text'
import type { Extractor, Segment } from '../extraction/extractor.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { Evidence } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { knownFacts } from './merge-facts.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { matchEnding } from './match-ending.ts'

const ENDINGS = 'endings/1'

/** An ending with the words that state it. */
export interface HeardEnding {
  readonly ending: Ending
  readonly evidence: Evidence
}

export function hearEndings(turn: Turn): HeardEnding[] {
  if (turn.role !== 'user') return []
  const { endings } = languageOfTalk(turn.text)
  if (endings === undefined) return []
  return sentencesOf(turn).flatMap(({ text, quote }, index, sentences) =>
    endings(text, sentences[index - 1]?.text ?? null).map((ending) => ({
      ending,
      evidence: { turn: turn.id, quote },
    })),
  )
}

/**
 * Ends the facts of what the user says is over, and questions those that may be over. Facts of a model, and all facts
 * where a model reads the turns, are only questioned: the model decides on their ends.
 */
export function endStates(unit: UnitOfWork, { turns }: Segment, { prompt }: Extractor): void {
  for (const turn of turns) {
    const heard = currentFacts(unit, turn).length === 0 ? [] : hearEndings(turn)
    const isBefore = ({ turn: id }: Evidence): boolean =>
      (unit.state.turns.get(id)?.position ?? Number.POSITIVE_INFINITY) < turn.position
    for (const { ending, evidence } of heard) {
      const facts = currentFacts(unit, turn).filter((fact) =>
        fact.evidence.every((source) => source.against || isBefore(source)),
      )
      const { over, doubted } = matchEnding(ending, facts)
      const mayEnd = ({ origin }: Memory): boolean => prompt === undefined && origin.model === null
      for (const fact of over) (mayEnd(fact) ? endFact : questionFact)(unit, fact, turn.at, evidence)
      for (const fact of doubted) questionFact(unit, fact, turn.at, evidence)
    }
  }
}

/** Returns the current facts about the speaker that were known before the turn. */
function currentFacts(unit: UnitOfWork, turn: Turn): Memory[] {
  const facts = knownFacts(unit)
  return [...new Set([whoSpeaks(turn), 'user'])].flatMap((subject) =>
    facts
      .about(subject)
      .filter((fact) => !fact.pinned && !isOver(fact, turn.at) && fact.validFrom <= turn.at),
  )
}

function endFact({ engine, changes }: UnitOfWork, fact: Memory, time: number, evidence: Evidence): void {
  const origin = originOf(engine, ENDINGS)
  if (engine.preset.over === 'delete')
    changes.change('delete', fact.id, { status: 'deleted', reason: 'no longer so' }, origin)
  else changes.change('modify', fact.id, { validUntil: time, evidence: [...fact.evidence, evidence] }, origin)
}

/** Keeps the words that speak against a fact with it. A later statement of the fact lifts the doubt. */
export function questionFact(
  { engine, changes }: UnitOfWork,
  { id }: Memory,
  time: number,
  evidence: Evidence,
): void {
  const fact = changes.read(id)
  if (fact === undefined || isOver(fact, time) || fact.status !== 'live') return
  const against: Evidence = { ...evidence, against: true }
  const isKnown = fact.evidence.some((source) => source.against === true && source.turn === against.turn)
  if (!isKnown)
    changes.change('modify', id, { evidence: [...fact.evidence, against] }, originOf(engine, ENDINGS))
}
