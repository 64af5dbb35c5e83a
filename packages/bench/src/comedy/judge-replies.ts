import { createHash } from 'node:crypto'
import type { LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import { promptVersion, type Prompt } from 'keepsake/preset'
import { z } from 'zod'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type { DolphinEpisode } from '../datasets/dolphin.ts'
import { JudgeError } from '../judges/judge-error.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { DIMENSIONS, isScore, scoreReplyPrompt, type Dimension } from './prompts/score-reply.ts'
import type { ReplierName } from './repliers.ts'

export interface RankRepliesInput {
  readonly past: readonly string[]
  readonly talk: readonly string[]
  /** Replies in an order that does not reveal their systems; numbered from 1. */
  readonly replies: readonly string[]
}

const schema = z.object({
  reason: z.string(),
  ranks: z
    .array(z.number())
    .describe('The rank of each reply, in the order in which they are given; 1 is best.'),
})

/** COMEDY's ranking of all models' replies by their average over the five dimensions (its section 3.3); ranks may be shared. */
export const rankRepliesPrompt = dataPrompt({
  id: 'rank-replies',
  version: 1,
  schema,
  shape: '{"reason": "…", "ranks": [2, 1, 2]}',
  maxOutputTokens: 500,
  show: ({ past, talk, replies }: RankRepliesInput) => ({ past, talk, replies }),
  problems: ({ ranks }, { replies }) => {
    if (ranks.length !== replies.length)
      return [`There are ${ranks.length} ranks for ${replies.length} replies; give one for each.`]
    return ranks.every((rank) => Number.isInteger(rank) && rank >= 1 && rank <= replies.length)
      ? []
      : [`Ranks are whole numbers from 1 to ${replies.length}.`]
  },
})

/** A reply with its scores from 0 to 3 and its rank among all systems' replies to the same turn; `null` without a judge. */
export interface JudgedReply {
  readonly person: string
  readonly system: ReplierName
  readonly turn: string
  readonly reply: string
  readonly scores: Readonly<Record<Dimension, number>> | null
  readonly rank: number | null
  readonly reason: string
}

export interface ReplyJudge {
  readonly name: string
  readonly version: string
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input, language: 'en' | 'zh'): Promise<Output>
}

interface ToJudge {
  readonly episode: DolphinEpisode
  /** The session so far; the last turn is answered. */
  readonly talk: readonly DatasetTurn[]
  readonly written: readonly { readonly system: ReplierName; readonly reply: string }[]
}

/**
 * A language model in the role of COMEDY's annotators (its appendix C): one question scores a reply, another ranks all of a turn.
 *
 * @throws JudgeError from every question that gets no verdict
 */
export function replyJudge(model: LanguageModel): ReplyJudge {
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const asked = promptRunner({ model }).for('judge', scope)
  return {
    name: model.id,
    version: [scoreReplyPrompt, rankRepliesPrompt].map(promptVersion).join(' '),
    ask: async (prompt, input, language) => {
      try {
        return await asked.ask(prompt, input, { language })
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        throw new JudgeError(model.id, prompt.id, problem, error)
      }
    },
  }
}

/** Scores the replies to a turn one by one, and ranks them; without a judge, returns them unscored. */
export async function judgeReplies(
  { episode, talk, written }: ToJudge,
  judge: ReplyJudge | null,
): Promise<JudgedReply[]> {
  const turn = talk.at(-1)?.id ?? ''
  const blank = { person: episode.name, turn, scores: null, rank: null, reason: '' }
  if (judge === null) return written.map((one) => ({ ...blank, ...one }))
  const shown = { past: pastOf(episode), talk: talk.map(({ speaker, text }) => `${speaker}: ${text}`) }
  const ranks = await ranksOf(judge, shown, { turn, language: episode.language, written })
  const judged: JudgedReply[] = []
  for (const [at, one] of written.entries()) {
    const answer = await judge.ask(scoreReplyPrompt, { ...shown, reply: one.reply }, episode.language)
    if (!DIMENSIONS.every((name) => isScore(answer[name])))
      throw new JudgeError(judge.name, scoreReplyPrompt.id, 'a score is no whole number from 0 to 3')
    const { reason, ...scores } = answer
    judged.push({ ...blank, ...one, scores, rank: ranks[at] ?? null, reason })
  }
  return judged
}

/** The annotated past, or else the earlier talk itself. */
function pastOf({ sessions, memories }: DolphinEpisode): string[] {
  return sessions.flatMap(({ turns }, at) => {
    const annotated = memories[at] ?? null
    return annotated === null ? turns.map(({ speaker, text }) => `${speaker}: ${text}`) : [annotated]
  })
}

interface Ranked {
  readonly turn: string
  readonly language: 'en' | 'zh'
  readonly written: ToJudge['written']
}

/** Ranks in the order of the replies. They are shown shuffled by turn, so that no system always comes first. */
async function ranksOf(
  judge: ReplyJudge,
  shown: { readonly past: readonly string[]; readonly talk: readonly string[] },
  { turn, language, written }: Ranked,
): Promise<readonly (number | null)[]> {
  if (written.length < 2) return written.map(() => null)
  const seed = createHash('sha256')
    .update(`${turn}\n${shown.talk.join('\n')}`)
    .digest()
    .readUInt32LE()
  const random = seededRandom(seed)
  const order = written
    .map((_, at) => ({ at, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ at }) => at)
  const replies = order.map((at) => written[at]?.reply ?? '')
  const { ranks } = await judge.ask(rankRepliesPrompt, { ...shown, replies }, language)
  if (ranks.length !== replies.length)
    throw new JudgeError(
      judge.name,
      rankRepliesPrompt.id,
      `${ranks.length} ranks for ${replies.length} replies`,
    )
  const dense = [...new Set(ranks)].sort((one, other) => one - other)
  return written.map((_, at) => dense.indexOf(ranks[order.indexOf(at)] ?? 0) + 1)
}
