// Corrects facts that rest on a mistake of the user: “I live in Porto.” … “I meant Lisbon, not Porto.”
import {
  findCorrected,
  findFitting,
  fitsFrame,
  languageOfTalk,
  loadTimeResolver,
  namesEnd,
  narrowValues,
  readCorrection,
  replaceWords,
  simplifyChinese,
  writeAsSaid,
  type Correction,
  type Finding,
} from '@keepsake/text'
import { isByModel } from '../extraction/extractor.ts'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import { readTyped } from '../filing/own-keys.ts'
import { NEVER_KEPT, findNamed } from '../guidelines/guidelines.ts'
import { evidenceWith, markCorrected, type Evidence } from '../memories/evidence.ts'
import type { Memory, PastVersion } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { questionFact } from './end-facts.ts'
import { knownFacts, mergeFacts, type ExtractedSegment } from './merge-facts.ts'

/** Name of this step in the log. */
const STEP = 'corrections/1'
/** Number of turns before a correction that may contain the corrected statement. Chosen, not measured. */
const TURNS_BEFORE = 6

/** Merges facts and applies corrections. Facts of rules are merged turn by turn, so that a correction finds what it corrects. */
export async function mergeAndCorrect(unit: UnitOfWork, extracted: ExtractedSegment): Promise<void> {
  const { segment, extractor, grounded, never } = extracted
  if (isByModel(extractor)) {
    mergeFacts(unit, extracted)
    for (const turn of segment.turns) await correctStatement(unit, turn, readTurn(turn), never)
    return
  }
  const turnIds = segment.turns.map(({ id }) => id)
  const turnOf = ({ candidate }: GroundedCandidate): string | undefined => {
    const turn = candidate.evidence.at(-1)?.turn ?? ''
    // An extractor of the application may name no turn.
    return turnIds.includes(turn) ? turn : turnIds.at(-1)
  }
  for (const turn of segment.turns) {
    const candidates = grounded.candidates.filter((candidate) => turnOf(candidate) === turn.id)
    const correction = readTurn(turn)
    await correctStatement(unit, turn, correction, never)
    mergeFacts(unit, { ...extracted, grounded: { ...grounded, candidates } })
    // A later sentence of the turn may correct an earlier one, whose facts exist only now.
    if (candidates.length > 0) await correctStatement(unit, turn, correction, never)
    await yieldToEventLoop()
  }
}

const readTurn = (turn: Turn): Correction | null =>
  turn.role === 'user' ? readCorrection(sentencesOf(turn).map(({ text }) => text)) : null

/** Corrects the facts that a correction is about. The wrong statement becomes no past version, because it was never true. */
async function correctStatement(
  unit: UnitOfWork,
  turn: Turn,
  correction: Correction | null,
  never: readonly string[] = [],
): Promise<void> {
  if (correction === null) return
  const sentences = sentencesOf(turn)
  const evidence = { turn: turn.id, quote: sentences[correction.place]?.quote ?? null }
  const previous = unit.state
    .turnsAfter(unit.row.scope, turn.position - 2, { upTo: turn.position - 1 })
    .at(-1)
  const isShortNo = /^no,? \S+(?: \S+)?$/iu.test(turn.text.trim())
  // “No, Tuesday” after a turn of the agent only answers its question.
  if (!correction.isExplicit && previous?.role === 'assistant' && isShortNo) return
  for (const statement of statementsBefore(unit, turn, correction)) {
    const facts = factsOf(unit, turn, statement.id)
    // A correction without right words puts the wrong facts in doubt.
    if (correction.right === null) {
      const wrongFacts = facts.filter(({ text }) => replaceWords(text, correction.wrong ?? '', '') !== null)
      for (const fact of wrongFacts) questionFact(unit, fact, { at: turn.at, evidence })
      if (wrongFacts.length > 0) return
      continue
    }
    const correctingSentence = sentences[correction.place]?.text ?? ''
    const words = await findReplacement(unit, statement, facts, { ...correction, correctingSentence })
    if (words === null) continue
    const right = writeAsSaid(words.right, evidence.quote ?? turn.text)
    const corrected = replaceWords(statement.text, words.wrong, right) ?? statement.text
    const replacement = {
      wrong: words.wrong,
      right,
      wrongTime: await timeIn(statement, statement.text),
      rightTime: await timeIn(statement, corrected),
      statement: statement.id,
      evidence,
    }
    const changed = facts.map((fact) => correctFact(unit, fact, replacement, never))
    if (changed.includes(true)) return
  }
}

/** Finds the words of a statement that a correction replaces; `null` if the correction does not fit the statement. */
async function findReplacement(
  { engine }: UnitOfWork,
  statement: Turn,
  facts: readonly Memory[],
  correction: Correction & { readonly correctingSentence: string },
): Promise<{ readonly wrong: string; readonly right: string } | null> {
  const { right, isBare, correctingSentence } = correction
  if (right === null) return null
  const text = simplifyChinese(statement.text)
  const reader = await engine.rules.factsIn(languageOfTalk(text))
  const readFindings = (words: string): Finding[] =>
    sentencesOf({ text: words }).flatMap((sentence, index, sentences) =>
      reader.read(sentence.text, '', sentences[index - 1]?.text ?? null),
    )
  const values = facts.flatMap((fact) => versionsOf(fact).flatMap(({ value }) => value ?? []))
  const fitting = findFitting(text, right, readFindings)
  if (isBare && correction.wrong !== null) {
    // “I work in Lisbon, not Porto” is no correction of where one lives.
    const keys = new Set(facts.map(({ key }) => key))
    if (!fitsFrame(correction, text) && !readFindings(correctingSentence).some(({ key }) => keys.has(key)))
      return null
    const { wrong } = correction
    const isRead = readFindings(text).some(({ taken }) => taken.some((words) => namesEnd(words, wrong)))
    if (isRead && !fitting.some((words) => namesEnd(words, wrong))) return null
  }
  const wrong = findCorrected(correction, text, values.map(simplifyChinese), fitting)
  return wrong === null ? null : { wrong, right }
}

/** Lists the statements that a correction may mean: words of its turn, then recent turns, then turns of earlier sessions. */
function statementsBefore(unit: UnitOfWork, turn: Turn, correction: Correction): readonly Turn[] {
  const { before, wrong, isExplicit } = correction
  const isOfSpeaker = (other: Turn): boolean =>
    other.role === turn.role && whoSpeaks(other) === whoSpeaks(turn)
  const from = Math.max(0, turn.position - 1 - TURNS_BEFORE)
  const earlier = unit.state
    .turnsAfter(unit.row.scope, from, { upTo: turn.position - 1 })
    .filter((other) => other.session === turn.session && isOfSpeaker(other))
  const ofSession = [...(before === '' ? [] : [{ ...turn, text: before }]), ...earlier.toReversed()]
  if (wrong === null && (ofSession.length > 0 || !isExplicit)) return ofSession.slice(0, 1)
  const ofEarlierSessions = knownFacts(unit)
    .about(whoSpeaks(turn))
    .filter(({ text }) => wrong === null || namesEnd(text, wrong))
    .flatMap(({ evidence }) => unit.state.turns.get(evidence.at(-1)?.turn ?? '') ?? [])
    .filter((other) => other.session !== turn.session && isOfSpeaker(other))
  return [...ofSession, ...new Set(ofEarlierSessions)]
}

/** Resolves the time that words name, from the time of the turn; `null` if they name none. */
async function timeIn(turn: Turn, words: string): Promise<number | null> {
  const resolve = await loadTimeResolver()
  return resolve(simplifyChinese(words), turn, languageOfTalk(words).id)
}

/** Returns the live facts whose current or past version has a statement as evidence. */
function factsOf(unit: UnitOfWork, turn: Turn, statement: string): Memory[] {
  const facts = knownFacts(unit)
  const memoriesOfTurns = [statement, turn.id].flatMap((id) => [...unit.state.memoriesOfTurn(id)])
  const ids = new Set([...memoriesOfTurns, ...unit.changes.memories].map(({ id }) => id))
  return [...ids]
    .flatMap((id) => facts.get(id) ?? [])
    .filter((fact) => !fact.pinned && versionsOf(fact).some((version) => restsOn(version, statement)))
}

type Version = Pick<PastVersion, 'text' | 'value' | 'evidence'>

function versionsOf(fact: Memory): readonly Version[] {
  return [fact, ...fact.past]
}

function restsOn({ evidence }: Version, turn: string): boolean {
  return evidence.some((source) => source.turn === turn && source.against !== true)
}

/** Words of a statement, and the words that replace them. */
interface Replacement {
  readonly wrong: string
  readonly right: string
  /** The times that the wrong and the right statement name. */
  readonly wrongTime: number | null
  readonly rightTime: number | null
  /** Id of the turn with the wrong words. */
  readonly statement: string
  /** The correction as evidence. */
  readonly evidence: Evidence
}

/** Corrects a fact, or deletes it if a guideline forbids the corrected words. @returns whether the fact changed */
function correctFact(
  unit: UnitOfWork,
  fact: Memory,
  replacement: Replacement,
  never: readonly string[],
): boolean {
  const change = correctedFields(fact, replacement)
  if (change === null) return false
  const origin = originOf(unit.engine, STEP)
  const guideline = findNamed({ ...fact, ...change }, never)
  if (guideline !== null) {
    const reason = `${NEVER_KEPT} “${guideline}”`
    unit.changes.change('delete', fact.id, { status: 'deleted', reason }, origin)
    return true
  }
  const { id } = unit.changes.change('modify', fact.id, withFittingValue(unit, fact, change), origin)
  for (const repeat of repeatsOf(unit, fact.id, replacement.evidence.turn))
    unit.changes.change(
      'delete',
      repeat.id,
      { status: 'deleted', reason: 'said by the corrected statement' },
      { origin, parent: id },
    )
  return true
}

/** Removes key and value from a change, if the corrected value does not fit the schema of the application's key. */
function withFittingValue({ engine }: UnitOfWork, { key: id }: Memory, change: MemoryChange): MemoryChange {
  const key = engine.filing.keys.get(id ?? '')
  if (key === undefined || typeof change.value !== 'string') return change
  const read = readTyped(key, [change.value])
  return 'problem' in read ? { ...change, key: null, value: null, reason: read.problem } : change
}

/** Returns the corrected fields of a fact; `null` if it does not contain the wrong words. */
function correctedFields(fact: Memory, replacement: Replacement): MemoryChange | null {
  const { evidence, statement, wrongTime, rightTime } = replacement
  const correct = (version: Version): Version | null =>
    restsOn(version, statement) ? correctVersion(version, replacement) : null
  const current = correct(fact)
  if (current !== null) {
    // If the fact was dated by the wrong words, it is dated by the right ones.
    const isRedated = fact.validFrom === wrongTime && rightTime !== null
    return { ...current, ...(isRedated ? { validFrom: rightTime } : {}) }
  }
  const place = fact.past.findLastIndex((version) => correct(version) !== null)
  const former = fact.past[place]
  if (former === undefined) return null
  // Extraction mistook the correction for a change of the fact. The former value was never true.
  if (restsOn(fact, evidence.turn))
    return {
      validFrom: former.validFrom,
      past: fact.past.toSpliced(place, 1),
      evidence: evidenceWith({ evidence: markWrong(former, replacement) }, fact.evidence),
    }
  return { past: fact.past.with(place, { ...former, ...correct(former) }) }
}

/** Marks the evidence with the wrong words as corrected, unless the same turn corrects them. */
function markWrong({ evidence }: Version, replacement: Replacement): readonly Evidence[] {
  const { statement } = replacement
  return statement === replacement.evidence.turn ? evidence : markCorrected(evidence, statement)
}

/** Replaces the wrong words in a version; `null` if its text does not contain them. */
function correctVersion(version: Version, replacement: Replacement): Version | null {
  const { wrong, right, evidence } = replacement
  const text = replaceWords(version.text, wrong, right)
  if (text === null) return null
  const marked = markWrong(version, replacement)
  const value = version.value === null ? null : correctValue(version.value, wrong, right)
  return { text, value, evidence: evidenceWith({ evidence: marked }, [evidence]) }
}

/** Replaces the wrong words in a value, or the part of them that the value contains. */
function correctValue(value: string, wrong: string, right: string): string {
  return replaceWords(value, wrong, right) ?? replaceWords(value, ...narrowValues(wrong, right)) ?? value
}

/** Finds the facts that only the correction supports and that repeat the corrected fact. */
function repeatsOf(unit: UnitOfWork, corrected: string, turnOfCorrection: string): Memory[] {
  const fact = unit.changes.read(corrected)
  if (fact === undefined) return []
  return knownFacts(unit)
    .about(fact.subject)
    .filter(({ id, evidence }) => id !== corrected && evidence.every(({ turn }) => turn === turnOfCorrection))
    .filter(
      ({ text, key, value }) =>
        sameStatement(text, fact.text) || (key !== null && key === fact.key && value === fact.value),
    )
}
