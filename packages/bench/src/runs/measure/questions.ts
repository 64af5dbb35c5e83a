import { estimateTokens } from 'keepsake'
import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Reading } from '../../readers/reader.ts'
import type { Retrieved } from '../../systems/memory-system.ts'
import { isAbstention } from '../../text/is-abstention.ts'
import { withDay } from '../../text/day-mark.ts'
import type { Protocol } from '../protocol.ts'
import { answerOverlap } from './answer-overlap.ts'
import { measureCoverage } from './coverage.ts'
import { measureEveryday } from './everyday.ts'
import { findLostStep } from './find-lost-step.ts'
import { judgeRecall } from './judge-recall.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'
import { isOfProbeTable, measureReply } from './probe-table.ts'

/** Turns looked at for evidence: enough that 30 units remain after turns are expanded and deduplicated. */
const EVIDENCE_LIMIT = 100
const NOTHING: Retrieved = { memories: [], turns: [], sessions: null, confidence: null, context: '' }
const NO_ANSWER = { answer: '', abstained: false, inputTokens: 0, outputTokens: 0 }

/** Puts a question in each way that it can be measured in. */
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
  const published = { asPublished: protocol === 'paper', asUsual: protocol === 'lufy' }
  const options = { limit, at: question.askedAt, tokens, ...published }
  return attempt(() => measuring.memory.retrieve(question.text, options))
}

async function measureRetrieval(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { value, milliseconds, failure } = await retrieve(measuring, question, EVIDENCE_LIMIT)
  const { turns, sessions, confidence } = value ?? NOTHING
  // A system that names no turns cannot be told right from wrong here; its answers can.
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
    ...judgeRecall(measuring.conversation, question, { turns, sessions }),
    failure,
  })
}

async function measureProbe(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { choices = [], correctChoice = 0 } = question
  const found = await retrieve(measuring, question, measuring.memoriesWanted)
  const { context, memories } = found.value ?? NOTHING
  const texts = memories.map(withDay)
  const input = { question: question.text, askedAt: question.askedAt, context, memories: texts, choices }
  const chosen =
    found.failure === null
      ? await askOutside(measuring, `choice for question ${question.id}`, () =>
          measuring.reader.choose(input),
        )
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
    failure: found.failure,
  })
}

async function measureAnswer(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const found = await retrieve(measuring, question, measuring.memoriesWanted)
  const retrieved = shownBy(measuring.protocol, found.value ?? NOTHING)
  const where = `question ${question.id}`
  const read =
    found.failure === null
      ? await askOutside(measuring, `answer to ${where}`, () => answerFrom(measuring, question, retrieved))
      : { ...NO_ANSWER, failure: found.failure, milliseconds: 0 }
  if (read === null) return
  const { answer, abstained, inputTokens, outputTokens } = read
  const reference = question.answer ?? ''
  const { answerable, keyPoints = [] } = question
  const judged =
    read.failure === null
      ? await askOutside(measuring, `verdict on ${where}`, () =>
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
    retrieveMs: found.milliseconds,
    answerMs: read.milliseconds,
    failure: read.failure,
  })
}

/** What the reader is shown, as the log and the count of tokens have it: in the paper's protocol the memories themselves. */
function shownBy(protocol: Protocol, retrieved: Retrieved): Retrieved {
  if (protocol !== 'paper') return retrieved
  return { ...retrieved, context: retrieved.memories.map(withDay).join('\n') }
}

interface TimedReading extends Reading {
  readonly milliseconds: number
  /** Why the system, asked for a reply of its own, gave none. */
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
