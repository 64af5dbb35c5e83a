import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Candidate } from '../../memories/candidate.ts'
import type { Evidence } from '../../memories/evidence.ts'
import {
  languageOfTalk,
  loadTimeResolver,
  mayDropSubject,
  mayLabel,
  shippedRules,
  spellOutLabel,
  splitSentences,
  type Finding,
  type Language,
  type RuleBook,
} from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import { whoSpeaks } from '../../turns/who-speaks.ts'
import type { Extraction, ExtractOptions, Extractor, ForgetRequest, Request, Segment } from '../extractor.ts'
import { saysYes } from '../grounding/label-candidate.ts'
import { askedIn, sentencesOf } from './hear-requests.ts'

/** What comes of a finding: a candidate, or a request to end or change what is known. */
type Drawn = Candidate | Request

/** Where none of these stands, nobody speaks of themself. */
const FIRST_PERSON = /\b(?:i|im|ive|my|me|we|our)\b|\bhere\b|我|家里/i
/** What an agent may be quoted on about itself: who it is, not what it offers or feels like. */
const AGENT_KEYS =
  /^(?:name|age|birthday|origin|residence|occupation|background|partner|parents|siblings|children|pets|form-of-address)$/
const ARTIFICIAL =
  /\b(?:ai|language model|assistant|chatbot|chat bot|bot|virtual|openai|program(?:med)?)\b|人工智能|机器人|语言模型|助手|虚拟|程序/i

/** What reads by rules is called. */
export const PERSONA_RULES = 'persona-rules/1'

/**
 * Facts about who speaks, by the tables of patterns in `english/` and `chinese/`: each person's own first-person
 * statements and what they confirm of an agent's question; no questions, hypotheses, quotations or *actions*.
 * Statements are faithful to the words; a joke is taken as meant. What is asked to be forgotten, and what is said to
 * have ended or changed, comes as requests.
 *
 * Facts are about the speaker's name where turns carry one, else `user` or `agent`. A caller's own rules
 * (`openMemory({ rules })`) are tried before the shipped ones.
 *
 * @param options.follows what the learned updater reads of the same turns
 * @example
 * await personaRules().extract(segment) // candidates: 'The user lives in Lyon.'
 */
export function personaRules(options: Pick<Extractor, 'follows'> = {}): Extractor {
  return { id: PERSONA_RULES, ...options, extract }
}

/** 苏州不去了: whose plan it was is not said. */
const DROPS = /(?:不去|去不[了成]|取消|泡汤|作罢|黄)了/

async function extract(segment: Segment, options?: ExtractOptions): Promise<Extraction> {
  const drawn: Drawn[] = []
  for await (const statements of statementsRead(segment, options))
    for (const one of statements) drawn.push(...(await drawAll(one)))
  return {
    candidates: withoutRepeats(drawn.filter((one): one is Candidate => !('kind' in one))),
    requests: drawn.filter((one) => 'kind' in one),
  }
}

/** The keys under which these rules find anything in a segment, without when it was: that takes as long as to find it. */
export async function keysFound(segment: Segment, rules: RuleBook): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const statements of statementsRead(segment, { rules }))
    for (const one of statements)
      for (const finding of one.findings)
        if (one.turn.role !== 'agent' || isOfAgent(finding, one)) keys.add(finding.key)
  return keys
}

/** Whether what was found in an agent's words is drawn from them: what it states of itself, and nothing that changes or ends. */
function isOfAgent({ key, state }: Finding, { turn, isCorrection }: ReadStatement): boolean {
  return !isCorrection && state !== 'ended' && isOwnOfAgent({ key }, turn)
}

/** A statement, and what its words tell. */
interface ReadStatement {
  readonly turn: Turn
  readonly language: Language
  readonly evidence: readonly Evidence[]
  /** What it asks to have forgotten; then it tells nothing else. */
  readonly request: ForgetRequest | undefined
  readonly findings: readonly Finding[]
  readonly isCorrection: boolean
}

/** Turn by turn. */
async function* statementsRead(
  segment: Segment,
  options?: Pick<ExtractOptions, 'rules' | 'abortSignal'>,
): AsyncGenerator<readonly ReadStatement[]> {
  const rules = options?.rules ?? shippedRules()
  const asked = askedIn(segment, rules)
  for (const [at, turn] of segment.turns.entries()) {
    options?.abortSignal?.throwIfAborted()
    const before = segment.turns[at - 1]
    const requests = asked.filter(({ evidence }) => evidence.turn === turn.id)
    const mayTell =
      FIRST_PERSON.test(turn.text) ||
      DROPS.test(turn.text) ||
      mayDropSubject(turn.text) ||
      mayLabel(turn.text) ||
      before?.role === 'agent' ||
      requests.length > 0
    if (turn.role !== 'other' && mayTell) yield await readTurn(turn, before, requests, rules)
    await yieldToEventLoop()
  }
}

async function readTurn(
  turn: Turn,
  before: Turn | undefined,
  asked: readonly ForgetRequest[],
  rules: RuleBook,
): Promise<readonly ReadStatement[]> {
  const language = languageOfTalk(turn.text)
  const reader = await rules.factsIn(language)
  const who = turn.speaker ?? language.unnamed[turn.role === 'agent' ? 'agent' : 'user']
  return statementsOf(turn, before, language).map(({ sentence, last, evidence }) => {
    const request = asked.find((one) => one.evidence.quote === evidence.at(-1)?.quote)
    const stated = spellOutLabel(sentence, turn.text, language.labelled) ?? sentence
    const findings = request === undefined ? reader.read(stated, who, last) : []
    const isCorrection = findings.length > 0 && language.isCorrection(sentence)
    return { turn, language, evidence, request, findings, isCorrection }
  })
}

/** What comes of a statement. */
async function drawAll({ turn, language, evidence, ...read }: ReadStatement): Promise<Drawn[]> {
  const { request, findings, isCorrection } = read
  const drawn: Drawn[] = request === undefined ? [] : [request]
  for (const finding of findings) {
    const one = await drawFrom(finding, turn, evidence, language)
    drawn.push(isCorrection && !('kind' in one) ? { kind: 'change', candidate: one } : one)
  }
  if (turn.role !== 'agent') return drawn
  return drawn.filter((one) => !('kind' in one) && isOwnOfAgent(one, turn))
}

/** Gives a finding its evidence and times. Nothing of it is shared with what else the words tell. */
async function drawFrom(
  { key, value, text, type, state, happened }: Finding,
  turn: Turn,
  evidence: readonly Evidence[],
  language: Language,
): Promise<Drawn> {
  if (state === 'ended') {
    const own = evidence.find((one) => one.turn === turn.id) ?? { turn: turn.id, quote: null }
    return { kind: 'end', about: value, key, value, at: turn.at, evidence: { ...own } }
  }
  const quotes = evidence.map((one) => one.quote ?? '').join(' ')
  const time = happened ? (await loadTimeResolver())(quotes, turn, language.id) : null
  return {
    form: 'fact',
    type,
    subject: whoSpeaks(turn),
    text,
    key,
    value,
    level: 0,
    evidence: evidence.map((one) => ({ ...one })),
    // What happened cannot lie ahead of the turn that tells it: "on Friday" then means another Friday.
    validFrom: time !== null && time <= turn.at ? time : turn.at,
    validUntil: state === 'over' ? turn.at : null,
    signals: { arousal: null, surprise: null, importance: null },
  }
}

/** What somebody said in so many words, or by answering yes. */
interface Statement {
  readonly sentence: string
  readonly last: string | null
  readonly evidence: readonly Evidence[]
}

function statementsOf(turn: Turn, before: Turn | undefined, language: Language): Statement[] {
  const sentences = sentencesOf(turn)
  const own = sentences.map(({ text, quote }, at): Statement => {
    return { sentence: text, last: sentences[at - 1]?.text ?? null, evidence: [{ turn: turn.id, quote }] }
  })
  const answered = confirmedQuestion(turn, before, language) ?? answeredQuestion(turn, before, language)
  return answered === null ? own : [...own, answered]
}

/** “怎么称呼你？” – “林屿”: what is told goes with what was asked. */
function answeredQuestion(turn: Turn, before: Turn | undefined, language: Language): Statement | null {
  const [first] = turn.role === 'user' && before?.role === 'agent' ? sentencesOf(turn) : []
  if (first === undefined || before === undefined) return null
  for (const question of sentencesOf(before).toReversed()) {
    const sentence = language.answerWithSubject?.(question.text, first.text) ?? null
    const asked = { turn: before.id, quote: question.quote }
    if (sentence !== null)
      return { sentence, last: null, evidence: [asked, { turn: turn.id, quote: first.quote }] }
  }
  return null
}

/** "So you live in Lyon?" – "Yes." */
function confirmedQuestion(turn: Turn, before: Turn | undefined, language: Language): Statement | null {
  if (turn.role !== 'user' || before?.role !== 'agent' || !saysYes(turn.text)) return null
  const question = sentencesOf(before).at(-1)
  const sentence = question === undefined ? null : language.answerInFull(question.text)
  const yes = splitSentences(turn.text)[0]
  if (question === undefined || sentence === null || yes === undefined) return null
  const evidence = [
    { turn: before.id, quote: question.quote },
    { turn: turn.id, quote: yes.text },
  ]
  return { sentence, last: null, evidence }
}

function isOwnOfAgent({ key }: Pick<Candidate, 'key'>, turn: Turn): boolean {
  return key !== null && AGENT_KEYS.test(key) && !ARTIFICIAL.test(turn.text)
}

/** The same statement of a turn once. Said in another turn it is more evidence, as merging finds. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ subject, key, text, evidence }) => {
    const name = JSON.stringify([subject, key, text.toLowerCase(), evidence.at(-1)?.turn])
    return seen.has(name) ? false : seen.add(name) !== undefined
  })
}
