// Measures the cost of one preset: it remembers a talk, recalls for questions, and replies.
import { MEMORY_FORMS, ModelError, type LanguageModel, type ScopedMemory, type Keepsake } from 'keepsake'
import { type PresetName, findPreset } from '@keepsake/papers'
import { mean } from 'simple-statistics'
import type { DatasetQuestion, BenchConversation } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'
import { sumCosts, type CostByPrompt, Meter } from '../recordings/meter.ts'
import { takeRounds, type TakenRounds } from './take-rounds.ts'
import { openPreset } from '../systems/keepsake.ts'
import type { Dialogue, SystemMemory } from '../systems/memory-system.ts'

export interface MeasureOptions {
  readonly talk: Talk
  readonly preset: PresetName
  readonly model: LanguageModel
  readonly rounds: number
  /** Questions for recall. Default: all. */
  readonly questions?: number
  /** Questions that the model also answers. */
  readonly replies: number
  /** Token budget of a recall's context. */
  readonly tokens: number
  /** Whether answers are replayed. Times are meaningless then. */
  readonly isReplayed: boolean
  readonly say?: (step: string) => void
}

export type PresetCost = Awaited<ReturnType<typeof measurePreset>>
export type PhaseCost = ReturnType<typeof phaseCost>

/** Remembers a talk with a preset, asks questions about it, and counts the cost of both. @throws ModelError if the model cannot be reached */
export async function measurePreset(options: MeasureOptions) {
  const { talk, preset, model, say } = options
  const part = takeRounds(talk, options.rounds)
  const ingested = await ingestTalk({ preset, model, user: talk.conversation.user, taken: part, say })
  const { keepsake, memory, meter } = ingested
  try {
    const ingestion = phaseCost(meter.take())
    const questions = part.questions.slice(0, options.questions)
    const { conversation } = talk
    const asked = await askQuestions(memory, { conversation, questions, tokens: options.tokens })
    const recalling = phaseCost(meter.take())
    const replies = await answerWithModel(memory, questions, options)
    const replying = phaseCost(meter.take())
    const jobs = await keepsake.jobs()
    const quarantined = await memory.memories({ statuses: ['quarantined'] })
    const currentMemories = await memory.memories({ forms: MEMORY_FORMS })
    const memoriesByForm = Map.groupBy(currentMemories, ({ form }) => form)
    return {
      preset,
      model: model.id,
      rounds: part.rounds,
      sessions: part.sessions.length,
      turns: part.turns,
      /** Calls of all extraction, to the end of the last session. */
      ingestion,
      /** Calls of recalls themselves, and of replies, over all questions. */
      recalling,
      replying,
      recall: summariseRecalls(asked),
      questionsLeftOut: part.leftOut,
      replies,
      rejectedOperations: ingested.eventCounts.rejected,
      notSummarised: ingested.eventCounts.notSummarised,
      memories: Object.fromEntries([...memoriesByForm].map(([form, memories]) => [form, memories.length])),
      quarantined: quarantined.length,
      unfinishedJobs: jobs.length,
      /** Failures of background work, including those that a retry repaired. */
      failures: ingested.eventCounts.failures,
      ingestionMs: options.isReplayed ? null : ingested.milliseconds,
    }
  } finally {
    await keepsake.close()
  }
}

function phaseCost(byPrompt: CostByPrompt) {
  return { total: sumCosts(Object.values(byPrompt)), byPrompt }
}

/** Asks for replies to evenly chosen questions, without remembering them. @returns their number */
async function answerWithModel(
  memory: ScopedMemory,
  questions: readonly DatasetQuestion[],
  { replies }: MeasureOptions,
): Promise<number> {
  const count = Math.min(replies, questions.length)
  for (let n = 0; n < count; n += 1) {
    const question = questions[Math.floor((n * questions.length) / count)]
    if (question === undefined) continue
    const turn = { role: 'user', text: question.text, at: question.askedAt } as const
    try {
      // No token budget is passed, so that the preset's own applies. MMM shows its whole list.
      const reply = await memory.reply(turn, { remember: false, reinforce: false, now: question.askedAt })
      await reply.text
    } catch (error) {
      // The meter counts unusable answers. Only a model that cannot be reached ends the run.
      if (!(error instanceof ModelError && error.code === 'model-answer')) throw error
    }
  }
  return count
}

/** The result of a recall for one question, and whether it contains the answer. */
interface AskedQuestion {
  readonly question: string
  readonly category: string
  /** Tokens of the context for a reply. */
  readonly tokens: number
  readonly memories: number
  /** Turns behind the recalled memories. */
  readonly turns: number
  /** The share of the evidence (turns that answer the question) that is among these turns. `null`: no turn answers it. */
  readonly found: number | null
}

interface AskOptions {
  readonly conversation: BenchConversation
  readonly questions: readonly DatasetQuestion[]
  /** Token budget of the context. */
  readonly tokens: number
}

/** Recalls for each question from a filled memory, without reinforcing memories. */
async function askQuestions(memory: ScopedMemory, options: AskOptions): Promise<AskedQuestion[]> {
  const { conversation, questions, tokens } = options
  const asked: AskedQuestion[] = []
  for (const question of questions) {
    const recall = await memory.recall(question.text, { now: question.askedAt, tokens, reinforce: false })
    // A portrait rests on all turns, so it would seem to contain every answer.
    const memories = recall.memories.filter((recalled) => recalled.memory.form !== 'portrait')
    const turns = new Set(memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
    const units = new Set([...turns].map((turn) => conversation.unitOf.get(turn) ?? turn))
    const { evidence } = question
    asked.push({
      question: question.id,
      category: question.category,
      tokens: recall.context.tokens,
      memories: recall.memories.length,
      turns: turns.size,
      found:
        question.answerable && evidence.length > 0
          ? evidence.filter((unit) => units.has(unit)).length / evidence.length
          : null,
    })
  }
  return asked
}

function summariseRecalls(asked: readonly AskedQuestion[]) {
  if (asked.length === 0) return null
  const tokens = asked.map((question) => question.tokens).toSorted((a, b) => a - b)
  const found = asked.flatMap((question) => question.found ?? [])
  const share = (count: number): number => (found.length === 0 ? 0 : count / found.length)
  return {
    questions: asked.length,
    tokens: {
      mean: mean(tokens),
      p95: tokens[Math.ceil(tokens.length * 0.95) - 1] ?? 0,
      max: tokens.at(-1) ?? 0,
    },
    memories: mean(asked.map((question) => question.memories)),
    /** Mean number of turns on which the recalled memories rest. The more turns, the more likely one has the answer. */
    turns: mean(asked.map((question) => question.turns)),
    /** The shares of answerable questions for which some evidence, or all of it, was recalled. */
    evidence: {
      questions: found.length,
      any: share(found.filter((part) => part > 0).length),
      all: share(found.filter((part) => part === 1).length),
    },
  }
}

/** The time limit of an answer. A person may write it by hand. */
const ANSWER_TIMEOUT_MS = 24 * 3_600_000
/** The number of retries. Node ends a request whose answer does not begin within five minutes, so a long wait needs many. */
const RETRIES = 20

interface EventCounts {
  /** Operations (changes of memories) that the model proposed and the rules rejected. */
  rejected: number
  /** Sessions without a summary. */
  notSummarised: number
  failures: number
}

interface IngestedTalk {
  readonly eventCounts: EventCounts
  readonly keepsake: Keepsake
  readonly memory: ScopedMemory
  readonly meter: Meter
  readonly milliseconds: number
}

interface IngestOptions {
  readonly preset: PresetName
  readonly model: LanguageModel
  readonly user: string
  readonly taken: TakenRounds
  readonly say?: ((what: string) => void) | undefined
}

/** Remembers a talk session by session. Clock and ids come from the talk, so that a recording can be replayed. */
async function ingestTalk({ preset, model, user, taken, say }: IngestOptions): Promise<IngestedTalk> {
  const meter = new Meter()
  const system = await openPreset(
    findPreset(preset, { model: true }),
    { user, model: meter.model(model), embedding: null },
    { modelOptions: { timeoutMs: ANSWER_TIMEOUT_MS, retries: RETRIES } },
  )
  const { keepsake, scope } = system.opened
  try {
    const eventCounts = countEvents(keepsake, meter)
    const started = performance.now()
    for (const [index, { id: session, turns }] of taken.sessions.entries()) {
      await addDialogue(system, { session, turns, endsSession: true })
      say?.(`${index + 1} of ${taken.sessions.length} sessions`)
    }
    return { keepsake, memory: scope, meter, eventCounts, milliseconds: performance.now() - started }
  } catch (error) {
    await keepsake.close()
    throw error
  }
}

/** Counts events of the engine while a talk is remembered. */
function countEvents(keepsake: Keepsake, meter: Meter): EventCounts {
  const counts: EventCounts = { rejected: 0, notSummarised: 0, failures: 0 }
  keepsake.on('model-called', (call) => meter.ended(call))
  keepsake.on('operation-rejected', () => (counts.rejected += 1))
  keepsake.on('session-not-summarised', () => (counts.notSummarised += 1))
  keepsake.on('job-failed', () => (counts.failures += 1))
  keepsake.on('background-failed', () => (counts.failures += 1))
  return counts
}

/** Adds a dialogue. An unusable answer of the model does not end the run: it is counted, and its job becomes a dead letter. */
async function addDialogue(system: SystemMemory, dialogue: Dialogue): Promise<void> {
  try {
    await system.addDialogue(dialogue)
  } catch (error) {
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (!causes.every((cause) => cause instanceof ModelError && cause.code === 'model-answer')) throw error
  }
}
