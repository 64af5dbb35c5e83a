import { KeepsakeRequestError } from '@keepsake/client'
import type { ReactNode } from 'react'
import { failureKind, type FailureKind } from '../session/failure.ts'
import type { Words } from '../words/en.ts'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'

/** A skeleton while something loads. */
export function Loading({ lines = 5 }: { readonly lines?: number }): ReactNode {
  const { words } = useWords()
  return (
    <div className="skeleton" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
      <span className="hidden">{words.states.loading}</span>
    </div>
  )
}

interface NoticeProps {
  readonly title: string
  /** What to do about it. */
  readonly children?: ReactNode
}

/** An empty state, with what to do. */
export function Empty({ title, children }: NoticeProps): ReactNode {
  return (
    <div className="notice">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

const SAID: Readonly<
  Record<FailureKind, (states: Words['states']) => readonly [title: string, detail: string | null]>
> = {
  unreachable: (states) => [states.unreachable, states.unreachableHint],
  locked: (states) => [states.locked, states.lockedHint],
  forbidden: (states) => [states.forbidden, states.forbiddenHint],
  missing: (states) => [states.missing, states.missingHint],
  busy: (states) => [states.busy, states.busyHint],
  refused: (states) => [states.refused, null],
  broken: (states) => [states.broken, states.brokenHint],
}

/** Describes an error and what to do; for refusals, in the server's own words. */
export function useFailureWords(): (error: unknown) => { readonly title: string; readonly detail: string } {
  const { words } = useWords()
  return (error) => {
    const [title, detail] = SAID[failureKind(error)](words.states)
    return { title, detail: detail ?? (error instanceof Error ? error.message : String(error)) }
  }
}

interface FailureProps {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}

/** A failed query, with the reason and what to do. */
export function Failure({ error, retry }: FailureProps): ReactNode {
  const { words } = useWords()
  const { title, detail } = useFailureWords()(error)
  const request = error instanceof KeepsakeRequestError ? error.problem?.request : undefined
  return (
    <div className="notice" data-tone="alarm" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {request !== undefined && <p className="code">{words.states.request(request)}</p>}
      {retry !== undefined && <Button onClick={retry}>{words.states.retry}</Button>}
    </div>
  )
}

/** The used parts of a query. */
interface ShownQuery<Data> {
  readonly data: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

interface AskedProps<Data> {
  readonly query: ShownQuery<Data>
  readonly children: (data: Data) => ReactNode
  /** Lines of the skeleton. */
  readonly lines?: number
}

/**
 * Shows a query's data; until then a skeleton, or a failure. Data stays visible while it reloads.
 *
 * @example
 * <Asked query={story}>{(levels) => levels.length === 0 ? <Empty title={…} /> : <Levels levels={levels} />}</Asked>
 */
export function Asked<Data>({ query, children, lines }: AskedProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading {...(lines === undefined ? {} : { lines })} />
}
