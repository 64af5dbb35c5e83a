import { useState, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { useChange, type Change } from '../../parts/use-action.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { isQuestioned, type MemoryProps } from './memory-facts.tsx'

/** The actions on a memory by its status and the key's access. All can be undone. */
export function MemoryActions({ person, memory }: MemoryProps): ReactNode {
  const { texts } = useTexts()
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const { change, isChanging } = useChange(person)
  const [isEditing, setEditing] = useState(false)
  if (!mayWrite || memory.status === 'erased') return null
  const { id, status, pinned } = memory
  const { actions, notices } = texts.memories
  const changeButton = (label: string, make: Change['make'], notice: string): ReactNode => (
    <Button tone="plain" disabled={isChanging} onClick={() => change({ make, notice })}>
      {label}
    </Button>
  )
  if (status !== 'live')
    return (
      <div className="memory-actions">
        {status === 'quarantined'
          ? changeButton(actions.release, () => scope.release(id), notices.released)
          : changeButton(actions.restore, () => scope.restore(id), notices.restored)}
      </div>
    )
  return (
    <div className="memory-actions">
      {memory.form !== 'utterance' && (
        <Button tone="plain" onClick={() => setEditing(true)}>
          {actions.edit}
        </Button>
      )}
      {isQuestioned(memory) &&
        changeButton(actions.confirm, () => scope.edit(id, { text: memory.text }), notices.confirmed)}
      {pinned
        ? changeButton(actions.unpin, () => scope.unpin(id), notices.unpinned)
        : changeButton(actions.pin, () => scope.pin(id), notices.pinned)}
      {changeButton(actions.remove, () => scope.forget(id), notices.removed)}
      {isEditing && <EditDialog person={person} memory={memory} onClose={() => setEditing(false)} />}
    </div>
  )
}
