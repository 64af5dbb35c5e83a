import { useState, type ReactNode } from 'react'
import type { PersonaSheet } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import PERSONA from './words.json' with { type: 'json' }
import { EditDialog } from '../memories/edit-dialog.tsx'
import { isQuestioned } from '../memories/memory-facts.tsx'
import { useSubjectNames } from '../memories/names.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'
import { useMay } from '../../session/session.tsx'
import { fill } from '../../words/texts.ts'
import './persona.css'

type Subject = PersonaSheet['subjects'][number]
type Entry = Subject['entries'][number]
type Value = Entry['values'][number]

/** The persona sheet by key, with earlier values on a time line. */
export default function PersonaPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(PERSONA)
  const sheet = usePersonQuery(person, ['persona'], (scope, call) => scope.persona(call))
  const nameOf = useSubjectNames(person)
  return (
    <Page title={texts.persona.title} lead={labels.lead}>
      <StatesSection person={person} />
      <QueryResult query={sheet}>
        {({ subjects }) =>
          subjects.length === 0 ? (
            <Empty title={labels.empty} hint={labels.emptyHint} person={person} />
          ) : (
            mergeSubjects(subjects, nameOf).map((subject) => (
              <SubjectSheet key={subject.subject} person={person} subject={subject} />
            ))
          )
        }
      </QueryResult>
    </Page>
  )
}

/** Merges sheets of the same person: facts stored under a name and facts about “user”. The user's sheet comes first. */
function mergeSubjects(
  subjects: readonly Subject[],
  nameOf: (subject: string) => string,
): readonly Subject[] {
  const userName = nameOf('user')
  const pastRank = ({ isPast, validUntil }: Value): number => (isPast || validUntil !== null ? 1 : 0)
  const byName = Map.groupBy(subjects, ({ subject }) => nameOf(subject))
  const sheets = [...byName].map(([subject, parts]): Subject => {
    const byKey = Map.groupBy(
      parts.flatMap(({ entries }) => entries),
      ({ key }) => key.id,
    )
    const entries = [...byKey.values()].flatMap(([first, ...others]): Entry[] => {
      if (first === undefined) return []
      const values = [first, ...others].flatMap((entry) => entry.values)
      const sorted = values.toSorted(
        (one, other) => pastRank(one) - pastRank(other) || other.validFrom.localeCompare(one.validFrom),
      )
      return [{ ...first, values: sorted }]
    })
    return { subject, entries }
  })
  return sheets.toSorted(
    (one, other) => Number(other.subject === userName) - Number(one.subject === userName),
  )
}

/** Removes the key's name from a value: “partner Daniel” under the key “partner” becomes “Daniel”. */
function trimKey(value: string, { names, id }: Entry['key']): string {
  const name = [id, ...names.en, ...names.zh].find((one) => value.toLowerCase().startsWith(`${one} `))
  return name === undefined ? value : value.slice(name.length + 1)
}

function SubjectSheet({ person, subject }: PersonProps & { readonly subject: Subject }): ReactNode {
  const now = Date.now()
  const first = Math.min(
    ...subject.entries.flatMap(({ values }) => values.map(({ validFrom }) => Date.parse(validFrom))),
  )
  return (
    <section className="section sheet-subject">
      <h2>{subject.subject}</h2>
      <dl className="sheet">
        {subject.entries.map((entry) => (
          <SheetEntry key={entry.key.id} person={person} entry={entry} span={{ from: first, to: now }} />
        ))}
      </dl>
    </section>
  )
}

interface EntryProps extends PersonProps {
  readonly entry: Entry
  readonly span: Span
}

function SheetEntry({ person, entry: { key, values }, span }: EntryProps): ReactNode {
  const { language } = useTexts()
  const labels = usePageTexts(PERSONA)
  const name = key.names[language][0] ?? key.id
  const { name: merge, meaning } = labels.merge[key.merge]
  return (
    <div>
      <dt>
        {name}
        <Chip title={meaning}>{merge}</Chip>
      </dt>
      <dd>
        <ul aria-label={fill(labels.line, { key: name })}>
          {values.map((value) => (
            <SheetValue
              key={`${value.memory} ${value.validFrom}`}
              person={person}
              value={{ ...value, value: trimKey(value.value, key) }}
              span={span}
            />
          ))}
        </ul>
      </dd>
    </div>
  )
}

interface EditProps extends PersonProps {
  readonly memory: string
}

function EditButton({ person, memory }: EditProps): ReactNode {
  const { texts } = useTexts()
  const mayWrite = useMay('write', person)
  const [isEditing, setEditing] = useState(false)
  if (!mayWrite) return null
  return (
    <>
      <Button tone="plain" onClick={() => setEditing(true)}>
        {texts.memories.actions.edit}
      </Button>
      {isEditing && <LoadedEditDialog person={person} memory={memory} onClose={() => setEditing(false)} />}
    </>
  )
}

/** Loads a memory and opens the dialog that edits it. */
function LoadedEditDialog({
  person,
  memory: id,
  onClose,
}: EditProps & { readonly onClose: () => void }): ReactNode {
  const read = usePersonQuery(person, ['edited', id], (scope, call) => scope.memory(id, call), { gcTime: 0 })
  return read.data !== undefined && <EditDialog person={person} memory={read.data.memory} onClose={onClose} />
}

interface ValueProps extends PersonProps {
  readonly value: Value
  readonly span: Span
}

function SheetValue({ person, value, span }: ValueProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(PERSONA)
  const { validFrom, validUntil, memory, label } = value
  // An ended value is past, even if it is not an earlier value of the same memory.
  const isPast = value.isPast || (validUntil !== null && Date.parse(validUntil) <= span.to)
  const { left, width } = spanOf(span, { from: Date.parse(validFrom), to: Date.parse(validUntil ?? '') })
  const quote = value.evidence.find((one) => one.quote !== null)?.quote
  return (
    <li data-past={isPast ? '' : undefined}>
      <div className="sheet-value">
        <Link className="said" to={{ page: 'why', person, memory }}>
          {value.value}
        </Link>
        <span className="small quiet">
          {isPast && labels.past}
          {labels.since} <Moment at={validFrom} />
          {validUntil !== null && (
            <>
              {' '}
              {labels.until} <Moment at={validUntil} />
            </>
          )}
          {' · '}
          {texts.words.labels[label]}
          {!isPast && <EditButton person={person} memory={memory} />}
        </span>
        {isQuestioned(value) && (
          <Chip tone="alarm" title={texts.memories.questionedHint}>
            {texts.memories.questioned}
          </Chip>
        )}
      </div>
      <div className="sheet-line" aria-hidden="true">
        <span style={{ left: `${left}%`, width: `${width}%` }} />
      </div>
      {quote !== undefined && (
        <p className="small quiet">
          {labels.evidence} “<span className="sheet-quote">{quote}</span>”
        </p>
      )}
    </li>
  )
}

/** A time span, in milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Minimum width of a value's line in percent, so that it is visible. */
const MIN_WIDTH = 1

/** Returns a span's position on a line in percent. A span without an end extends to the end of the line. */
function spanOf(whole: Span, part: Span): { readonly left: number; readonly width: number } {
  const length = Math.max(1, whole.to - whole.from)
  const toPercent = (at: number): number => Math.min(100, Math.max(0, ((at - whole.from) / length) * 100))
  const end = Number.isNaN(part.to) ? 100 : toPercent(part.to)
  const left = Math.min(toPercent(part.from), 100 - MIN_WIDTH)
  return { left, width: Math.max(MIN_WIDTH, end - left) }
}

/** Shows the application's keys with their values, and its categories; nothing if it defined none. */
function StatesSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(PERSONA)
  const states = usePersonQuery(person, ['states'], (scope, call) => scope.states({}, call))
  const categories = usePersonQuery(person, ['categories'], (scope, call) => scope.categories(call))
  const [keys, named] = [states.data ?? [], categories.data ?? []]
  return (
    <>
      {keys.length > 0 && (
        <Section title={labels.own}>
          <dl>
            {keys.map(({ key, description, value, unit }) => (
              <div key={key}>
                <dt title={description}>{key}</dt>
                <dd>
                  {value === null || value === undefined ? (
                    <span className="quiet">{labels.unknown}</span>
                  ) : (
                    <Link to={{ page: 'memories', person }} settings={{ key }}>
                      {shownValue(value, unit)}
                    </Link>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {named.length > 0 && (
        <Section title={labels.categories}>
          <ul>
            {named.map(({ name, description, facts }) => (
              <li key={name} title={description}>
                <Link to={{ page: 'memories', person }} settings={{ category: name }}>
                  {name}
                </Link>{' '}
                <span className="figures quiet">{facts}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function shownValue(value: unknown, unit: string | null): string {
  const entries = [value].flat().map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  return `${entries.join(', ')}${unit === null ? '' : ` ${unit}`}`
}
