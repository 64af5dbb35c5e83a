import type { Recall } from '@keepsake/client'
import type { ReactNode } from 'react'
import { Bar } from '../../parts/bar.tsx'
import { useTexts } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'
import './verdict.css'

interface VerdictProps {
  readonly recall: Recall
  readonly children?: ReactNode
}

/** Shows whether memory has the answer, and the confidence, above the children. A text that is no question has no confidence. */
export function Verdict({ recall: { answerable, confidence }, children }: VerdictProps): ReactNode {
  const { texts, format } = useTexts()
  if (answerable === null && children === undefined) return null
  return (
    <section className="verdict" data-answerable={answerable} aria-live="polite">
      {answerable !== null && (
        <>
          <h2>{texts.memories.recall.answerable[answerable]}</h2>
          <p className="quiet">{fill(texts.memories.recall.sure, { share: format.percent(confidence) })}</p>
          <div className="verdict-bar">
            <Bar share={confidence} />
          </div>
        </>
      )}
      {children}
    </section>
  )
}
