import { diffWordsWithSpace } from 'diff'
import { useMemo, type ReactNode } from 'react'
import { useTexts } from '../words/language.tsx'

interface DifferenceProps {
  readonly before: string
  readonly after: string
  readonly className: string
}

/** Shows the difference of two texts. Removed words are struck through, added ones underlined, and both are announced to screen readers. */
export function Difference({ before, after, className }: DifferenceProps): ReactNode {
  const { texts, language } = useTexts()
  const pieces = useMemo(() => {
    // The browser segments Chinese, which has no blanks between words.
    const intlSegmenter = new Intl.Segmenter(language, { granularity: 'word' })
    return diffWordsWithSpace(before, after, { intlSegmenter })
  }, [before, after, language])
  return (
    <p className={className}>
      {pieces.map(({ value, added, removed }, place) => {
        if (added)
          return (
            <ins key={place} title={texts.states.added}>
              {value}
            </ins>
          )
        return removed ? (
          <del key={place} title={texts.states.removed}>
            {value}
          </del>
        ) : (
          <span key={place}>{value}</span>
        )
      })}
    </p>
  )
}
