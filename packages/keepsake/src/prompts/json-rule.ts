import type { PromptLanguage } from './prompt.ts'

/** How to answer, for models that are not held to a schema. */
export function jsonRule(shape: string, language: PromptLanguage): string {
  return language === 'zh'
    ? `只输出 JSON，形如：\n${shape}`
    : `Answer with JSON only, in this shape:\n${shape}`
}
