import type { MemoryLife } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import { scaleLinear, scaleTime } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { useTexts } from '../../words/language.tsx'
import { FiguresTable } from './figures-table.tsx'
import { fill } from '../../words/texts.ts'

type PolicyLife = MemoryLife['policies'][number]

/** Says in a sentence how long a memory is kept. On request shows the formula, the strength over time, and other policies' results. */
export function Policies({ policies, retrievals }: Pick<MemoryLife, 'policies' | 'retrievals'>): ReactNode {
  const { texts, format } = useTexts()
  const [chosen, choose] = useState<string | null>(null)
  const own = policies.find(({ isOwn, held }) => isOwn && held !== 'exempt') ?? policies[0]
  const judging = policies.filter(({ strength, isOwn }) => strength !== null || isOwn)
  const shown = judging.find(({ policy }) => policy === chosen) ?? own
  const latest = retrievals.at(-1)
  const times = retrievals.reduce((sum, { first, second }) => sum + first + second, 0)
  return (
    <Section title={texts.why.keeping}>
      <p>
        {latest === undefined
          ? texts.why.noRetrievals
          : fill(texts.why.recalled, {
              count: times,
              written: format.number(times),
              day: format.day(latest.at),
            })}{' '}
        {own !== undefined && <Goes life={own} />}
      </p>
      {own !== undefined && own.rank !== null && (
        <p className="quiet">
          {fill(texts.why.place, { rank: format.number(own.rank), of: format.number(own.of) })}
        </p>
      )}
      <details>
        <summary className="small">{texts.why.computed}</summary>
        {shown !== undefined && (
          <>
            <h3>{texts.why.strength}</h3>
            <div className="row">
              <Select
                isBare
                label={texts.why.policy}
                value={shown.policy}
                options={judging.map(({ policy, isOwn }) => [
                  policy,
                  isOwn ? fill(texts.why.own, { policy }) : policy,
                ])}
                choose={choose}
              />
              <span className="small quiet">
                {texts.why.formula} <code className="code">{shown.formula}</code>
              </span>
            </div>
            <StrengthCurve points={shown.points} />
          </>
        )}
        <h3>{texts.why.whenEach}</h3>
        <div className="scrolls">
          <FiguresTable head={[texts.why.policy, texts.why.strengthNow, texts.why.rank, texts.why.goes]}>
            {judging.map((life) => (
              <Row key={life.policy} life={life} />
            ))}
          </FiguresTable>
        </div>
        {retrievals.length > 0 && <RetrievalTable retrievals={retrievals} />}
      </details>
    </Section>
  )
}

function Row({ life }: { readonly life: PolicyLife }): ReactNode {
  const { texts, format } = useTexts()
  const { policy, isOwn, strength, rank, of } = life
  return (
    <tr>
      <th scope="row">
        {policy} {isOwn && <Chip tone="accent">{texts.why.ownMark}</Chip>}
      </th>
      <td>{strength === null ? '–' : format.decimal(strength.value)}</td>
      <td>
        {rank === null ? '–' : fill(texts.why.rankOf, { rank: format.number(rank), of: format.number(of) })}
      </td>
      <td>
        <Goes life={life} />
      </td>
    </tr>
  )
}

function Goes({ life: { held, goes } }: { readonly life: PolicyLife }): ReactNode {
  const { texts } = useTexts()
  if (held !== null) return texts.why.held[held]
  if (goes === null) return texts.why.stays
  if (goes.afterSessions === 0) return texts.why.next
  return (
    <>
      {fill(texts.why.after, { count: goes.afterSessions })} (<Moment at={goes.at} />)
    </>
  )
}

const RETRIEVALS_SHOWN = 12

/** Recalls of the memory, latest first. */
function RetrievalTable({ retrievals }: Pick<MemoryLife, 'retrievals'>): ReactNode {
  const { texts, format } = useTexts()
  const latest = retrievals.toReversed().slice(0, RETRIEVALS_SHOWN)
  return (
    <>
      <h3>{texts.why.retrievals}</h3>
      <FiguresTable head={[texts.why.when, texts.why.sessionNumber, texts.why.first, texts.why.second]}>
        {latest.map(({ operation, at, session, first, second }) => (
          <tr key={operation ?? 'counted'}>
            <td>
              <Moment at={at} as="moment" />
            </td>
            <td>{format.number(session)}</td>
            <td>{format.number(first)}</td>
            <td>{format.number(second)}</td>
          </tr>
        ))}
      </FiguresTable>
    </>
  )
}

type Point = MemoryLife['policies'][number]['points'][number]

const WIDTH = 720
const HEIGHT = 200
const EDGE = { top: 12, right: 12, bottom: 28, left: 44 }
const TICKS = 4

/** Draws strength over time: a solid line for the past, a dashed one for the future, and a dot for each event. */
function StrengthCurve({ points }: { readonly points: readonly Point[] }): ReactNode {
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
