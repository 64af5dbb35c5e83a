// The prompt of summaries of a story, and parts that other summaries share.
import { z } from 'zod'
import {
  type SummarySource,
  areSummaries,
  renderBefore,
  renderSummarySources,
} from './render-summary-sources.ts'
import { orEmpty } from './check-answer.ts'
import type { PromptLanguage } from './prompt.ts'
import { promptLanguage } from './render-data.ts'
import { sectionProblems, toldSentence, type ToldSection } from './summary-sections.ts'
import { writingPrompt } from './common-rules.ts'

export interface SummaryInput {
  /** Turns, or the summaries of the level below, numbered from 1 by their place. */
  readonly sources: readonly SummarySource[]
  /** The preceding summary, as context; `null` for the first. */
  readonly before: string | null
  readonly maxCharacters: number
}

export const summaryAnswer = z.object({
  sentences: orEmpty(toldSentence).describe('The summary, in order; empty when nothing is worth telling.'),
})

/** Characters per English word, with its space. It is rather high, because models exceed a stated maximum, and repairs cost a call. */
const CHARACTERS_A_WORD = 6.5
/** Share of the maximum that the Chinese prompt states, for the same reason. */
const SHARE_OF_CHARACTERS = 0.85

/** Returns the rule for the length of a summary. */
function lengthRule(maxCharacters: number, language: PromptLanguage): string {
  return language === 'zh'
    ? `全文合计不超过${roundToTens(maxCharacters * SHARE_OF_CHARACTERS)}个字；写不下时，保留以后谈话会用到的。`
    : `At most ${roundToTens(maxCharacters / CHARACTERS_A_WORD)} words in all; when there is more, keep what later talk will need.`
}

/** Rounds a number down to tens, at least 10. */
function roundToTens(count: number): number {
  return Math.max(10, Math.floor(count / 10) * 10)
}

/** An example of the answer. */
export const SUMMARY_SHAPE = `{"sentences": [{"text": "…", "turns": [1, 2]}]}`

/** Returns the rules of a summary: the prompt's own, the maximum length, and the rule not to repeat the preceding summary. */
export function summaryRules(
  { maxCharacters, before }: SummaryInput,
  words: { readonly rules: string; readonly before: string },
  language: PromptLanguage,
): string[] {
  const rules = [words.rules, `- ${lengthRule(maxCharacters, language)}`]
  return before === null ? rules : [...rules, words.before]
}

/** Renders the preceding summary and the sources. */
export function summaryMaterial({ before, sources }: SummaryInput, language: PromptLanguage): string {
  return `${renderBefore(before, 'before')}${renderSummarySources(sources, language)}`
}

/** Returns the language of the prompt for a summary of the sources. */
export function languageOf({ sources }: SummaryInput): PromptLanguage {
  return promptLanguage(sources.map((source) => source.text))
}

/** Returns the problems of a summary in sections. */
export function toldProblems(sections: readonly ToldSection[], input: SummaryInput): string[] {
  return sectionProblems(sections, input.sources.length, input.maxCharacters)
}

/** Returns the problems of a summary without sections. */
export function summaryProblems({ sentences }: z.infer<typeof summaryAnswer>, input: SummaryInput): string[] {
  return toldProblems([{ label: null, sentences }], input)
}

/** Asks for a summary of key events from turns, or of the main thread from summaries (paper MOOM, section 3.1). */
export const storySummaryPrompt = writingPrompt({
  id: 'story-summary',
  version: 2,
  schema: summaryAnswer,
  shape: SUMMARY_SHAPE,
  words: {
    en: {
      turns: `You keep the story of a long-running talk between a user and an agent, often a character the user plays a story with. Summarise the numbered turns so that a reader who sees only your summary knows what happened.

- Tell the turning points: what happened, what changed, conflicts and how they ended, decisions, promises, what was revealed, feelings that mattered. Leave out greetings, small talk and repetition.`,
      summaries: `You keep the story of a long-running talk between a user and an agent, often a character the user plays a story with. The numbered lines are summaries of its successive stretches. Make one shorter summary of them that follows the main thread.

- Tell how the story moved on: the turning points, what caused them, how things stand at the end. Drop side scenes that led nowhere; tell once what several lines tell.`,
      rules: `- In the order it happened, in the third person and the past tense. Use the names that are given, otherwise "the user" and "the agent".
- Keep names, places, numbers and dates exactly. Write the date that "yesterday" or "next month" means, counted from the day of its line.
- Keep who said or did what. What was planned, imagined or joked stays planned, imagined or joked.
- Nothing that the lines do not say.
- In "turns", give each sentence the numbers of the lines it rests on.
- Write in the language of the lines. If nothing is worth telling, give no sentences.`,
      before: '- <before> was told already. Use it to understand, do not tell it again.',
      ask: 'Summarise the numbered lines.',
    },
    zh: {
      turns: `你在为用户与助手之间的长期对话记录剧情，助手常常是与用户一起演绎故事的角色。请概括下面编号的对话，让只读概括的人也知道发生了什么。

- 写关键转折：发生了什么、有何变化、冲突及其结果、决定、承诺、揭示的事、要紧的情感。寒暄、闲聊和重复略去。`,
      summaries: `你在为用户与助手之间的长期对话记录剧情，助手常常是与用户一起演绎故事的角色。下面编号的各行是先后各段的概括。请把它们合成一份更短的概括，抓住主线。

- 写故事如何推进：转折、起因、最后的局面。没有下文的枝节略去；几行都提到的事只写一次。`,
      rules: `- 按发生的先后，用第三人称。有名字就用名字，没有就写“用户”“助手”。
- 人名、地名、数字、日期照原样保留。“昨天”“下个月”之类，按该行的日期换算成具体日期。
- 谁说的、谁做的要分清。计划、想象、玩笑仍写作计划、想象、玩笑。
- 各行没有说的，一概不写。
- 每句话在 turns 里写明所依据的行号。
- 用中文写。没有值得记的，就不写任何句子。`,
      before: '- <before> 是先前已经记下的，只用来帮助理解，不要重复。',
      ask: '请概括以上编号的各行。',
    },
  },
  rules: (input: SummaryInput, words, language) => [
    areSummaries(input.sources) ? words.summaries : words.turns,
    ...summaryRules(input, words, language),
  ],
  material: summaryMaterial,
  problems: summaryProblems,
})
