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
import { askTool, attempt, questionEntryOf, type ConversationRun } from './conversation-run.ts'
import { isProbeTableQuestion, measureReply } from './probe-table.ts'

/** The numbers k of metrics such as `hit@k`, for units (turns or rounds, by data set) and for sessions. */
const UNIT_CUTOFFS = [1, 2, 5, 10, 30] as const
const SESSION_CUTOFFS = [1, 5, 10] as const

/** The part of a retrieval that is scored. Turns are listed best first. */
type RankedTurns = Pick<Retrieved, 'sessions'> & { readonly turns: readonly { readonly id: string }[] }

/** Scores one retrieval against the evidence (the units that answer the question). Each unit has the rank of its best turn. */
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
  rankedSessions: readonly string[] | null,
): Record<string, number> {
  const scores: Record<string, number> = {}
  for (const k of UNIT_CUTOFFS) {
    scores[`hit@${k}`] = hitAt(k, units, evidence)
    scores[`recall@${k}`] = recallAt(k, units, evidence)
  }
  scores['ndcg@10'] = ndcgAt(10, units, evidence)
  scores['mrr'] = reciprocalRank(units, evidence)
  const sessionOf = (unit: string): string => conversation.sessionOf.get(unit) ?? ''
  const sessions = rankedSessions ?? [...new Set(units.map(sessionOf))]
  const evidenceSessions = new Set([...evidence].map(sessionOf))
  for (const k of SESSION_CUTOFFS) {
    if (k >= conversation.sessions.length) continue
    scores[`session_hit@${k}`] = hitAt(k, sessions, evidenceSessions)
    scores[`session_recall@${k}`] = recallAt(k, sessions, evidenceSessions)
  }
  return scores
}

/** Number of requested memories. It exceeds what fits the largest budget, so that only the budget limits the context. */
const COVERAGE_LIMIT = 100

/** Searches contexts of several token budgets for the key points of an answer. No reader is involved. */
async function measureCoverage(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const { keyPoints = [], text } = question
  const contexts: CoveredContext[] = []
  let failure: string | null = null
  for (const budget of COVERAGE_BUDGETS) {
    const options = { limit: COVERAGE_LIMIT, at: question.askedAt, tokens: budget }
    const retrieval = await attempt(() => run.memory.retrieve(text, options))
    failure ??= retrieval.failure
    const covered = await coverKeyPoints(run, question, retrieval.value?.context ?? '')
    if (covered === null) return
    contexts.push({ budget, ...covered })
  }
  run.write({
    entry: 'coverage',
    ...questionEntryOf(run, question),
    keyPoints,
    contexts,
    failure,
  })
}

/** Judges which key points a context contains. `null`: the judge gave no usable verdict. */
async function coverKeyPoints(
  run: ConversationRun,
  { id, keyPoints = [] }: DatasetQuestion,
  context: string,
): Promise<Omit<CoveredContext, 'budget'> | null> {
  const lines = context.split('\n').filter((line) => line.trim() !== '')
  const content = readContent(context)
  const held: boolean[] = []
  for (const expected of keyPoints) {
    const judged = await askTool(run, `verdict on a key point of question ${id}`, () =>
      run.judge.integrity({ expected, memories: lines, user: run.conversation.user }),
    )
    if (judged === null) return null
    held.push(judged.verdict === 2)
  }
  const words = keyPoints.map((point) => compareContent(readContent(point), content).share ?? 0)
  return { tokens: estimateTokens(context), context, held, words }
}

/** Number of memories searched for evidence. It gives 30 different units, although several memories may rest on one unit. */
const EVIDENCE_LIMIT = 100
const NOTHING_FOUND: Retrieved = { memories: [], turns: [], sessions: null, confidence: null, context: '' }
const NO_ANSWER = { answer: '', abstained: false, inputTokens: 0, outputTokens: 0 }

/** Measures a question by every requested task that its data supports. */
export async function measureQuestion(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const { tasks, memoriesWanted } = run
  if (isProbeTableQuestion(question)) return measureReply(run, question, memoriesWanted)
  const { answerable, keyPoints = [] } = question
  const isMultipleChoice = question.choices !== undefined && question.correctChoice !== undefined
  const hasEvidence = question.evidence.length > 0
  const hasReference = question.answer !== undefined || !answerable
  if (tasks.has('retrieval') && (hasEvidence || !answerable)) await measureRetrieval(run, question)
  if (tasks.has('everyday') && question.evidenceGroups !== undefined) await measureEveryday(run, question)
  if (tasks.has('coverage') && answerable && keyPoints.length > 0) await measureCoverage(run, question)
  if (tasks.has('probes') && isMultipleChoice) await measureProbe(run, question)
  if (tasks.has('answering') && !isMultipleChoice && hasReference) await measureAnswer(run, question)
}

async function retrieve(run: ConversationRun, question: DatasetQuestion, limit: number) {
  const { contextTokens: tokens, protocol } = run
  const protocolOptions = { asPublished: protocol === 'paper', asUsual: protocol === 'lufy' }
  const options = { limit, at: question.askedAt, tokens, ...protocolOptions }
  return attempt(() => run.memory.retrieve(question.text, options))
}

async function measureRetrieval(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const { value, milliseconds, failure } = await retrieve(run, question, EVIDENCE_LIMIT)
  const { turns, sessions, confidence } = value ?? NOTHING_FOUND
  // The system does not name the turns of its memories, so they cannot be compared with the evidence.
  if (turns === null) return
  run.write({
    entry: 'retrieval',
    ...questionEntryOf(run, question),
    answerable: question.answerable,
    confidence: confidence ?? Number.NaN,
    milliseconds,
    ...scoreRetrieval(run.conversation, question, { turns, sessions }),
    failure,
  })
}

async function measureProbe(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const { choices = [], correctChoice = 0 } = question
  const retrieval = await retrieve(run, question, run.memoriesWanted)
  const { context, memories } = retrieval.value ?? NOTHING_FOUND
  const texts = memories.map(withDay)
  const input = { question: question.text, askedAt: question.askedAt, context, memories: texts, choices }
  let chosen: number | null = null
  if (retrieval.failure === null) {
    const where = `choice for question ${question.id}`
    const reading = await askTool(run, where, () => run.reader.choose(input))
    if (reading === null) return
    chosen = reading.choice
  }
  run.write({
    entry: 'probe',
    ...questionEntryOf(run, question),
    choices,
    correct: correctChoice,
    chosen,
    retrieved: texts,
    context,
    failure: retrieval.failure,
  })
}

async function measureAnswer(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const retrieval = await retrieve(run, question, run.memoriesWanted)
  const retrieved = contextOf(run.protocol, retrieval.value ?? NOTHING_FOUND)
  const where = `question ${question.id}`
  const reading =
    retrieval.failure === null
      ? await askTool(run, `answer to ${where}`, () => answerFrom(run, question, retrieved))
      : { ...NO_ANSWER, failure: retrieval.failure, milliseconds: 0 }
  if (reading === null) return
  const { answer, abstained, inputTokens, outputTokens } = reading
  const reference = question.answer ?? ''
  const { answerable, keyPoints = [] } = question
  const judged =
    reading.failure === null
      ? await askTool(run, `verdict on ${where}`, () =>
          run.judge.answer({ question: question.text, reference, keyPoints, answer, answerable }),
        )
      : { verdict: 'omitted' as const, reason: reading.failure }
  if (judged === null) return
  const { verdict, reason } = judged
  const lost = verdict === 'correct' ? null : await findLostStep(run, question, retrieved)
  run.write({
    entry: 'answer',
    ...questionEntryOf(run, question),
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
    overlap: answerable ? await answerOverlap(run, answer, reference) : {},
    contextTokens: estimateTokens(retrieved.context),
    inputTokens,
    outputTokens,
    retrieveMs: retrieval.milliseconds,
    answerMs: reading.milliseconds,
    failure: reading.failure,
  })
}

/** Sets the context for the log and the token counts. By HaluMem's protocol the reader sees only the memories, so they are the context. */
function contextOf(protocol: Protocol, retrieved: Retrieved): Retrieved {
  if (protocol !== 'paper') return retrieved
  return { ...retrieved, context: retrieved.memories.map(withDay).join('\n') }
}

/** A reading with its time. */
interface TimedReading extends Reading {
  readonly milliseconds: number
  /** Why the system's own reply failed. `null`: it did not fail, or the reader replied. */
  readonly failure: string | null
}

/** Answers by the system itself, if the run wants that and the system can, or else by the reader. */
async function answerFrom(
  { ownAnswers, memory, protocol, reader }: ConversationRun,
  question: DatasetQuestion,
  { context, memories }: Retrieved,
): Promise<TimedReading> {
  const { answer: reply } = memory
  if (ownAnswers && reply !== null) {
    const { value, milliseconds, failure } = await attempt(() => reply(question))
    if (value === null) return { ...NO_ANSWER, milliseconds, failure }
    const outputTokens = estimateTokens(value)
    const answer = { answer: value, abstained: isAbstention(value), inputTokens: 0, outputTokens }
    return { ...answer, milliseconds, failure }
  }
  const start = performance.now()
  const texts = memories.map(withDay)
  const shown = protocol === 'paper' ? '' : context
  const input = { question: question.text, askedAt: question.askedAt, context: shown, memories: texts }
  return { ...(await reader.answer(input)), milliseconds: performance.now() - start, failure: null }
}
