import { useState, type FormEvent, type ReactNode } from 'react'
import type { EraseTarget, Memory } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { readField } from '../../parts/read-field.ts'
import { Select } from '../../parts/select.tsx'
import { QueryResult } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import DATA from './words.json' with { type: 'json' }
import { useAction } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const MAX_SHOWN_ITEMS = 8
const MAX_SESSIONS = 200
const REFETCH_MS = 1_000

interface EraseProps extends PersonProps {
  /** Called with the receipt's id. */
  readonly done: (receipt: string) => void
}

/** Lets the reader choose what to erase, shows what that would remove, and erases it. */
export function EraseSection({ person, done }: EraseProps): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(DATA)
  const [session, setSession] = useState('')
  const sessions = usePersonQuery(person, ['sessions'], (scope, call) =>
    scope.sessionPage({ newestFirst: true, limit: MAX_SESSIONS }, call),
  )
  return (
    <Section className="section data-part" title={labels.erase} hint={labels.eraseHint}>
      <Select
        label={labels.what}
        value={session}
        options={[
          ['', labels.person],
          ...(sessions.data?.items ?? []).map(
            ({ id, number, startedAt }) =>
              [id, fill(labels.one, { number: format.number(number), day: format.day(startedAt) })] as const,
          ),
        ]}
        choose={setSession}
      />
      <Preview
        key={session}
        person={person}
        session={session}
        done={(receipt) => {
          done(receipt)
          setSession('')
        }}
      />
    </Section>
  )
}

interface PreviewProps extends PersonProps {
  /** The id of the chosen session; empty for everything of the user. */
  readonly session: string
  readonly done: (receipt: string) => void
}

function Preview({ person, session, done }: PreviewProps): ReactNode {
  const { counted } = useTexts()
  const labels = usePageTexts(DATA)
  const [isAsking, setAsking] = useState(false)
  const target: EraseTarget = session === '' ? { everything: true } : { sessions: [session] }
  const preview = usePersonQuery(person, ['erase-preview', session], (scope, call) =>
    scope.previewErasure(session === '' ? undefined : target, call),
  )
  return (
    <QueryResult query={preview} lines={3}>
      {({ memories, turns, items }) => (
        <>
          <p>
            {fill(labels.removes, {
              memories: counted('memories', memories),
              turns: counted('turns', turns),
            })}
          </p>
          <Items items={items.filter(({ text }) => text !== '')} />
          {memories + turns > 0 && (
            <div>
              <Button tone="alarm" onClick={() => setAsking(true)}>
                {labels.eraseDo}
              </Button>
            </div>
          )}
          {isAsking && (
            <EraseDialog person={person} target={target} close={() => setAsking(false)} done={done} />
          )}
        </>
      )}
    </QueryResult>
  )
}

function Items({ items }: { readonly items: readonly Memory[] }): ReactNode {
  const labels = usePageTexts(DATA)
  if (items.length === 0) return null
  return (
    <details>
      <summary>{labels.items}</summary>
      <ul className="data-items">
        {items.slice(0, MAX_SHOWN_ITEMS).map(({ id, text }) => (
          <li key={id} className="said">
            {text}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface DialogProps extends PersonProps {
  readonly target: EraseTarget
  readonly close: () => void
  readonly done: (receipt: string) => void
}

function EraseDialog({ person, target, close, done }: DialogProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(DATA)
  const [isConfirmed, setConfirmed] = useState(false)
  const { act, isActing } = useAction(person, {
    run: (scope) => scope.erase(target),
    done: ({ id }) => {
      done(id)
      return labels.erased
    },
    // The list of users may change, too.
    reloadKey: [],
    onSettled: close,
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (readField(event.currentTarget, 'name') === person.user.trim()) act()
  }
  return (
    <Dialog title={labels.confirm} onClose={close}>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor="erase-name">{fill(labels.confirmType, { user: person.user })}</label>
          <input
            className="input"
            id="erase-name"
            name="name"
            autoComplete="off"
            onChange={(event) => setConfirmed(event.target.value.trim() === person.user.trim())}
          />
        </div>
        <div className="row">
          <Button tone="alarm" type="submit" disabled={!isConfirmed || isActing}>
            {labels.yes}
          </Button>
          <Button onClick={close}>{texts.states.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ProofsProps extends PersonProps {
  /** Ids of receipts that this page received. The server lists none for an erased user, so each is requested by its id. */
  readonly erased: readonly string[]
}

export function Proofs({ person, erased }: ProofsProps): ReactNode {
  const { counted } = useTexts()
  const labels = usePageTexts(DATA)
  const receipts = usePersonQuery(
    person,
    ['erasures', erased],
    async (scope, call) => {
      const listed = await scope.erasures(call)
      const missing = erased.filter((id) => listed.every((one) => one.id !== id))
      return [...listed, ...(await Promise.all(missing.map((id) => scope.erasure(id, call))))]
    },
    {
      // Bytes are cleared in the background, so the page asks again until they are.
      refetchInterval: ({ state }) =>
        state.data?.some(({ purgedAt }) => purgedAt === null) === true ? REFETCH_MS : false,
    },
  )
  return (
    <Section className="section data-part" title={labels.proofs} hint={labels.proofsHint}>
      <QueryResult query={receipts} lines={2}>
        {(found) =>
          found.length === 0 ? (
            <p>{labels.noProofs}</p>
          ) : (
            <ul className="data-items">
              {found.toReversed().map(({ id, at, memories, turns, purgedAt }) => (
                <li key={id}>
                  <Moment at={at} as="moment" /> ·{' '}
                  {fill(labels.receipt, {
                    memories: counted('memories', memories),
                    turns: counted('turns', turns),
                  })}
                  <p className="small quiet">
                    {purgedAt === null ? (
                      labels.unproven
                    ) : (
                      <>
                        {labels.proven} <Moment at={purgedAt} as="moment" />
                      </>
                    )}
                  </p>
                  <p className="code quiet">{id}</p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Section>
  )
}
