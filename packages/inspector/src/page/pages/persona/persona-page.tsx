import type { ReactNode } from 'react'
import type { PersonaSheet } from '@keepsake/client'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Asked, Empty } from '../../parts/states.tsx'
import { WaysIn } from '../../parts/ways-in.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { spanOf, type Span } from './span.ts'
import { PERSONA } from './words.ts'
import './persona.css'
import { usePersonQuery } from '../../session/person-queries.ts'

type Subject = PersonaSheet['subjects'][number]
type Entry = Subject['entries'][number]
type Value = Entry['values'][number]

/** The persona sheet by key, with earlier values on a time line. */
export default function PersonaPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const labels = usePageWords(PERSONA)
  const sheet = usePersonQuery(person, ['persona'], (scope, call) => scope.persona(call))
  return (
    <Page title={words.persona.title} lead={labels.lead}>
      <Asked query={sheet}>
        {({ subjects }) =>
          subjects.length === 0 ? (
            <Empty title={labels.empty}>
              <p>{labels.emptyHint}</p>
              <WaysIn person={person} />
            </Empty>
          ) : (
            subjects.map((subject) => (
              <SubjectSheet key={subject.subject} person={person} subject={subject} />
            ))
          )
        }
      </Asked>
    </Page>
  )
}

function SubjectSheet({
  person,
  subject,
}: {
  readonly person: Person
  readonly subject: Subject
}): ReactNode {
  const now = Date.now()
  const first = Math.min(
    ...subject.entries.flatMap(({ values }) => values.map(({ validFrom }) => Date.parse(validFrom))),
  )
  return (
    <section className="section sheet-subject">
      <h2>{subject.subject === 'user' ? person.user : subject.subject}</h2>
      <dl className="sheet">
        {subject.entries.map((entry) => (
          <SheetEntry key={entry.key.id} person={person} entry={entry} span={{ from: first, to: now }} />
        ))}
      </dl>
    </section>
  )
}

interface EntryProps {
  readonly person: Person
  readonly entry: Entry
  readonly span: Span
}

function SheetEntry({ person, entry: { key, values }, span }: EntryProps): ReactNode {
  const { language } = useWords()
  const labels = usePageWords(PERSONA)
  const name = key.names[language][0] ?? key.id
  const [merge = '', meaning = ''] = labels.merge[key.merge]
  return (
    <div>
      <dt>
        {name}
        <Chip title={meaning}>{merge}</Chip>
      </dt>
      <dd>
        <ul aria-label={labels.line(name)}>
          {values.map((value) => (
            <SheetValue
              key={`${value.memory} ${value.validFrom}`}
              person={person}
              value={value}
              span={span}
            />
          ))}
        </ul>
      </dd>
    </div>
  )
}

interface ValueProps {
  readonly person: Person
  readonly value: Value
  readonly span: Span
}

function SheetValue({ person, value, span }: ValueProps): ReactNode {
  const { words } = useWords()
  const labels = usePageWords(PERSONA)
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
          {words.words.labels[label]}
        </span>
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
