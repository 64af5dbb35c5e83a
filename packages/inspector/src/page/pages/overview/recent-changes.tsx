import type { PastOperation, ScopeClient } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import { useTexts } from '../../words/language.tsx'
import { STATUSES } from '../memories/filters.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

const MAX_SHOWN = 8
/** Number of operations to read. Added messages are not shown, so it is larger than the number shown. */
const READ_LIMIT = 60
const KINDS: PastOperation['kind'][] = ['add', 'modify', 'delete', 'forget', 'restore', 'erase']

/** Shows the latest changes of memories, newest first. */
export function RecentChanges({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const log = usePersonQuery(person, ['recent-changes'], loadChanges)
  return (
    <Section className="stack" title={texts.overview.recentChanges}>
      <QueryResult query={log}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="quiet">{texts.overview.noChanges}</p>
          ) : (
            <ol className="recent-changes">
              {changes.map(({ operation, text }) => (
                <li key={operation.id}>
                  <RecentChange person={person} operation={operation} text={text} />
                </li>
              ))}
            </ol>
          )
        }
      </QueryResult>
    </Section>
  )
}

/** An operation, with the text of its memory; `null` after an erasure. */
interface Change {
  readonly operation: PastOperation
  readonly text: string | null
}

/** Reads the latest operations, and the texts of memories whose operation changed no text. */
async function loadChanges(scope: ScopeClient, call: { signal: AbortSignal }): Promise<readonly Change[]> {
  const { items } = await scope.operationPage({ kinds: KINDS, newestFirst: true, limit: READ_LIMIT }, call)
  const operations = items.filter(isShown).slice(0, MAX_SHOWN)
  const ids = [...new Set(operations.flatMap((one) => (textOf(one) === null ? (one.memory ?? []) : [])))]
  const memories =
    ids.length === 0 ? [] : (await scope.memoryPage({ ids, statuses: [...STATUSES] }, call)).items
  const texts = new Map(memories.map(({ id, text }) => [id, text]))
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

interface RecentChangeProps extends PersonProps {
  readonly operation: PastOperation
  readonly text: string | null
}

function RecentChange({ person, operation, text }: RecentChangeProps): ReactNode {
  const { texts } = useTexts()
  const { kind, memory, at, undoes } = operation
  const shownText = text === null || text === '' ? texts.overview.one : text
  const kindText = texts.words.kinds[kind]
  return (
    <>
      <span className="small quiet">
        {undoes === null ? kindText : fill(texts.why.undo, { kind: kindText })} · <Moment at={at} />
      </span>
      {memory === null ? (
        <span className="said">{shownText}</span>
      ) : (
        <Link className="memory-link said" to={{ page: 'why', person, memory }}>
          {shownText}
        </Link>
      )}
    </>
  )
}
