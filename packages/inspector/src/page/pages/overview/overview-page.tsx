import type { Profile, ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps, Settings } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import { useTexts, usePageTexts } from '../../words/language.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'
import COST from './cost-words.json' with { type: 'json' }
import { Button } from '../../parts/button.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useMay } from '../../session/session.tsx'
import { PendingRequestNotice } from '../memories/pending-request.tsx'
import './overview.css'

interface StatsProps extends PersonProps {
  readonly stats: ScopeStats
}

/** Overview of a user: identity, recent changes, pending and failed work, and amounts. */
export default function OverviewPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const stats = usePersonQuery(person, ['stats'], (scope, call) => scope.stats(call))
  return (
    <Page title={texts.overview.title} tab={`${person.user}: ${texts.overview.title}`}>
      <QueryResult query={stats}>
        {(figures) =>
          figures.turns === 0 && figures.memories.length === 0 ? (
            <Empty title={texts.overview.empty} hint={texts.overview.emptyHint} person={person} />
          ) : (
            <OverviewColumns person={person} stats={figures} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function OverviewColumns({ person, stats }: StatsProps): ReactNode {
  return (
    <div className="glance">
      <div className="stack wide-gap">
        <ProfileLines person={person} />
        <Blocks person={person} />
        <RecentChanges person={person} />
      </div>
      <aside className="stack wide-gap">
        <SizeSection person={person} stats={stats} />
        <PendingWork person={person} stats={stats} />
        <Cost models={stats.models} />
      </aside>
    </div>
  )
}

function ProfileLines({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const profile = usePersonQuery(person, ['profile'], (scope, call) => scope.profile(call))
  return (
    <Section className="stack" title={texts.overview.profile}>
      <QueryResult query={profile}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="quiet">{texts.overview.noProfile}</p>
          ) : (
            <dl className="profile">
              {lines.map((line) => (
                <ProfileLine key={`${line.slot} ${line.text}`} person={person} line={line} />
              ))}
            </dl>
          )
        }
      </QueryResult>
    </Section>
  )
}

function ProfileLine({ person, line }: PersonProps & { readonly line: Profile['lines'][number] }): ReactNode {
  const { texts } = useTexts()
  const { slot, text, memories, validFrom } = line
  const [first] = memories
  return (
    <div>
      <dt>{texts.overview.slots[slot]}</dt>
      <dd>
        {first === undefined ? (
          <span className="said">{text}</span>
        ) : (
          <Link className="memory-link said" to={{ page: 'why', person, memory: first }}>
            {text}
          </Link>
        )}{' '}
        <span className="small quiet">
          {texts.memories.since} <Moment at={validFrom} />
        </span>
      </dd>
    </div>
  )
}

/** Shows the agent's blocks, with which every context begins; nothing if there are none. */
function Blocks({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const blocks = usePersonQuery(person, ['blocks'], (scope, call) => scope.blocks(call))
  if (blocks.data === undefined || blocks.data.length === 0) return null
  return (
    <Section className="stack" title={texts.overview.blocks}>
      <dl className="profile">
        {blocks.data.map(({ id, name, text, limit }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <Link className="memory-link said" to={{ page: 'why', person, memory: id }}>
                {text}
              </Link>{' '}
              <span className="small quiet figures">
                {fill(texts.memories.size, { count: Array.from(text).length, limit: limit ?? 0 })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function SizeSection({ person, stats }: StatsProps): ReactNode {
  const { texts, format } = useTexts()
  const { live, memories, turns, sessions, startedAt, lastAt } = stats
  const ofStatus = (status: string): number =>
    memories.filter((one) => one.status === status).reduce((sum, { count }) => sum + count, 0)
  const rest = (['quarantined', 'deleted', 'forgotten'] as const).filter((status) => ofStatus(status) > 0)
  const counts: readonly (readonly [name: string, count: number, settings?: Settings])[] = [
    [texts.overview.turns, turns],
    [texts.overview.sessions, sessions],
    ...live.map(({ form, memories: count }) => [texts.overview.forms[form], count, { form }] as const),
    ...rest.map((status) => [texts.words.statuses[status], ofStatus(status), { status }] as const),
  ]
  return (
    <Section className="stack" title={texts.overview.size}>
      <dl className="counts">
        {counts.map(([name, count, settings]) => (
          <div key={name}>
            <dt>
              {settings === undefined ? (
                name
              ) : (
                <Link to={{ page: 'memories', person }} settings={settings}>
                  {name}
                </Link>
              )}
            </dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
      {startedAt !== null && lastAt !== null && (
        <p className="small quiet">
          <Moment at={startedAt} /> – <Moment at={lastAt} />
        </p>
      )}
    </Section>
  )
}

type ModelUse = ScopeStats['models'][number]

/** Calls of language models for a user, by task and in total. */
function Cost({ models }: { readonly models: readonly ModelUse[] }): ReactNode {
  const labels = usePageTexts(COST)
  return (
    <Section className="stack" title={labels.title}>
      {models.length === 0 ? (
        <p className="quiet">{labels.none}</p>
      ) : (
        [...Map.groupBy(models, ({ model }) => model)].map(([model, uses]) => (
          <ModelCost key={model} model={model} uses={uses} />
        ))
      )}
    </Section>
  )
}

function ModelCost({
  model,
  uses,
}: {
  readonly model: string
  readonly uses: readonly ModelUse[]
}): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(COST)
  const sum = (of: 'inputTokens' | 'outputTokens' | 'failed'): string =>
    format.number(uses.reduce((all, one) => all + one[of], 0))
  return (
    <div>
      <h3>{model}</h3>
      <dl className="counts">
        {uses.map(({ task, calls }) => (
          <div key={task}>
            <dt>{labels.tasks[task ?? 'other']}</dt>
            <dd>{fill(labels.calls, { count: calls, written: format.number(calls) })}</dd>
          </div>
        ))}
      </dl>
      <p className="small quiet figures">
        {fill(labels.tokens, { input: sum('inputTokens'), output: sum('outputTokens') })}
      </p>
      {uses.some(({ failed }) => failed > 0) && (
        <p className="problem">{fill(labels.failed, { count: sum('failed') })}</p>
      )}
    </div>
  )
}

/** Pending work: unread turns, jobs, failures with reasons, and requests to confirm. */
function PendingWork({ person, stats }: PersonProps & { readonly stats: ScopeStats }): ReactNode {
  const { texts, format } = useTexts()
  const pendingRequests = usePersonQuery(person, ['requests'], (scope, call) => scope.pendingRequests(call))
  const requests = pendingRequests.data ?? []
  const { pending, jobs } = stats
  const isNothingPending = pending === 0 && jobs.queued === 0 && jobs.parked === 0 && requests.length === 0
  return (
    <Section className="stack" title={texts.overview.waiting}>
      {isNothingPending && <p className="quiet">{texts.overview.nothingWaits}</p>}
      {pending > 0 && <p>{fill(texts.overview.pending, { count: format.number(pending) })}</p>}
      {jobs.queued > 0 && <p>{fill(texts.overview.queued, { count: format.number(jobs.queued) })}</p>}
      {jobs.parked > 0 && <FailedJobs person={person} />}
      {requests.map((request) => (
        <PendingRequestNotice key={request.turn} person={person} request={request} />
      ))}
    </Section>
  )
}

/** Jobs that failed permanently, each with its reason and a retry. */
function FailedJobs({ person }: PersonProps): ReactNode {
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
