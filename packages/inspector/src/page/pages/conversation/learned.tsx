import type { ReactNode } from 'react'
import type { PastOperation, Turn } from '@keepsake/client'
import { Chip } from '../../parts/chip.tsx'
import { QueryResult } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { PendingRequestNotice } from '../memories/pending-request.tsx'
import { operationsOf, type Exchange } from './exchange.ts'
import CONVERSATION from './words.json' with { type: 'json' }
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const MAX_OPERATIONS = 100
const KINDS = ['add', 'modify', 'delete', 'forget', 'restore'] as const

interface LearnedItem {
  readonly key: string
  readonly memory: string | null
  readonly text: string
  /** The change, such as “added”. */
  readonly outcome: string
}

interface LearnedFromExchangeProps extends PersonProps {
  readonly exchange: Exchange
  readonly exchanges: readonly Exchange[]
}

/** Shows the changes caused by the last message. Reloads after each relevant event. */
export function LearnedFromExchange({ person, exchange, exchanges }: LearnedFromExchangeProps): ReactNode {
  const { texts, format } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const { remembered, isKept } = exchange
  const operations = usePersonQuery(
    person,
    ['learned-latest'],
    (scope, call) =>
      scope.operationPage({ newestFirst: true, limit: MAX_OPERATIONS, kinds: [...KINDS] }, call),
    { enabled: remembered !== null },
  )
  const pending = usePersonQuery(person, ['requests'], (scope, call) => scope.pendingRequests(call), {
    enabled: (remembered?.pendingRequests ?? []).length > 0,
  })
  if (!isKept) return <LearnedSection person={person} note={labels.learnedUnkept} />
  if (remembered === null) return null
  const next = exchanges.find(({ id, remembered: later }) => id > exchange.id && later !== null)
  const since = operationsOf(
    operations.data?.items ?? [],
    remembered.lastOperation,
    next?.remembered?.lastOperation ?? null,
  )
  const { maskedSecrets, pendingRequests = [] } = remembered
  return (
    <LearnedSection
      person={person}
      items={since.filter((one) => !isUtterance(one)).map((one) => toLearnedItem(one, texts.words.kinds))}
      utteranceCount={since.filter(isUtterance).length}
      note={labels.learning}
    >
      {maskedSecrets.length > 0 && (
        <p className="small">
          {fill(labels.masked, { kinds: format.list(maskedSecrets.map(({ kind }) => kind)) })}
        </p>
      )}
      {pending.data
        ?.filter(({ turn }) => pendingRequests.some((request) => request.turn === turn))
        .map((request) => (
          <div key={request.turn} className="notice" data-tone="alarm">
            <PendingRequestNotice person={person} request={request} />
          </div>
        ))}
    </LearnedSection>
  )
}

/** Whether an operation only stores a message as a memory. */
const isUtterance = ({ kind, payload }: PastOperation): boolean =>
  kind === 'add' && (payload?.after.form === 'utterance' || (payload?.after.text ?? '') === '')

function toLearnedItem(
  { id, kind, memory, payload }: PastOperation,
  kinds: Readonly<Record<PastOperation['kind'], string>>,
): LearnedItem {
  const text = payload?.after.text ?? payload?.before?.text ?? ''
  return { key: id, memory, text, outcome: kinds[kind] }
}

/** Shows the memories that have an earlier turn as evidence. */
export function LearnedFromTurn({ person, turn }: PersonProps & { readonly turn: Turn }): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const memories = usePersonQuery(person, ['learned-in', turn.session], async (scope, call) => {
    const forms = ['fact', 'note', 'utterance'] as const
    const filter = { session: turn.session, limit: 500, forms: [...forms], statuses: [...STATUSES] }
    return (await scope.memoryPage(filter, call)).items
  })
  return (
    <QueryResult query={memories} lines={2}>
      {(items) => {
        const supported = items.filter(({ evidence }) => evidence.some((one) => one.turn === turn.id))
        const facts = supported.filter(({ form }) => form !== 'utterance')
        const learned = facts.map(({ id, text, status, form }): LearnedItem => {
          const how = status === 'live' ? texts.words.forms[form] : texts.words.statuses[status]
          return { key: id, memory: id, text, outcome: how }
        })
        return (
          <LearnedSection
            person={person}
            items={learned}
            utteranceCount={supported.length - facts.length}
            note={labels.learnedNothing}
          />
        )
      }}
    </QueryResult>
  )
}

const STATUSES = ['live', 'quarantined', 'deleted', 'forgotten'] as const

interface SectionProps extends PersonProps {
  readonly items?: readonly LearnedItem[]
  /** Number of memories that are messages. */
  readonly utteranceCount?: number
  /** Shown if nothing was learned. */
  readonly note: string
  readonly children?: ReactNode
}

function LearnedSection({
  person,
  items = [],
  utteranceCount: kept = 0,
  note,
  children,
}: SectionProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  return (
    <div className="talk-part talk-learned" role="status">
      <h2>{labels.learned}</h2>
      {children}
      {items.length > 0 && (
        <ul>
          {items.map(({ key, memory, text, outcome: how }) => (
            <li key={key}>
              <Chip tone="accent">{how}</Chip>
              <span className="said">
                {memory === null ? text : <Link to={{ page: 'why', person, memory }}>{text}</Link>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {kept > 0 ? (
        <p className="small quiet">{fill(labels.kept, { count: kept })}</p>
      ) : (
        items.length === 0 && <p className="small quiet">{note}</p>
      )}
    </div>
  )
}
