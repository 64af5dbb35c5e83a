// The prompt by which a language model reranks texts.
import { z } from 'zod'
import { orElse, orEmpty, lineProblems } from './check-answer.ts'
import { dataRule, jsonRule } from './common-rules.ts'
import type { Prompt, PromptLanguage } from './prompt.ts'
import { cutMiddle, quotedLines, renderTime } from './render-data.ts'

export interface WeighedText {
  readonly text: string
  /** Time of the text in milliseconds since 1970; `null` if it is unknown. */
  readonly at: number | null
}

export interface WeighTextsInput {
  readonly question: string
  /** Texts are numbered from 1 by their place. */
  readonly texts: readonly WeighedText[]
  /** Time of the question in milliseconds since 1970; `null` if the prompt needs none. */
  readonly now: number | null
}

const weighTextsAnswer = z.object({
  answering: orEmpty(
    z.object({
      text: z.number().describe('The number of a text.'),
      sure: orElse(z.number().min(0).max(100), 0).describe(
        'How sure, from 0 to 100, that it tells what is asked.',
      ),
    }),
  ).describe('The texts that may tell what is asked; empty when none does.'),
})

export type WeighTextsAnswer = z.infer<typeof weighTextsAnswer>

const SHAPE = `{"answering": [{"text": 3, "sure": 95}, {"text": 1, "sure": 20}]}`

const WORDS = {
  en: {
    rules: `A person asks something, and numbered texts of earlier talk with an assistant were found for it. Say how sure you are, for each text, that it tells what is asked.

- 90 to 100: the answer, or a part of it, stands there or follows from it, in whatever words. Where much is asked at once (“tell me about myself”), each text that tells a part of it.
- As sure: a text which shows that the question takes something for granted that is not so.
- 40 to 60: it may be the answer; whose or what it speaks of is not clear.
- 20 at most: it is about the same matter, person or thing, and does not tell what is asked of it: the price is told and the colour asked for; a plan was spoken of and the day is asked for, which nobody said.
- Leave out the rest. That none tells it is common.
- “I” in the question is the person, “you” the assistant. What somebody else did or has tells nothing of the person. What the assistant supposed is no answer about the person's life; it is one to what the assistant said.`,
    now: 'It is now',
    ask: 'Which texts tell what is asked?',
  },
  zh: {
    rules: `有人问了一个问题，下面是为此找到的、以往与助手交谈的编号文字。请判断每条文字说出所问内容的把握。

- 90 到 100：答案或其中一部分就在里面，或能由它得出，用什么词都算。一次问很多时（“说说我是个怎样的人”），说到其中一部分的每条都算。
- 同样有把握：表明问题想当然、前提不成立的文字。
- 40 到 60：可能是答案，但说的是谁、是什么不清楚。
- 最多 20：说的是同一件事、同一个人或东西，却没说出所问的那一点：说了价钱而问的是颜色；提过打算，问的是哪天，而谁也没说过。
- 其余不列。一条也没有，很常见。
- 问题里的“我”是这个人，“你”是助手。别人做的、别人有的，不能说明这个人。助手的猜测不算关于此人生活的答案；问助手说过什么时才算。`,
    now: '现在是',
    ask: '哪些文字说出了所问的内容？',
  },
}

/** Asks which of the texts found for a question answer it, and how certain this is. */
export const weighTextsPrompt: Prompt<WeighTextsInput, WeighTextsAnswer> = {
  id: 'weigh-texts',
  version: 1,
  schema: weighTextsAnswer,
  render: ({ question, texts, now }, language) => {
    const words = WORDS[language]
    return {
      system: `${words.rules}\n\n${dataRule(language)}\n\n${jsonRule(SHAPE, language)}`,
      user: [
        '<texts>',
        ...texts.map((text, index) => renderText(text, index + 1, language)),
        '</texts>',
        '',
        `<question>\n${quotedLines(question)}\n</question>`,
        '',
        ...(now === null ? [] : [`${words.now} ${renderTime(now, null, language)}`]),
        words.ask,
      ].join('\n'),
    }
  },
  problems: ({ answering }, { texts }) => {
    const numbers = answering.map(({ text }) => text)
    return lineProblems('text', numbers, texts.length)
  },
}

/** Renders the number and day of a text, `(1) 2026-03-05 Thu`, and below it the lines of the text. */
function renderText({ text, at }: WeighedText, number: number, language: PromptLanguage): string {
  const day = at === null ? '' : ` ${renderTime(at, null, language).replace(/ \d\d:\d\d$/, '')}`
  return `(${number})${day}\n${quotedLines(cutMiddle(text))}`
}
