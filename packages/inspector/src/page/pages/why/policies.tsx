import type { MemoryLife } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { useWords } from '../../words/language.tsx'
import { FiguresTable } from './figures-table.tsx'
import { StrengthCurve } from './strength-curve.tsx'
import { fill } from '../../words/texts.ts'

type PolicyLife = MemoryLife['policies'][number]

/** How long a memory is kept, in a sentence; on request the formula, its strength over time, and what other policies would do. */
export function Policies({ policies, retrievals }: Pick<MemoryLife, 'policies' | 'retrievals'>): ReactNode {
  const { words, format } = useWords()
  const [chosen, choose] = useState<string | null>(null)
  const own = policies.find(({ isOwn, held }) => isOwn && held !== 'exempt') ?? policies[0]
  const judging = policies.filter(({ strength, isOwn }) => strength !== null || isOwn)
  const shown = judging.find(({ policy }) => policy === chosen) ?? own
  const latest = retrievals.at(-1)
  const times = retrievals.reduce((sum, { first, second }) => sum + first + second, 0)
  return (
    <Section title={words.why.keeping}>
      <p>
        {latest === undefined
          ? words.why.noRetrievals
          : fill(words.why.recalled, {
              count: times,
              written: format.number(times),
              day: format.day(latest.at),
            })}{' '}
        {own !== undefined && <Goes life={own} />}
      </p>
      {own !== undefined && own.rank !== null && (
        <p className="quiet">
          {fill(words.why.place, { rank: format.number(own.rank), of: format.number(own.of) })}
        </p>
      )}
      <details>
        <summary className="small">{words.why.computed}</summary>
        {shown !== undefined && (
          <>
            <h3>{words.why.strength}</h3>
            <div className="row">
              <Select
                isBare
                label={words.why.policy}
                value={shown.policy}
                options={judging.map(({ policy, isOwn }) => [
                  policy,
                  isOwn ? fill(words.why.own, { policy }) : policy,
                ])}
                choose={choose}
              />
              <span className="small quiet">
                {words.why.formula} <code className="code">{shown.formula}</code>
              </span>
            </div>
            <StrengthCurve points={shown.points} />
          </>
        )}
        <h3>{words.why.whenEach}</h3>
        <div className="scrolls">
          <FiguresTable head={[words.why.policy, words.why.strengthNow, words.why.rank, words.why.goes]}>
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
  const { words, format } = useWords()
  const { policy, isOwn, strength, rank, of } = life
  return (
    <tr>
      <th scope="row">
        {policy} {isOwn && <Chip tone="accent">{words.why.ownMark}</Chip>}
      </th>
      <td>{strength === null ? '–' : format.decimal(strength.value)}</td>
      <td>
        {rank === null ? '–' : fill(words.why.rankOf, { rank: format.number(rank), of: format.number(of) })}
      </td>
      <td>
        <Goes life={life} />
      </td>
    </tr>
  )
}

function Goes({ life: { held, goes } }: { readonly life: PolicyLife }): ReactNode {
  const { words } = useWords()
  if (held !== null) return words.why.held[held]
  if (goes === null) return words.why.stays
  if (goes.afterSessions === 0) return words.why.next
  return (
    <>
      {fill(words.why.after, { count: goes.afterSessions })} (<Moment at={goes.at} />)
    </>
  )
}

const RETRIEVALS_SHOWN = 12

/** Recalls of the memory, latest first. */
function RetrievalTable({ retrievals }: Pick<MemoryLife, 'retrievals'>): ReactNode {
  const { words, format } = useWords()
  const latest = retrievals.toReversed().slice(0, RETRIEVALS_SHOWN)
  return (
    <>
      <h3>{words.why.retrievals}</h3>
      <FiguresTable head={[words.why.when, words.why.sessionNumber, words.why.first, words.why.second]}>
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
