import { readContent } from '../judges/text/read-content.ts'
import { hasWord } from './rank-sentences.ts'

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Words of a text in either language. */
export function wordCount(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).length
}

/** The stretch of at most so many words that holds most words of the question; of equals the first. */
export function shorten(text: string, question: string, most: number): string {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true)
  if (words.length <= most) return text
  const asked = [...readContent(question).words.keys()]
  const stretches = Array.from({ length: words.length - most + 1 }, (_, start) => {
    const first = words[start]
    const last = words[start + most - 1]
    return text.slice(first?.index ?? 0, (last?.index ?? 0) + (last?.segment.length ?? 0))
  })
  const scores = stretches.map((stretch) => {
    const content = readContent(stretch)
    return asked.filter((key) => hasWord(content, key)).length
  })
  return stretches[scores.indexOf(Math.max(...scores))] ?? text
}
