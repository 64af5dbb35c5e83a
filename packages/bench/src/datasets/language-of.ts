/** A talk with more than this share of Han characters is Chinese. The rest may be Latin names, numbers and punctuation. */
const MIN_HAN_SHARE = 0.2

/** Detects the language of a talk by its script. */
export function languageOf(texts: Iterable<string>): 'en' | 'zh' {
  const text = [...texts].join('')
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > text.length * MIN_HAN_SHARE ? 'zh' : 'en'
}
