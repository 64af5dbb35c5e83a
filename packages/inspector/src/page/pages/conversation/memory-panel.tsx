import { useState, type ReactNode } from 'react'
import type { Recall, RecalledMemory, Turn } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { QueryResult, Loading } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { ScoreParts } from '../memories/score-parts.tsx'
import { Verdict } from '../memories/verdict.tsx'
import type { Exchange } from './exchange.ts'
import { LearnedFromTurn, LearnedFromExchange } from './learned.tsx'
import CONVERSATION from './words.json' with { type: 'json' }
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

/** Memories shown initially. */
const INITIALLY_SHOWN = 4

interface MemoryPanelProps extends PersonProps {
  readonly shown: Exchange | Turn | null
  readonly exchanges: readonly Exchange[]
}

/** The panel next to the conversation: memories recalled for a turn, their confidence, and facts learned from the turn. */
export function MemoryPanel({ person, shown, exchanges }: MemoryPanelProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  return (
    <section className="talk-beside" aria-label={labels.beside}>
      {shown === null ? (
        <p className="quiet">{labels.pick}</p>
      ) : 'message' in shown ? (
        <ExchangePanel key={shown.id} person={person} exchange={shown} exchanges={exchanges} />
      ) : (
        <TurnPanel key={shown.id} person={person} turn={shown} />
      )}
    </section>
  )
}

interface ExchangePanelProps extends PersonProps {
  readonly exchange: Exchange
  readonly exchanges: readonly Exchange[]
}

function ExchangePanel({ person, exchange, exchanges }: ExchangePanelProps): ReactNode {
  const { recall, state, message } = exchange
  return (
    <>
      <RecalledFor message={message} />
      {recall !== null ? <Verdict recall={recall} /> : state === 'open' && <Loading lines={4} />}
      <LearnedFromExchange person={person} exchange={exchange} exchanges={exchanges} />
      {recall !== null && <Recalled person={person} recall={recall} />}
    </>
  )
}

/** Shows for an earlier turn what would have been recalled at its time. */
function TurnPanel({ person, turn }: PersonProps & { readonly turn: Turn }): ReactNode {
  // One millisecond before the turn, so that recall does not find the turn itself.
  const before = new Date(new Date(turn.at).getTime() - 1).toISOString()
  const recall = usePersonQuery(
    person,
    ['recall-as-of', turn.id],
    (scope, call) => scope.recall(turn.text, { reinforce: false, asOf: before, now: turn.at, ...call }),
    // A stored turn may be empty, which is no question.
    { enabled: turn.text.trim() !== '' },
  )
  return (
    <>
      <RecalledFor message={turn.text} at={turn.at} />
      {recall.data !== undefined && <Verdict recall={recall.data} />}
      <LearnedFromTurn person={person} turn={turn} />
      {recall.isEnabled && (
        <QueryResult query={recall}>{(answer) => <Recalled person={person} recall={answer} />}</QueryResult>
      )}
    </>
  )
}

function RecalledFor({ message, at }: { readonly message: string; readonly at?: string }): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  return (
    <header>
      <p className="label">
        {labels.recalledFor}
        {at !== undefined && (
          <>
            {' · '}
            {labels.asOf}
            <Moment at={at} />
          </>
        )}
      </p>
      <p className="said talk-asked">{message}</p>
    </header>
  )
}

function Recalled({ person, recall }: PersonProps & { readonly recall: Recall }): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const [showsAll, setShowsAll] = useState(false)
  const { memories, context } = recall
  const shown = showsAll ? memories : memories.slice(0, INITIALLY_SHOWN)
  return (
    <div className="talk-part">
      <h2>{labels.recalled}</h2>
      {memories.length === 0 ? (
        <p className="quiet">{labels.nothing}</p>
      ) : (
        <ol className="talk-recalled">
          {shown.map((one) => (
            <RecalledItem key={one.memory.id} person={person} recalled={one} />
          ))}
        </ol>
      )}
      {memories.length > INITIALLY_SHOWN && (
        <Button tone="plain" onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
          {showsAll
            ? labels.fewer
            : fill(labels.more, { count: format.number(memories.length - INITIALLY_SHOWN) })}
        </Button>
      )}
      {context.text !== '' && (
        <details className="small">
          <summary>{fill(labels.context, { tokens: format.number(context.tokens) })}</summary>
          <pre className="code talk-context">{context.text}</pre>
        </details>
      )}
    </div>
  )
}

function RecalledItem({ person, recalled }: PersonProps & { readonly recalled: RecalledMemory }): ReactNode {
  const { texts, format } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const { memory, score, parts, pending } = recalled
  return (
    <li>
      <p className="said">
        {pending ? memory.text : <Link to={{ page: 'why', person, memory: memory.id }}>{memory.text}</Link>}
      </p>
      <div className="row small quiet">
        <Chip>{pending ? labels.fresh : texts.words.forms[memory.form]}</Chip>
        <Moment at={memory.validFrom} />
        <details>
          <summary title={labels.parts} className="figures">
            {fill(labels.score, { score: format.decimal(score) })}
          </summary>
          <ScoreParts parts={parts} />
        </details>
      </div>
    </li>
  )
}
