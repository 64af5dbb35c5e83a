import type { Memory } from '@keepsake/client'
import { useState, type ReactNode } from 'react'
import type { Person } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { useChange } from '../../parts/use-action.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { useWords } from '../../words/language.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { isQuestioned } from './memory-facts.tsx'

interface MemoryActionsProps {
  readonly person: Person
  readonly memory: Memory
}

/** The actions on a memory by its status and the key's access. All can be undone. */
export function MemoryActions({ person, memory }: MemoryActionsProps): ReactNode {
  const { words } = useWords()
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const { change, isChanging } = useChange(person)
  const [isEditing, setEditing] = useState(false)
  if (!mayWrite || memory.status === 'erased') return null
  const { id, status, pinned } = memory
  const { actions, notices } = words.memories
  const bringBack = (): void =>
    status === 'quarantined'
      ? change({ make: () => scope.release(id), notice: notices.released })
      : change({ make: () => scope.restore(id), notice: notices.restored })
  if (status !== 'live')
    return (
      <div className="memory-actions">
        <Button tone="plain" disabled={isChanging} onClick={bringBack}>
          {status === 'quarantined' ? actions.release : actions.restore}
        </Button>
      </div>
    )
  return (
    <div className="memory-actions">
      {memory.form !== 'utterance' && (
        <Button tone="plain" onClick={() => setEditing(true)}>
          {actions.edit}
        </Button>
      )}
      {isQuestioned(memory) && (
        <Button
          tone="plain"
          disabled={isChanging}
          onClick={() =>
            change({ make: () => scope.edit(id, { text: memory.text }), notice: notices.confirmed })
          }
        >
          {actions.confirm}
        </Button>
      )}
      <Button
        tone="plain"
        disabled={isChanging}
        onClick={() =>
          pinned
            ? change({ make: () => scope.unpin(id), notice: notices.unpinned })
            : change({ make: () => scope.pin(id), notice: notices.pinned })
        }
      >
        {pinned ? actions.unpin : actions.pin}
      </Button>
      <Button
        tone="plain"
        disabled={isChanging}
        onClick={() => change({ make: () => scope.forget(id), notice: notices.removed })}
      >
        {actions.remove}
      </Button>
      {isEditing && <EditDialog person={person} memory={memory} onClose={() => setEditing(false)} />}
    </div>
  )
}
