import type { Memory, PastOperation } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Difference } from '../../parts/difference.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import { useChange } from '../../parts/use-action.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { isOwnChange } from '../../browser/settings.ts'
import { type ShellTexts, fill } from '../../words/texts.ts'
import { useTexts } from '../../words/language.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'

/** A memory's operations except recalls, newest first, each with its changes and an undo. */
export function Changes({ person, memory }: PersonProps & { readonly memory: Memory }): ReactNode {
  const { texts } = useTexts()
  const history = usePersonQuery(person, ['history', memory.id], (scope, call) =>
    scope.history(memory.id, call),
  )
  return (
    <Section title={texts.why.changes}>
      <QueryResult query={history} lines={3}>
        {(operations) => {
          const undone = new Set(operations.flatMap(({ undoes }) => undoes ?? []))
          const changes = operations.filter(({ kind }) => kind !== 'reinforce').toReversed()
          return (
            <ol className="changes">
              {changes.map((operation) => (
                <li key={operation.id}>
                  <Change person={person} operation={operation} isUndone={undone.has(operation.id)} />
                </li>
              ))}
            </ol>
          )
        }}
      </QueryResult>
    </Section>
  )
}

interface ChangeProps extends PersonProps {
  readonly operation: PastOperation
  readonly isUndone: boolean
}

function Change({ person, operation, isUndone }: ChangeProps): ReactNode {
  const { texts } = useTexts()
  const { id, kind, at, origin, undoes, payload } = operation
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const { change, isChanging } = useChange(person)
  const isUndoable = mayWrite && !isUndone && undoes === null && kind !== 'erase' && payload !== null
  const steps = [origin.step, origin.model ?? '', origin.promptVersion ?? ''].filter((one) => one !== '')
  return (
    <article className="change">
      <div className="row">
        <h3>
          {undoes === null
            ? texts.words.kinds[kind]
            : fill(texts.why.undo, { kind: texts.words.kinds[kind] })}
        </h3>
        <span className="small quiet">
          <Moment at={at} as="moment" />
        </span>
        <span className="small quiet" title={steps.join(' · ')}>
          {nameActor(operation, texts.why.by)}
        </span>
        {isUndone && <span className="chip">{texts.why.isUndone}</span>}
        {isUndoable && (
          <Button
            tone="plain"
            disabled={isChanging}
            onClick={() => change({ make: () => scope.undo(id), notice: texts.states.undone })}
          >
            {texts.states.undo}
          </Button>
        )}
      </div>
      {payload === null ? (
        <p className="small quiet">{texts.why.noPayload}</p>
      ) : (
        <Fields fields={changedFields(payload)} isMade={payload.before === null} />
      )}
    </article>
  )
}

/** Names the author of a change: a reader of this browser, an application, a model, rules or a policy. */
function nameActor({ id, origin: { step, model } }: PastOperation, by: ShellTexts['why']['by']): string {
  if (step === 'api') return isOwnChange(id) ? by.you : by.application
  if (model !== null) return model
  return step.startsWith('policy:') ? fill(by.policy, { policy: step.slice('policy:'.length) }) : by.rules
}

interface FieldsProps {
  readonly fields: readonly ChangedField[]
  /** Whether the memory is new. Then no change is highlighted. */
  readonly isMade: boolean
}

function Fields({ fields, isMade }: FieldsProps): ReactNode {
  const { texts } = useTexts()
  const formatField = useFieldFormat()
  const names: Readonly<Record<string, string>> = texts.why.fields
  return (
    <dl className="fields">
      {fields.map(({ name, before, after }) => {
        const newText = formatField(name, after)
        const oldText = formatField(name, before)
        return (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              {isMade && <span className="said">{newText}</span>}
              {!isMade && oldText === null && <ins className="said">{newText}</ins>}
              {!isMade && oldText !== null && newText === null && <del className="said">{oldText}</del>}
              {!isMade && oldText !== null && newText !== null && (
                <Difference before={oldText} after={newText} className="said" />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Returns a function that formats a field's value in the reader's language, if it is a time or an enumeration. */
function useFieldFormat(): (name: string, value: string | null) => string | null {
  const { texts, format } = useTexts()
  const { labels, types, statuses } = texts.words
  const enumTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    label: labels,
    type: types,
    status: statuses,
  }
  return (name, value) => {
    if (value === null) return null
    if (name === 'validFrom' || name === 'validUntil') return format.moment(value)
    return enumTexts[name]?.[value] ?? value
  }
}

type Payload = NonNullable<PastOperation['payload']>

/** A field that an operation set, as text. `null` means that the memory had no value before or has none now. */
interface ChangedField {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** The fields that are shown, in order. Internal measures of the engine are not shown. */
const SHOWN_FIELDS = [
  'text',
  'value',
  'key',
  'type',
  'subject',
  'label',
  'status',
  'reason',
  'pinned',
  'validFrom',
  'validUntil',
  'evidence',
  'metadata',
  'name',
  'limit',
] as const

/** An operation's changes by field; for a new memory, its initial fields. */
function changedFields({ before, after }: Payload): readonly ChangedField[] {
  return SHOWN_FIELDS.flatMap((name): ChangedField[] => {
    if (!(name in after)) return []
    const was = before === null ? null : readable(before[name])
    const is = readable(after[name])
    return was === is ? [] : [{ name, before: was, after: is }]
  })
}

function readable(value: unknown): string | null {
  if (value === null || value === undefined || value === false) return null
  if (value === true) return '✓'
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(readableItem).join('\n')
  return JSON.stringify(value)
}

/** Returns the quotes of the evidence, or the turn's id for evidence without a quote. */
function readableItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const { quote, turn } = item as { readonly quote?: unknown; readonly turn?: unknown }
  if (typeof quote === 'string') return `“${quote}”`
  return typeof turn === 'string' ? turn : JSON.stringify(item)
}
