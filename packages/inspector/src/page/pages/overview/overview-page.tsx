import type { Profile, ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps, Settings } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import { useTexts } from '../../words/language.tsx'
import { Cost } from './cost.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { Waiting } from './waiting.tsx'
import './overview.css'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

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
            <Glance person={person} stats={figures} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function Glance({ person, stats }: StatsProps): ReactNode {
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

function Figures({ person, stats }: StatsProps): ReactNode {
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
