// The prompt and the compressor of the paper Resum, which rewrites one memory after each session.
import { z } from 'zod'
import { splitSentences } from '@keepsake/text'
import type { Compressor } from 'keepsake/preset'
import {
  askOptions,
  fitWords,
  MOST_WORDS,
  promptVersion,
  renderBefore,
  renderTurns,
  requireModel,
  wordLimit,
  wordProblems,
  writingPrompt,
  type SaidTurn,
} from 'keepsake/preset'

export interface RecursiveSummaryInput {
  /** The memory before the session; `null` at the start. */
  readonly previous: string | null
  readonly turns: readonly SaidTurn[]
}

const recursiveSummaryAnswer = z.object({
  memory: z.string().describe('The whole new memory; empty when there is nothing to remember.'),
})

/** Maximum sentences. With it the memory stays readable even after a long conversation. */
const MAX_SENTENCES = 20

/** Asks for the new memory, from the previous one and the session that ended. */
export const recursiveSummaryPrompt = writingPrompt({
  id: 'recursive-summary',
  version: 3,
  schema: recursiveSummaryAnswer,
  shape: `{"memory": "…"}`,
  words: {
    en: {
      rules: `You keep the memory of a long-running talk between a user and an agent: one text, written anew after each session from the memory so far and the session.

- Tell what each of the two is like and what happened to them: who they are, family and friends, work, likes and dislikes, plans, feelings that last, what the agent recommended, what they agreed on.
- Keep everything of <memory> that still holds: it is all that is left of earlier sessions. Put in what is new, change what has changed, drop what is over or no longer matters.
- Make clear of whom each sentence speaks: use the names that are given, otherwise "the user" and "the agent". Keep names, numbers and dates exactly; write the date that "yesterday" or "next month" means, counted from the day of its turn.
- Only what the memory and the turns say. Plans, guesses and jokes stay so.
- Plain sentences in the language of the turns, no list. At most ${MAX_SENTENCES} sentences and ${wordLimit('en')}.`,
      ask: 'Write the new memory.',
    },
    zh: {
      rules: `你在维护用户与助手长期对话的记忆：一段文字，每次对话之后，由现有记忆和这次对话重写而成。

- 写两人各是怎样的人、遇到了什么：身份、家人朋友、工作、喜好与厌恶、打算、持久的感受、助手的推荐、彼此的约定。
- <memory> 中仍然成立的都要保留，更早的对话只剩下这份文字。补上新的，改掉变了的，略去已经过去或不再要紧的。
- 每句话说的是谁要写清楚：有名字就用名字，没有就写“用户”“助手”。名字、数字、日期照原样保留；“昨天”“下个月”之类，按说那句话的日子换算成具体日期。
- 只写记忆和对话里有的。计划、猜测、玩笑仍写作计划、猜测、玩笑。
- 用中文写成通顺的句子，不用列表。不超过${MAX_SENTENCES}句、${wordLimit('zh')}。`,
      ask: '请写出新的记忆。',
    },
  },
  material: ({ previous, turns }: RecursiveSummaryInput, language) =>
    `${renderBefore(previous, 'memory')}${renderTurns(turns, language)}`,
  problems: ({ memory }, { previous }) => {
    if (memory.trim() === '')
      return previous === null || previous.trim() === ''
        ? []
        : ['The memory is empty, yet there was one before: keep what still holds.']
    const sentences = splitSentences(memory).length
    const tooMany = `It has ${sentences} sentences and may have ${MAX_SENTENCES}: merge or leave out what matters least.`
    return [...(sentences > MAX_SENTENCES ? [tooMany] : []), ...wordProblems([memory])]
  },
})

/** Makes Resum's compressor. It writes the new memory from the previous one and the ended session. It needs a language model. */
export function recursiveCompressor(): Compressor {
  const id = promptVersion(recursiveSummaryPrompt)
  return {
    id,
    prompt: id,
    mode: 'incremental',
    compress: async ({ previous, turns }, options) => {
      const model = requireModel(options.ask, id)
      if (turns.length === 0) return previous
      const { memory } = await model.ask(
        recursiveSummaryPrompt,
        { previous, turns },
        askOptions(turns, options),
      )
      // An empty answer was already reported as a problem and repaired once, so the previous memory stays.
      return memory.trim() === ''
        ? previous
        : fitWords(memory.trim(), { words: MOST_WORDS, sentences: MAX_SENTENCES }, 'last')
    },
  }
}
