import { useEffect, useState, type ReactNode } from 'react'
import type { ScopeStats } from '@keepsake/client'
import type { Person } from '../../address/address.ts'
import { Select } from '../../parts/select.tsx'
import { useTexts } from '../../words/language.tsx'
import { KeyName, useSubjectNames } from './names.tsx'
import { FORMS, STATUSES, TYPES, type Filters, type Status } from './filters.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const DEBOUNCE_MS = 250

interface FilterBarProps {
  readonly person: Person
  readonly filters: Filters
  readonly set: (filters: Partial<Filters>) => void
}

/** Filters the list by status, form, type and text. Shows the count of each choice when it is loaded. */
export function FilterBar({ person, filters, set }: FilterBarProps): ReactNode {
  const { texts, format } = useTexts()
  const nameOf = useSubjectNames(person)
  const stats = usePersonQuery(person, ['stats'], (scope, call) => scope.stats(call))
  const count = (selection: Selection): string =>
    stats.data === undefined ? '' : format.number(countOf(stats.data, selection))
  return (
    <div className="filters">
      <div className="statuses" role="group" aria-label={texts.memories.standing}>
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filters.status === status}
            onClick={() => set({ status })}
          >
            {texts.words.statuses[status]} <span className="figures quiet">{count({ status })}</span>
          </button>
        ))}
      </div>
      <div className="row">
        <Choice
          label={texts.memories.form}
          all={texts.memories.allForms}
          names={texts.words.forms}
          options={FORMS}
          chosen={filters.forms}
          count={(form) => count({ status: filters.status, form })}
          choose={(forms) => set({ forms })}
        />
        <Choice
          label={texts.memories.type}
          all={texts.memories.allTypes}
          names={texts.words.types}
          options={TYPES}
          chosen={filters.types}
          count={(type) => count({ status: filters.status, type })}
          choose={(types) => set({ types })}
        />
        <ContainsField contains={filters.contains} change={(contains) => set({ contains })} />
        <label className="check">
          <input
            type="checkbox"
            checked={filters.pinned}
            onChange={(event) => set({ pinned: event.target.checked })}
          />
          {texts.memories.pinnedOnly}
        </label>
        {filters.subject !== '' && (
          <RemovableFilter remove={() => set({ subject: '' })}>
            {fill(texts.memories.about, { subject: nameOf(filters.subject) })}
          </RemovableFilter>
        )}
        {filters.category !== '' && (
          <RemovableFilter remove={() => set({ category: '' })}>{filters.category}</RemovableFilter>
        )}
        {filters.key !== '' && (
          <RemovableFilter remove={() => set({ key: '' })}>
            <KeyName person={person} id={filters.key} />
          </RemovableFilter>
        )}
      </div>
    </div>
  )
}

/** A filter that was set on another page. */
function RemovableFilter({
  remove,
  children,
}: {
  readonly remove: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className="chip" onClick={remove}>
      {children} ×
    </button>
  )
}

type MemoryCount = ScopeStats['memories'][number]
interface Selection {
  readonly status: Status
  readonly form?: MemoryCount['form']
  readonly type?: MemoryCount['type']
}

function countOf({ memories }: ScopeStats, { status, form, type }: Selection): number {
  return memories
    .filter((one) => one.status === status)
    .filter((one) => form === undefined || one.form === form)
    .filter((one) => type === undefined || one.type === type)
    .reduce((sum, { count }) => sum + count, 0)
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly all: string
  readonly names: Readonly<Record<Name, string>>
  readonly options: readonly Name[]
  readonly chosen: readonly Name[]
  /** The count; empty until it is loaded. */
  readonly count: (name: Name) => string
  readonly choose: (chosen: readonly Name[]) => void
}

function Choice<Name extends string>({ label, all, names, options, ...rest }: ChoiceProps<Name>): ReactNode {
  const { chosen, count, choose } = rest
  const counted = options.map(
    (name) => [name, [names[name], count(name) && `(${count(name)})`].filter(Boolean).join(' ')] as const,
  )
  return (
    <Select<Name | ''>
      isBare
      label={label}
      value={chosen[0] ?? ''}
      options={[['', all], ...counted]}
      choose={(value) => choose(options.filter((name) => name === value))}
    />
  )
}

interface ContainsFieldProps {
  readonly contains: string
  readonly change: (contains: string) => void
}

/** A debounced filter on the text of memories. */
function ContainsField({ contains, change }: ContainsFieldProps): ReactNode {
  const { texts } = useTexts()
  const [typed, setTyped] = useState(contains)
  useEffect(() => {
    if (typed === contains) return undefined
    const timer = setTimeout(() => change(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
    // Only typing restarts the debounce.
  }, [typed])
  return (
    <input
      className="input small words"
      type="search"
      aria-label={texts.memories.contains}
      placeholder={texts.memories.contains}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
