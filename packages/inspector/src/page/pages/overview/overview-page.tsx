import type { Profile, ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Asked, Empty } from '../../parts/states.tsx'
import { WaysIn } from '../../parts/ways-in.tsx'
import { useWords } from '../../words/language.tsx'
import { Cost } from './cost.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { Waiting } from './waiting.tsx'
import './overview.css'
import { usePersonQuery } from '../../session/person-queries.ts'

/** Overview of a user: identity, recent changes, pending and failed work, and amounts. */
export default function OverviewPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const stats = usePersonQuery(person, ['stats'], (scope, call) => scope.stats(call))
  return (
    <Page title={words.overview.title} tab={`${person.user}: ${words.overview.title}`}>
      <Asked query={stats}>
        {(figures) =>
          figures.turns === 0 && figures.memories.length === 0 ? (
            <Empty title={words.overview.empty}>
              <p>{words.overview.emptyHint}</p>
              <WaysIn person={person} />
            </Empty>
          ) : (
            <Glance person={person} stats={figures} />
          )
        }
      </Asked>
    </Page>
  )
}

function Glance({ person, stats }: { readonly person: Person; readonly stats: ScopeStats }): ReactNode {
  return (
    <div className="glance">
      <div className="stack wide-gap">
        <ProfileLines person={person} />
        <Blocks person={person} />
        <RecentChanges person={person} />
      </div>
      <aside className="stack wide-gap">
        <Figures person={person} stats={stats} />
        <Waiting person={person} stats={stats} />
        <Cost models={stats.models} />
      </aside>
    </div>
  )
}

function ProfileLines({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const profile = usePersonQuery(person, ['profile'], (scope, call) => scope.profile(call))
  return (
    <section className="stack">
      <h2>{words.overview.profile}</h2>
      <Asked query={profile}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="quiet">{words.overview.noProfile}</p>
          ) : (
            <dl className="profile">
              {lines.map((line) => (
                <ProfileLine key={`${line.slot} ${line.text}`} person={person} line={line} />
              ))}
            </dl>
          )
        }
      </Asked>
    </section>
  )
}

interface ProfileLineProps {
  readonly person: Person
  readonly line: Profile['lines'][number]
}

function ProfileLine({ person, line: { slot, text, memories, validFrom } }: ProfileLineProps): ReactNode {
  const { words } = useWords()
  const [first] = memories
  return (
    <div>
      <dt>{words.overview.slots[slot]}</dt>
      <dd>
        {first === undefined ? (
          <span className="said">{text}</span>
        ) : (
          <Link className="memory-link said" to={{ page: 'why', person, memory: first }}>
            {text}
          </Link>
        )}{' '}
        <span className="small quiet">
          {words.memories.since} <Moment at={validFrom} />
        </span>
      </dd>
    </div>
  )
}

/** The agent's blocks, which head every context; nothing where there are none. */
function Blocks({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const blocks = usePersonQuery(person, ['blocks'], (scope, call) => scope.blocks(call))
  if (blocks.data === undefined || blocks.data.length === 0) return null
  return (
    <section className="stack">
      <h2>{words.overview.blocks}</h2>
      <dl className="profile">
        {blocks.data.map(({ id, name, text, limit }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <Link className="memory-link said" to={{ page: 'why', person, memory: id }}>
                {text}
              </Link>{' '}
              <span className="small quiet figures">
                {words.memories.size(Array.from(text).length, limit ?? 0)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Figures({ person, stats }: { readonly person: Person; readonly stats: ScopeStats }): ReactNode {
  const { words, format } = useWords()
  const { live, memories, turns, sessions, startedAt, lastAt } = stats
  const ofStatus = (status: string): number =>
    memories.filter((one) => one.status === status).reduce((sum, { count }) => sum + count, 0)
  const rest = (['quarantined', 'deleted', 'forgotten'] as const).filter((status) => ofStatus(status) > 0)
  return (
    <section className="stack">
      <h2>{words.overview.size}</h2>
      <dl className="counts">
        <div>
          <dt>{words.overview.turns}</dt>
          <dd>{format.number(turns)}</dd>
        </div>
        <div>
          <dt>{words.overview.sessions}</dt>
          <dd>{format.number(sessions)}</dd>
        </div>
        {live.map(({ form, memories: count }) => (
          <div key={form}>
            <dt>
              <Link to={{ page: 'memories', person }} settings={{ form }}>
                {words.overview.forms[form]}
              </Link>
            </dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
        {rest.map((status) => (
          <div key={status}>
            <dt>
              <Link to={{ page: 'memories', person }} settings={{ status }}>
                {words.words.statuses[status]}
              </Link>
            </dt>
            <dd>{format.number(ofStatus(status))}</dd>
          </div>
        ))}
      </dl>
      {startedAt !== null && lastAt !== null && (
        <p className="small quiet">
          <Moment at={startedAt} /> – <Moment at={lastAt} />
        </p>
      )}
    </section>
  )
}
