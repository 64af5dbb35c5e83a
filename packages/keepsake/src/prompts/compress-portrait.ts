import {
  PORTRAIT_RULES,
  PORTRAIT_SHAPE,
  portraitAnswer,
  portraitProblems,
  wordLimit,
} from './portrait-answer.ts'
import { renderDatedTexts, type DatedText } from './render-summary-sources.ts'
import { writingPrompt } from './writing-prompt.ts'

export interface CompressPortraitInput {
  /** All session memories, oldest first. */
  readonly sessions: readonly DatedText[]
}

/** COMEDY's task 2 as the paper does it: all session memories compressed anew into one portrait. */
export const compressPortraitPrompt = writingPrompt({
  id: 'compress-portrait',
  version: 3,
  schema: portraitAnswer,
  shape: PORTRAIT_SHAPE,
  words: {
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
  },
  material: ({ sessions }: CompressPortraitInput, language) =>
    renderDatedTexts(sessions, 'sessions', language),
  problems: portraitProblems,
})
