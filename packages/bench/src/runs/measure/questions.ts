import { estimateTokens } from 'keepsake'
import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import { COVERAGE_BUDGETS, type CoveredContext, type RetrievalEntry } from '../../log/log-entry.ts'
import { hitAt, ndcgAt, recallAt, reciprocalRank } from '../../metrics/ranking-metrics.ts'
import type { Reading } from '../../readers/reader.ts'
import type { Retrieved } from '../../systems/memory-system.ts'
import { compareContent } from '../../text/compare-content.ts'
import { withDay } from '../../text/day-mark.ts'
import { isAbstention } from '../../text/is-abstention.ts'
import { readContent } from '../../text/read-content.ts'
import type { Protocol } from '../protocol.ts'
import { answerOverlap } from './answer-overlap.ts'
import { measureEveryday } from './everyday.ts'
import { findLostStep } from './find-lost-step.ts'
import { askTool, attempt, entryOf, type Measuring } from './measuring.ts'
import { isOfProbeTable, measureReply } from './probe-table.ts'

const UNIT_CUTOFFS = [1, 2, 5, 10, 30] as const
const SESSION_CUTOFFS = [1, 5, 10] as const

/** The scored part of a retrieval: turns, best first. */
type RankedTurns = Pick<Retrieved, 'sessions'> & { readonly turns: readonly { readonly id: string }[] }

/** Scores one retrieval. Turns become units in score order, without duplicates, before the cutoffs. */
function scoreRetrieval(
  conversation: BenchConversation,
  question: DatasetQuestion,
  { turns, sessions }: RankedTurns,
): Pick<RetrievalEntry, 'units' | 'evidence' | 'scores'> {
  const units = [...new Set(turns.map(({ id }) => conversation.unitOf.get(id) ?? id))]
  const evidence = new Set(question.evidence)
  return {
    units: units.slice(0, Math.max(...UNIT_CUTOFFS)),
    evidence: question.evidence,
    scores: evidence.size === 0 ? null : scoreUnits(conversation, units, evidence, sessions),
  }
}

function scoreUnits(
  conversation: BenchConversation,
  units: readonly string[],
  evidence: ReadonlySet<string>,
  ownSessions: readonly string[] | null,
): Record<string, number> {
  const scores: Record<string, number> = {}
  for (const k of UNIT_CUTOFFS) {
    scores[`hit@${k}`] = hitAt(k, units, evidence)
    scores[`recall@${k}`] = recallAt(k, units, evidence)
  }
  scores['ndcg@10'] = ndcgAt(10, units, evidence)
  scores['mrr'] = reciprocalRank(units, evidence)
  const sessionOf = (unit: string): string => conversation.sessionOf.get(unit) ?? ''
  const sessions = ownSessions ?? [...new Set(units.map(sessionOf))]
  const evidenceSessions = new Set([...evidence].map(sessionOf))
  for (const k of SESSION_CUTOFFS) {
    if (k >= conversation.sessions.length) continue
    scores[`session_hit@${k}`] = hitAt(k, sessions, evidenceSessions)
    scores[`session_recall@${k}`] = recallAt(k, sessions, evidenceSessions)
  }
  return scores
}

/** Requested memories: more than fit the largest budget, so that only the budget decides. */
const COVERAGE_LIMIT = 100

/** Searches contexts of several budgets for a question's key points, independent of readers. */
async function measureCoverage(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { keyPoints = [], id, category, text } = question
  const contexts: CoveredContext[] = []
  let failure: string | null = null
  for (const budget of COVERAGE_BUDGETS) {
    const options = { limit: COVERAGE_LIMIT, at: question.askedAt, tokens: budget }
    const retrieval = await attempt(() => measuring.memory.retrieve(text, options))
    failure ??= retrieval.failure
    const covered = await coverKeyPoints(measuring, question, retrieval.value?.context ?? '')
    if (covered === null) return
    contexts.push({ budget, ...covered })
  }
  measuring.write({
    entry: 'coverage',
    ...entryOf(measuring),
    question: id,
    category,
    text,
    keyPoints,
    contexts,
    failure,
  })
}

/** Judges which key points a context contains; `null` without a usable verdict. */
async function coverKeyPoints(
  measuring: Measuring,
  { id, keyPoints = [] }: DatasetQuestion,
  context: string,
): Promise<Omit<CoveredContext, 'budget'> | null> {
  const lines = context.split('\n').filter((line) => line.trim() !== '')
  const content = readContent(context)
  const held: boolean[] = []
  for (const expected of keyPoints) {
    const judged = await askTool(measuring, `verdict on a key point of question ${id}`, () =>
      measuring.judge.integrity({ expected, memories: lines, user: measuring.conversation.user }),
    )
    if (judged === null) return null
    held.push(judged.verdict === 2)
  }
  const words = keyPoints.map((point) => compareContent(readContent(point), content).share ?? 0)
  return { tokens: estimateTokens(context), context, held, words }
}

/** Turns searched for evidence: enough that 30 units remain after turns are expanded and deduplicated. */
const EVIDENCE_LIMIT = 100
const NOTHING_FOUND: Retrieved = { memories: [], turns: [], sessions: null, confidence: null, context: '' }
const NO_ANSWER = { answer: '', abstained: false, inputTokens: 0, outputTokens: 0 }

export async function measureQuestion(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { tasks, memoriesWanted } = measuring
  if (isOfProbeTable(question)) return measureReply(measuring, question, memoriesWanted)
  const isProbe = question.choices !== undefined && question.correctChoice !== undefined
  if (tasks.has('retrieval') && (question.evidence.length > 0 || !question.answerable))
    await measureRetrieval(measuring, question)
  if (tasks.has('everyday') && question.evidenceGroups !== undefined)
    await measureEveryday(measuring, question)
  if (tasks.has('coverage') && question.answerable && (question.keyPoints ?? []).length > 0)
    await measureCoverage(measuring, question)
  if (tasks.has('probes') && isProbe) await measureProbe(measuring, question)
  if (tasks.has('answering') && !isProbe && (question.answer !== undefined || !question.answerable))
    await measureAnswer(measuring, question)
}

async function retrieve(measuring: Measuring, question: DatasetQuestion, limit: number) {
  const { contextTokens: tokens, protocol } = measuring
  const protocolOptions = { asPublished: protocol === 'paper', asUsual: protocol === 'lufy' }
  const options = { limit, at: question.askedAt, tokens, ...protocolOptions }
  return attempt(() => measuring.memory.retrieve(question.text, options))
}

async function measureRetrieval(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { value, milliseconds, failure } = await retrieve(measuring, question, EVIDENCE_LIMIT)
  const { turns, sessions, confidence } = value ?? NOTHING_FOUND
  // Retrieval cannot be judged for a system without named turns; its answers can.
  if (turns === null) return
  measuring.write({
    entry: 'retrieval',
    ...entryOf(measuring),
    question: question.id,
    category: question.category,
    text: question.text,
    answerable: question.answerable,
    confidence: confidence ?? Number.NaN,
    milliseconds,
    ...scoreRetrieval(measuring.conversation, question, { turns, sessions }),
    failure,
  })
}

async function measureProbe(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { choices = [], correctChoice = 0 } = question
  const retrieval = await retrieve(measuring, question, measuring.memoriesWanted)
  const { context, memories } = retrieval.value ?? NOTHING_FOUND
  const texts = memories.map(withDay)
  const input = { question: question.text, askedAt: question.askedAt, context, memories: texts, choices }
  const chosen =
    retrieval.failure === null
      ? await askTool(measuring, `choice for question ${question.id}`, () => measuring.reader.choose(input))
      : { choice: null }
  if (chosen === null) return
  measuring.write({
    entry: 'probe',
    ...entryOf(measuring),
    question: question.id,
    category: question.category,
    text: question.text,
    choices,
    correct: correctChoice,
    chosen: chosen.choice,
    retrieved: texts,
    context,
    failure: retrieval.failure,
  })
}

async function measureAnswer(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const retrieval = await retrieve(measuring, question, measuring.memoriesWanted)
  const retrieved = contextOf(measuring.protocol, retrieval.value ?? NOTHING_FOUND)
  const where = `question ${question.id}`
  const read =
    retrieval.failure === null
      ? await askTool(measuring, `answer to ${where}`, () => answerFrom(measuring, question, retrieved))
      : { ...NO_ANSWER, failure: retrieval.failure, milliseconds: 0 }
  if (read === null) return
  const { answer, abstained, inputTokens, outputTokens } = read
  const reference = question.answer ?? ''
  const { answerable, keyPoints = [] } = question
  const judged =
    read.failure === null
      ? await askTool(measuring, `verdict on ${where}`, () =>
          measuring.judge.answer({ question: question.text, reference, keyPoints, answer, answerable }),
        )
      : { verdict: 'omitted' as const, reason: read.failure }
  if (judged === null) return
  const { verdict, reason } = judged
  const lost = verdict === 'correct' ? null : await findLostStep(measuring, question, retrieved)
  measuring.write({
    entry: 'answer',
    ...entryOf(measuring),
    question: question.id,
    category: question.category,
    text: question.text,
    reference,
    keyPoints,
    answerable,
    answer,
    abstained,
    confidence: retrieved.confidence,
    context: retrieved.context,
    retrieved: retrieved.memories.map(withDay),
    outcome: verdict,
    reason,
    lost,
    overlap: answerable ? await answerOverlap(measuring, answer, reference) : {},
    contextTokens: estimateTokens(retrieved.context),
    inputTokens,
    outputTokens,
    retrieveMs: retrieval.milliseconds,
    answerMs: read.milliseconds,
    failure: read.failure,
  })
}

/** Returns the context for the log and token counts: in the paper's protocol, the memories themselves. */
function contextOf(protocol: Protocol, retrieved: Retrieved): Retrieved {
  if (protocol !== 'paper') return retrieved
  return { ...retrieved, context: retrieved.memories.map(withDay).join('\n') }
}

interface TimedReading extends Reading {
  readonly milliseconds: number
  /** Why the system gave no reply of its own. */
  readonly failure: string | null
}

async function answerFrom(
  { ownAnswers, memory, protocol, reader }: Measuring,
  question: DatasetQuestion,
  { context, memories }: Retrieved,
): Promise<TimedReading> {
  const { answer: reply } = memory
  if (ownAnswers && reply !== null) {
    const { value, milliseconds, failure } = await attempt(() => reply(question))
    if (value === null) return { ...NO_ANSWER, milliseconds, failure }
    const outputTokens = estimateTokens(value)
    return {
      answer: value,
      abstained: isAbstention(value),
      inputTokens: 0,
      outputTokens,
      milliseconds,
      failure,
    }
  }
  const start = performance.now()
  const texts = memories.map(withDay)
  const shown = protocol === 'paper' ? '' : context
  const input = { question: question.text, askedAt: question.askedAt, context: shown, memories: texts }
  return { ...(await reader.answer(input)), milliseconds: performance.now() - start, failure: null }
}
