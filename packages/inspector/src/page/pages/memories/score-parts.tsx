import { useState, type ReactNode } from 'react'
import { Bar } from '../../parts/bar.tsx'
import { useWords } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'
import './score-parts.css'

/** Parts shown initially. */
const FEW = 4
/** Smaller parts would show as 0.00. */
const SEEN = 0.005

interface ScorePartsProps {
  readonly parts: Readonly<Record<string, number>>
  /** The scale of the bars: the largest part of all that are compared; of these when absent. */
  readonly most?: number
}

/** What a score is made of, the largest first, positive or negative. */
export function ScoreParts({ parts, most }: ScorePartsProps): ReactNode {
  const { words, format } = useWords()
  const [isWhole, setWhole] = useState(false)
  const names: Readonly<Record<string, string>> = words.memories.parts
  const ranked = Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= SEEN)
    .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
  const largest = most ?? Math.abs(ranked[0]?.[1] ?? 1)
  const hasMinus = ranked.some(([, value]) => value < 0)
  return (
    <>
      <dl className="parts">
        {ranked.slice(0, isWhole ? undefined : FEW).map(([name, value]) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              <Bar share={value / largest} hasMinus={hasMinus} />
              <span className="figures">{format.decimal(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {ranked.length > FEW && (
        <button type="button" className="more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? words.memories.recall.fewer
            : fill(words.memories.recall.more, { count: ranked.length - FEW })}
        </button>
      )}
    </>
  )
}
