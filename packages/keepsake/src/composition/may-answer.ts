import {
  holdsAnswer,
  readWantedAnswer,
  readWantedProperty,
  tellsProperty,
  type AnswerKind,
} from '@keepsake/text'

/**
 * Kinds whose lack a text shows. A time is told by the day a line carries, and a name in Chinese, which has no capitals, by any word.
 */
const SEEN_TO_LACK: Readonly<Record<'en' | 'zh', readonly AnswerKind[]>> = {
  en: ['amount', 'count', 'duration', 'name', 'person'],
  zh: ['amount', 'count', 'duration', 'person'],
}
/** Characters of texts that are read for it; of longer ones it is not said. */
const MOST_READ = 4_000

interface Said {
  readonly text: string | null
}

/**
 * Whether what was said may hold what a question wants: a number, a sum, a length of time, a name, a property such as a colour.
 * `null` for a question that any words may answer.
 *
 * @example
 * readMayAnswer('How much rent do I pay?')?.([{ text: 'The rent went up.' }]) // false
 */
export function readMayAnswer(question: string): ((said: readonly Said[]) => boolean) | null {
  const wanted = readWantedAnswer(question)
  const seen = SEEN_TO_LACK[wanted.isChinese ? 'zh' : 'en']
  const kinds = wanted.kinds.filter((kind) => seen.includes(kind))
  const property = readWantedProperty(question)
  if (kinds.length === 0 && property === null) return null
  return (said) => {
    const text = said.map((one) => one.text ?? '').join('\n')
    if (text.length > MOST_READ) return true
    return kinds.length > 0 || property === null
      ? holdsAnswer({ ...wanted, kinds }, text)
      : tellsProperty(property, text)
  }
}
