import type { MemoryLife } from '@keepsake/client'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/language.tsx'

const SHOWN = 12

/** Recalls of the memory, latest first. */
export function RetrievalTable({ retrievals }: Pick<MemoryLife, 'retrievals'>): ReactNode {
  const { words, format } = useWords()
  return (
    <>
      <h3>{words.why.retrievals}</h3>
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
          {retrievals
            .toReversed()
            .slice(0, SHOWN)
            .map(({ operation, at, session, first, second }) => (
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
  )
}
