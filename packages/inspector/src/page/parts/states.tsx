import { KeepsakeRequestError } from '@keepsake/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureKind, type FailureKind } from '../session/failure.ts'
import type { Person } from '../address/address.ts'
import { type ShellTexts, fill } from '../words/texts.ts'
import { useTexts } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Link } from '../address/link.tsx'
import { useMay } from '../session/session.tsx'

/** A skeleton while something loads. */
export function Loading({ lines = 5 }: { readonly lines?: number }): ReactNode {
  const { texts } = useTexts()
  return (
    <div className="skeleton" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
      <span className="hidden">{texts.states.loading}</span>
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  /** A sentence that says what to do. */
  readonly hint?: string
  /** The user, for links to the pages that add memories. */
  readonly person?: Person
  readonly children?: ReactNode
}

/** Shows that there is no data, and what to do. */
export function Empty({ title, hint, person, children }: EmptyProps): ReactNode {
  return (
    <div className="notice">
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
      {person !== undefined && <AddMemoryLinks person={person} />}
    </div>
  )
}

const FAILURE_TEXTS: Readonly<
  Record<FailureKind, (states: ShellTexts['states']) => readonly [title: string, detail: string | null]>
> = {
  unreachable: (states) => [states.unreachable, states.unreachableHint],
  locked: (states) => [states.locked, states.lockedHint],
  forbidden: (states) => [states.forbidden, states.forbiddenHint],
  missing: (states) => [states.missing, states.missingHint],
  busy: (states) => [states.busy, states.busyHint],
  refused: (states) => [states.refused, null],
  broken: (states) => [states.broken, states.brokenHint],
}

/** Returns a function that describes an error and what to do. A refused request shows the server's message. */
export function useFailureTexts(): (error: unknown) => { readonly title: string; readonly detail: string } {
  const { texts } = useTexts()
  return (error) => {
    const [title, detail] = FAILURE_TEXTS[failureKind(error)](texts.states)
    return { title, detail: detail ?? (error instanceof Error ? error.message : String(error)) }
  }
}

interface FailureProps {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}

/** Shows a failed query, with the reason and what to do. */
export function Failure({ error, retry }: FailureProps): ReactNode {
  const { texts } = useTexts()
  const { title, detail } = useFailureTexts()(error)
  const request = error instanceof KeepsakeRequestError ? error.problem?.request : undefined
  return (
    <div className="notice" data-tone="alarm" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {request !== undefined && <p className="code">{fill(texts.states.request, { id: request })}</p>}
      {retry !== undefined && <Button onClick={retry}>{texts.states.retry}</Button>}
    </div>
  )
}

interface QueryResultProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  readonly children: (data: Data) => ReactNode
  readonly lines?: number
}

/** Shows a query's data; until then a skeleton, or a failure. Data stays visible while it reloads. */
export function QueryResult<Data>({ query, children, lines = 5 }: QueryResultProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading lines={lines} />
}

/** For an empty page: links to the two pages that add memories, if the key may write. */
function AddMemoryLinks({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const mayWrite = useMay('write', person)
  if (!mayWrite) return null
  return (
    <p className="row">
      <Link to={{ page: 'conversation', person }}>{texts.states.talk}</Link>
      <Link to={{ page: 'data', person }}>{texts.states.bring}</Link>
    </p>
  )
}
