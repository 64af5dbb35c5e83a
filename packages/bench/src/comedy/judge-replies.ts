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
  /** The annotated memories of earlier sessions. */
  readonly past: readonly string[]
  /** The session so far, one turn per line. */
  readonly talk: readonly string[]
  /** Replies, numbered from 1. Their order does not reveal their systems. */
  readonly replies: readonly string[]
}

const schema = z.object({
  reason: z.string(),
  ranks: z
    .array(z.number())
    .describe('The rank of each reply, in the order in which they are given; 1 is best.'),
})

/** Ranks the replies of all systems by their average over five dimensions (COMEDY, section 3.3). Replies may share a rank. */
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

/** A reply with its verdicts. */
export interface JudgedReply {
  readonly person: string
  readonly system: ReplierName
  readonly turn: string
  readonly reply: string
  /** Scores from 0 to 3. `null`: there is no judge. */
  readonly scores: Readonly<Record<Dimension, number>> | null
  /** Rank among the replies of all systems to the same turn. `null`: there is no judge. */
  readonly rank: number | null
  readonly reason: string
}

/** A model that judges replies. */
export interface ReplyJudge {
  readonly name: string
  readonly version: string
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input, language: 'en' | 'zh'): Promise<Output>
}

interface RepliesToJudge {
  readonly episode: DolphinEpisode
  /** The session so far. The replies answer its last turn. */
  readonly talk: readonly DatasetTurn[]
  readonly written: readonly { readonly system: ReplierName; readonly reply: string }[]
}

/** Makes a judge in the role of COMEDY's annotators (appendix C). One request scores a reply, another ranks all replies to a turn. */
export function replyJudge(model: LanguageModel): ReplyJudge {
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const judgeRunner = promptRunner({ model }).for('judge', scope)
  return {
    name: model.id,
    version: [scoreReplyPrompt, rankRepliesPrompt].map(promptVersion).join(' '),
    ask: async (prompt, input, language) => {
      try {
        return await judgeRunner.ask(prompt, input, { language })
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        throw new JudgeError(model.id, prompt.id, problem, error)
      }
    },
  }
}

/** Scores the replies to a turn one by one, and ranks them. Without a judge, replies have no scores. */
export async function judgeReplies(
  { episode, talk, written }: RepliesToJudge,
  judge: ReplyJudge | null,
): Promise<JudgedReply[]> {
  const turn = talk.at(-1)?.id ?? ''
  const unjudged = { person: episode.name, turn, scores: null, rank: null, reason: '' }
  if (judge === null) return written.map((reply) => ({ ...unjudged, ...reply }))
  const shown = { past: pastOf(episode), talk: talk.map(({ speaker, text }) => `${speaker}: ${text}`) }
  const ranks = await rankReplies(judge, shown, { turn, language: episode.language, written })
  const judged: JudgedReply[] = []
  for (const [index, reply] of written.entries()) {
    const answer = await judge.ask(scoreReplyPrompt, { ...shown, reply: reply.reply }, episode.language)
    if (!DIMENSIONS.every((name) => isScore(answer[name])))
      throw new JudgeError(judge.name, scoreReplyPrompt.id, 'a score is no whole number from 0 to 3')
    const { reason, ...scores } = answer
    judged.push({ ...unjudged, ...reply, scores, rank: ranks[index] ?? null, reason })
  }
  return judged
}

/** Lists the annotated memories of earlier sessions. A session without one is shown turn by turn. */
function pastOf({ sessions, memories }: DolphinEpisode): string[] {
  return sessions.flatMap(({ turns }, at) => {
    const annotated = memories[at] ?? null
    return annotated === null ? turns.map(({ speaker, text }) => `${speaker}: ${text}`) : [annotated]
  })
}

interface RepliesToRank {
  readonly turn: string
  readonly language: 'en' | 'zh'
  readonly written: RepliesToJudge['written']
}

/** Returns the ranks in the order of the replies. The judge sees them in an order that differs by turn, so that no system is always first. */
async function rankReplies(
  judge: ReplyJudge,
  shown: { readonly past: readonly string[]; readonly talk: readonly string[] },
  { turn, language, written }: RepliesToRank,
): Promise<readonly (number | null)[]> {
  if (written.length < 2) return written.map(() => null)
  // The seed depends on the turn only, so that a repeated run shows the same order.
  const seed = createHash('sha256')
    .update(`${turn}\n${shown.talk.join('\n')}`)
    .digest()
    .readUInt32LE()
  const random = seededRandom(seed)
  const order = written
    .map((_, index) => ({ index, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ index }) => index)
  const replies = order.map((index) => written[index]?.reply ?? '')
  const { ranks } = await judge.ask(rankRepliesPrompt, { ...shown, replies }, language)
  if (ranks.length !== replies.length)
    throw new JudgeError(
      judge.name,
      rankRepliesPrompt.id,
      `${ranks.length} ranks for ${replies.length} replies`,
    )
  // Removes gaps: the ranks 1, 3, 3 become 1, 2, 2.
  const distinctRanks = [...new Set(ranks)].sort((a, b) => a - b)
  return written.map((_, index) => distinctRanks.indexOf(ranks[order.indexOf(index)] ?? 0) + 1)
}
