import type { ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useMay } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { HeldRequest } from '../memories/held-request.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

/** Pending work: unread turns, jobs, failures with reasons, and requests to confirm. */
export function Waiting({ person, stats }: PersonProps & { readonly stats: ScopeStats }): ReactNode {
  const { texts, format } = useTexts()
  const held = usePersonQuery(person, ['requests'], (scope, call) => scope.pendingRequests(call))
  const requests = held.data ?? []
  const { pending, jobs } = stats
  const isQuiet = pending === 0 && jobs.queued === 0 && jobs.parked === 0 && requests.length === 0
  return (
    <Section className="stack" title={texts.overview.waiting}>
      {isQuiet && <p className="quiet">{texts.overview.nothingWaits}</p>}
      {pending > 0 && <p>{fill(texts.overview.pending, { count: format.number(pending) })}</p>}
      {jobs.queued > 0 && <p>{fill(texts.overview.queued, { count: format.number(jobs.queued) })}</p>}
      {jobs.parked > 0 && <Failed person={person} />}
      {requests.map((request) => (
        <HeldRequest key={request.turn} person={person} request={request} />
      ))}
    </Section>
  )
}

/** Jobs that failed permanently, each with its reason and a retry. */
function Failed({ person }: PersonProps): ReactNode {
  const { texts, format } = useTexts()
  const mayWrite = useMay('write', person)
  const jobs = usePersonQuery(person, ['jobs'], (scope, call) => scope.jobs(call))
  const retry = useAction(person, {
    run: (scope) => scope.retryJobs(),
    done: (count) => fill(texts.overview.retried, { count }),
  })
  const parked = (jobs.data ?? []).filter(({ state }) => state === 'parked')
  return (
    <div className="stack">
      <p className="problem">{fill(texts.overview.failed, { count: format.number(parked.length) })}</p>
      <ul className="stack">
        {parked.map(({ id, at, session, reason }) => (
          <li key={id} className="small">
            <Moment at={at} as="moment" /> {session !== null && fill(texts.why.session, { name: session })}
            <p className="quiet">{reason}</p>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div>
          <Button disabled={retry.isActing} onClick={() => retry.act()}>
            {texts.states.retry}
          </Button>
        </div>
      )}
    </div>
  )
}
