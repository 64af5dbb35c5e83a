// Expires facts that are no longer true, or puts them in doubt. The preset of the paper MMM deletes them instead.
import { languageOfTalk, readReturn, showsReturn, type Ending } from '@keepsake/text'
import { isByModel, type Extractor, type Segment } from '../extraction/extractor.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import { type Evidence, isQuestioned } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { HAS_DIED } from '../persona/plain-words.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { matchEnding } from './match-ending.ts'
import { findReturned, isRelation } from './match-people.ts'
import { deleteFact, expireFact, modify, type MergeDecision } from './merge-decisions.ts'
import { knownFacts } from './merge-facts.ts'
import { narrowedTo, withoutMembers } from './narrow-list.ts'

/** Name of this step in the log. */
const STEP = 'endings/1'
const NO_LONGER_SO = 'no longer so'

interface EndStatement {
  readonly at: number
  readonly evidence: Evidence
  /** The words that name what ended. Of a fact that lists several things, only the named ones end. */
  readonly words: string
  /** The step that found the statement, for the log. */
  readonly step?: string
}

/** Decides what happens to a fact that is no longer true. By the preset's option `over` it expires or is deleted. */
export function decideExpiry(
  fact: KnownFact,
  end: number,
  evidence: readonly Evidence[],
  action: Preset['over'],
): MergeDecision {
  const quotes = evidence.map(({ quote }) => quote ?? '').join(' ')
  const rest = isOver(fact, end) ? null : withoutMembers(fact, quotes)
  if (rest !== null) return modify(fact, narrowedTo(rest, fact, Math.max(end, fact.validFrom), evidence))
  return action === 'delete'
    ? deleteFact(fact, Math.max(end, fact.validFrom), NO_LONGER_SO)
    : expireFact(fact, end, evidence)
}

/** Expires or deletes a fact at once, because the user said that it is no longer true. A list keeps its other members. */
export function expireStatedFact(
  { engine, changes }: UnitOfWork,
  fact: Memory,
  { at, evidence, words, step = STEP }: EndStatement,
): void {
  const origin = originOf(engine, step)
  const rest = withoutMembers(fact, words)
  if (rest !== null) changes.change('modify', fact.id, narrowedTo(rest, fact, at, [evidence]), origin)
  else if (engine.preset.over === 'delete')
    changes.change('delete', fact.id, { status: 'deleted', reason: NO_LONGER_SO }, origin)
  else changes.change('modify', fact.id, { validUntil: at, evidence: [...fact.evidence, evidence] }, origin)
}

/** Puts a fact in doubt by evidence against it. A later statement of the fact removes the doubt. */
export function questionFact(
  { engine, changes }: UnitOfWork,
  { id }: Memory,
  { at, evidence }: Pick<EndStatement, 'at' | 'evidence'>,
): void {
  const fact = changes.read(id)
  if (fact?.status !== 'live' || isOver(fact, at)) return
  const isInDoubt = fact.evidence.some(({ turn, against }) => against === true && turn === evidence.turn)
  if (isInDoubt) return
  const against = [...fact.evidence, { ...evidence, against: true }]
  changes.change('modify', id, { evidence: against }, originOf(engine, STEP))
}

/** Applies the endings that rules find ("Ines and I broke up"). Facts expire. Where a model extracts, they are put in doubt. */
export function applyEndings(unit: UnitOfWork, { turns }: Segment, extractor: Extractor): void {
  for (const turn of turns) {
    if (currentFacts(unit, turn).length === 0) continue
    const isEarlier = (source: Evidence): boolean =>
      (unit.state.turns.get(source.turn)?.position ?? Number.POSITIVE_INFINITY) < turn.position
    for (const { ending, evidence } of endingsIn(turn)) {
      // “I divorced my husband Leo” states the relation that it ends. The value “cat died” states the end itself.
      const isNaming = (source: Evidence, fact: Memory): boolean =>
        /^(?:parting|death|giving-away)$/.test(ending.kind) &&
        isRelation(fact) &&
        !HAS_DIED.test(fact.value ?? '') &&
        source.quote === evidence.quote
      const facts = currentFacts(unit, turn).filter((fact) =>
        fact.evidence.every((source) => source.against || isEarlier(source) || isNaming(source, fact)),
      )
      const { ended, doubted } = matchEnding(ending, facts)
      const statement = { at: turn.at, evidence, words: ending.words }
      for (const fact of ended)
        if (!isByModel(extractor) && fact.origin.model === null) expireStatedFact(unit, fact, statement)
        else questionFact(unit, fact, statement)
      for (const fact of doubted) questionFact(unit, fact, statement)
    }
  }
}

/** Restores ended facts about a partner or pet who is back: “Ana and I are back together”. Facts of a death stay ended. */
export function applyReturns(unit: UnitOfWork, { turns }: Segment): void {
  for (const turn of turns) {
    if (turn.role !== 'user') continue
    for (const { text, quote } of sentencesOf(turn)) {
      const key = readReturn(text)
      if (key === null) continue
      const evidence = { turn: turn.id, quote }
      const endedFacts = knownFacts(unit)
        .about(whoSpeaks(turn))
        .filter((fact) => !fact.pinned && (isOver(fact, turn.at) || isQuestioned(fact)))
        .filter((fact) => !fact.evidence.some((source) => HAS_DIED.test(source.quote ?? '')))
      const origin = originOf(unit.engine, STEP)
      for (const { id, evidence: earlier } of findReturned(text, key, endedFacts))
        unit.changes.change('modify', id, { validUntil: null, evidence: [...earlier, evidence] }, origin)
    }
  }
}

/** Kinds of endings whose words may only say that a person left for some time: “Grandad's gone”. */
const KINDS_OF_LEAVING: ReadonlySet<string> = new Set(['death', 'parting', 'giving-away'])

/** Finds the endings in a user's turn, each with its sentence as evidence. */
function endingsIn(turn: Turn): { readonly ending: Ending; readonly evidence: Evidence }[] {
  const { endings } = languageOfTalk(turn.text)
  if (turn.role !== 'user' || endings === undefined) return []
  return sentencesOf(turn).flatMap(({ text, quote }, index, sentences) => {
    const found = endings(text, sentences[index - 1]?.text ?? null)
    const isDoubted = ({ kind, isSure }: Ending): boolean => !isSure && KINDS_OF_LEAVING.has(kind)
    // “Grandad's gone, says he'll be back tomorrow”: he only left.
    const rest = found.some(isDoubted) ? sentences.slice(index).map((sentence) => sentence.text) : []
    const willReturn = showsReturn(rest.join(' '))
    return found
      .filter((ending) => !willReturn || !isDoubted(ending))
      .map((ending) => ({ ending, evidence: { turn: turn.id, quote } }))
  })
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
