import { diffWordsWithSpace } from 'diff'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.tsx'

interface DifferenceProps {
  readonly before: string
  readonly after: string | null
}

/** What became of some words, which were there before: what went is struck through, what came is underlined, and both are said to screen readers. */
export function Difference({ before, after }: DifferenceProps): ReactNode {
  const { language } = useWords()
  if (after === null) return <del className="said">{before}</del>
  // Chinese writes no blanks between words: the browser knows where they end.
  const intlSegmenter = new Intl.Segmenter(language, { granularity: 'word' })
  const pieces = diffWordsWithSpace(before, after, { intlSegmenter })
  return (
    <span className="said">
      {pieces.map(({ value, added, removed }, place) => {
        if (added) return <ins key={place}>{value}</ins>
        return removed ? <del key={place}>{value}</del> : <span key={place}>{value}</span>
      })}
    </span>
  )
}
