import type { TalkLanguage } from './fact-kinds.ts'

export type Slots = Readonly<Record<string, string>>

/** Puts words into a template's places: `{value}` and the like. Places without a word stay as they are. */
export function fillTemplate(template: string, slots: Slots): string {
  const once = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => slots[name] ?? place)
  // A topic may hold the theme, so what was put in is filled once more.
  return once(once(template)).replace(/(?<!\.)\.\.(?!\.)/g, '.')
}

/** English sentences begin with a capital, whatever phrase was put first. */
export function sentenceCase(text: string, language: TalkLanguage): string {
  if (language === 'zh') return text
  return text.replace(
    /(^|[.!?]['")]?\s+)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )
}

/** Sentences one after the other, as the language writes them; empty ones are left out. */
export function joinSentences(parts: readonly string[], language: TalkLanguage): string {
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

/** A statement without its full stop, to stand inside another sentence. */
export function asClause(statement: string): string {
  return statement.replace(/[.。]\s*$/, '')
}

/** Whether a text says a value: its words, whole, in whatever case and with whatever article. */
export function says(text: string, value: string): boolean {
  const words = value.replace(/^an? |^一(?=\p{Script=Han}{2})/u, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{Script=Latin}\\d])${words}(?![\\p{Script=Latin}\\d])`, 'iu').test(text)
}

/** A phrase as it is called once it is known: "a rusty van" is "the rusty van" from then on, and 一辆 is 那辆. */
export function definite(phrase: string, language: TalkLanguage): string {
  return language === 'zh'
    ? phrase.replace(/^一(?=\p{Script=Han}{2})/u, '那')
    : phrase.replace(/^an? /, 'the ')
}
