import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { WaysIn } from '../../parts/ways-in.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { STORY } from './words.ts'
import { usePersonPages } from '../../session/person-queries.ts'

interface StoryTurnsProps {
  readonly person: Person
  readonly session: string | undefined
}

/** The turns of one session or of all. */
export function StoryTurns({ person, session }: StoryTurnsProps): ReactNode {
  const { words } = useWords()
  const labels = usePageWords(STORY)
  const { query: turns, items: said } = usePersonPages(
    person,
    ['story-turns', session ?? null],
    (scope, from, call) =>
      scope.turnPage({ order: 'time', ...(session !== undefined && { session }), ...from }, call),
  )
  if (turns.data === undefined)
    return turns.isError ? <Failure error={turns.error} retry={() => void turns.refetch()} /> : <Loading />
  if (said.length === 0)
    return (
      <Empty title={labels.emptyTurns}>
        <p>{labels.emptyTurnsHint}</p>
        <WaysIn person={person} />
      </Empty>
    )
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
        {said.map((turn) => (
          <li key={turn.id}>
            <div className="row small quiet">
              <span>{turn.speaker ?? words.words.roles[turn.role]}</span>
              <Moment at={turn.at} as="moment" />
            </div>
            <p className="said">{turn.text}</p>
          </li>
        ))}
      </ol>
      {turns.hasNextPage && (
        <div>
          <Button onClick={() => void turns.fetchNextPage()} disabled={turns.isFetchingNextPage}>
            {labels.more}
          </Button>
        </div>
      )}
    </>
  )
}
