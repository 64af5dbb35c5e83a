// Merges the facts that rules extract, turn by turn. Adds the changes that only the update classifier finds.
import {
  AS_LEARNED,
  IN_LIFE,
  KnownStatements,
  chooseUpdate,
  languageOfTalk,
  maskUnspoken,
} from '@keepsake/text'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import { groundCandidate } from '../extraction/grounding/ground-candidate.ts'
import { askedIn, hearWideRequests, readPart, sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { StandingFacts } from '../facts/standing-facts.ts'
import { findNamed } from '../guidelines/guidelines.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { applyDecisions } from './apply-decisions.ts'
import { correctStatement } from './correct-statements.ts'
import { currentFacts, decideExpiry } from './end-facts.ts'
import { isRelation } from './match-ending.ts'
import { addFact, supersedeFact, type MergeDecision } from './merge-decisions.ts'
import { knownFacts, mergeFacts, type ExtractedSegment } from './merge-facts.ts'

/** Of more known facts, the classifier compares a turn with the newest only, to bound its time. */
const MAX_FACTS = 200
/** A longer statement is probably pasted, so the classifier does not read it. */
const MAX_CHARACTERS = 600

/** Merges the facts of each turn by rules. The update classifier finds other changes, such as "handed in my badge". */
export async function mergeTurnByTurn(unit: UnitOfWork, extracted: ExtractedSegment): Promise<void> {
  const { segment, extractor, grounded, never } = extracted
  const withRequest = turnsWithRequest(unit, extracted)
  for (const turn of segment.turns) {
    const candidates = grounded.candidates.filter(
      ({ candidate }) => candidate.evidence.at(-1)?.turn === turn.id,
    )
    const isDecidedByRules = (await correctStatement(unit, turn, never)) || withRequest.has(turn.id)
    const update = isDecidedByRules ? null : findUpdate(unit, extracted, turn, candidates)
    if (update !== null)
      applyDecisions(unit, [update.decision], segment, originOf(unit.engine, extractor.id, extractor.prompt))
    const others = candidates.filter(({ candidate }) => candidate !== update?.usedCandidate)
    mergeFacts(unit, { ...extracted, grounded: { ...grounded, candidates: others } })
    // A later sentence of the turn may correct an earlier one, whose facts exist only now.
    if (others.length > 0) await correctStatement(unit, turn, never)
    await yieldToEventLoop()
  }
}

/** Returns the turns with a request or an explicit end. The classifier does not read them, because rules apply these. */
function turnsWithRequest(
  { engine }: UnitOfWork,
  { segment, extraction }: ExtractedSegment,
): ReadonlySet<string> {
  const requests = [...extraction.requests, ...askedIn(segment, engine.rules)]
  return new Set([
    ...requests.map(({ evidence }) => evidence.turn),
    ...hearWideRequests(segment.turns, engine.rules).map(({ turn }) => turn),
  ])
}

/** A change that the classifier found. */
interface FoundUpdate {
  readonly decision: MergeDecision
  /** The candidate that replaces the changed fact, and so is not merged once more. */
  readonly usedCandidate?: Candidate
}

/** Classifies how a turn changes the known facts; `null` if the turn changes none, or rules decide on the change. */
function findUpdate(
  unit: UnitOfWork,
  { extractor, never = [] }: ExtractedSegment,
  turn: Turn,
  candidates: readonly GroundedCandidate[],
): FoundUpdate | null {
  if (turn.role !== 'user' || extractor.follows === undefined) return null
  // If rules found facts, the classifier decides on facts without a key only.
  if (candidates.length > 0 && !hasFactWithoutKey(unit, turn)) return null
  const findsChangesOnly = extractor.follows === 'changes'
  const facts = changeableFacts(unit, turn)
  if (findsChangesOnly && facts.length === 0) return null
  const asserted = assertedText(turn)
  const statements = knownStatements(unit).hold(facts, wordsOf)
  if (asserted === '' || (findsChangesOnly && !statements.shareWord(asserted))) return null
  const update = chooseUpdate(asserted, statements, { from: findsChangesOnly ? IN_LIFE : AS_LEARNED })
  const fact = facts[update.target ?? -1]
  if (fact === undefined) {
    const isNew = update.kind === 'add' && !findsChangesOnly && candidates.length === 0
    const statement = isNew ? verbatimStatement(unit, turn, asserted, never) : null
    return statement === null ? null : { decision: addFact(`said:${turn.id}`, statement) }
  }
  if (update.kind === 'delete' && SPEAKS_OF_TALK.test(asserted)) return null
  // Only rules end a relation: "Jonah has been moved to another ship" does not end "brother Jonah".
  if (isRelation(fact)) return null
  // If rules read the turn, the merge class of the key decides on its values.
  if (fact.key !== null && candidates.length > 0) return null
  if (update.kind === 'delete') {
    const evidence = [{ turn: turn.id, quote: asserted }]
    return { decision: decideExpiry(fact, turn.at, evidence, unit.engine.preset.over) }
  }
  const usedCandidate = candidates.find(
    ({ candidate, reason }) => reason === null && !isOver(candidate, turn.at),
  )?.candidate
  if (usedCandidate !== undefined) return { decision: supersedeFact(fact, usedCandidate), usedCandidate }
  const statement = verbatimStatement(unit, turn, asserted, never)
  return statement === null ? null : { decision: supersedeFact(fact, statement) }
}

/** Matches words about what is remembered or talked about, which state no end: “Never forget that I live …”, 离婚的事别提了. */
const SPEAKS_OF_TALK =
  /\bforg[eo]t\w*|\b(?:not|never|stop|no need to|\w+n['’]?t) (?:ever )?(?:mention|bring\w* \S+|talk|speak|ask|discuss)|忘|(?:别|不[要用想许]|莫)(?:再|老|总)?(?:[跟和对给]\S{1,3}?)?[提说聊谈讲问]/iu

/** Returns a turn's own assertions, without questions and quotations; the longest part if quoted text divides them. */
function assertedText(turn: Turn): string {
  const groups: string[][] = [[]]
  for (const { text, quote } of sentencesOf(turn)) {
    const isMostlyQuotation = text !== quote && countLetters(text) * 2 < countLetters(quote)
    if (isMostlyQuotation) groups.push([])
    else if (!/[?？]\s*$/.test(quote)) groups.at(-1)?.push(quote)
  }
  const written = readPart(turn)
  const unquoted = maskUnspoken(written)
  const isMostlyQuoted = (span: string): boolean => {
    const start = written.indexOf(span)
    return countLetters(unquoted.slice(start, start + span.length)) * 2 < countLetters(span)
  }
  const spans = groups.map((sentences) => spanOf(written, sentences))
  // Words before a colon introduce a quotation, and state nothing by themselves.
  const parts = spans.filter((span) => !/[:：]\s*$/.test(span) && !isMostlyQuoted(span))
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length > MAX_CHARACTERS ? '' : longest.trim()
}

function spanOf(text: string, sentences: readonly string[]): string {
  const [first, last] = [sentences[0], sentences.at(-1)]
  if (first === undefined || last === undefined) return ''
  const start = text.indexOf(first)
  return text.slice(start, text.lastIndexOf(last) + last.length)
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

function hasFactWithoutKey(unit: UnitOfWork, turn: Turn): boolean {
  const facts = unit.state.facts(unit.row.scope)
  return (
    [whoSpeaks(turn), 'user'].some((subject) => facts.about(subject).some(({ key }) => key === null)) ||
    unit.changes.memories.some(({ form, key }) => form === 'fact' && key === null)
  )
}

/** Returns the facts about the speaker that do not rest on the turn itself, at most the newest 200. */
function changeableFacts(unit: UnitOfWork, turn: Turn): Memory[] {
  const facts = knownFacts(unit)
  const placeOf = ({ id }: Memory): number => facts.placeOf(id) ?? facts.end
  return currentFacts(unit, turn)
    .filter((fact) => fact.evidence.every((source) => source.turn !== turn.id))
    .sort((a, b) => a.learnedAt - b.learnedAt || placeOf(a) - placeOf(b))
    .slice(-MAX_FACTS)
}

/** Caches the parsed statements of a scope from turn to turn. An entry is released with the facts of its scope. */
const parsedStatements = new WeakMap<StandingFacts, KnownStatements<Memory>>()

function knownStatements({ state, row }: UnitOfWork): KnownStatements<Memory> {
  const facts = state.facts(row.scope)
  const known = parsedStatements.get(facts) ?? new KnownStatements<Memory>()
  parsedStatements.set(facts, known)
  return known
}

/** Returns the words of a fact, without the "… said:" of a verbatim statement. */
function wordsOf({ text, key, evidence }: Memory): string {
  const quote = evidence.findLast((source) => source.quote !== null && text.endsWith(source.quote))?.quote
  return key === null ? (quote ?? text) : text
}

/** Makes a statement "The user said: …"; `null` if it is not grounded, or is never to be stored. */
function verbatimStatement(
  { engine }: UnitOfWork,
  turn: Turn,
  words: string,
  never: readonly string[],
): Candidate | null {
  const language = languageOfTalk(words)
  const who = turn.speaker ?? language.unnamed.user
  const candidate = candidateOf({
    type: 'persona',
    subject: whoSpeaks(turn),
    text: language.id === 'zh' ? `${who}说：${words}` : `${who} said: ${words}`,
    evidence: [{ turn: turn.id, quote: words }],
    validFrom: turn.at,
  })
  const { outcome, label } = groundCandidate(candidate, [turn])
  const isGrounded = outcome === 'grounded' || engine.preset.grounding === 'off'
  return isGrounded && findNamed(candidate, never) === null ? { ...candidate, label } : null
}
