// The prompt of memos in the paper MemoChat.
import { z } from 'zod'
import { isLine, orEmpty, renderTurns, writingPrompt, type SaidTurn } from 'keepsake/preset'

export interface TopicMemosInput {
  readonly turns: readonly SaidTurn[]
}

const memoSchema = z.object({
  topic: z.string().describe('A few words that name the topic.'),
  summary: z.string().describe('One to three sentences on what was said of it.'),
  first: z.number().describe('Number of the first turn of it.'),
  last: z.number().describe('Number of the last turn of it.'),
})

export type TopicMemo = z.infer<typeof memoSchema>

const topicMemosAnswer = z.object({
  memos: orEmpty(memoSchema).describe('In order; empty when nothing is worth a memo.'),
})

/** Asks for MemoChat's memos: topics, each with a summary and the turns it covers. */
export const topicMemosPrompt = writingPrompt({
  id: 'topic-memos',
  version: 2,
  schema: topicMemosAnswer,
  shape: `{"memos": [{"topic": "…", "summary": "…", "first": 1, "last": 4}]}`,
  words: {
    en: {
      rules: `Cut a talk between a user and an agent into its topics and write a memo of each, to be found again when a later question bears on it.

- A topic is a run of turns on one matter; a new one begins where the matter changes. A matter taken up again later is a topic of its own. No turn belongs to two.
- topic: a few words that say what it is about, specific enough to be told from others ("Lena's allergy test", not "health").
- summary: one to three sentences in the third person: who said, did, wants or plans what, with names, numbers and dates exactly. Write the date that "yesterday" or "next month" means, counted from the day of its turn. Use the names that are given, otherwise "the user" and "the agent".
- first and last: the numbers of the first and the last turn of the topic.
- Only what the turns say. Greetings and empty talk get no memo.
- Write in the language of the turns.`,
      ask: 'Write the memos.',
    },
    zh: {
      rules: `请把用户与助手的对话按话题分段，每个话题写一条备忘，以便日后问到时能找回来。

- 谈同一件事的连续几句是一个话题，换了事情就是新话题；后来又谈起的，另算一个。任何一句只属于一个话题。
- topic（话题）：几个字点明谈的是什么，要具体到能与别的区分（写“莉娜的过敏检查”，不写“健康”）。
- summary（概括）：用第三人称写一到三句：谁说了、做了、想要或打算什么，名字、数字、日期照原样保留。“昨天”“下个月”之类，按说那句话的日子换算成具体日期。有名字就用名字，没有就写“用户”“助手”。
- first 和 last：该话题第一句和最后一句的编号。
- 只写对话里说的。寒暄空话不写备忘。
- 用中文写。`,
      ask: '请写出备忘。',
    },
  },
  material: ({ turns }: TopicMemosInput, language) => renderTurns(turns, language),
  problems: ({ memos }, { turns }) => [
    ...memos.flatMap((memo) => memoProblems(memo, turns.length)),
    ...overlapProblems(memos),
  ],
})

/** Checks whether a memo covers existing turns. */
export function coversTurns({ first, last }: TopicMemo, turns: number): boolean {
  return isLine(first, turns) && isLine(last, turns) && first <= last
}

function memoProblems(memo: TopicMemo, turns: number): string[] {
  const problems: string[] = []
  const name = `The memo "${memo.topic.slice(0, 60)}"`
  if (memo.topic.trim() === '' || memo.summary.trim() === '')
    problems.push(`${name} has an empty topic or summary: fill it in or leave the memo out.`)
  if (!coversTurns(memo, turns))
    problems.push(
      `${name} covers turns ${memo.first} to ${memo.last}, but the turns are numbered from 1 to ${turns}.`,
    )
  return problems
}

/** Returns a problem for each memo that shares turns with an earlier one. */
function overlapProblems(memos: readonly TopicMemo[]): string[] {
  const inOrder = [...memos].sort((memo, other) => memo.first - other.first)
  /** The memo with the latest end so far. */
  let lastEnding: TopicMemo | undefined
  const problems: string[] = []
  for (const memo of inOrder) {
    if (lastEnding !== undefined && memo.first <= lastEnding.last)
      problems.push(
        `The memos "${lastEnding.topic.slice(0, 60)}" and "${memo.topic.slice(0, 60)}" share turn ${memo.first}: a turn belongs to one topic.`,
      )
    if (lastEnding === undefined || memo.last > lastEnding.last) lastEnding = memo
  }
  return problems
}
