import { useState, type ReactNode } from 'react'
import { Bar } from '../../parts/bar.tsx'
import { useTexts } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'
import './score-parts.css'

/** Number of parts shown initially. */
const INITIALLY_SHOWN = 4
/** Parts below this would be shown as 0.00. */
const MIN_PART = 0.005

interface ScorePartsProps {
  readonly parts: Readonly<Record<string, number>>
  /** The largest part of all compared memories, which is the scale of the bars; default: of this memory. */
  readonly maxPart?: number
}

/** Shows the parts of a score, positive or negative, largest first. */
export function ScoreParts({ parts, maxPart }: ScorePartsProps): ReactNode {
  const { texts, format } = useTexts()
  const [showsAll, setShowsAll] = useState(false)
  const names: Readonly<Record<string, string>> = texts.memories.parts
  const ranked = Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= MIN_PART)
    .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
  const largest = maxPart ?? Math.abs(ranked[0]?.[1] ?? 1)
  const hasMinus = ranked.some(([, value]) => value < 0)
  return (
    <>
      <dl className="parts">
        {ranked.slice(0, showsAll ? undefined : INITIALLY_SHOWN).map(([name, value]) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              <Bar share={value / largest} hasMinus={hasMinus} />
              <span className="figures">{format.decimal(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {ranked.length > INITIALLY_SHOWN && (
        <button
          type="button"
          className="more"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll
            ? texts.memories.recall.fewer
            : fill(texts.memories.recall.more, { count: ranked.length - INITIALLY_SHOWN })}
        </button>
      )}
    </>
  )
}
