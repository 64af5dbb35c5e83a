import type { MemoryLife } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/language.tsx'
import { StrengthCurve } from './strength-curve.tsx'

type PolicyLife = MemoryLife['policies'][number]

/** The memory's strength by each forgetting policy, past and future, and when each would forget it. */
export function Policies({ policies }: Pick<MemoryLife, 'policies'>): ReactNode {
  const { words } = useWords()
  const [chosen, choose] = useState<string | null>(null)
  const shown = policies.find(({ policy }) => policy === chosen) ?? policies[0]
  return (
    <section className="section">
      <h2>{words.why.strength}</h2>
      {shown !== undefined && (
        <>
          <div className="row">
            <select
              className="input small"
              aria-label={words.why.policy}
              value={shown.policy}
              onChange={(event) => choose(event.target.value)}
            >
              {policies.map(({ policy, isOwn }) => (
                <option key={policy} value={policy}>
                  {isOwn ? words.why.own(policy) : policy}
                </option>
              ))}
            </select>
            <code className="code quiet">{shown.formula}</code>
          </div>
          <StrengthCurve points={shown.points} />
        </>
      )}
      <h3>{words.why.whenEach}</h3>
      <div className="scrolls">
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{words.why.policy}</th>
              <th scope="col">{words.why.strengthNow}</th>
              <th scope="col">{words.why.rank}</th>
              <th scope="col">{words.why.goes}</th>
            </tr>
          </thead>
          <tbody>
            {policies.map((life) => (
              <Row key={life.policy} life={life} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
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
      {strength === null ? (
        // A policy that does not judge it has no strength or rank: the reason spans all three columns.
        <td colSpan={3}>
          <Goes life={life} />
        </td>
      ) : (
        <>
          <td>{format.decimal(strength.value)}</td>
          <td>{rank === null ? '–' : words.why.rankOf(format.number(rank), format.number(of))}</td>
          <td>
            <Goes life={life} />
          </td>
        </>
      )}
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
      {words.why.after(goes.afterSessions)} (<Moment at={goes.at} />)
    </>
  )
}
