// The prompt of the key summary in the paper LUFY.
import { z } from 'zod'
import { countWords, quoted, renderBefore, renderDatedTexts, writingPrompt } from 'keepsake/preset'
import type { DatedText, PromptLanguage } from 'keepsake/preset'

export interface KeySummaryInput {
  /** The previous key summary; `null` at the start. */
  readonly previous: string | null
  /** Summaries of the sessions since then, oldest first. */
  readonly sessions: readonly DatedText[]
  /** Statements about the user. */
  readonly profile: readonly string[]
}

const keySummaryAnswer = z.object({
  summary: z.string().describe('The whole new summary; empty when there is nothing to tell.'),
})

/** Maximum words. LUFY names no length, but the summary precedes every reply and every rating. */
export const KEY_SUMMARY_WORDS = 120
/** The requested length, below the maximum because models count badly. */
const REQUESTED_LENGTH = { en: '100 words', zh: '160个字' } as const

function renderProfile(profile: readonly string[]): string {
  return profile.length === 0 ? '' : `<profile>\n${profile.map(quoted).join('\n')}\n</profile>\n\n`
}

/** Asks for LUFY's key summary, from the previous one, the sessions since then, and the profile (LUFY, 4.1.2). */
export const keySummaryPrompt = writingPrompt({
  id: 'key-summary',
  version: 1,
  schema: keySummaryAnswer,
  shape: `{"summary": "…"}`,
  words: {
    en: {
      rules: `You keep the key summary of all talks between a user and an agent so far: the little that the agent should have in mind whatever is talked about. Write it anew from the summary as it stood, the sessions since, and what is known of the user.

- First who the user is: name, age, home, work or study, family, friends and pets by name; then what matters most of what happened, is going on or is planned, and what the two agreed on.
- <before> is all that is left of earlier sessions: keep of it what still matters. Where something changed, or a plan has come true, tell how it stands now.
- <profile> holds statements drawn from the talks. Where one contradicts a later session, the session holds.
- Only what is given here. Third person, plain sentences, in the language of the sessions. Keep names, numbers and dates.
- At most ${REQUESTED_LENGTH.en}: leave out what matters least.`,
      ask: 'Write the new key summary.',
    },
    zh: {
      rules: `你在维护用户与助手历次对话的要点：无论聊什么，助手心里都该记着的那一点内容。请根据原来的要点、此后的各次对话和已知的用户情况重写。

- 先写用户是谁：姓名、年龄、住处、工作或学业，家人、朋友、宠物的名字；再写最要紧的经历、近况、打算，以及两人的约定。
- 更早的对话只剩下 <before>：其中仍要紧的都要保留。有变化的，或打算已经实现的，写现在的情况。
- <profile> 是从对话中得出的用户情况；与较新的对话矛盾时，以对话为准。
- 只写这里给出的内容。用第三人称写成通顺的句子，用对话所用的语言。名字、数字、日期照原样保留。
- 不超过${REQUESTED_LENGTH.zh}，不要紧的略去。`,
      ask: '请写出新的要点。',
    },
  },
  material: ({ previous, sessions, profile }: KeySummaryInput, language: PromptLanguage) =>
    `${renderBefore(previous, 'before')}${renderProfile(profile)}${renderDatedTexts(sessions, 'sessions', language)}`,
  problems: ({ summary }, { previous }) => {
    if (summary.trim() === '')
      return previous === null
        ? []
        : ['The summary is empty, yet there was one before: keep what still matters.']
    const words = countWords(summary)
    return words <= KEY_SUMMARY_WORDS
      ? []
      : [
          `It is as long as ${words} words and may be as long as ${KEY_SUMMARY_WORDS}: leave out what matters least.`,
        ]
  },
})
