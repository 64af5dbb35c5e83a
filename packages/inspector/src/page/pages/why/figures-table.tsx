// A table for the figures of a memory.
import type { ReactNode } from 'react'

interface FiguresTableProps {
  readonly head: readonly string[]
  /** Its rows. */
  readonly children: ReactNode
}

export function FiguresTable({ head, children }: FiguresTableProps): ReactNode {
  return (
    <table className="figures-table">
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
