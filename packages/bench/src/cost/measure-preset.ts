import { ModelError, type LanguageModel, type ScopedMemory } from 'keepsake'
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
  /** Questions put to recall; all when absent. */
  readonly questions?: number
  /** Questions that the model also replies to. */
  readonly replies: number
  /** Budget of the context of a recall. */
  readonly tokens: number
  /** Whether answers come from a recording: then times say nothing. */
  readonly isReplayed: boolean
  readonly say?: (what: string) => void
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
      replies,
      /** Operations that a model proposed and the rules turned away. */
      rejectedOperations: ingested.happenings.rejected,
      notSummarised: ingested.happenings.notSummarised,
      memories: Object.fromEntries([...live].map(([form, of]) => [form, of.length])),
      quarantined: quarantined.length,
      unfinishedJobs: jobs.length,
      /** Of background work, tries that came good later included. */
      failures: ingested.happenings.failures,
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

/** Asks for replies to some of the questions, spread over them all, and returns how many. Nothing of it is remembered. */
async function answerSome(
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
      // No context budget is set: the preset's own applies, and MMM shows its whole list.
      await (
        await memory.reply(turn, { remember: false, reinforce: false, now: question.askedAt })
      ).text
    } catch (error) {
      // The meter counts it; a model that cannot be reached ends the run.
      if (!(error instanceof ModelError && error.code === 'model-answer')) throw error
    }
  }
  return count
}
