import { writingRule } from './data-rule.ts'
import { jsonRule } from './json-rule.ts'
import {
  PORTRAIT_RULES,
  PORTRAIT_SHAPE,
  portraitAnswer,
  portraitProblems,
  wordLimit,
  type PortraitAnswer,
} from './portrait-answer.ts'
import type { Prompt } from './prompt.ts'
import { renderDatedTexts, type DatedText } from './render-summary-sources.ts'

export interface CompressPortraitInput {
  /** All session memories, oldest first. */
  readonly sessions: readonly DatedText[]
}

/** COMEDY's task 2 as the paper does it: all session memories compressed anew into one portrait. */
export const compressPortraitPrompt: Prompt<CompressPortraitInput, PortraitAnswer> = {
  id: 'compress-portrait',
  version: 3,
  schema: portraitAnswer,
  render: ({ sessions }, language) => ({
    system: [
      language === 'zh'
        ? '下面是用户与助手历次对话的记忆，由旧到新。请把它们压缩成一份画像：助手下次见到用户时，只凭它就能像老朋友一样接着聊。'
        : 'You are given the memories of all sessions between a user and an agent, oldest first. Compress them into one portrait from which alone the agent can meet the user again as someone who knows them.',
      PORTRAIT_RULES[language],
      language === 'zh'
        ? `- 三部分合计不超过${wordLimit(language)}；写不下时，先略去小事和旧事。`
        : `- At most ${wordLimit(language)} in all three parts together; when there is more, small and old matters go first.`,
      '',
      writingRule(language),
      '',
      jsonRule(PORTRAIT_SHAPE, language),
    ].join('\n'),
    user: `${renderDatedTexts(sessions, 'sessions', language)}\n\n${language === 'zh' ? '请写出画像。' : 'Write the portrait.'}`,
  }),
  problems: portraitProblems,
}
