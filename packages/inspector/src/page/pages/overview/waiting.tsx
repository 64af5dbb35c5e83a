import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PendingRequest, ScopeStats } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import type { Person } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useFailureWords } from '../../parts/states.tsx'
import { useTell } from '../../parts/told.tsx'
import { useChange } from '../../parts/use-change.ts'
import { personKey, wholePersonKey } from '../../session/queries.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { useWords } from '../../words/language.tsx'

interface WaitingProps {
  readonly person: Person
  readonly stats: ScopeStats
}

/** What waits: turns to be read, jobs, those that failed and why, and requests that want a yes. */
export function Waiting({ person, stats }: WaitingProps): ReactNode {
  const { words, format } = useWords()
  const scope = useScope(person)
  const held = useQuery({
    queryKey: personKey(person, 'requests'),
    queryFn: ({ signal }) => scope.pendingRequests({ signal }),
  })
  const requests = held.data ?? []
  const { pending, jobs } = stats
  const isQuiet = pending === 0 && jobs.queued === 0 && jobs.parked === 0 && requests.length === 0
  return (
    <section className="stack">
      <h2>{words.overview.waiting}</h2>
      {isQuiet && <p className="quiet">{words.overview.nothingWaits}</p>}
      {pending > 0 && <p>{words.overview.pending(format.number(pending))}</p>}
      {jobs.queued > 0 && <p>{words.overview.queued(format.number(jobs.queued))}</p>}
      {jobs.parked > 0 && <Failed person={person} />}
      {requests.map((request) => (
        <Request key={request.turn} person={person} request={request} />
      ))}
    </section>
  )
}

/** Jobs that failed for good, each with its reason, tried again from here. */
function Failed({ person }: { readonly person: Person }): ReactNode {
  const { words, format } = useWords()
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const tell = useTell()
  const failed = useFailureWords()
  const queries = useQueryClient()
  const jobs = useQuery({
    queryKey: personKey(person, 'jobs'),
    queryFn: ({ signal }) => scope.jobs({ signal }),
  })
  const retry = useMutation({
    mutationFn: () => scope.retryJobs(),
    onSuccess: (count) => tell({ text: words.overview.retried(count) }),
    onError: (error) => {
      const { title, told } = failed(error)
      tell({ text: `${title}: ${told}` })
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: wholePersonKey(person) }),
  })
  const parked = (jobs.data ?? []).filter(({ state }) => state === 'parked')
  return (
    <div className="stack">
      <p className="problem">{words.overview.failed(format.number(parked.length))}</p>
      <ul className="stack">
        {parked.map(({ id, at, session, reason }) => (
          <li key={id} className="small">
            <Moment at={at} as="moment" /> {session !== null && words.why.session(session)}
            <p className="quiet">{reason}</p>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div>
          <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
            {words.states.retry}
          </Button>
        </div>
      )}
    </div>
  )
}

interface RequestProps {
  readonly person: Person
  readonly request: PendingRequest
}

/** Somebody asked that everything be forgotten: what would go, and the yes. */
function Request({ person, request: { turn, removes } }: RequestProps): ReactNode {
  const { words, format } = useWords()
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const { change } = useChange(person)
  const [isAsking, setAsking] = useState(false)
  const forms: Readonly<Record<string, string>> = words.overview.forms
  const going = Object.entries(removes).map(
    ([form, count]) => `${format.number(count)} ${forms[form] ?? form}`,
  )
  const confirm = (): void => {
    change({ make: () => scope.confirmRequest(turn), told: words.overview.confirmed })
    setAsking(false)
  }
  return (
    <div className="stack">
      <p>{words.overview.request(format.list(going))}</p>
      {mayWrite && (
        <div>
          <Button tone="alarm" onClick={() => setAsking(true)}>
            {words.overview.confirm}
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog title={words.overview.confirm} onClose={() => setAsking(false)}>
          <p>{words.overview.confirmTold(format.list(going))}</p>
          <div className="row">
            <Button tone="alarm" onClick={confirm}>
              {words.overview.confirm}
            </Button>
            <Button onClick={() => setAsking(false)}>{words.states.cancel}</Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
