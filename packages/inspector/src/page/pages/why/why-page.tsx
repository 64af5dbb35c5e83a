import type { Memory, MemoryLife, Turn } from '@keepsake/client'
import { type ReactNode, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import { useTexts } from '../../words/language.tsx'
import { MemoryActions } from '../memories/memory-actions.tsx'
import { MemoryFacts } from '../memories/memory-facts.tsx'
import { Changes } from './changes.tsx'
import { Policies } from './policies.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { groupEvidence, markQuotes, type Passage } from './mark-quotes.ts'
import '../memories/memories.css'
import './why.css'

/** One memory's life: its evidence, its history, and its strength. */
export default function WhyPage({
  person,
  memory: id,
}: PersonProps & { readonly memory: string }): ReactNode {
  const { texts } = useTexts()
  const life = usePersonQuery(person, ['life', id], (scope, call) => scope.life(id, call))
  return (
    <Page title={texts.why.title} lead={texts.why.lead}>
      <QueryResult query={life}>{(data) => <Life person={person} life={data} />}</QueryResult>
    </Page>
  )
}

function Life({ person, life }: PersonProps & { readonly life: MemoryLife }): ReactNode {
  const { texts } = useTexts()
  const { memory, sources, retrievals, policies } = life
  return (
    <div className="why">
      <section className="statement" data-status={memory.status}>
        <p className="said">{memory.text}</p>
        <MemoryFacts person={person} memory={memory} />
        <MemoryActions person={person} memory={memory} />
      </section>
      <Evidence person={person} memory={memory} turns={life.turns} />
      {sources.length > 0 && <Sources person={person} sources={sources} />}
      <Changes person={person} memory={memory} />
      <Policies policies={policies} retrievals={retrievals} />
      <p className="small quiet">
        {fill(texts.why.made, { step: memory.origin.step, preset: memory.origin.preset })}{' '}
        {memory.origin.model !== null && fill(texts.why.model, { model: memory.origin.model })}
      </p>
    </div>
  )
}

function Sources({ person, sources }: PersonProps & { readonly sources: readonly Memory[] }): ReactNode {
  const { texts } = useTexts()
  return (
    <Section title={texts.why.sources}>
      <ul className="stack">
        {sources.map(({ id, text }) => (
          <li key={id}>
            <Link className="memory-text said" to={{ page: 'why', person, memory: id }}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Turns shown before and after the evidence, at first and on request. */
const TURNS_AROUND = 2
const MORE_TURNS_AROUND = 12
/** Number of passages shown initially, since a summary has many. */
const INITIAL_PASSAGES = 3

interface EvidenceProps extends PersonProps {
  readonly memory: Memory
  readonly turns: readonly Turn[]
}

function Evidence({ person, memory, turns }: EvidenceProps): ReactNode {
  const { texts } = useTexts()
  const [showsAll, setShowsAll] = useState(false)
  const passages = groupEvidence(memory.evidence, turns)
  const shown = showsAll ? passages : passages.slice(0, INITIAL_PASSAGES)
  return (
    <Section title={texts.why.evidence}>
      {passages.length === 0 && <p className="quiet">{texts.why.noEvidence}</p>}
      {shown.map((passage) => (
        <Conversation key={passage.first} person={person} passage={passage} />
      ))}
      {passages.length > shown.length && (
        <div>
          <Button onClick={() => setShowsAll(true)}>
            {fill(texts.why.allEvidence, { count: passages.length })}
          </Button>
        </div>
      )}
    </Section>
  )
}

function Conversation({ person, passage }: PersonProps & { readonly passage: Passage }): ReactNode {
  const { texts } = useTexts()
  const [count, setCount] = useState(TURNS_AROUND)
  const around = usePersonQuery(
    person,
    ['around', passage.first, count],
    (scope, call) => scope.turnsAround(passage.first, count, call),
    { placeholderData: keepPreviousData },
  )
  return (
    <QueryResult query={around} lines={3}>
      {(turns) => (
        <figure className="talk">
          <figcaption className="small quiet">
            <Moment at={turns[0]?.at ?? 0} as="moment" /> ·{' '}
            {fill(texts.why.session, { name: turns[0]?.session ?? '' })}
          </figcaption>
          <ol>
            {turns.map((turn) => (
              <ConversationTurn
                key={turn.id}
                turn={turn}
                quotes={passage.quotes.get(turn.id) ?? null}
                isAgainst={passage.against.has(turn.id)}
              />
            ))}
          </ol>
          {count === TURNS_AROUND && (
            <Button tone="plain" onClick={() => setCount(MORE_TURNS_AROUND)}>
              {texts.why.more}
            </Button>
          )}
        </figure>
      )}
    </QueryResult>
  )
}

interface ConversationTurnProps {
  readonly turn: Turn
  /** Supporting quotes; an empty list means the whole text, `null` no part of it. */
  readonly quotes: readonly string[] | null
  /** Whether the turn contradicts the memory. */
  readonly isAgainst: boolean
}

function ConversationTurn({ turn, quotes, isAgainst }: ConversationTurnProps): ReactNode {
  const { texts } = useTexts()
  const pieces = quotes === null ? [{ text: turn.text, isMarked: false }] : markQuotes(turn.text, quotes)
  return (
    <li data-evidence={quotes !== null ? '' : undefined}>
      <span className="small quiet">{turn.speaker ?? texts.words.roles[turn.role]}</span>
      {isAgainst && <Chip tone="alarm">{texts.why.against}</Chip>}
      <p className="said">
        {pieces.map(({ text, isMarked }, place) =>
          isMarked ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
        )}
      </p>
    </li>
  )
}
