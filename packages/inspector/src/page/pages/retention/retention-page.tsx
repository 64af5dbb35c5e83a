import { useDeferredValue, useState, type ReactNode } from 'react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Strengths, StrengthOptions } from '@keepsake/client'
import { Bar } from '../../parts/bar.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { Asked, Empty, useFailureWords } from '../../parts/states.tsx'
import { useTell } from '../../parts/told.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { personKey, wholePersonKey } from '../../session/queries.ts'
import { useMay, useScope, useSession } from '../../session/session.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { RETENTION } from './words.ts'
import './retention.css'

const POLICIES = ['keepsake', 'lufy', 'ebbinghaus', 'competition-inhibition', 'first-in-first-out'] as const
type Policy = NonNullable<StrengthOptions['policy']>
const PAGE_SIZE = 60
const MOST = 1_000

/** Capacity drawn by hand under each policy, and what would go, before anything does. */
export default function RetentionPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const told = usePageWords(RETENTION)
  const { access } = useSession()
  const scope = useScope(person)
  const [settings, setSettings] = useSettings()
  const own = POLICIES.find((name) => name === access.policy)
  const policy: Policy = POLICIES.find((name) => name === settings['policy']?.[0]) ?? own ?? 'keepsake'
  const all = useQuery({
    queryKey: personKey(person, 'strengths', policy),
    queryFn: ({ signal }) => scope.strengths({ policy, limit: 1 }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={words.retention.title} lead={told.lead}>
      <div className="row">
        <label htmlFor="policy" className="label">
          {told.policy}
        </label>
        <select
          id="policy"
          className="input"
          value={policy}
          onChange={(event) => setSettings({ ...settings, policy: event.target.value })}
        >
          {POLICIES.map((name) => (
            <option key={name} value={name}>
              {name === own ? told.own(name) : name}
            </option>
          ))}
        </select>
      </div>
      <Asked query={all}>
        {({ considered, formula }) =>
          considered === 0 ? (
            <Empty title={told.empty}>
              <p>{told.emptyTold}</p>
            </Empty>
          ) : (
            <>
              <p className="small quiet">
                {told.formula}: <code className="code">{formula}</code>
              </p>
              <Room person={person} policy={policy} considered={considered} />
            </>
          )
        }
      </Asked>
    </Page>
  )
}

interface RoomProps {
  readonly person: Person
  readonly policy: Policy
  readonly considered: number
}

function Room({ person, policy, considered }: RoomProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RETENTION)
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const [asked, setRoom] = useState<number | null>(null)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const room = Math.min(asked ?? Math.ceil(considered * 0.75), considered)
  const memories = useDeferredValue(room)
  const strengths = useQuery({
    queryKey: personKey(person, 'strengths', policy, memories, limit),
    queryFn: ({ signal }) => scope.strengths({ policy, memories, limit }, { signal }),
    placeholderData: keepPreviousData,
  })
  const gone = strengths.data === undefined ? 0 : strengths.data.considered - strengths.data.kept
  return (
    <>
      <div className="room">
        <label htmlFor="room">{told.room}</label>
        <input
          id="room"
          type="range"
          min={0}
          max={considered}
          value={room}
          aria-valuetext={told.roomValue(format.number(room), format.number(considered))}
          onChange={(event) => setRoom(Number(event.target.value))}
        />
        <div className="row">
          <strong className="figures">
            {told.roomValue(format.number(room), format.number(considered))}
          </strong>
          <span role="status" className="figures" data-goes={gone > 0 ? '' : undefined}>
            {gone > 0 ? told.go(format.number(gone)) : told.stay}
          </span>
          {mayWrite && gone > 0 && (
            <LetGo key={`${policy} ${room}`} person={person} asked={{ policy, room, gone }} />
          )}
        </div>
      </div>
      <Asked query={strengths}>
        {(found) => (
          <>
            <Standing person={person} strengths={found} />
            {found.items.length < found.considered && limit < MOST && (
              <div>
                <Button onClick={() => setLimit(Math.min(MOST, limit * 3))}>{told.more}</Button>
              </div>
            )}
          </>
        )}
      </Asked>
    </>
  )
}

interface StandingProps {
  readonly person: Person
  readonly strengths: Strengths
}

function Standing({ person, strengths: { items } }: StandingProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RETENTION)
  const most = Math.max(...items.map(({ strength }) => Math.abs(strength.value)), 0.01)
  const hasMinus = items.some(({ strength }) => strength.value < 0)
  return (
    <section className="section" aria-label={told.weakest(format.number(items.length))}>
      <p className="small quiet">{told.weakest(format.number(items.length))}</p>
      <ol className="standing">
        {items.map(({ memory, strength, kept, because }) => (
          <li key={memory.id} data-kept={kept}>
            <Chip {...(kept ? {} : { tone: 'alarm' as const })}>{kept ? told.stays : told.goes}</Chip>
            <p className="said">
              <Link to={{ page: 'why', person, memory: memory.id }}>{memory.text}</Link>
              {because !== 'strength' && <span className="small quiet"> {told.because[because]}</span>}
            </p>
            <div className="standing-strength">
              <span className="figures small">{format.decimal(strength.value)}</span>
              <Bar share={strength.value / most} hasMinus={hasMinus} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface LetGoProps {
  readonly person: Person
  readonly asked: { readonly policy: Policy; readonly room: number; readonly gone: number }
}

function LetGo({ person, asked: { policy, room, gone } }: LetGoProps): ReactNode {
  const { words, format } = useWords()
  const told = usePageWords(RETENTION)
  const scope = useScope(person)
  const queries = useQueryClient()
  const tell = useTell()
  const failed = useFailureWords()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => scope.forgetting({ policy, capacity: { memories: room } }),
    onSuccess: ({ forgotten }) => tell({ text: told.done(format.number(forgotten.length)) }),
    onError: (error) => tell({ text: failed(error).told }),
    onSettled: () => {
      setAsking(false)
      void queries.invalidateQueries({ queryKey: wholePersonKey(person) })
    },
  })
  return (
    <>
      <Button tone="alarm" onClick={() => setAsking(true)}>
        {told.run}
      </Button>
      {isAsking && (
        <Dialog title={told.confirm(format.number(gone))} onClose={() => setAsking(false)}>
          <p>{told.confirmTold}</p>
          <div className="row">
            <Button tone="alarm" onClick={() => mutate()} disabled={isPending}>
              {told.yes}
            </Button>
            <Button onClick={() => setAsking(false)}>{words.states.cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
