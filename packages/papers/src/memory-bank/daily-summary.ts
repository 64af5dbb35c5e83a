// The prompt and the summariser of a day in the paper MemoryBank.
import { z } from 'zod'
import type { Summariser } from 'keepsake/preset'
import {
  labelled,
  languageOf,
  orEmpty,
  summariserAsking,
  summaryMaterial,
  summaryRules,
  toldProblems,
  toldSentence,
  writingPrompt,
  type PromptLanguage,
  type ToldSection,
} from 'keepsake/preset'

const dailySummaryAnswer = z.object({
  events: orEmpty(toldSentence).describe('What happened and was talked of; empty when nothing was.'),
  personality: orEmpty(toldSentence).describe(
    'What the talk shows of the user; empty when it shows nothing.',
  ),
})

type DailySummaryAnswer = z.infer<typeof dailySummaryAnswer>

/** Asks for MemoryBank's summary of a day and its insight into the user's personality, in one call. */
export const dailySummaryPrompt = writingPrompt({
  id: 'daily-summary',
  version: 2,
  schema: dailySummaryAnswer,
  shape: `{"events": [{"text": "…", "turns": [1, 2]}], "personality": [{"text": "…", "turns": [3]}]}`,
  words: {
    en: {
      rules: `Read one day's talk between a user and an agent and write two things.

- events: a summary of what happened, what was talked of and what the agent recommended by name, in the order it came up, with names, places, numbers and dates exactly. Write the date that "yesterday" or "next month" means, counted from the day of its turn.
- personality: what the talk shows of the user's character and feelings, each with the behaviour or words that show it, and in what manner they like to be answered.

Rules:
- Third person. Use the names that are given, otherwise "the user" and "the agent". Leave out greetings and repetition.
- Only what the turns say or plainly show; no diagnosis. What only the agent supposed is not a fact about the user.
- In "turns", give each sentence the numbers of the turns it rests on.
- Write in the language of the turns. A part in which nothing is worth keeping has no sentences.`,
      before: '- <before> is what was told of earlier days. Use it to understand, do not tell it again.',
      ask: "Write the day's events and what it shows of the user.",
    },
    zh: {
      rules: `请阅读用户与助手一天的对话，写出两项内容。

- events（事件）：按先后概括发生了什么、谈了什么、助手推荐了什么，人名、地名、数字、日期照原样保留。“昨天”“下个月”之类，按说那句话的日子换算成具体日期。
- personality（性格）：对话显出的用户性格和情绪，并说明从哪些言行看出；还有怎样回应最合其意。

要求：
- 用第三人称。有名字就用名字，没有就写“用户”“助手”。寒暄和重复略去。
- 只写对话里说的或明显看得出的，不作诊断。只是助手猜的，不是关于用户的事实。
- 每句话在 turns 里写明所依据的行号。
- 用中文写。没有值得记的那一项，就不写任何句子。`,
      before: '- <before> 是前些天已经记下的，只用来帮助理解，不要重复。',
      ask: '请写出这一天的事件和从中看出的用户性格。',
    },
  },
  rules: summaryRules,
  material: summaryMaterial,
  problems: (answer, input) => toldProblems(dailySections(answer, languageOf(input)), input),
})

export const DAY_LABELS = {
  en: { events: 'Events: ', personality: 'Personality: ' },
  zh: { events: '事件：', personality: '性格：' },
} as const

/** Returns events and personality, each with its label. */
export function dailySections(answer: DailySummaryAnswer, language: PromptLanguage): ToldSection[] {
  return labelled(DAY_LABELS[language], answer).map(([label, sentences]) => ({ label, sentences }))
}

/** Makes MemoryBank's summariser of a day, which writes events and personality on labelled lines. It needs a language model. */
export function dailySummariser(): Summariser {
  return summariserAsking(dailySummaryPrompt, dailySections)
}
