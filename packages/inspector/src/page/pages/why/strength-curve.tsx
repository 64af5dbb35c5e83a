import type { MemoryLife } from '@keepsake/client'
import { scaleLinear, scaleTime } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/language.tsx'
import { FiguresTable } from './figures-table.tsx'
import { fill } from '../../words/texts.ts'

type Point = MemoryLife['policies'][number]['points'][number]

const WIDTH = 720
const HEIGHT = 200
const EDGE = { top: 12, right: 12, bottom: 28, left: 44 }
const TICKS = 4

/** Strength over time: a solid line for the past, a broken one for the future, and a dot for each event. */
export function StrengthCurve({ points }: { readonly points: readonly Point[] }): ReactNode {
  const { words, format } = useWords()
  if (points.length < 2) return <p className="quiet">{words.why.noCurve}</p>
  const times = points.map(({ at }) => new Date(at).getTime())
  const x = scaleTime()
    .domain([Math.min(...times), Math.max(...times)])
    .range([EDGE.left, WIDTH - EDGE.right])
  const most = Math.max(...points.map(({ value }) => value), 0)
  const least = Math.min(...points.map(({ value }) => value), 0)
  const y = scaleLinear()
    .domain([least, most === least ? least + 1 : most])
    .nice(TICKS)
    .range([HEIGHT - EDGE.bottom, EDGE.top])
  const draw = line<Point>()
    .x(({ at }) => x(new Date(at)))
    .y(({ value }) => y(value))
    .curve(curveMonotoneX)
  const past = points.filter(({ why }) => why !== 'ahead')
  const ahead = points.filter(({ why }) => why === 'ahead' || why === 'now')
  return (
    <figure className="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={fill(words.why.curveHint, { count: points.length })}
      >
        {y.ticks(TICKS).map((tick) => (
          <g key={tick}>
            <line className="grid" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text x={EDGE.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
              {format.number(tick)}
            </text>
          </g>
        ))}
        {x.ticks(TICKS).map((tick) => (
          <text key={tick.getTime()} x={x(tick)} y={HEIGHT - 8} textAnchor="middle">
            {format.day(tick.getTime())}
          </text>
        ))}
        <path className="ahead" d={draw(ahead) ?? ''} />
        <path className="past" d={draw(past) ?? ''} />
        {points
          .filter(({ why }) => why !== 'session' && why !== 'ahead')
          .map(({ at, value, why }, place) => (
            <circle
              key={place}
              data-why={why}
              cx={x(new Date(at))}
              cy={y(value)}
              r={why === 'now' ? 5 : 3.5}
            />
          ))}
      </svg>
      <figcaption className="small quiet">{words.why.curveKey}</figcaption>
      <details>
        <summary className="small">{words.why.asFigures}</summary>
        <Figures points={points} />
      </details>
    </figure>
  )
}

/** The same in numbers. */
function Figures({ points }: { readonly points: readonly Point[] }): ReactNode {
  const { words, format } = useWords()
  return (
    <FiguresTable head={[words.why.when, words.why.what, words.why.strengthNow]}>
      {points.map(({ at, why, value }, place) => (
        <tr key={place}>
          <td>
            <Moment at={at} />
          </td>
          <td>{words.why.reasons[why]}</td>
          <td>{format.decimal(value)}</td>
        </tr>
      ))}
    </FiguresTable>
  )
}
