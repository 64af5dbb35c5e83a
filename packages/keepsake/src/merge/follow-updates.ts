import { findNamed } from '../guidelines/guidelines.ts'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import { groundCandidate } from '../extraction/grounding/ground-candidate.ts'
import { askedIn, hearWideRequests, readPart, sentencesOf } from '../extraction/rules/hear-requests.ts'
import {
  AS_LEARNED,
  IN_LIFE,
  KnownStatements,
  chooseUpdate,
  languageOfTalk,
  maskUnspoken,
} from '@keepsake/text'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { StandingFacts } from '../facts/standing-facts.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { isRelation } from './match-ending.ts'
import { carryOut } from './carry-out.ts'
import { correctStatement } from './correct-statements.ts'
import type { ExtractedSegment, MergeDecision } from './known-facts.ts'
import { knownFacts, mergeFacts } from './merge-facts.ts'
import { append, drop, end, replace } from './merge-verbs.ts'

/** Maximum number of statements that a turn may change: the newest. */
const MOST_KNOWN = 200
/** Maximum length of conversational text; longer turns are pasted. */
const LONGEST = 600

/**
 * Merges the facts that rules found in each turn, and lets the update classifier choose changes that no rule reads
 * ("handed in my badge"). Facts of rules are the new statement of a change, and a known key's class takes precedence.
 */
export async function followUpdates(unit: UnitOfWork, drawn: ExtractedSegment): Promise<void> {
  const { segment, extractor, grounded } = drawn
  const asked = turnsOfRequests(unit, drawn)
  const last = ({ candidate }: GroundedCandidate): string | undefined => candidate.evidence.at(-1)?.turn
  for (const turn of segment.turns) {
    const own = grounded.candidates.filter((candidate) => last(candidate) === turn.id)
    const isDecided = (await correctStatement(unit, turn, drawn.never)) || asked.has(turn.id)
    const update = isDecided ? null : updateOf(unit, drawn, turn, own)
    if (update !== null)
      carryOut(unit, [update.decision], segment, originOf(unit.engine, extractor.id, extractor.prompt))
    const rest = own.filter(({ candidate }) => candidate !== update?.used)
    mergeFacts(unit, { ...drawn, grounded: { ...grounded, candidates: rest } })
    // What the turn itself stated before it corrected it.
    if (rest.length > 0) await correctStatement(unit, turn, drawn.never)
    await yieldToEventLoop()
  }
}

/** Returns the turns with a request, or with an explicit end or correction, whose effect is known. */
function turnsOfRequests(
  { engine }: UnitOfWork,
  { segment, extraction }: ExtractedSegment,
): ReadonlySet<string> {
  const heard = extraction.requests.map(({ evidence }) => evidence)
  const asked = askedIn(segment, engine.rules).map(({ evidence }) => evidence)
  const wide = hearWideRequests(segment.turns, engine.rules)
  return new Set([...heard, ...asked, ...wide].map(({ turn }) => turn))
}

interface FoundUpdate {
  readonly decision: MergeDecision
  /** The candidate used as the new statement. */
  readonly used?: Candidate
}

/** Chooses how a turn changes the known facts, where rules decide nothing. */
function updateOf(
  unit: UnitOfWork,
  { segment, extractor, never = [] }: ExtractedSegment,
  turn: Turn,
  own: readonly GroundedCandidate[],
): FoundUpdate | null {
  if (turn.role !== 'user' || extractor.follows === undefined) return null
  if (own.length > 0 && !hasKeyless(unit, turn)) return null
  const known = changeable(unit, turn)
  const isOfLife = extractor.follows === 'changes'
  const said = isOfLife && known.length === 0 ? '' : assertedText(turn)
  const statements = statementsFor(unit).hold(known, wordsOf)
  if (said === '' || (isOfLife && !statements.shareWord(said))) return null
  const chosen = chooseUpdate(said, statements, { from: isOfLife ? IN_LIFE : AS_LEARNED })
  const target = known[chosen.target ?? -1]
  const drawn = own.find(({ candidate, reason }) => reason === null && !isOver(candidate, turn.at))?.candidate
  const evidence: Evidence[] = [{ turn: turn.id, quote: said }]
  if (target === undefined) {
    const isNew = chosen.kind === 'add' && !isOfLife && own.length === 0
    const statement = isNew ? wanted(statementOf(turn, said, segment.turns, unit), never) : null
    return statement === null ? null : { decision: append(`said:${turn.id}`, statement, 'said so') }
  }
  if (chosen.kind === 'delete' && speaksOfForgetting(said)) return null
  // Rules alone end a relation: “Jonah has been moved to another ship” leaves Jonah.
  if (isRelation(target)) return null
  // The key's class decides on its values.
  if (target.key !== null && own.length > 0) return null
  if (chosen.kind === 'delete') return { decision: overFor(unit, target, turn.at, evidence) }
  if (drawn !== undefined) return { decision: replace(target, drawn), used: drawn }
  const statement = wanted(statementOf(turn, said, segment.turns, unit), never)
  return statement === null ? null : { decision: replace(target, statement) }
}

/** Detects talk about forgetting (“Never forget that I live …”, 别忘了我住在…), which states nothing; rules read requests. */
function speaksOfForgetting(said: string): boolean {
  return /\b(?:forget|forgot|forgotten|forgetting)\b|忘/iu.test(said)
}

/** Expires facts that are no longer valid, or deletes them if the preset says so. */
function overFor(
  { engine }: UnitOfWork,
  target: Memory,
  time: number,
  evidence: readonly Evidence[],
): MergeDecision {
  return engine.preset.over === 'delete' ? drop(target, time, 'no longer so') : end(target, time, evidence)
}

/** Returns the user's own assertions, without greetings and questions. If quoted text divides them, returns the longer part. */
function assertedText(turn: Turn): string {
  const groups: string[][] = [[]]
  for (const { text, quote } of sentencesOf(turn)) {
    if (text !== quote && lettersIn(text) * 2 < lettersIn(quote)) groups.push([])
    else if (!/[?？]\s*$/.test(quote)) groups.at(-1)?.push(quote)
  }
  const written = readPart(turn)
  const unquoted = maskUnspoken(written)
  const asserted = groups
    .map((own) => spanOf(written, own))
    // The introduction of a quote states nothing.
    .filter((said) => !/[:：]\s*$/.test(said) && !holdsOthers({ written, unquoted }, said))
  const said = asserted.toSorted((a, b) => b.length - a.length)[0] ?? ''
  return said.length > LONGEST ? '' : said.trim()
}

function spanOf(text: string, own: readonly string[]): string {
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return ''
  const from = text.indexOf(first)
  return text.slice(from, text.lastIndexOf(last) + last.length)
}

/** Checks whether most of a span of a turn is quoted text. */
function holdsOthers(
  { written, unquoted }: { readonly written: string; readonly unquoted: string },
  said: string,
): boolean {
  const index = written.indexOf(said)
  const own = unquoted.slice(index, index + said.length)
  return own !== said && lettersIn(own) * 2 < lettersIn(said)
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Checks whether any changeable statement has no key. If rules found facts, the classifier decides on these only. */
function hasKeyless(unit: UnitOfWork, turn: Turn): boolean {
  const facts = unit.state.facts(unit.row.scope)
  for (const subject of new Set([whoSpeaks(turn), 'user']))
    if (facts.about(subject).some(({ key }) => key === null)) return true
  return unit.changes.memories.some(({ form, key }) => form === 'fact' && key === null)
}

/** Lists active statements known before the turn; the newest if there are many. */
function changeable(unit: UnitOfWork, turn: Turn): Memory[] {
  const accepts = (fact: Memory): boolean =>
    !fact.pinned &&
    !isOver(fact, turn.at) &&
    fact.validFrom <= turn.at &&
    fact.evidence.every((source) => source.turn !== turn.id)
  const facts = knownFacts(unit)
  const placeOf = ({ id }: Memory): number => facts.placeOf(id) ?? facts.end
  return [...new Set([whoSpeaks(turn), 'user'])]
    .flatMap((subject) => facts.about(subject).filter(accepts))
    .sort((a, b) => a.learnedAt - b.learnedAt || placeOf(a) - placeOf(b))
    .slice(-MOST_KNOWN)
}

/** Statements parsed for a scope's last turn, reused for the next; released with the state. */
const read = new WeakMap<StandingFacts, KnownStatements<Memory>>()

function statementsFor({ state, row }: UnitOfWork): KnownStatements<Memory> {
  const facts = state.facts(row.scope)
  const known = read.get(facts) ?? new KnownStatements<Memory>()
  read.set(facts, known)
  return known
}

/** Returns a statement without its speaker label. */
function wordsOf({ text, key, evidence }: Memory): string {
  const quote = evidence.findLast((source) => source.quote !== null && text.endsWith(source.quote))?.quote
  return key === null ? (quote ?? text) : text
}

/** The statement, unless it falls under what is never kept. */
function wanted(statement: Candidate | null, never: readonly string[]): Candidate | null {
  return statement !== null && findNamed(statement, never) === null ? statement : null
}

/** Makes a statement of the user's words; `null` if it is not grounded. */
function statementOf(
  turn: Turn,
  said: string,
  turns: readonly Turn[],
  { engine }: UnitOfWork,
): Candidate | null {
  const language = languageOfTalk(said)
  const who = turn.speaker ?? language.unnamed.user
  const candidate = candidateOf({
    type: 'persona',
    subject: whoSpeaks(turn),
    text: language.id === 'zh' ? `${who}说：${said}` : `${who} said: ${said}`,
    evidence: [{ turn: turn.id, quote: said }],
    validFrom: turn.at,
  })
  const grounding = groundCandidate(candidate, turns)
  const isBelieved = grounding.outcome === 'grounded' || engine.preset.grounding === 'off'
  return isBelieved ? { ...candidate, label: grounding.label } : null
}
