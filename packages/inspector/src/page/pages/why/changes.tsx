import type { Memory, PastOperation } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Difference } from '../../parts/difference.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Asked } from '../../parts/states.tsx'
import { useChange } from '../../parts/use-action.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { isOwnChange } from '../../browser/settings.ts'
import type { Words } from '../../words/texts.ts'
import { useWords } from '../../words/language.tsx'
import { changedFields, type ChangedField } from './changed-fields.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

/** A memory's operations except recalls, newest first, each with its changes and an undo. */
export function Changes({ person, memory }: PersonProps & { readonly memory: Memory }): ReactNode {
  const { words } = useWords()
  const history = usePersonQuery(person, ['history', memory.id], (scope, call) =>
    scope.history(memory.id, call),
  )
  return (
    <Section title={words.why.changes}>
      <Asked query={history} lines={3}>
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
      </Asked>
    </Section>
  )
}

interface ChangeProps extends PersonProps {
  readonly operation: PastOperation
  readonly isUndone: boolean
}

function Change({ person, operation, isUndone }: ChangeProps): ReactNode {
  const { words } = useWords()
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
            ? words.words.kinds[kind]
            : fill(words.why.undo, { kind: words.words.kinds[kind] })}
        </h3>
        <span className="small quiet">
          <Moment at={at} as="moment" />
        </span>
        <span className="small quiet" title={steps.join(' · ')}>
          {nameActor(operation, words.why.by)}
        </span>
        {isUndone && <span className="chip">{words.why.isUndone}</span>}
        {isUndoable && (
          <Button
            tone="plain"
            disabled={isChanging}
            onClick={() => change({ make: () => scope.undo(id), notice: words.states.undone })}
          >
            {words.states.undo}
          </Button>
        )}
      </div>
      {payload === null ? (
        <p className="small quiet">{words.why.noPayload}</p>
      ) : (
        <Fields fields={changedFields(payload)} isMade={payload.before === null} />
      )}
    </article>
  )
}

/** Who made a change: a reader of this browser, an application, a model, rules or a policy. */
function nameActor({ id, origin: { step, model } }: PastOperation, by: Words['why']['by']): string {
  if (step === 'api') return isOwnChange(id) ? by.you : by.application
  if (model !== null) return model
  return step.startsWith('policy:') ? fill(by.policy, { policy: step.slice('policy:'.length) }) : by.rules
}

interface FieldsProps {
  readonly fields: readonly ChangedField[]
  /** For a new memory, nothing is highlighted: everything is new. */
  readonly isMade: boolean
}

function Fields({ fields, isMade }: FieldsProps): ReactNode {
  const { words } = useWords()
  const say = useFieldWords()
  const names: Readonly<Record<string, string>> = words.why.fields
  return (
    <dl className="fields">
      {fields.map(({ name, before, after }) => {
        const is = say(name, after)
        const was = say(name, before)
        return (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              {isMade && <span className="said">{is}</span>}
              {!isMade && was === null && <ins className="said">{is}</ins>}
              {!isMade && was !== null && is === null && <del className="said">{was}</del>}
              {!isMade && was !== null && is !== null && (
                <Difference before={was} after={is} className="said" />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Formats a field's value in the reader's language, where it is a moment or an enumeration. */
function useFieldWords(): (name: string, value: string | null) => string | null {
  const { words, format } = useWords()
  const { labels, types, statuses } = words.words
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    label: labels,
    type: types,
    status: statuses,
  }
  return (name, value) => {
    if (value === null) return null
    if (name === 'validFrom' || name === 'validUntil') return format.moment(value)
    return known[name]?.[value] ?? value
  }
}
