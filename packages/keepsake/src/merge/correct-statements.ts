import {
  findCorrected,
  findFitting,
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
import { sameStatement } from '../facts/compare-statements.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { Cause } from '../memories/change-set.ts'
import { readTyped } from '../filing/own-keys.ts'
import { NEVER_KEPT, findNamed } from '../guidelines/guidelines.ts'
import { evidenceWith, type Evidence } from '../memories/evidence.ts'
import type { Memory, PastVersion } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { questionFact } from './end-states.ts'
import { knownFacts } from './merge-facts.ts'

const CORRECTIONS = 'corrections/1'
/** Turns of the talk before a correction whose statements it may correct. */
const TURNS_BACK = 6

/** A correction with its words. */
interface HeardCorrection extends Correction {
  readonly evidence: Evidence
}

/** Returns what a user's turn puts right of what they said before. */
export function hearCorrection(turn: Turn): HeardCorrection | null {
  if (turn.role !== 'user') return null
  const sentences = sentencesOf(turn)
  const read = readCorrection(sentences.map(({ text }) => text))
  return read && { ...read, evidence: { turn: turn.id, quote: sentences[read.place]?.quote ?? null } }
}

/** Corrects what the turns of a segment put right. See {@link correctStatement}. */
export async function correctStatements(
  unit: UnitOfWork,
  { turns }: Segment,
  never: readonly string[] = [],
): Promise<void> {
  for (const turn of turns) await correctStatement(unit, turn, never)
}

/**
 * Corrects the facts of what a user puts right within a few turns: “I meant Lisbon, not Porto”. The former value was never true, and
 * the fact keeps its date. A correction that matches nothing changes nothing.
 *
 * @param never what is never kept: a fact that would fall under it by its words goes instead
 * @returns whether it corrected any
 */
export async function correctStatement(
  unit: UnitOfWork,
  turn: Turn,
  never: readonly string[] = [],
): Promise<boolean> {
  const heard = hearCorrection(turn)
  if (heard === null) return false
  for (const statement of statementsBefore(unit, turn, heard)) {
    const facts = factsOf(unit, turn, statement.id)
    const values = facts.flatMap((fact) => versionsOf(fact).flatMap(({ value }) => value ?? []))
    if (heard.right === null) {
      const named = facts.filter(({ text }) => replaceWords(text, heard.wrong ?? '', '') !== null)
      for (const fact of named) questionFact(unit, fact, turn.at, heard.evidence)
      if (named.length > 0) return true
      continue
    }
    const said = simplifyChinese(statement.text)
    const fitting = findFitting(said, heard.right, await readerOf(unit, said))
    const wrong = findCorrected(heard, said, values.map(simplifyChinese), fitting)
    if (wrong === null) continue
    const right = writeAsSaid(heard.right, heard.evidence.quote ?? turn.text)
    const corrected = replaceWords(statement.text, wrong, right) ?? statement.text
    const times = [await timeOf(statement, statement.text), await timeOf(statement, corrected)] as const
    const fault = { wrong, right, times, statement: statement.id, evidence: heard.evidence, never }
    const changed = facts.map((fact) => correctFact(unit, fact, fault))
    if (changed.some(Boolean)) return true
  }
  return false
}

/**
 * Lists what the speaker said before: in the turn, then in the session, the latest first; the last of it alone where no wrong words are
 * named. Statements of earlier sessions follow where the words can only correct.
 */
function statementsBefore(unit: UnitOfWork, turn: Turn, heard: HeardCorrection): readonly Turn[] {
  const { before, wrong, isExplicit } = heard
  const isOwn = (one: Turn): boolean => one.role === turn.role && whoSpeaks(one) === whoSpeaks(turn)
  const from = Math.max(0, turn.position - 1 - TURNS_BACK)
  const earlier = unit.state
    .turnsAfter(unit.row.scope, from, { upTo: turn.position - 1 })
    .filter((one) => one.session === turn.session && isOwn(one))
  const statements = [...(before === '' ? [] : [{ ...turn, text: before }]), ...earlier.toReversed()]
  if (wrong === null && (statements.length > 0 || !isExplicit)) return statements.slice(0, 1)
  const ofFacts = knownFacts(unit)
    .about(whoSpeaks(turn))
    .filter(({ text }) => wrong === null || namesEnd(text, wrong))
    .flatMap(({ evidence }) => unit.state.turns.get(evidence.at(-1)?.turn ?? '') ?? [])
    .filter((one) => one.session !== turn.session && isOwn(one))
  return [...statements, ...new Set(ofFacts)]
}

/** Returns what rules read in a text, with the words that fill their patterns. */
async function readerOf({ engine }: UnitOfWork, said: string): Promise<(text: string) => readonly Finding[]> {
  const reader = await engine.rules.factsIn(languageOfTalk(said))
  return (text) =>
    sentencesOf({ text }).flatMap((one, at, all) => reader.read(one.text, '', all[at - 1]?.text ?? null))
}

/** Resolves a time that a turn names in some words. */
async function timeOf(turn: Turn, words: string): Promise<number | null> {
  const resolve = await loadTimeResolver()
  return resolve(simplifyChinese(words), turn, languageOfTalk(words).id)
}

/** Returns the live facts of which a version rests on a statement. */
function factsOf(unit: UnitOfWork, turn: Turn, statement: string): Memory[] {
  const facts = knownFacts(unit)
  const resting = [statement, turn.id].flatMap((id) => [...unit.state.memoriesOfTurn(id)])
  const ids = new Set([...resting, ...unit.changes.memories].map(({ id }) => id))
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

/** What is wrong, what is right, and the turn that was wrong. */
interface Fault {
  readonly wrong: string
  readonly right: string
  /** The times that the wrong and the right statement name. */
  readonly times: readonly [wrong: number | null, right: number | null]
  readonly statement: string
  readonly evidence: Evidence
  readonly never: readonly string[]
}

function correctFact(unit: UnitOfWork, fact: Memory, fault: Fault): boolean {
  const change = changeOf(fact, fault)
  if (change === null) return false
  const origin = originOf(unit.engine, CORRECTIONS)
  const line = findNamed({ ...fact, ...change }, fault.never)
  if (line !== null) {
    unit.changes.change('delete', fact.id, { status: 'deleted', reason: `${NEVER_KEPT} “${line}”` }, origin)
    return true
  }
  const { id } = unit.changes.change('modify', fact.id, fitValue(unit, fact, change), origin)
  dropRepeats(unit, fact.id, fault, { origin, parent: id })
  return true
}

/** Takes a fact from its key where the corrected value does not fit the key's form. */
function fitValue({ engine }: UnitOfWork, { key: id }: Memory, change: MemoryChange): MemoryChange {
  const key = engine.filing.keys.get(id ?? '')
  if (key === undefined || typeof change.value !== 'string') return change
  const read = readTyped(key, [change.value])
  return 'problem' in read ? { ...change, key: null, value: null, reason: read.problem } : change
}

function changeOf(fact: Memory, fault: Fault): MemoryChange | null {
  const { evidence, statement } = fault
  const current = restsOn(fact, statement) ? correctVersion(fact, fault) : null
  if (current !== null) return { ...current, ...redate(fact, fault) }
  const [place, corrected] = fact.past
    .map(
      (version, index) =>
        [index, restsOn(version, statement) ? correctVersion(version, fault) : null] as const,
    )
    .findLast(([, version]) => version !== null) ?? [-1, null]
  const former = fact.past[place]
  if (former === undefined || corrected === null) return null
  // The correction was taken for a change: what it changed was never so.
  if (restsOn(fact, evidence.turn))
    return {
      validFrom: former.validFrom,
      past: fact.past.toSpliced(place, 1),
      evidence: evidenceWith(former, fact.evidence),
    }
  return { past: fact.past.with(place, { ...former, ...corrected }) }
}

/** A date that rested on the wrong words is that of the right ones. */
function redate({ validFrom }: Memory, { times: [wrong, right] }: Fault): Pick<MemoryChange, 'validFrom'> {
  return validFrom === wrong && right !== null ? { validFrom: right } : {}
}

function correctVersion(version: Version, { wrong, right, evidence }: Fault): Version | null {
  const text = replaceWords(version.text, wrong, right)
  if (text === null) return null
  const value =
    version.value === null
      ? null
      : (replaceWords(version.value, wrong, right) ??
        replaceWords(version.value, ...narrowValues(wrong, right)) ??
        version.value)
  return { text, value, evidence: evidenceWith(version, [evidence]) }
}

/** Deletes facts that were drawn from the correction alone and say what the corrected one says. */
function dropRepeats({ changes, ...unit }: UnitOfWork, id: string, { evidence }: Fault, cause: Cause): void {
  const fact = changes.read(id)
  if (fact === undefined) return
  const repeats = knownFacts({ ...unit, changes })
    .about(fact.subject)
    .filter(
      (otherMemory) =>
        otherMemory.id !== id && otherMemory.evidence.every(({ turn }) => turn === evidence.turn),
    )
    .filter(
      ({ text, key, value }) =>
        sameStatement(text, fact.text) || (key !== null && key === fact.key && value === fact.value),
    )
  for (const repeat of repeats)
    changes.change(
      'delete',
      repeat.id,
      { status: 'deleted', reason: 'said by the corrected statement' },
      cause,
    )
}
