import type { ReactNode } from 'react'
import { MoreButton } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import STORY from './words.json' with { type: 'json' }
import { usePersonPages } from '../../session/person-queries.ts'

/** The turns of one session or of all. */
export function StoryTurns({
  person,
  session,
}: PersonProps & { readonly session?: string | undefined }): ReactNode {
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
