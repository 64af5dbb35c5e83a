import type { ReactNode } from 'react'
import type { Memory } from '@keepsake/client'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import STORY from './words.json' with { type: 'json' }
import { usePersonQuery, usePersonPages } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'
import { MoreButton } from '../../parts/button.tsx'
import './story.css'

const LEVELS = ['summaries', 'units', 'turns'] as const

/** The conversation at several levels: summaries, the units behind them, and the turns. */
export default function StoryPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(STORY)
  const [settings, setSettings] = useSettings()
  const chosenLevel = LEVELS.find((one) => one === settings['near']?.[0]) ?? 'summaries'
  return (
    <Page title={texts.story.title} lead={labels.lead}>
      <fieldset className="zoom">
        <legend className="hidden">{labels.zoom}</legend>
        {LEVELS.map((one) => (
          <label key={one} className="button">
            <input
              type="radio"
              name="near"
              className="hidden"
              checked={one === chosenLevel}
              onChange={() => setSettings({ near: one })}
            />
            {labels[one]}
          </label>
        ))}
      </fieldset>
      {chosenLevel === 'turns' ? (
        <StoryTurns key={settings['session']?.[0]} person={person} session={settings['session']?.[0]} />
      ) : (
        <Units person={person} showsSummaries={chosenLevel === 'summaries'} />
      )}
    </Page>
  )
}

function Units({ person, showsSummaries }: PersonProps & { readonly showsSummaries: boolean }): ReactNode {
  const labels = usePageTexts(STORY)
  const story = usePersonQuery(person, ['story'], (scope, call) => scope.story(call))
  return (
    <QueryResult query={story}>
      {(levels) => {
        const shown = levels
          .filter(({ level }) => (level === 1) !== showsSummaries)
          .toSorted((one, other) => other.level - one.level)
        const units = shown.flatMap((level) => level.units)
        if (units.length === 0) return <Empty title={labels.empty} hint={labels.emptyHint} person={person} />
        return (
          <ol className="units">
            {units.map((unit) => (
              <Unit key={unit.id} person={person} unit={unit} />
            ))}
          </ol>
        )
      }}
    </QueryResult>
  )
}

function Unit({ person, unit }: PersonProps & { readonly unit: Memory }): ReactNode {
  const { counted, format } = useTexts()
  const labels = usePageTexts(STORY)
  const { level, session, sessionNumber, evidence, learnedAt } = unit
  const count = evidence.length
  return (
    <li data-level={level}>
      <div className="row small quiet">
        <Chip {...(level > 1 ? { tone: 'accent' as const } : {})}>
          {level > 1 ? labels.story : fill(labels.session, { number: format.number(sessionNumber) })}
        </Chip>
        <Moment at={learnedAt} />
        <Link to={{ page: 'why', person, memory: unit.id }}>
          {fill(labels.rests, { turns: counted('turns', count) })}
        </Link>
        {level <= 1 && (
          <Link to={{ page: 'story', person }} settings={{ near: 'turns', session }}>
            {labels.nearer}
          </Link>
        )}
      </div>
      <p className="said">{unit.text}</p>
    </li>
  )
}

/** The turns of one session or of all. */
function StoryTurns({ person, session }: PersonProps & { readonly session?: string | undefined }): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(STORY)
  const { query: turns, items } = usePersonPages(
    person,
    ['story-turns', session ?? null],
    (scope, from, call) =>
      scope.turnPage({ order: 'time', ...(session !== undefined && { session }), ...from }, call),
  )
  if (turns.data === undefined) return <QueryResult query={turns}>{() => null}</QueryResult>
  if (items.length === 0)
    return <Empty title={labels.emptyTurns} hint={labels.emptyTurnsHint} person={person} />
  return (
    <>
      {session !== undefined && (
        <p>
          <Link to={{ page: 'story', person }} settings={{ near: 'turns' }}>
            {labels.all}
          </Link>
        </p>
      )}
      <ol className="units">
        {items.map((turn) => (
          <li key={turn.id}>
            <div className="row small quiet">
              <span>{turn.speaker ?? texts.words.roles[turn.role]}</span>
              <Moment at={turn.at} as="moment" />
            </div>
            <p className="said">{turn.text}</p>
          </li>
        ))}
      </ol>
      <MoreButton query={turns}>{labels.more}</MoreButton>
    </>
  )
}
