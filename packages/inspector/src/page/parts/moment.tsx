import type { ReactNode } from 'react'
import { useTexts } from '../words/language.tsx'

interface MomentProps {
  /** ISO 8601, or milliseconds since 1970. */
  readonly at: string | number
  /** Default: `day`. The tooltip always has the full moment. */
  readonly as?: 'day' | 'moment'
}

/** A moment in the reader's language and time zone. */
export function Moment({ at, as = 'day' }: MomentProps): ReactNode {
  const { format } = useTexts()
  return (
    <time className="figures" dateTime={new Date(at).toISOString()} title={format.moment(at)}>
      {format[as](at)}
    </time>
  )
}
