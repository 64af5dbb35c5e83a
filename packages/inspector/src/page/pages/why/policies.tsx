import type { MemoryLife } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { useTexts } from '../../words/language.tsx'
import { FiguresTable } from './figures-table.tsx'
import { fill } from '../../words/texts.ts'

type PolicyLife = MemoryLife['policies'][number]

/** Says how often a memory was recalled and what protects it. On request shows the formula and the results of other policies. */
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
        {own !== undefined && own.held !== null && texts.why.held[own.held]}
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
  const { policy, isOwn, strength, rank, of, held } = life
  return (
    <tr>
      <th scope="row">
        {policy} {isOwn && <Chip tone="accent">{texts.why.ownMark}</Chip>}
      </th>
      <td>{strength === null ? '–' : format.decimal(strength.value)}</td>
      <td>
        {rank === null ? '–' : fill(texts.why.rankOf, { rank: format.number(rank), of: format.number(of) })}
      </td>
      <td>{held === null ? '–' : texts.why.held[held]}</td>
    </tr>
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
