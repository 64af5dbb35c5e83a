import { MEMORY_FORMS, ModelError, type LanguageModel, type ScopedMemory } from 'keepsake'
import { type PresetName } from '@keepsake/papers'
import type { DatasetQuestion } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'
import { sumCosts, type CostByPrompt } from '../recordings/meter.ts'
import { askQuestions, summariseRecalls } from './ask-questions.ts'
import { ingestTalk } from './ingest-talk.ts'
import { takeRounds } from './take-rounds.ts'

export interface MeasureOptions {
  readonly talk: Talk
  readonly preset: PresetName
  readonly model: LanguageModel
  readonly rounds: number
  /** Questions for recall; all when absent. */
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

/** Measures a preset on a talk: remembers it, asks about it, and counts the cost of both. @throws ModelError as `ingestTalk`. */
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
    const live = Map.groupBy(await memory.memories({ forms: MEMORY_FORMS }), ({ form }) => form)
    return {
      preset,
      model: model.id,
      rounds: part.rounds,
      sessions: part.sessions.length,
      turns: part.turns,
      /** All extraction, to the end of the last session. */
      ingestion,
      /** Calls of recalls themselves, and of replies, over all questions. */
      recalling,
      replying,
      recall: summariseRecalls(asked),
      questionsLeftOut: part.leftOut,
      replies,
      rejectedOperations: ingested.eventCounts.rejected,
      notSummarised: ingested.eventCounts.notSummarised,
      memories: Object.fromEntries([...live].map(([form, of]) => [form, of.length])),
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
      // Without a context budget, so that the preset's own applies; MMM shows its whole list.
      await (
        await memory.reply(turn, { remember: false, reinforce: false, now: question.askedAt })
      ).text
    } catch (error) {
      // The meter counts it; only an unreachable model ends the run.
      if (!(error instanceof ModelError && error.code === 'model-answer')) throw error
    }
  }
  return count
}
