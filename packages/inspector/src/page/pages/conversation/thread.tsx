import { useEffect, useRef, type ReactNode } from 'react'
import type { Turn } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { QueryResult, Empty, useFailureTexts } from '../../parts/states.tsx'
import type { Person } from '../../address/address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import type { Exchange } from './exchange.ts'
import type { Talk } from './use-talk.ts'
import CONVERSATION from './words.json' with { type: 'json' }
import { usePersonPages } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const PAGE_SIZE = 40

interface ThreadProps {
  readonly person: Person
  readonly talk: Talk
  readonly shown: Exchange | Turn | null
  readonly choose: (chosen: Chosen) => void
}

/** The conversation, latest last: stored turns, and new messages that are not stored yet. */
export function Thread({ person, talk, shown, choose }: ThreadProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  const { query: turns, items } = usePersonPages(person, ['thread'], (scope, from, call) =>
    scope.turnPage({ order: 'time', newestFirst: true, limit: PAGE_SIZE, ...from }, call),
  )
  const stored = items.toReversed()
  const storedIds = new Set(stored.map(({ id }) => id))
  // Stored messages are shown as their turns, once these are loaded.
  const fresh = talk.exchanges.filter(
    ({ remembered }) => remembered === null || !remembered.turns.some((id) => storedIds.has(id)),
  )
  const end = useEndInView(`${stored.at(-1)?.id} ${fresh.at(-1)?.id} ${fresh.at(-1)?.reply?.length}`)
  if (turns.data === undefined) return <QueryResult query={turns}>{() => null}</QueryResult>
  if (stored.length === 0 && fresh.length === 0)
    return <Empty title={labels.empty} hint={talk.maySpeak ? labels.emptyHint : labels.emptyReadOnly} />
  return (
    <section className="talk-thread" aria-label={labels.thread} tabIndex={0} ref={end}>
      {turns.hasNextPage && (
        <Button tone="plain" onClick={() => void turns.fetchNextPage()} disabled={turns.isFetchingNextPage}>
          {labels.earlier}
        </Button>
      )}
      <ol>
        {stored.map((turn) => {
          const exchange = talk.exchanges.find(({ remembered }) => remembered?.turns.includes(turn.id))
          const isShown = exchange === undefined ? shown?.id === turn.id : shown === exchange
          const pick = (): void => choose(exchange === undefined ? { turn } : { exchange: exchange.id })
          return <StoredTurn key={turn.id} turn={turn} isShown={isShown} choose={pick} />
        })}
        {fresh.map((exchange) => (
          <FreshExchange
            key={exchange.id}
            exchange={exchange}
            isShown={shown === exchange}
            choose={() => choose({ exchange: exchange.id })}
          />
        ))}
      </ol>
    </section>
  )
}

/** Scrolls to the end for new messages, unless the reader has scrolled up. */
function useEndInView(latest: string): React.RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const checkPosition = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 80
    }
    element.addEventListener('scroll', checkPosition, { passive: true })
    return () => element.removeEventListener('scroll', checkPosition)
  })
  useEffect(() => {
    const element = place.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [latest])
  return place
}

interface ChoiceProps {
  readonly isShown: boolean
  readonly choose: () => void
}

function StoredTurn({ turn, isShown, choose }: ChoiceProps & { readonly turn: Turn }): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  return (
    <li data-role={turn.role} data-shown={isShown ? '' : undefined}>
      <div className="row small quiet">
        <span>{turn.speaker ?? labels.who[turn.role]}</span>
        <Moment at={turn.at} as="moment" />
        {turn.role !== 'assistant' && (
          <ShowMemoriesButton message={turn.text} isShown={isShown} choose={choose} />
        )}
      </div>
      <p className="said">{turn.text}</p>
    </li>
  )
}

function FreshExchange({
  exchange,
  isShown,
  choose,
}: ChoiceProps & { readonly exchange: Exchange }): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  const failed = useFailureTexts()
  const { message, reply, isKept, state, error } = exchange
  return (
    <>
      <li data-role="user" data-shown={isShown ? '' : undefined}>
        <div className="row small quiet">
          <span>{labels.who.user}</span>
          {!isKept && <Chip>{labels.unkept}</Chip>}
          <ShowMemoriesButton message={message} isShown={isShown} choose={choose} />
        </div>
        <p className="said">{message}</p>
        {state === 'failed' && (
          <p className="problem" role="alert">
            {reply !== null && reply !== '' ? labels.broken : ''}
            {fill(labels.failure, { title: failed(error).title, detail: failed(error).detail })}
          </p>
        )}
      </li>
      {reply !== null && (
        <li data-role="assistant" aria-busy={state === 'open'}>
          <div className="row small quiet">{labels.who.assistant}</div>
          <p className="said">{reply === '' ? labels.answering : reply}</p>
        </li>
      )}
    </>
  )
}

function ShowMemoriesButton({
  message,
  isShown,
  choose,
}: ChoiceProps & { readonly message: string }): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  return (
    <button type="button" className="talk-look" aria-pressed={isShown} title={labels.look} onClick={choose}>
      {texts.shell.pages.memories}
      <span className="hidden">: {message.slice(0, 60)}</span>
    </button>
  )
}

/** The subject of the side panel: an exchange of this page, or an earlier turn. */
export type Chosen = { readonly exchange: number } | { readonly turn: Turn }
