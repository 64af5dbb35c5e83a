import { hasWord, readContent } from '../text/read-content.ts'

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Words of a text in either language. */
export function wordCount(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).length
}

/** The stretch of at most so many words that holds most words of the question; of equals the middle one, since
 * the answer may stand before them or after. */
export function shorten(text: string, question: string, limit: number): string {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true)
  if (words.length <= limit) return text
  const asked = [...readContent(question).words.keys()]
  const stretches = Array.from({ length: words.length - limit + 1 }, (_, start) => {
    const first = words[start]
    const last = words[start + limit - 1]
    return text.slice(first?.index ?? 0, (last?.index ?? 0) + (last?.segment.length ?? 0))
  })
  const scores = stretches.map((stretch) => {
    const content = readContent(stretch)
    return asked.filter((key) => hasWord(content, key)).length
  })
  const most = Math.max(...scores)
  const best = stretches.filter((_, place) => scores[place] === most)
  return best[Math.floor(best.length / 2)] ?? text
}
