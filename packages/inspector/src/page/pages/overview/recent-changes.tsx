import type { PastOperation, ScopeClient } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Asked } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { STATUSES } from '../memories/filters.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const SHOWN = 8
/** Reads more than are shown, since added utterances are skipped. */
const ASKED = 60
const KINDS: PastOperation['kind'][] = ['add', 'modify', 'delete', 'forget', 'restore', 'erase']

/** Shows the latest changes of memories, newest first. */
export function RecentChanges({ person }: PersonProps): ReactNode {
  const { words } = useWords()
  const log = usePersonQuery(person, ['recent-changes'], loadChanges)
  return (
    <Section className="stack" title={words.overview.recentChanges}>
      <Asked query={log}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="quiet">{words.overview.noChanges}</p>
          ) : (
            <ol className="recent-changes">
              {changes.map(({ operation, text }) => (
                <li key={operation.id}>
                  <Happened person={person} operation={operation} text={text} />
                </li>
              ))}
            </ol>
          )
        }
      </Asked>
    </Section>
  )
}

/** An operation and the text of its memory; `null` when erased. */
interface Change {
  readonly operation: PastOperation
  readonly text: string | null
}

/** Reads the latest operations; where one changed no text, reads the text of its memory. */
async function loadChanges(scope: ScopeClient, call: { signal: AbortSignal }): Promise<readonly Change[]> {
  const { items } = await scope.operationPage({ kinds: KINDS, newestFirst: true, limit: ASKED }, call)
  const operations = items.filter(isShown).slice(0, SHOWN)
  const ids = [...new Set(operations.flatMap((one) => (textOf(one) === null ? (one.memory ?? []) : [])))]
  const found = ids.length === 0 ? [] : (await scope.memoryPage({ ids, statuses: [...STATUSES] }, call)).items
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  return operations.map((operation) => ({
    operation,
    text: textOf(operation) ?? texts.get(operation.memory ?? '') ?? null,
  }))
}

function textOf({ payload }: PastOperation): string | null {
  return payload?.after.text ?? payload?.before?.text ?? null
}

/** Skips added utterances, which only repeat the conversation. */
function isShown({ kind, payload }: PastOperation): boolean {
  return !(kind === 'add' && payload?.after.form === 'utterance')
}

interface HappenedProps extends PersonProps {
  readonly operation: PastOperation
  readonly text: string | null
}

function Happened({ person, operation, text }: HappenedProps): ReactNode {
  const { words } = useWords()
  const { kind, memory, at, undoes } = operation
  const says = text === null || text === '' ? words.overview.one : text
  const done = words.words.kinds[kind]
  return (
    <>
      <span className="small quiet">
        {undoes === null ? done : fill(words.why.undo, { kind: done })} · <Moment at={at} />
      </span>
      {memory === null ? (
        <span className="said">{says}</span>
      ) : (
        <Link className="memory-link said" to={{ page: 'why', person, memory }}>
          {says}
        </Link>
      )}
    </>
  )
}
