import type { Memory, Turn } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import { useTexts } from '../../words/language.tsx'
import { groupEvidence, markQuotes, type Passage } from './mark-quotes.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { keepPreviousData } from '@tanstack/react-query'
import { fill } from '../../words/texts.ts'

const AROUND = 2
const MORE_AROUND = 12
/** Number of passages shown initially, since a summary has many. */
const FEW = 3

interface EvidenceProps extends PersonProps {
  readonly memory: Memory
  readonly turns: readonly Turn[]
}

export function Evidence({ person, memory, turns }: EvidenceProps): ReactNode {
  const { texts } = useTexts()
  const [isWhole, setWhole] = useState(false)
  const passages = groupEvidence(memory.evidence, turns)
  const shown = isWhole ? passages : passages.slice(0, FEW)
  return (
    <Section title={texts.why.evidence}>
      {passages.length === 0 && <p className="quiet">{texts.why.noEvidence}</p>}
      {shown.map((passage) => (
        <Conversation key={passage.first} person={person} passage={passage} />
      ))}
      {passages.length > shown.length && (
        <div>
          <Button onClick={() => setWhole(true)}>
            {fill(texts.why.allEvidence, { count: passages.length })}
          </Button>
        </div>
      )}
    </Section>
  )
}

function Conversation({ person, passage }: PersonProps & { readonly passage: Passage }): ReactNode {
  const { texts } = useTexts()
  const [count, setCount] = useState(AROUND)
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
              <Said
                key={turn.id}
                turn={turn}
                quotes={passage.quotes.get(turn.id) ?? null}
                isAgainst={passage.against.has(turn.id)}
              />
            ))}
          </ol>
          {count === AROUND && (
            <Button tone="plain" onClick={() => setCount(MORE_AROUND)}>
              {texts.why.more}
            </Button>
          )}
        </figure>
      )}
    </QueryResult>
  )
}

interface SaidProps {
  readonly turn: Turn
  /** Supporting quotes; an empty list means the whole text, `null` no part of it. */
  readonly quotes: readonly string[] | null
  /** Whether the turn contradicts the memory. */
  readonly isAgainst: boolean
}

function Said({ turn, quotes, isAgainst }: SaidProps): ReactNode {
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
