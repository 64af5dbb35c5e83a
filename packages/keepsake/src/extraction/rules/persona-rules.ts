// Extracts facts by rules, sentence by sentence.
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Candidate } from '../../memories/candidate.ts'
import type { Evidence } from '../../memories/evidence.ts'
import {
  languageOfTalk,
  loadDateReader,
  loadTimeResolver,
  mayDropI,
  mayDropSubject,
  mayLabel,
  readInstruction,
  shippedRules,
  simplifyChinese,
  spellOutLabel,
  spellOwnTables,
  splitSentences,
  writeAsSaid,
  type Finding,
  type Language,
  type RuleBook,
} from '@keepsake/text'
import { type Turn, whoSpeaks } from '../../turns/turn.ts'
import type { Extraction, ExtractOptions, Extractor, ForgetRequest, Request, Segment } from '../extractor.ts'
import { saysYes } from '../grounding/ground-candidate.ts'
import { findAddressedPerson } from './find-addressee.ts'
import { sureRequestsIn, sentencesOf } from './hear-requests.ts'

type Result = Candidate | Request

export const PERSONA_RULES = 'persona-rules/1'

/**
 * Makes the extractor by rules. It finds facts in first-person statements, and in questions of the agent that the user
 * confirms. It finds none in questions, hypotheses, quotations or *actions*. Requests to forget and ends become requests.
 * The application's rules (`openMemory({ rules })`) come first.
 *
 * @example
 * await personaRules().extract(segment) // candidates: 'The user lives in Lyon.'
 */
export function personaRules(): Extractor {
  return { id: PERSONA_RULES, extract }
}

async function extract(segment: Segment, options?: ExtractOptions): Promise<Extraction> {
  const results: Result[] = []
  for await (const statements of readStatements(segment, options))
    for (const statement of statements) results.push(...(await resultsOf(statement)))
  return {
    candidates: withoutRepeats(results.filter((result): result is Candidate => !('kind' in result))),
    requests: results.filter((result) => 'kind' in result),
  }
}

/** Returns the keys of the facts that rules find in a segment. */
export async function keysFound(segment: Segment, rules: RuleBook): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const statements of readStatements(segment, { rules }))
    for (const { turn, language, findings } of statements)
      for (const finding of findings) {
        const isOfUser = turn.role !== 'assistant'
        const isAccepted = isOfUser || (finding.state !== 'ended' && isFactOfAgent(finding, turn))
        const hasNeededEnd = !finding.expires || (await endOf(finding, turn, language)) !== null
        if (isAccepted && hasNeededEnd) keys.add(finding.key)
      }
  return keys
}

/** A sentence, or a question with its answer, and the findings of the rules in it. */
interface ReadStatement {
  readonly turn: Turn
  readonly language: Language
  readonly evidence: readonly Evidence[]
  /** The request to forget, if the sentence is one. Then there are no findings. */
  readonly request: ForgetRequest | undefined
  readonly findings: readonly Finding[]
}

/** Reads the statements of a segment, turn by turn. */
async function* readStatements(
  segment: Segment,
  options?: Pick<ExtractOptions, 'rules' | 'abortSignal'>,
): AsyncGenerator<readonly ReadStatement[]> {
  const rules = options?.rules ?? shippedRules()
  const allRequests = sureRequestsIn(segment, rules)
  for (const [index, turn] of segment.turns.entries()) {
    options?.abortSignal?.throwIfAborted()
    const before = segment.turns[index - 1]
    const requests = allRequests.filter(({ evidence }) => evidence.turn === turn.id)
    const text = simplifyChinese(turn.text)
    // Most turns state no fact. They are not read, which saves time.
    const mayState =
      FIRST_PERSON.test(text) ||
      mayDropSubject(text) ||
      mayDropI(text) ||
      mayLabel(text) ||
      before?.role === 'assistant' ||
      requests.length > 0
    if (turn.role !== 'other' && mayState) {
      const read = await readTurn(turn, before, requests, rules)
      const statements = read.map((statement) => withoutOthersAddress(statement, segment))
      const isOwn = testNotRepeated(turn, segment.turns.slice(0, index))
      yield turn.role === 'assistant' ? statements.filter(isOwn) : statements
    }
    await yieldToEventLoop()
  }
}

/** Removes a form of address that the user requests of another person: “Ben, call me Doc.” */
function withoutOthersAddress(statement: ReadStatement, { users = [] }: Segment): ReadStatement {
  const { turn, evidence, findings } = statement
  const others = findings.filter(({ key }) => key !== 'form-of-address')
  if (others.length === findings.length) return statement
  const quote = evidence.at(-1)?.quote ?? ''
  const isToPerson = readInstruction(quote) !== null && findAddressedPerson(turn, quote, users) !== null
  return isToPerson ? { ...statement, findings: others } : statement
}

/** Returns a test for statements of an assistant's turn that do not repeat the user's words. */
function testNotRepeated(turn: Turn, earlier: readonly Turn[]): (statement: ReadStatement) => boolean {
  const repetitionStart = turn.text.search(REPEATS)
  const userTexts = earlier.filter(({ role }) => role === 'user').map(({ text }) => text.toLowerCase())
  return ({ evidence }) =>
    evidence.every(({ quote }) => {
      const words = quote?.toLowerCase().replace(/[\p{P}\s]+$/u, '') ?? ''
      const end = turn.text.indexOf(quote ?? '') + words.length
      const isBeforeRepetition = repetitionStart < 0 || end <= repetitionStart
      return isBeforeRepetition && !userTexts.some((text) => text.includes(words))
    })
}

/** Reads the sentences of a turn by the rules of its language. */
async function readTurn(
  turn: Turn,
  before: Turn | undefined,
  requests: readonly ForgetRequest[],
  rules: RuleBook,
): Promise<readonly ReadStatement[]> {
  // An answer without letters, such as “41”, has the language of its question.
  const language = languageOfTalk(/\p{L}/u.test(turn.text) ? turn.text : (before?.text ?? ''))
  const reader = await rules.factsIn(language)
  const who = turn.speaker ?? language.unnamed[turn.role === 'assistant' ? 'agent' : 'user']
  return statementsOf(turn, before, language).map(({ sentence, previous, evidence }) => {
    const request = requests.find(({ evidence: { quote } }) => quote === evidence.at(-1)?.quote)
    const stated =
      spellOutLabel(sentence, spellOwnTables(simplifyChinese(turn.text)), language.labelled) ?? sentence
    const findings = request === undefined ? reader.read(stated, who, previous) : []
    return { turn, language, evidence, request, findings }
  })
}

/** Makes candidates and requests of a statement. */
async function resultsOf(statement: ReadStatement): Promise<Result[]> {
  const { turn, language, evidence, request, findings } = statement
  const results: Result[] = request === undefined ? [] : [request]
  for (const finding of findings) {
    const result = await resultOf(finding, turn, evidence, language)
    if (result !== null) results.push(result)
  }
  if (turn.role !== 'assistant') return results
  return results.filter((result) => !('kind' in result) && isFactOfAgent(result, turn))
}

/** Makes a candidate of a finding, or a request of an end; `null` for a finding that needs an end and has none. */
async function resultOf(
  { key, type, state, happened, expires, until, ...found }: Finding,
  turn: Turn,
  evidence: readonly Evidence[],
  language: Language,
): Promise<Result | null> {
  const quotes = evidence.map(({ quote }) => quote ?? '').join(' ')
  const value = writeAsSaid(found.value, quotes)
  const stated = writeAsSaid(found.text, quotes)
  if (state === 'ended') {
    const source = evidence.find(({ turn: id }) => id === turn.id) ?? { turn: turn.id, quote: null }
    return { kind: 'end', about: value, key, value, at: turn.at, evidence: { ...source } }
  }
  const end = await endOf({ state, happened, type, until, text: stated }, turn, language)
  if (expires && end === null) return null
  const text = end === null || until === '' ? stated : `${stated.replace(/\.$/u, '')} ${until}.`
  const time = happened ? (await loadTimeResolver())(simplifyChinese(quotes), turn, language.id) : null
  return {
    form: 'fact',
    type,
    subject: whoSpeaks(turn),
    text,
    searchWords: '',
    key,
    value,
    level: 0,
    evidence: evidence.map((source) => ({ ...source })),
    // An event is never later than its turn. A later time was resolved to a wrong day, such as the next Friday.
    validFrom: time !== null && time <= turn.at ? time : turn.at,
    validUntil: state === 'over' ? turn.at : end,
    signals: { arousal: null, surprise: null, importance: null },
  }
}

/** Reads the future end of a finding that is current; `null` for events and findings without an end. */
async function endOf(
  { state, happened, type, until, text }: Pick<Finding, 'state' | 'happened' | 'type' | 'until' | 'text'>,
  turn: Turn,
  language: Language,
): Promise<number | null> {
  if (state !== 'holds' || happened || type === 'event') return null
  return (await loadDateReader()).readEnd(`${simplifyChinese(text)} ${until}`, turn, language.id)
}

/** A sentence to read. */
interface Statement {
  readonly sentence: string
  /** The sentence before it; `null` for the first. */
  readonly previous: string | null
  readonly evidence: readonly Evidence[]
}

/** Returns the sentences of a turn, and a short answer that is completed by its question. */
function statementsOf(turn: Turn, before: Turn | undefined, language: Language): Statement[] {
  const sentences = sentencesOf(turn)
  const statements = sentences.map(({ text, quote }, at): Statement => {
    return { sentence: text, previous: sentences[at - 1]?.text ?? null, evidence: [{ turn: turn.id, quote }] }
  })
  const answer = answeredQuestion(turn, before, language) ?? confirmedQuestion(turn, before, language)
  return answer === null ? statements : [...statements, answer]
}

/** Completes a short answer by its question: 怎么称呼你？ – 林屿. `null` if there is none. */
function answeredQuestion(turn: Turn, before: Turn | undefined, language: Language): Statement | null {
  const [first] = turn.role === 'user' && before?.role === 'assistant' ? sentencesOf(turn) : []
  if (first === undefined || before === undefined) return null
  for (const question of sentencesOf(before).toReversed()) {
    const sentence = language.answerWithSubject?.(question.text, first.text) ?? null
    const questionEvidence = { turn: before.id, quote: question.quote }
    if (sentence !== null)
      return { sentence, previous: null, evidence: [questionEvidence, { turn: turn.id, quote: first.quote }] }
  }
  return null
}

/** Makes a statement of a confirmed question: “So you live in Lyon?” – “Yes.” `null` if there is none. */
function confirmedQuestion(turn: Turn, before: Turn | undefined, language: Language): Statement | null {
  if (turn.role !== 'user' || before?.role !== 'assistant' || !saysYes(turn.text)) return null
  const question = sentencesOf(before).at(-1)
  const sentence = question === undefined ? null : language.answerInFull(question.text)
  const yes = splitSentences(turn.text)[0]
  if (question === undefined || sentence === null || yes === undefined) return null
  const evidence = [
    { turn: before.id, quote: question.quote },
    { turn: turn.id, quote: yes.text },
  ]
  return { sentence, previous: null, evidence }
}

/** Checks whether an agent may state a fact with this key about itself. */
function isFactOfAgent({ key }: Pick<Candidate, 'key'>, turn: Turn): boolean {
  const text = simplifyChinese(turn.text)
  return key !== null && AGENT_KEYS.test(key) && !ARTIFICIAL.test(text)
}

/** Removes repeated statements of a turn. Repetitions in other turns stay, because they are further evidence. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const firstOfEach = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { subject, key, text, evidence } = candidate
    const identity = JSON.stringify([subject, key, text.toLowerCase(), evidence.at(-1)?.turn])
    if (!firstOfEach.has(identity)) firstOfEach.set(identity, candidate)
  }
  return [...firstOfEach.values()]
}

/** Matches words of the first person. A turn without them is skipped, unless its form may omit them: “Live in Lyon.” */
const FIRST_PERSON = /\b(?:i|im|ive|my|me|we|our)\b|\bhere\b|我|家里|本人/i
/** Matches the keys of facts that an agent may state about itself. */
const AGENT_KEYS =
  /^(?:name|age|birthday|origin|residence|occupation|background|partner|parents|siblings|children|pets|form-of-address)$/
/** Matches words with which an assistant describes itself as a machine. Such statements are no facts. */
const ARTIFICIAL =
  /\b(?:ai|language model|assistant|chatbot|chat bot|bot|virtual|openai|program(?:med)?)\b|人工智能|机器人|语言模型|助手|虚拟|程序/i

/** Matches the words before a repetition of the user's words by an assistant: “You said: …”, 你说过…. */
const REPEATS = new RegExp(
  [
    String.raw`\b(?:you|your)\b[^.!?\n]{0,30}\b(?:said|say|saying|told|tell|telling|mention(?:ed|ing)?|wrote|noted|shared|words)\b`,
    String.raw`\b(?:recall|remember(?:ed)?|memory|memories|summari[sz]e|summary|repeat|recap|noted|got it|understood)\b`,
    '[你您].{0,8}(?:说|告诉|提到|写|讲)|记得|记住|总结|重复',
  ].join('|'),
  'iu',
)
