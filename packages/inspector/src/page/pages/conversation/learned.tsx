import type { ReactNode } from 'react'
import type { PastOperation, Turn } from '@keepsake/client'
import { Chip } from '../../parts/chip.tsx'
import { Asked } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { HeldRequest } from '../memories/held-request.tsx'
import { operationsOf, type Exchange } from './exchange.ts'
import CONVERSATION from './words.json' with { type: 'json' }
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const SHOWN_LATEST = 100
const KINDS = ['add', 'modify', 'delete', 'forget', 'restore'] as const

interface Learned {
  readonly key: string
  readonly memory: string | null
  readonly text: string
  /** What happened to it. */
  readonly how: string
}

interface LearnedLatelyProps extends PersonProps {
  readonly exchange: Exchange
  readonly exchanges: readonly Exchange[]
}

/** What the last message led to; reloaded after each relevant event. */
export function LearnedLately({ person, exchange, exchanges }: LearnedLatelyProps): ReactNode {
  const { words, format } = useWords()
  const labels = usePageWords(CONVERSATION)
  const { remembered, isKept } = exchange
  const operations = usePersonQuery(
    person,
    ['learned-latest'],
    (scope, call) => scope.operationPage({ newestFirst: true, limit: SHOWN_LATEST, kinds: [...KINDS] }, call),
    { enabled: remembered !== null },
  )
  const held = usePersonQuery(person, ['requests'], (scope, call) => scope.pendingRequests(call), {
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
      items={since.filter((one) => !isUtterance(one)).map((one) => learnedBy(one, words.words.kinds))}
      kept={since.filter(isUtterance).length}
      note={labels.learning}
    >
      {maskedSecrets.length > 0 && (
        <p className="small">
          {fill(labels.masked, { kinds: format.list(maskedSecrets.map(({ kind }) => kind)) })}
        </p>
      )}
      {held.data
        ?.filter(({ turn }) => pendingRequests.some((request) => request.turn === turn))
        .map((request) => (
          <div key={request.turn} className="notice" data-tone="alarm">
            <HeldRequest person={person} request={request} />
          </div>
        ))}
    </LearnedSection>
  )
}

/** Whether an operation only stores the words themselves. */
const isUtterance = ({ kind, payload }: PastOperation): boolean =>
  kind === 'add' && (payload?.after.form === 'utterance' || (payload?.after.text ?? '') === '')

function learnedBy(
  { id, kind, memory, payload }: PastOperation,
  kinds: Readonly<Record<PastOperation['kind'], string>>,
): Learned {
  const text = payload?.after.text ?? payload?.before?.text ?? ''
  return { key: id, memory, text, how: kinds[kind] }
}

/** What rests on an earlier turn. */
export function LearnedFromTurn({ person, turn }: PersonProps & { readonly turn: Turn }): ReactNode {
  const { words } = useWords()
  const labels = usePageWords(CONVERSATION)
  const memories = usePersonQuery(person, ['learned-in', turn.session], async (scope, call) => {
    const forms = ['fact', 'note', 'utterance'] as const
    const filter = { session: turn.session, limit: 500, forms: [...forms], statuses: [...STATUSES] }
    return (await scope.memoryPage(filter, call)).items
  })
  return (
    <Asked query={memories} lines={2}>
      {(items) => {
        const resting = items.filter(({ evidence }) => evidence.some((one) => one.turn === turn.id))
        const facts = resting.filter(({ form }) => form !== 'utterance')
        const learned = facts.map(({ id, text, status, form }): Learned => {
          const how = status === 'live' ? words.words.forms[form] : words.words.statuses[status]
          return { key: id, memory: id, text, how }
        })
        return (
          <LearnedSection
            person={person}
            items={learned}
            kept={resting.length - facts.length}
            note={labels.learnedNothing}
          />
        )
      }}
    </Asked>
  )
}

const STATUSES = ['live', 'quarantined', 'deleted', 'forgotten'] as const

interface SectionProps extends PersonProps {
  readonly items?: readonly Learned[]
  /** Units of the words themselves. */
  readonly kept?: number
  /** Said where nothing was learned. */
  readonly note: string
  readonly children?: ReactNode
}

function LearnedSection({ person, items = [], kept = 0, note, children }: SectionProps): ReactNode {
  const labels = usePageWords(CONVERSATION)
  return (
    <div className="talk-part talk-learned" role="status">
      <h2>{labels.learned}</h2>
      {children}
      {items.length > 0 && (
        <ul>
          {items.map(({ key, memory, text, how }) => (
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
