import type { PromptLanguage } from '../prompts/prompt.ts'
import type { LanguageAnswer, LanguageRequest } from './language-model.ts'
import { listProblems } from './read-answer.ts'

const REPAIR = {
  en: {
    wrong: 'That answer cannot be used:',
    ask: 'Answer again, whole, with these mended and the rest kept as it was. Give the JSON value alone.',
  },
  zh: {
    wrong: '这个回答无法使用：',
    ask: '请改正以上问题，其余内容保持不变，重新给出完整的回答。只输出 JSON 值本身。',
  },
} as const

/** The same question with the answer to it, and a request to give it again with what is wrong in it mended. */
export function repairRequest(
  request: LanguageRequest,
  answer: LanguageAnswer,
  problems: readonly string[],
  language: PromptLanguage,
): LanguageRequest {
  const { wrong, ask } = REPAIR[language]
  const text = `${wrong}\n${listProblems(problems)}\n${ask}`
  const [first] = request.messages
  // Providers refuse a message with no text in it, so an empty answer is not shown.
  if (answer.text.trim() === '' && first !== undefined)
    return { ...request, messages: [{ role: 'user', text: `${first.text}\n\n${text}` }] }
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', text: answer.text }, { role: 'user', text }],
  }
}
