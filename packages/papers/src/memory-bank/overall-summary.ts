// The prompt and the compressor of the overall summary in the paper MemoryBank.
import { z } from 'zod'
import type { Compressor } from 'keepsake/preset'
import {
  composeParts,
  compressorAsking,
  countWords,
  fitWords,
  labelled,
  MOST_WORDS,
  renderBefore,
  renderDatedTexts,
  wordLimit,
  wordProblems,
  writingPrompt,
  type DatedText,
  type PromptLanguage,
} from 'keepsake/preset'
import { DAY_LABELS } from './daily-summary.ts'

export interface OverallSummaryInput {
  /** The last overall summary, to extend; `null` to write it from all days. */
  readonly previous: string | null
  /** Daily summaries, oldest first. */
  readonly days: readonly DatedText[]
}

const overallSummaryAnswer = z.object({
  events: z.string().describe('What happened over all the days.'),
  personality: z.string().describe('What the user is like, and how to answer them.'),
})

export type OverallSummaryAnswer = z.infer<typeof overallSummaryAnswer>

/** Asks for MemoryBank's overall summary of events and overall portrait of the user, in one call. */
export const overallSummaryPrompt = writingPrompt({
  id: 'overall-summary',
  version: 3,
  schema: overallSummaryAnswer,
  shape: `{"events": "…", "personality": "…"}`,
  words: {
    en: {
      rules: `You are given what was written down, day by day, of a user's talks with an agent: events, and what they show of the user's personality. Write the two as a whole.

- events: what happened over all the days, in order of time, merged where days tell of the same thing; with names, numbers and the dates that matter.
- personality: what the user is like as all the days show it: character, feelings, interests, what changed; and in what manner the agent best answers them.

Rules:
- What several days show weighs more than a mood of one day. Where they differ, the later one holds.
- Only what the days say; no diagnosis. Third person, plain sentences, no lists or headings. A part of which nothing is known is empty.
- Write in the language of the days.
- At most ${wordLimit('en')} in both parts together.`,
      previous:
        '- <before> is the whole as it stood before these days, and all that is left of earlier ones: keep of it what still holds.',
      ask: 'Write both parts.',
    },
    zh: {
      rules: `下面是用户与助手的对话逐日记下的内容：事件，以及从中看出的用户性格。请把两者各写成一个整体。

- events（事件）：各天发生的事，按时间先后，说的是同一件事的合在一起；保留名字、数字和要紧的日期。
- personality（性格）：综合各天看出用户是怎样的人：性格、情绪、兴趣，有何变化；助手怎样回应最合适。

要求：
- 多天显出的比某一天的心情更可信；前后不一致时以较新的为准。
- 只写各天记下的，不作诊断。用第三人称写成通顺的句子，不用列表和标题。一无所知的部分留空。
- 用中文写。
- 两部分合计不超过${wordLimit('zh')}。`,
      previous: '- <before> 是这些天之前的总体内容，更早的只剩下这份文字：其中仍然成立的都要保留。',
      ask: '请写出两部分。',
    },
  },
  rules: ({ previous }: OverallSummaryInput, words) =>
    previous === null ? [words.rules] : [words.rules, words.previous],
  material: ({ previous, days }, language) =>
    `${renderBefore(previous, 'before')}${renderDatedTexts(days, 'days', language)}`,
  problems: ({ events, personality }) => wordProblems([events, personality]),
})

/** Joins both parts as labelled lines; `null` when both are empty. */
export function composeOverall(answer: OverallSummaryAnswer, language: PromptLanguage): string | null {
  return composeParts(labelled(DAY_LABELS[language], answer))
}

/** Makes the compressor of MemoryBank's overall summary. By default its mode is `whole`, as published. */
export function overallCompressor(options: { readonly mode?: Compressor['mode'] } = {}): Compressor {
  const { mode = 'whole' } = options
  return compressorAsking(overallSummaryPrompt, mode, (previous, days) => ({ previous, days }), fitOverall)
}

/** Composes both parts within the maximum length. The personality has priority. */
function fitOverall(answer: OverallSummaryAnswer, language: PromptLanguage): string | null {
  const personality = fitWords(answer.personality, { words: MOST_WORDS }, 'last')
  const events = fitWords(answer.events, { words: MOST_WORDS - countWords(personality) }, 'oldest')
  return composeOverall({ personality, events }, language)
}
