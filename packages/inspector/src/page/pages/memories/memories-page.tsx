import { type ReactNode, useEffect, useRef, type FormEvent, memo } from 'react'
import type { Recall, RecalledMemory, MemoryFilter } from '@keepsake/client'
import { Page } from '../../parts/page.tsx'
import type { Person, PersonProps } from '../../address/address.ts'
import { useSettings } from '../../address/use-address.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { FilterBar } from './filter-bar.tsx'
import { readFilters, writeFilters, type Filters, isNarrowed, toMemoryFilter } from './filters.ts'
import { Button } from '../../parts/button.tsx'
import { readField } from '../../parts/read-field.ts'
import { Link } from '../../address/link.tsx'
import { Empty, QueryResult } from '../../parts/states.tsx'
import { MemoryActions } from './memory-actions.tsx'
import { MemoryFacts, type MemoryProps } from './memory-facts.tsx'
import { ScoreParts } from './score-parts.tsx'
import { Verdict } from './verdict.tsx'
import { usePersonQuery, usePersonPages } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'
import { LongList } from '../../parts/long-list.tsx'
import { useRestore } from '../../parts/use-action.ts'
import './memories.css'

/** All memories: listed, filtered, or recalled. */
export default function MemoriesPage({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const [settings, setSettings] = useSettings()
  const filters = readFilters(settings)
  const set = (next: Partial<Filters>): void => setSettings(writeFilters({ ...filters, ...next }))
  const mayWrite = useMay('write', person)
  return (
    <Page title={texts.memories.title} lead={mayWrite ? texts.memories.lead : texts.states.readOnly}>
      <QuestionForm question={filters.question} ask={(question) => set({ question })} />
      {filters.question === '' ? (
        <>
          <FilterBar person={person} filters={filters} set={set} />
          <MemoryList person={person} filters={filters} clear={() => setSettings({})} />
        </>
      ) : (
        <RecallResult person={person} question={filters.question} />
      )}
    </Page>
  )
}

interface QuestionFormProps {
  readonly question: string
  /** An empty question shows the list again. */
  readonly ask: (question: string) => void
}

/** Asks a question. `/` focuses the field from anywhere on the page. */
function QuestionForm({ question, ask }: QuestionFormProps): ReactNode {
  const { texts } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    ask(readField(event.currentTarget, 'question'))
  }
  return (
    <form className="question" role="search" onSubmit={submit}>
      <label className="hidden" htmlFor="question">
        {texts.memories.question}
      </label>
      <input
        key={question}
        ref={field}
        className="input"
        id="question"
        name="question"
        type="search"
        placeholder={texts.memories.questionHint}
        defaultValue={question}
        autoComplete="off"
      />
      <Button tone="main" type="submit">
        {texts.memories.ask}
      </Button>
      {question !== '' && <Button onClick={() => ask('')}>{texts.memories.toList}</Button>}
    </form>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

const MAX_RESULTS = 20

/** The result of a recall: its confidence, each memory with its score's parts, and the context. Reinforces nothing. */
function RecallResult({ person, question }: PersonProps & { readonly question: string }): ReactNode {
  const recall = usePersonQuery(person, ['recall', question], (scope, call) =>
    scope.recall(question, { limit: MAX_RESULTS, reinforce: false, ...call }),
  )
  return <QueryResult query={recall}>{(found) => <RecallFound person={person} recall={found} />}</QueryResult>
}

function RecallFound({ person, recall }: PersonProps & { readonly recall: Recall }): ReactNode {
  const { texts, format } = useTexts()
  const { memories, context, milliseconds } = recall
  const maxPart = Math.max(0.001, ...memories.flatMap(({ parts }) => Object.values(parts).map(Math.abs)))
  return (
    <>
      <Verdict recall={recall}>
        <p className="small quiet figures">
          {fill(texts.memories.recall.took, {
            count: memories.length,
            milliseconds: format.decimal(milliseconds, 1),
          })}
        </p>
      </Verdict>
      {context.text !== '' && (
        <details className="context">
          <summary>
            {fill(texts.memories.recall.context, { tokens: format.number(Math.round(context.tokens)) })}
          </summary>
          <p className="said">{context.text}</p>
        </details>
      )}
      {memories.length === 0 ? (
        <Empty title={texts.memories.recall.nothing} hint={texts.memories.recall.nothingHint} />
      ) : (
        <ol className="recalled">
          {memories.map((one) => (
            <li key={one.memory.id}>
              <RecalledItem person={person} recalled={one} maxPart={maxPart} />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

interface RecalledProps extends PersonProps {
  readonly recalled: RecalledMemory
  /** The largest part of all memories, which is the scale of the bars. */
  readonly maxPart: number
}

function RecalledItem({ person, recalled, maxPart }: RecalledProps): ReactNode {
  const { texts, format } = useTexts()
  const { memory, score, parts, pending } = recalled
  return (
    <article className="memory recalled-memory">
      <div className="stack">
        {pending ? (
          <p className="said">{memory.text}</p>
        ) : (
          <Link className="memory-text said" to={{ page: 'why', person, memory: memory.id }}>
            {memory.text}
          </Link>
        )}
        {pending && <p className="small quiet">{texts.memories.recall.pending}</p>}
        <div className="memory-foot">
          <MemoryFacts person={person} memory={memory} />
          {!pending && <MemoryActions person={person} memory={memory} />}
        </div>
      </div>
      <div className="score">
        <p className="figures">
          <span className="quiet small">{texts.memories.recall.score}</span>{' '}
          <strong>{format.decimal(score)}</strong>
        </p>
        <ScoreParts parts={parts} maxPart={maxPart} />
      </div>
    </article>
  )
}

const PAGE_SIZE = 100
const ESTIMATED_ROW_HEIGHT = 108

interface MemoryListProps extends PersonProps {
  readonly filters: Filters
  readonly clear: () => void
}

/** Memories, newest first, page by page, rendering only visible ones. */
function MemoryList({ person, filters, clear }: MemoryListProps): ReactNode {
  const { texts } = useTexts()
  const filter = toMemoryFilter(filters)
  const { query: list, items: memories } = usePersonPages(person, ['memories', filter], (scope, from, call) =>
    scope.memoryPage({ ...filter, limit: PAGE_SIZE, ...from }, call),
  )
  if (list.data === undefined)
    return (
      <QueryResult query={list} lines={9}>
        {() => null}
      </QueryResult>
    )
  if (memories.length === 0) return <EmptyList person={person} filters={filters} clear={clear} />
  return (
    <>
      {filters.status === 'forgotten' && <RestoreAll person={person} filter={filter} />}
      <LongList
        items={memories}
        keyOf={({ id }) => id}
        label={texts.memories.title}
        className="memories"
        estimatedHeight={ESTIMATED_ROW_HEIGHT}
        focusSelector=".memory-text"
        hasMore={list.hasNextPage}
        loadMore={() => {
          if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
        }}
      >
        {(memory) => <MemoryRow person={person} memory={memory} />}
      </LongList>
    </>
  )
}

/** Restores every memory that the list shows, on all its pages. */
function RestoreAll({ person, filter }: PersonProps & { readonly filter: MemoryFilter }): ReactNode {
  const { texts } = useTexts()
  const scope = useScope(person)
  const { act, isActing } = useRestore(person)
  const restore = async (): Promise<void> => {
    const ids: string[] = []
    for await (const { id } of scope.memories({ ...filter, limit: PAGE_SIZE })) ids.push(id)
    act(ids)
  }
  if (!useMay('write', person)) return null
  return (
    <div>
      <Button disabled={isActing} onClick={() => void restore()}>
        {texts.memories.actions.restoreAll}
      </Button>
    </div>
  )
}

function EmptyList({ person, filters, clear }: MemoryListProps): ReactNode {
  const { texts } = useTexts()
  if (isNarrowed(filters))
    return (
      <Empty title={texts.memories.noMatch} hint={texts.memories.noMatchHint}>
        <Button onClick={clear}>{texts.memories.clear}</Button>
      </Empty>
    )
  return filters.status === 'live' ? (
    <Empty title={texts.memories.empty} hint={texts.memories.emptyHint} person={person} />
  ) : (
    <Empty title={texts.memories.empty} hint={texts.memories.noneOf[filters.status]} />
  )
}

/** A memory in a list: its text, facts and actions. */
const MemoryRow = memo(function MemoryRow({ person, memory }: MemoryProps): ReactNode {
  return (
    <article className="memory" data-status={memory.status}>
      <Link className="memory-text said" to={{ page: 'why', person, memory: memory.id }}>
        {memory.text}
      </Link>
      <div className="memory-foot">
        <MemoryFacts person={person} memory={memory} />
        <MemoryActions person={person} memory={memory} />
      </div>
    </article>
  )
})
