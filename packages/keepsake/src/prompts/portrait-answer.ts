// Defines, checks and composes the answer of portrait prompts.
import { z } from 'zod'
import type { PromptLanguage } from './prompt.ts'

/** The answer of portrait prompts: a portrait in three parts, as the paper COMEDY defines them. Unknown parts are empty. */
export const portraitAnswer = z.object({
  user: z.string().describe('What the user is like.'),
  relationship: z.string().describe('How user and agent stand to each other, and how that changed.'),
  events: z.string().describe('What they lived through and talked of.'),
})

export type PortraitAnswer = z.infer<typeof portraitAnswer>

/** An example of the answer. */
export const PORTRAIT_SHAPE = `{"user": "…", "relationship": "…", "events": "…"}`

/** Maximum words of a portrait (COMEDY, table 7). */
export const MOST_WORDS = 500
/** Number of words that prompts ask for. It is less than the maximum, because models count badly. */
const ASKED_WORDS = 450
/** Chinese characters per English word: 500 words are 800 characters. */
const CHARACTERS_A_WORD = 1.6
const HAN = /\p{Script=Han}/gu
const SPACED_WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu

/** Returns the length of a text in English words. Chinese characters count at 1.6 per word by default. */
export function countWords(text: string, charactersAWord: number = CHARACTERS_A_WORD): number {
  const han = text.match(HAN)?.length ?? 0
  const spaced = text.replace(HAN, ' ').match(SPACED_WORD)?.length ?? 0
  return Math.ceil(spaced + han / charactersAWord)
}

/** A maximum length, as prompts and answer checks use it. */
export interface Length {
  readonly words: number
  readonly charactersAWord: number
}

/** Returns the maximum length as a prompt states it, with a margin for miscounting. */
export function wordLimit(language: PromptLanguage): string {
  return language === 'zh' ? `${ASKED_WORDS * CHARACTERS_A_WORD}个字` : `${ASKED_WORDS} words`
}

/** Returns a problem if texts together exceed the maximum words of a portrait. */
export function wordProblems(texts: readonly string[]): string[] {
  return lengthProblems(texts, { words: MOST_WORDS, charactersAWord: CHARACTERS_A_WORD })
}

/** Returns a problem if texts together exceed a maximum length. */
export function lengthProblems(texts: readonly string[], max: Length): string[] {
  const words = countWords(texts.join('\n'), max.charactersAWord)
  if (words <= max.words) return []
  return [
    `It is as long as ${words} words and may be as long as ${max.words} (${max.words * max.charactersAWord} Chinese characters): shorten it, merging what belongs together and leaving out what matters least.`,
  ]
}

/** Returns a problem if a portrait is too long. */
export function portraitProblems({ user, relationship, events }: PortraitAnswer): string[] {
  return wordProblems([user, relationship, events])
}

const LABELS = {
  en: { user: 'User: ', relationship: 'Relationship: ', events: 'Events: ' },
  zh: { user: '用户：', relationship: '关系：', events: '经历：' },
} as const

/** Composes a portrait as text, with a labelled line for each part; `null` if all are empty. */
export function composePortrait(answer: PortraitAnswer, language: PromptLanguage): string | null {
  return composeParts(labelled(LABELS[language], answer))
}

/** Composes labelled parts, each on one line. Empty parts are left out. Returns `null` if all are empty. */
export function composeParts(parts: readonly (readonly [label: string, text: string])[]): string | null {
  const lines = parts.flatMap(([label, text]) => {
    const line = text.replace(/\s+/g, ' ').trim()
    return line === '' ? [] : [`${label}${line}`]
  })
  return lines.length === 0 ? null : lines.join('\n')
}

/** The rules for the content of a portrait. */
export const PORTRAIT_RULES: Readonly<Record<PromptLanguage, string>> = {
  en: `The portrait has three parts:

- user: who they are (name, age, birthday, looks, home, family, work or study, as far as known); what they like and dislike; their character and habits, with the behaviour that shows it; their recent states: mood, health, work, what is on their mind.
- relationship: how user and agent stand to each other, what they call each other, how close they are, and how that changed over time.
- events: what happened to the user and between the two, in order of time with its date, briefly; what is planned or still open.

Rules:
- Keep telling details (names, numbers, dates, a remark that only these two share) rather than general words such as "friendly" or "has many hobbies".
- Where the memories differ, the later one holds; tell the former state only when the change itself matters ("moved from X to Y in March").
- Only what the memories say: no diagnosis, no guess, no advice. Third person, plain sentences, no lists or headings. A part of which nothing is known is empty.
- Write in the language of the memories.`,
  zh: `画像分三部分：

- user（用户）：是谁（已知的姓名、年龄、生日、外貌、住处、家人、工作或学业）；喜欢和不喜欢什么；性格与习惯，并写出能说明它的具体表现；近况：心情、健康、工作、心里挂念的事。
- relationship（关系）：用户与助手是什么关系、怎么称呼、有多亲近，以及这种关系如何变化。
- events（经历）：用户遇到的事和两人之间的事，按时间先后简要写明日期；还有计划中或没了结的事。

要求：
- 多留具体细节（名字、数字、日期、只有两人懂的话），少用“友善”“爱好广泛”之类的空话。
- 前后记忆不一致时以较新的为准；变化本身要紧时才提旧情况（“3月从甲地搬到乙地”）。
- 只写记忆里有的，不诊断，不猜测，不给建议。用第三人称写成通顺的句子，不用列表和标题。一无所知的部分留空。
- 用中文写。`,
}

/** Returns the parts of an answer with their labels, in the order of the labels. */
export function labelled<Part extends string, Answer extends Readonly<Record<Part, unknown>>>(
  labels: Readonly<Record<Part, string>>,
  answer: Answer,
): [label: string, value: Answer[Part]][] {
  return (Object.keys(labels) as Part[]).map((part) => [labels[part], answer[part]])
}
