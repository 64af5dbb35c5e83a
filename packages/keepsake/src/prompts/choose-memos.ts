// The prompt of retrieval in the paper MemoChat.
import { z } from 'zod'
import { orEmpty, lineProblems } from './check-answer.ts'
import { dataRule, jsonRule } from './common-rules.ts'
import type { Prompt } from './prompt.ts'
import { quoted, renderTime } from './render-data.ts'
import { renderDatedTexts, type DatedText } from './render-summary-sources.ts'

export interface ChooseMemosInput {
  /** All memos, numbered from 1 by their place. */
  readonly memos: readonly DatedText[]
  /** The user's current question or statement. */
  readonly question: string
  /** Time of the question in milliseconds since 1970. */
  readonly now: number
  readonly timeZone: string | null
}

const chooseMemosAnswer = z.object({
  memos: orEmpty(z.number()).describe(
    'Numbers of the memos chosen, best first; empty when none bears on it.',
  ),
})

export type ChooseMemosAnswer = z.infer<typeof chooseMemosAnswer>

const SHAPE = `{"memos": [2, 5]}`

const WORDS = {
  en: {
    rules: `Choose from numbered memos of earlier talks those that are needed to answer what the user says now.

- Choose a memo when it tells what is asked, or something without which the answer would be wrong or incomplete. A shared word or subject alone is no reason.
- Best first. When none bears on it, which is common, choose none.`,
    now: 'It is now',
    ask: 'Which memos are needed?',
  },
  zh: {
    rules: `请从以前对话的编号备忘中，选出回应用户这句话所需要的。

- 备忘说的正是所问，或者缺了它回答就会出错、不完整，才选。只是有相同的词或同类话题，不选。
- 最有用的排在前面。都无关就一条也不选，这很常见。`,
    now: '现在是',
    ask: '需要哪几条备忘？',
  },
}

/** Asks which memos are needed for a question. */
export const chooseMemosPrompt: Prompt<ChooseMemosInput, ChooseMemosAnswer> = {
  id: 'choose-memos',
  version: 1,
  schema: chooseMemosAnswer,
  render: ({ memos, question, now, timeZone }, language) => {
    const words = WORDS[language]
    return {
      system: `${words.rules}\n\n${dataRule(language)}\n\n${jsonRule(SHAPE, language)}`,
      user: [
        renderDatedTexts(memos, 'memos', language),
        '',
        `<question>\n${quoted(question)}\n</question>`,
        '',
        `${words.now} ${renderTime(now, timeZone, language)}`,
        words.ask,
      ].join('\n'),
    }
  },
  problems: (answer, { memos }) => lineProblems('memo', answer.memos, memos.length),
}
