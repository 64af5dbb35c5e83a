// The prompt that compresses session memories into a portrait, task 2 of the paper COMEDY.
import { z } from 'zod'
import {
  lengthProblems,
  MOST_WORDS,
  orElse,
  PORTRAIT_RULES,
  portraitAnswer,
  renderBefore,
  renderDatedTexts,
  writingPrompt,
  type DatedText,
  type Length,
} from 'keepsake/preset'

/** COMEDY's maximum length. How it counts Chinese words is left open, so each character counts as a word. */
export const PUBLISHED_LENGTH: Length = { words: MOST_WORDS, charactersAWord: 1 }

/** The requested length, below the maximum because models count badly. */
const REQUESTED_LENGTH = { en: '450 words', zh: '450个字' } as const

export interface CompressPortraitInput {
  /** Session memories, oldest first: all of them, or a part that fits the model's window. */
  readonly sessions: readonly DatedText[]
  /** The portrait of the parts before this one; `null` for the first part. */
  readonly earlier: string | null
}

const compressedAnswer = portraitAnswer.extend({
  outcome: orElse(z.enum(['portrait', 'unsafe']), 'portrait').describe(
    '`unsafe` when the memories must not be kept; the three parts are then empty.',
  ),
})

/** Asks for COMEDY's task 2: compress all session memories into one portrait, or none if they are unsafe. */
export const compressPortraitPrompt = writingPrompt({
  id: 'compress-portrait',
  version: 4,
  schema: compressedAnswer,
  shape: `{"outcome": "portrait", "user": "…", "relationship": "…", "events": "…"}`,
  words: {
    en: {
      rules: `You are given the memories of all sessions between a user and an agent, oldest first. Compress them into one portrait from which alone the agent can meet the user again as someone who knows them.
${PORTRAIT_RULES.en}
- Examples that the memories give, and what made them smile, are worth more than a summary of them.
- At most ${REQUESTED_LENGTH.en} in all three parts together; when there is more, small and old matters go first.

Outcome:
- "portrait": the three parts are written.
- "unsafe": the memories are in the main sexually explicit, revel in violence, or help to do serious harm; the three parts stay empty. That somebody tells of illness, grief, fear or violence they suffered is not unsafe.`,
      earlier: `- There are more sessions than can be shown at once. <portrait> tells all those before these: what of it still holds stays in the portrait you write, with its details.`,
      ask: 'Write the portrait.',
    },
    zh: {
      rules: `下面是用户与助手历次对话的记忆，由旧到新。请把它们压缩成一份画像：助手下次见到用户时，只凭它就能像老朋友一样接着聊。
${PORTRAIT_RULES.zh}
- 记忆里的具体例子和有意思的细节，比笼统的概括更值得留下。
- 三部分合计不超过${REQUESTED_LENGTH.zh}；写不下时，先略去小事和旧事。

outcome（结果）：
- portrait：写出三部分。
- unsafe：这些记忆主要是露骨的色情、渲染暴力，或是在协助严重伤害；三部分留空。有人倾诉病痛、悲伤、恐惧或自己遭受的暴力，不算 unsafe。`,
      earlier: `- 对话次数太多，无法一次给全。<portrait> 概括了在这些之前的全部对话：其中仍然成立的内容连同细节都要保留在你写的画像里。`,
      ask: '请写出画像。',
    },
  },
  rules: ({ earlier }: CompressPortraitInput, words) =>
    earlier === null ? [words.rules] : [words.rules, words.earlier],
  material: ({ sessions, earlier }, language) =>
    `${renderBefore(earlier, 'portrait')}${renderDatedTexts(sessions, 'sessions', language)}`,
  problems: (answer, { earlier }) => {
    if (answer.outcome === 'unsafe') return []
    const { user, relationship, events } = answer
    const parts = [user, relationship, events]
    return earlier !== null && parts.every((part) => part.trim() === '')
      ? ['The portrait is empty, yet there was one before: keep what still holds.']
      : lengthProblems(parts, PUBLISHED_LENGTH)
  },
})
