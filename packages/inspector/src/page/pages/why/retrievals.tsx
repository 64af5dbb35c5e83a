import type { MemoryLife } from '@keepsake/client'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/language.tsx'

const SHOWN = 12

/** Recalls of the memory, latest first. */
export function Retrievals({ retrievals }: Pick<MemoryLife, 'retrievals'>): ReactNode {
  const { words, format } = useWords()
  const sum = (name: 'first' | 'second'): number => retrievals.reduce((all, one) => all + one[name], 0)
  const latest = retrievals.toReversed().slice(0, SHOWN)
  return (
    <section className="section">
      <h2>{words.why.retrievals}</h2>
      {retrievals.length === 0 ? (
        <p className="quiet">{words.why.noRetrievals}</p>
      ) : (
        <>
          <p className="quiet">
            {words.why.recalled(format.number(sum('first')), format.number(sum('second')))}
          </p>
          <table className="figures-table">
            <thead>
              <tr>
                <th scope="col">{words.why.when}</th>
                <th scope="col">{words.why.sessionNumber}</th>
                <th scope="col">{words.why.first}</th>
                <th scope="col">{words.why.second}</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
