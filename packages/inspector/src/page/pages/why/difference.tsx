import { diffWordsWithSpace } from 'diff'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.tsx'

interface DifferenceProps {
  readonly before: string
  readonly after: string | null
}

/** The difference of two texts: removed words are struck through, added ones underlined, and both announced to screen readers. */
export function Difference({ before, after }: DifferenceProps): ReactNode {
  const { language } = useWords()
  if (after === null) return <del className="said">{before}</del>
  // Chinese writes no blanks between words: the browser segments them.
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
