/** Chinese talk has Latin names, numbers and punctuation; English talk has hardly any Han character. */
const MOSTLY_HAN = 0.2

/** Detects the language of a talk by its script. */
export function languageOf(texts: Iterable<string>): 'en' | 'zh' {
  const text = [...texts].join('')
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > text.length * MOSTLY_HAN ? 'zh' : 'en'
}
