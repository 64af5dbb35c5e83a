import type { TalkLanguage } from '../material/fact-kinds.ts'

/** Recognises the language of a text of three words or more; `null` for names, numbers and ids. */
export function languageOfText(text: string): TalkLanguage | null {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  if (han >= 4 && han > words) return 'zh'
  return words >= 3 && /\s/.test(text) ? 'en' : null
}
