import { ModelError, type JobRow, type LanguageModel, type ScopedMemory } from 'keepsake'
import { type PresetName } from '@keepsake/papers'
import type { DatasetQuestion } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'
import { sumCosts, type CostByPrompt } from '../recordings/meter.ts'
import { askQuestions, summariseRecalls } from './ask-questions.ts'
import { ingestTalk, type IngestedTalk } from './ingest-talk.ts'
import { takeRounds, type TakenRounds } from './take-rounds.ts'

/** A question answered from memory. */
export interface AnsweredQuestion {
  readonly question: string
  /** `null` when the model gave no usable answer. */
  readonly reply: string | null
}

/** What a preset made of a talk, for those who look into it: valid until the measuring goes on. */
export interface Measured {
  readonly preset: PresetName
  readonly talk: Talk
  readonly taken: TakenRounds
  readonly ingested: IngestedTalk
  /** Work that is not done: parked, or failed and waiting. */
  readonly jobs: readonly JobRow[]
  readonly replies: readonly AnsweredQuestion[]
}

export interface MeasureOptions {
  readonly talk: Talk
  readonly preset: PresetName
  readonly model: LanguageModel
  readonly rounds: number
  /** Questions put to recall; all when absent. */
  readonly questions?: number
  /** Questions that the model also replies to. */
  readonly replies: number
  /** Budget of the context of a recall. */
  readonly tokens: number
  /** Whether answers come from a recording: then times say nothing. */
  readonly isReplayed: boolean
  readonly say?: (what: string) => void
  /** Is handed the filled memory before it is closed. */
  readonly onMeasured?: (measured: Measured) => Promise<void>
}

/** What a preset cost on a talk. */
export type PresetCost = Awaited<ReturnType<typeof measurePreset>>
export type PhaseCost = ReturnType<typeof phaseCost>

/** Remembers a talk with a preset, asks about it, and counts what both cost. @throws ModelError as `ingestTalk`. */
export async function measurePreset(options: MeasureOptions) {
  const { talk, preset, model, say } = options
  const taken = takeRounds(talk, options.rounds)
  const ingested = await ingestTalk({ preset, model, user: talk.conversation.user, taken, say })
  const { keepsake, memory, meter } = ingested
  try {
    const ingestion = phaseCost(meter.take())
    const questions = taken.questions.slice(0, options.questions)
    const { conversation } = talk
    const asked = await askQuestions(memory, { conversation, questions, tokens: options.tokens })
    const recalling = phaseCost(meter.take())
    const replies = await answerSome(memory, questions, options)
    const replying = phaseCost(meter.take())
    const jobs = await keepsake.jobs()
    await options.onMeasured?.({ preset, talk, taken, ingested, jobs, replies })
    const quarantined = await memory.memories({ statuses: ['quarantined'] })
    const live = Map.groupBy(await memory.memories(), ({ form }) => form)
    return {
      preset,
      model: model.id,
      rounds: taken.rounds,
      sessions: taken.sessions.length,
      turns: taken.turns,
      /** Everything drawn from the talk, to the end of its last session. */
      ingestion,
      /** Calls made by recalls themselves, and by replies, over all questions. */
      recalling,
      replying,
      recall: summariseRecalls(asked),
      questionsLeftOut: taken.leftOut,
      replies: replies.length,
      /** Operations that a model proposed and the rules turned away. */
      rejectedOperations: ingested.rejected.length,
      notSummarised: ingested.notSummarised.length,
      memories: Object.fromEntries([...live].map(([form, of]) => [form, of.length])),
      quarantined: quarantined.length,
      unfinishedJobs: jobs.length,
      /** Of background work, tries that came good later included. */
      failures: ingested.failures.length,
      ingestionMs: options.isReplayed ? null : ingested.milliseconds,
    }
  } finally {
    await keepsake.close()
  }
}

/** Calls of one kind of work. */
function phaseCost(byPrompt: CostByPrompt) {
  return { total: sumCosts(Object.values(byPrompt)), byPrompt }
}

/** Replies to some of the questions, spread over them all. Nothing of it is remembered. */
async function answerSome(
  memory: ScopedMemory,
  questions: readonly DatasetQuestion[],
  { replies }: MeasureOptions,
): Promise<AnsweredQuestion[]> {
  const count = Math.min(replies, questions.length)
  const chosen = Array.from(
    { length: count },
    (_, n) => questions[Math.floor((n * questions.length) / count)],
  )
  const answered: AnsweredQuestion[] = []
  for (const question of chosen) {
    if (question === undefined) continue
    const turn = { role: 'user', text: question.text, at: question.askedAt } as const
    // With no budget of context of its own: as an application has it, and MMM the whole list.
    const options = { remember: false, reinforce: false, now: question.askedAt }
    try {
      const { text } = await memory.reply(turn, options)
      answered.push({ question: question.text, reply: await text })
    } catch (error) {
      // The meter counts it; a model that cannot be reached ends the run.
      if (!(error instanceof ModelError && error.code === 'model-answer')) throw error
      answered.push({ question: question.text, reply: null })
    }
  }
  return answered
}
