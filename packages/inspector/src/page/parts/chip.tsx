import type { ReactNode } from 'react'

interface ChipProps {
  readonly tone?: 'accent' | 'alarm'
  readonly title?: string
  readonly children: ReactNode
}

/** A label about something: its type or status. */
export function Chip({ tone, title, children }: ChipProps): ReactNode {
  return (
    <span className="chip" data-tone={tone} title={title}>
      {children}
    </span>
  )
}
