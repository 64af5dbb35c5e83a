import { diffWordsWithSpace } from 'diff'
import { useMemo, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'

interface DifferenceProps {
  readonly before: string
  readonly after: string
  readonly className: string
}

/** The difference of two texts: removed words are struck through, added ones underlined, and both announced to screen readers. */
export function Difference({ before, after, className }: DifferenceProps): ReactNode {
  const { words, language } = useWords()
  const pieces = useMemo(() => {
    // Chinese writes no blanks between words: the browser segments them.
    const intlSegmenter = new Intl.Segmenter(language, { granularity: 'word' })
    return diffWordsWithSpace(before, after, { intlSegmenter })
  }, [before, after, language])
  return (
    <p className={className}>
      {pieces.map(({ value, added, removed }, place) => {
        if (added)
          return (
            <ins key={place} title={words.states.added}>
              {value}
            </ins>
          )
        return removed ? (
          <del key={place} title={words.states.removed}>
            {value}
          </del>
        ) : (
          <span key={place}>{value}</span>
        )
      })}
    </p>
  )
}
