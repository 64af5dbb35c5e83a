import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Strengths, StrengthOptions } from '@keepsake/client'
import { Bar } from '../../parts/bar.tsx'
import { Chip } from '../../parts/chip.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { Person, PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { personKey } from '../../session/queries.ts'
import { useMay, useScope, useSession } from '../../session/session.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import RETENTION from './words.json' with { type: 'json' }
import './retention.css'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useAction, useRestore } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const POLICIES = [
  'keepsake',
  'lufy',
  'ebbinghaus',
  'competition-inhibition',
  'first-in-first-out',
  'facts',
] as const
type Policy = NonNullable<StrengthOptions['policy']>
const PAGE_SIZE = 100
const ROW_HEIGHT = 56

/** Lets the reader choose a policy and a capacity, and shows which memories would be forgotten. */
export default function RetentionPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(RETENTION)
  const { access } = useSession()
  const [settings, setSettings] = useSettings()
  const serverPolicy = POLICIES.find((name) => name === access.policy)
  const policy: Policy =
    POLICIES.find((name) => name === settings['policy']?.[0]) ?? serverPolicy ?? 'keepsake'
  const all = usePersonQuery(
    person,
    ['strengths', policy],
    (scope, call) => scope.strengths({ policy, limit: 1 }, call),
    { placeholderData: keepPreviousData },
  )
  const nameOf = (name: Policy): string => (name === 'facts' ? labels.ofFacts : name)
  return (
    <Page title={texts.retention.title} lead={labels.lead}>
      <Select
        label={labels.policy}
        value={policy}
        options={POLICIES.map((name) => [
          name,
          name === serverPolicy ? fill(labels.own, { name }) : nameOf(name),
        ])}
        choose={(name) => setSettings({ ...settings, policy: name })}
      />
      <QueryResult query={all}>
        {({ considered, formula }) =>
          considered === 0 ? (
            <Empty title={labels.empty} hint={labels.emptyHint} person={person} />
          ) : (
            <>
              <details className="small quiet">
                <summary>{labels.formula}</summary>
                <code className="code">{formula}</code>
              </details>
              <CapacitySlider person={person} policy={policy} considered={considered} />
            </>
          )
        }
      </QueryResult>
    </Page>
  )
}

interface CapacitySliderProps extends PersonProps {
  readonly policy: Policy
  readonly considered: number
}

function CapacitySlider({ person, policy, considered }: CapacitySliderProps): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(RETENTION)
  const mayWrite = useMay('write', person)
  const [chosenCapacity, setCapacity] = useState<number | null>(null)
  const capacity = Math.min(chosenCapacity ?? considered, considered)
  const list = useStrengths(person, policy, useDebounced(capacity))
  const [first] = list.data?.pages ?? []
  const forgottenCount = first === undefined ? 0 : first.considered - first.kept
  return (
    <>
      <div className="room">
        <label htmlFor="room">{labels.room}</label>
        <input
          id="room"
          type="range"
          min={0}
          max={considered}
          value={capacity}
          aria-valuetext={fill(labels.roomValue, {
            kept: format.number(capacity),
            of: format.number(considered),
          })}
          onChange={(event) => setCapacity(Number(event.target.value))}
        />
        <div className="row">
          <strong className="figures">
            {fill(labels.roomValue, { kept: format.number(capacity), of: format.number(considered) })}
          </strong>
          <span role="status" className="figures" data-goes={forgottenCount > 0 ? '' : undefined}>
            {forgottenCount > 0 ? fill(labels.go, { count: format.number(forgottenCount) }) : labels.stay}
          </span>
          {mayWrite && forgottenCount > 0 && (
            <ForgetButton
              key={`${policy} ${capacity}`}
              person={person}
              run={{ policy, capacity, count: forgottenCount }}
            />
          )}
        </div>
      </div>
      <QueryResult query={list}>
        {({ pages }) => <StrengthList person={person} list={list} pages={pages} />}
      </QueryResult>
    </>
  )
}

/** Debounce for the capacity slider. */
const DEBOUNCE_MS = 120

function useDebounced(value: number): number {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setDebounced, DEBOUNCE_MS, value)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

/** Loads the memories that the policy judges, weakest first, page by page. */
function useStrengths(person: Person, policy: Policy, memories: number) {
  const scope = useScope(person)
  return useInfiniteQuery({
    queryKey: personKey(person, 'strengths', policy, memories),
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      scope.strengths({ policy, memories, limit: PAGE_SIZE, offset }, { signal }),
    getNextPageParam: ({ considered }, pages) => {
      const loadedCount = pages.reduce((sum, { items }) => sum + items.length, 0)
      return loadedCount < considered && pages.at(-1)?.items.length !== 0 ? loadedCount : undefined
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
}

/** Loads the strength of the last memory, which is the scale of the bars and may be many pages away. */
function useStrongest(person: Person, first: Strengths | undefined): number {
  const { considered = 0, policy } = first ?? {}
  const knownPolicy = POLICIES.find((name) => name === policy)
  const strongest = usePersonQuery(
    person,
    ['strengths', policy ?? '', 'strongest', considered],
    (scope, call) =>
      scope.strengths(
        { ...(knownPolicy && { policy: knownPolicy }), limit: 1, offset: considered - 1 },
        call,
      ),
    { enabled: considered > 0 },
  )
  return (strongest.data ?? first)?.items.at(-1)?.strength.value ?? 0
}

interface StrengthListProps extends PersonProps {
  readonly list: ReturnType<typeof useStrengths>
  readonly pages: readonly Strengths[]
}

function StrengthList({ person, list, pages }: StrengthListProps): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(RETENTION)
  const items = useMemo(() => pages.flatMap((page) => page.items), [pages])
  const [first] = pages
  const weakest = first?.items[0]?.strength.value ?? 0
  const strongest = useStrongest(person, first)
  const maxStrength = Math.max(Math.abs(weakest), Math.abs(strongest), 0.01)
  const hasMinus = weakest < 0
  const considered = format.number(first?.considered ?? 0)
  return (
    <section className="section standing-part" aria-label={fill(labels.weakest, { count: considered })}>
      <p className="small quiet">{fill(labels.weakest, { count: considered })}</p>
      <LongList
        items={items}
        keyOf={({ memory }) => memory.id}
        label={fill(labels.weakest, { count: considered })}
        className="standing"
        estimatedHeight={ROW_HEIGHT}
        focusSelector="a"
        hasMore={list.hasNextPage}
        loadMore={() => {
          if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
        }}
      >
        {({ memory, strength, kept, because }) => (
          <div className="standing-row" data-kept={kept}>
            <Chip {...(kept ? {} : { tone: 'alarm' as const })}>{kept ? labels.stays : labels.goes}</Chip>
            <p className="said">
              <Link to={{ page: 'why', person, memory: memory.id }}>{memory.text}</Link>
              {because !== 'strength' && <span className="small quiet"> {labels.because[because]}</span>}
            </p>
            <div className="standing-strength">
              <span className="figures small">{format.decimal(strength.value)}</span>
              <Bar share={strength.value / maxStrength} hasMinus={hasMinus} />
            </div>
          </div>
        )}
      </LongList>
    </section>
  )
}

interface ForgetButtonProps extends PersonProps {
  readonly run: { readonly policy: Policy; readonly capacity: number; readonly count: number }
}

function ForgetButton({ person, run: { policy, capacity, count } }: ForgetButtonProps): ReactNode {
  const { counted } = useTexts()
  const labels = usePageTexts(RETENTION)
  const restore = useRestore(person)
  const { act, isActing } = useAction(person, {
    run: (scope) => scope.runForgetting({ policy, capacity: { memories: capacity } }),
    done: ({ forgotten }) => ({
      text: fill(labels.done, { memories: counted('memories', forgotten.length) }),
      undo: () => restore.act(forgotten.map(({ memory }) => memory)),
    }),
  })
  return (
    <ConfirmButton
      label={fill(labels.run, { count })}
      title={fill(labels.confirm, { memories: counted('memories', count) })}
      explanation={labels.confirmHint}
      yes={labels.yes}
      isBusy={isActing}
      confirm={() => act()}
    />
  )
}
