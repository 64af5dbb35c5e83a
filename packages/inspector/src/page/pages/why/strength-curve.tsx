import type { MemoryLife } from '@keepsake/client'
import { scaleLinear, scaleTime } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { useTexts } from '../../words/language.tsx'
import { FiguresTable } from './figures-table.tsx'
import { fill } from '../../words/texts.ts'

type Point = MemoryLife['policies'][number]['points'][number]

const WIDTH = 720
const HEIGHT = 200
const EDGE = { top: 12, right: 12, bottom: 28, left: 44 }
const TICKS = 4

/** Draws strength over time: a solid line for the past, a dashed one for the future, and a dot for each event. */
export function StrengthCurve({ points }: { readonly points: readonly Point[] }): ReactNode {
  const { texts, format } = useTexts()
  if (points.length < 2) return <p className="quiet">{texts.why.noCurve}</p>
  const times = points.map(({ at }) => new Date(at).getTime())
  const x = scaleTime()
    .domain([Math.min(...times), Math.max(...times)])
    .range([EDGE.left, WIDTH - EDGE.right])
  const max = Math.max(...points.map(({ value }) => value), 0)
  const min = Math.min(...points.map(({ value }) => value), 0)
  const y = scaleLinear()
    .domain([min, max === min ? min + 1 : max])
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
        aria-label={fill(texts.why.curveHint, { count: points.length })}
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
      <figcaption className="small quiet">{texts.why.curveKey}</figcaption>
      <details>
        <summary className="small">{texts.why.asFigures}</summary>
        <Figures points={points} />
      </details>
    </figure>
  )
}

/** Shows the points of the curve as a table. */
function Figures({ points }: { readonly points: readonly Point[] }): ReactNode {
  const { texts, format } = useTexts()
  return (
    <FiguresTable head={[texts.why.when, texts.why.what, texts.why.strengthNow]}>
      {points.map(({ at, why, value }, place) => (
        <tr key={place}>
          <td>
            <Moment at={at} />
          </td>
          <td>{texts.why.reasons[why]}</td>
          <td>{format.decimal(value)}</td>
        </tr>
      ))}
    </FiguresTable>
  )
}
