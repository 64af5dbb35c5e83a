// The prompt that writes the first portrait of a user, or updates the last one.
import {
  PORTRAIT_RULES,
  PORTRAIT_SHAPE,
  portraitAnswer,
  portraitProblems,
  wordLimit,
  type PortraitAnswer,
} from './portrait-answer.ts'
import type { Prompt, PromptLanguage } from './prompt.ts'
import { renderBefore, renderDatedTexts, type DatedText } from './render-summary-sources.ts'
import { writingPrompt } from './common-rules.ts'

export interface RenewPortraitInput {
  /** The last portrait; `null` before the first one. */
  readonly previous: string | null
  /** Session memories that are not in the last portrait, oldest first. */
  readonly sessions: readonly DatedText[]
}

/** Makes the prompt with the texts for a first portrait, or for an update. */
const promptWith = (
  words: Readonly<Record<PromptLanguage, { readonly rules: string; readonly ask: string }>>,
): Prompt<RenewPortraitInput, PortraitAnswer> =>
  writingPrompt({
    id: 'renew-portrait',
    version: 3,
    schema: portraitAnswer,
    shape: PORTRAIT_SHAPE,
    words,
    material: ({ previous, sessions }: RenewPortraitInput, language) =>
      `${renderBefore(previous, 'portrait')}${renderDatedTexts(sessions, 'sessions', language)}`,
    problems: (answer, { previous }) => {
      const isEmpty = [answer.user, answer.relationship, answer.events].every((part) => part.trim() === '')
      if (previous !== null && isEmpty)
        return ['The portrait is empty, yet there was one before: keep what still holds.']
      return portraitProblems(answer)
    },
  })

const first = promptWith({
  en: {
    rules: `You are given the memories of all sessions between a user and an agent, oldest first. Compress them into one portrait from which alone the agent can meet the user again as someone who knows them.
${PORTRAIT_RULES.en}
- At most ${wordLimit('en')} in all three parts together; when there is more, small and old matters go first.`,
    ask: 'Write the portrait.',
  },
  zh: {
    rules: `下面是用户与助手历次对话的记忆，由旧到新。请把它们压缩成一份画像：助手下次见到用户时，只凭它就能像老朋友一样接着聊。
${PORTRAIT_RULES.zh}
- 三部分合计不超过${wordLimit('zh')}；写不下时，先略去小事和旧事。`,
    ask: '请写出画像。',
  },
})

const renewed = promptWith({
  en: {
    rules: `You are given the portrait so far of a user and their relationship with an agent, and the memories of the sessions since. Bring the portrait up to date.

- Everything in the portrait that still holds stays, in substance and in detail: this text is all that is left of the earlier sessions.
- Put in what is new; replace what the new sessions change or contradict; move what is over from the recent states to the events, or drop it.

${PORTRAIT_RULES.en}
- At most ${wordLimit('en')} in all three parts together; when there is more, small and old events go first, and who the user is and what they care for last.`,
    ask: 'Write the whole portrait as it is now.',
  },
  zh: {
    rules: `下面是用户及其与助手关系的现有画像，以及此后各次对话的记忆。请更新画像。

- 画像中仍然成立的内容都要保留，细节也要保留：更早的对话只剩下这份文字。
- 补上新的内容；与新记忆不符的改过来；已经过去的近况移到经历中，或者略去。

${PORTRAIT_RULES.zh}
- 三部分合计不超过${wordLimit('zh')}；写不下时，先略去小事和旧事，用户是谁、看重什么最后才略。`,
    ask: '请写出更新后的完整画像。',
  },
})

/** Asks for a portrait as the paper COMEDY defines it, but as an update of the last one. So the cost does not grow with the sessions. */
export const renewPortraitPrompt: Prompt<RenewPortraitInput, PortraitAnswer> = {
  ...renewed,
  render: (input, language) => (input.previous === null ? first : renewed).render(input, language),
}
