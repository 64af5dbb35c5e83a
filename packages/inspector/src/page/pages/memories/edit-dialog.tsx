import type { Memory, MemoryEdit } from '@keepsake/client'
import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { readField } from '../../parts/read-field.ts'
import { useChange } from '../../parts/use-action.ts'
import { useScope } from '../../session/session.tsx'
import { useWords } from '../../words/language.tsx'
import { TYPES } from './filters.ts'
import type { MemoryProps } from './memory-facts.tsx'
import { fill } from '../../words/texts.ts'

interface EditDialogProps extends MemoryProps {
  readonly onClose: () => void
}

/** Corrects a memory. Its history keeps the earlier text. */
export function EditDialog({ person, memory: given, onClose }: EditDialogProps): ReactNode {
  // What the fields were filled with: the memory may change meanwhile.
  const [memory] = useState(given)
  const { words } = useWords()
  const scope = useScope(person)
  const { change } = useChange(person)
  const [isBlank, setBlank] = useState(false)
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const edit = readEdit(event.currentTarget, memory)
    setBlank(edit === null)
    if (edit === null) return
    if (Object.keys(edit).length > 0)
      change({ make: () => scope.edit(memory.id, edit), notice: words.memories.notices.edited })
    onClose()
  }
  return (
    <Dialog title={words.memories.edit.title} onClose={onClose}>
      <form onSubmit={save}>
        <p className="quiet small">{words.memories.edit.hint}</p>
        <div className="field">
          <label htmlFor="edit-text">{words.memories.edit.text}</label>
          <textarea
            className="input"
            id="edit-text"
            name="text"
            rows={5}
            defaultValue={memory.text}
            aria-invalid={isBlank}
            aria-describedby={isBlank ? 'edit-problem' : undefined}
          />
          {isBlank && (
            <p className="problem" id="edit-problem" role="alert">
              {words.memories.edit.blank}
            </p>
          )}
        </div>
        {memory.value !== null && (
          <div className="field">
            <label htmlFor="edit-value">
              {memory.key === null
                ? words.memories.edit.value
                : fill(words.memories.edit.valueOf, { key: memory.key })}
            </label>
            <input className="input" id="edit-value" name="value" defaultValue={memory.value} />
          </div>
        )}
        {memory.form === 'fact' && (
          <div className="field">
            <label htmlFor="edit-at">{words.memories.edit.at}</label>
            <input
              className="input"
              id="edit-at"
              name="at"
              type="date"
              max={dayOf(new Date().toISOString())}
              defaultValue={dayOf(memory.validFrom)}
              aria-describedby="edit-at-hint"
            />
            <p className="quiet small" id="edit-at-hint">
              {words.memories.edit.atHint}
            </p>
          </div>
        )}
        <div className="field">
          <label htmlFor="edit-type">{words.memories.type}</label>
          <select className="input" id="edit-type" name="type" defaultValue={memory.type}>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {words.words.types[one]}
              </option>
            ))}
          </select>
        </div>
        <div className="row">
          <Button tone="main" type="submit">
            {words.memories.edit.save}
          </Button>
          <Button onClick={onClose}>{words.states.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** A moment's day where the reader is, as a date field has it. */
function dayOf(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The changes; `null` where the text is blank. */
function readEdit(form: HTMLFormElement, memory: Memory): MemoryEdit | null {
  const text = readField(form, 'text')
  if (text === '') return null
  const value = readField(form, 'value')
  const type = TYPES.find((one) => one === readField(form, 'type'))
  const day = readField(form, 'at')
  const isMoved = day !== '' && day !== dayOf(memory.validFrom)
  // A new text without a date would count from now.
  const isDated = memory.form === 'fact' && (isMoved || text !== memory.text)
  return {
    ...(text === memory.text ? {} : { text }),
    ...(isDated ? { at: isMoved ? new Date(`${day}T00:00`).toISOString() : memory.validFrom } : {}),
    ...(memory.value === null || value === '' || value === memory.value ? {} : { value }),
    ...(type === undefined || type === memory.type ? {} : { type }),
  }
}
