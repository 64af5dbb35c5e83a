import type { TalkLanguage } from './fact-kinds.ts'

export type Slots = Readonly<Record<string, string>>

/** Fills the places of a template, such as `{value}`. Places without a value stay. */
export function fillTemplate(template: string, slots: Slots): string {
  const fillOnce = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => slots[name] ?? place)
  // Fills twice, because a value may contain a place. A double full stop becomes one.
  return fillOnce(fillOnce(template)).replace(/(?<!\.)\.\.(?!\.)/g, '.')
}

/** Capitalises English sentences: `i'm back. a van came` becomes `I'm back. A van came`. */
export function sentenceCase(text: string, language: TalkLanguage): string {
  if (language === 'zh') return text
  return text.replace(
    /(^|[.!?]['")]?\s+)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )
}

/** Joins sentences as the language writes them. Leaves out empty ones. */
export function joinSentences(parts: readonly string[], language: TalkLanguage): string {
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

/** Removes the full stop, for use inside another sentence. */
export function asClause(statement: string): string {
  return statement.replace(/[.。]\s*$/, '')
}

/** Reports whether a text contains a value as whole words, in any case and with any article: `the Red Van` contains `a red van`. */
export function says(text: string, value: string): boolean {
  const words = value.replace(/^an? |^一(?=\p{Script=Han}{2})/u, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{Script=Latin}\\d])${words}(?![\\p{Script=Latin}\\d])`, 'iu').test(text)
}

/** Makes a phrase definite: "a rusty van" becomes "the rusty van", and 一辆 becomes 那辆. */
export function definite(phrase: string, language: TalkLanguage): string {
  return language === 'zh'
    ? phrase.replace(/^一(?=\p{Script=Han}{2})/u, '那')
    : phrase.replace(/^an? /, 'the ')
}
