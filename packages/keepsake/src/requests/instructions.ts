// Stores the user's instructions for replies (“keep it short”) as memories, with which every context begins.
import {
  BY_OWN_NAME,
  endsInstruction,
  isJapanese,
  readInstruction,
  simplifyChinese,
  type StandingInstruction,
} from '@keepsake/text'
import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import { findAddressedPerson } from '../extraction/rules/find-addressee.ts'
import { hearAllRequests, isInPassage, sentencesOf } from '../extraction/rules/hear-requests.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { INSTRUCTION } from '../memories/kept-request.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { expireStatedFact } from '../merge/end-facts.ts'
import { isToAssistant, type Turn, whoSpeaks } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Instructions have the highest importance, because they apply to every reply. */
const IMPORTANCE = 10

/** Returns the instructions that are valid at a time, the oldest first. */
export function standingInstructions(state: UserState, scopes: readonly number[], now: number): Memory[] {
  const valid: Memory[] = []
  for (const scope of scopes)
    for (const fact of state.facts(scope).live()) if (isValid(fact, now)) valid.push(fact)
  return valid.sort((a, b) => a.validFrom - b.validFrom)
}

function isValid(memory: Memory, time: number): boolean {
  return memory.origin.step === INSTRUCTION && memory.status === 'live' && !isOver(memory, time)
}

/** Stores the instructions in the user's own words, and expires those that the user withdraws. */
export function storeInstructions(unit: UnitOfWork, segment: Segment): void {
  for (const turn of segment.turns) {
    if (!isToAssistant(turn)) continue
    const sentences = sentencesOf(turn)
    const hasDeletedMemory = unit.changes.memories.some(
      ({ status, evidence }) => status === 'deleted' && evidence.some((source) => source.turn === turn.id),
    )
    // “Never mention my ex” is no instruction if it was carried out as a request to forget.
    const requests = hasDeletedMemory ? hearAllRequests([turn], unit.engine.rules) : []
    const requestQuotes = new Set(requests.map(({ evidence }) => evidence.quote))
    for (const [index, { text, quote }] of sentences.entries()) {
      const read = requestQuotes.has(quote) ? null : readInstruction(isUnquoted(quote) ? quote : text)
      if (read === null || isInPassage(sentences, index)) continue
      if (findAddressedPerson(turn, quote, segment.users ?? []) !== null) continue
      const hasEnded = expireInstructions(unit, turn, read)
      // A withdrawal is not stored. “Switch back to English” also names the new wish, so it is no mere withdrawal.
      const isOwnName = read.about?.value === BY_OWN_NAME
      const isWithdrawal = hasEnded && read.ends !== null && (read.isBan || isOwnName || read.about === null)
      if (read.about?.matter === 'name') expireFormsOfAddress(unit, turn, read, quote)
      if (!isWithdrawal && read.isStanding) addInstruction(unit, segment, turn, quote.trim())
    }
  }
}

/** Expires the instructions that a newer one contradicts, replaces or withdraws. Returns whether there were any. */
function expireInstructions(
  { engine, row, state, changes }: UnitOfWork,
  turn: Turn,
  newer: StandingInstruction,
): boolean {
  const instructions = [...standingInstructions(state, [row.scope], turn.at), ...changes.memories]
  const expired = instructions.filter((memory) => {
    const current = changes.read(memory.id)
    return current !== undefined && isValid(current, turn.at) && isEndedBy(newer, memory)
  })
  for (const { id, evidence } of expired) {
    const change = { validUntil: turn.at, evidence: [...evidence, { turn: turn.id, quote: null }] }
    changes.change('modify', id, change, originOf(engine, INSTRUCTION))
  }
  return expired.length > 0
}

/** Checks for a Japanese sentence without quotations. It is read as written, because texts for rules have simplified Chinese characters. */
function isUnquoted(quote: string): boolean {
  return isJapanese(quote) && !/[「『]/u.test(quote)
}

/** Simplifies Chinese characters, but not those of Japanese. */
function simplify(text: string): string {
  return isJapanese(text) ? text : simplifyChinese(text)
}

/** Expires the forms of address that a wish withdraws, and those that it replaces. */
function expireFormsOfAddress(
  unit: UnitOfWork,
  turn: Turn,
  { isStanding, isBan, ends, about }: StandingInstruction,
  quote: string,
): void {
  const { row, state, changes } = unit
  const isReplaced = about?.value === BY_OWN_NAME || (isStanding && !isBan && ends !== 'wishes')
  for (const { id } of [...state.facts(row.scope).live(), ...changes.memories]) {
    const fact = changes.read(id)
    if (fact?.key !== 'form-of-address' || fact.subject !== whoSpeaks(turn)) continue
    const isNamed = quote.toLowerCase().includes((fact.value ?? '').toLowerCase())
    // “Don't call me Doc” ends only the named form. “Call me Max” ends all forms but the named one.
    const isMeant = isReplaced !== isNamed
    const isCurrent = fact.status === 'live' && fact.validFrom < turn.at && !isOver(fact, turn.at)
    if (!isMeant || !isCurrent) continue
    const evidence = { turn: turn.id, quote }
    expireStatedFact(unit, fact, { at: turn.at, evidence, words: fact.text, step: INSTRUCTION })
  }
}

/** Checks whether a request withdraws a valid instruction: “drop the French-only thing”. */
export function withdrawsInstruction(
  { row, state }: ScopeView,
  turn: Turn,
  { evidence }: ForgetRequest,
): boolean {
  const newer = readInstruction(simplify(evidence.quote ?? turn.text))
  const instructions = standingInstructions(state, [row.scope], turn.at)
  return (
    (newer?.ends === 'wishes' || newer?.ends === 'either') &&
    instructions.some((memory) => isEndedBy(newer, memory))
  )
}

/** Checks whether a newer instruction contradicts, replaces or withdraws a stored one. */
function isEndedBy(newer: StandingInstruction, memory: Memory): boolean {
  const older = readInstruction(simplify(memory.value ?? memory.text))
  return older !== null && endsInstruction(newer, older)
}

/** Stores an instruction, unless the same one is valid already. */
function addInstruction(
  { engine, row, state, changes }: UnitOfWork,
  segment: Segment,
  turn: Turn,
  words: string,
): void {
  const plain = words.replaceAll(/\*{2,3}|__/g, '')
  const text =
    /\p{Script=Han}/u.test(plain) && !isJapanese(plain) ? `用户要求：${plain}` : `The user asked: ${plain}`
  const instructions = [...standingInstructions(state, [row.scope], turn.at), ...changes.memories]
  const isStored = ({ id, text: storedText }: Memory): boolean => {
    const current = changes.read(id)
    return storedText === text && current !== undefined && !isOver(current, turn.at)
  }
  if (instructions.some(isStored)) return
  const { sessionNumber, round } = segment
  const candidate = candidateOf({
    type: 'persona',
    subject: whoSpeaks(turn),
    text,
    value: plain,
    evidence: [{ turn: turn.id, quote: words }],
    validFrom: turn.at,
    signals: { arousal: null, surprise: null, importance: IMPORTANCE },
  })
  const setting = { session: turn.session, sessionNumber, round, learnedAt: turn.at }
  changes.add(memoryOf({ ...candidate, label: 'user-stated' }, setting), originOf(engine, INSTRUCTION))
}
