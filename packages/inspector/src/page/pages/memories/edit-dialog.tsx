import type { Memory, MemoryEdit } from '@keepsake/client'
import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { readField } from '../../parts/read-field.ts'
import { useChange } from '../../parts/use-action.ts'
import { useScope } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { TYPES } from './filters.ts'
import type { MemoryProps } from './memory-facts.tsx'
import { fill } from '../../words/texts.ts'

interface EditDialogProps extends MemoryProps {
  readonly onClose: () => void
}

/** Edits a memory. Its history contains the earlier text. */
export function EditDialog({ person, memory: initialMemory, onClose }: EditDialogProps): ReactNode {
  // Keeps the memory with which the fields were filled, because the property may change meanwhile.
  const [memory] = useState(initialMemory)
  const { texts } = useTexts()
  const scope = useScope(person)
  const { change } = useChange(person)
  const [isBlank, setBlank] = useState(false)
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const edit = readEdit(event.currentTarget, memory)
    setBlank(edit === null)
    if (edit === null) return
    if (Object.keys(edit).length > 0)
      change({ make: () => scope.edit(memory.id, edit), notice: texts.memories.notices.edited })
    onClose()
  }
  return (
    <Dialog title={texts.memories.edit.title} onClose={onClose}>
      <form onSubmit={save}>
        <p className="quiet small">{texts.memories.edit.hint}</p>
        <div className="field">
          <label htmlFor="edit-text">{texts.memories.edit.text}</label>
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
              {texts.memories.edit.blank}
            </p>
          )}
        </div>
        {memory.value !== null && (
          <div className="field">
            <label htmlFor="edit-value">
              {memory.key === null
                ? texts.memories.edit.value
                : fill(texts.memories.edit.valueOf, { key: memory.key })}
            </label>
            <input className="input" id="edit-value" name="value" defaultValue={memory.value} />
          </div>
        )}
        {memory.form === 'fact' && (
          <div className="field">
            <label htmlFor="edit-at">{texts.memories.edit.at}</label>
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
              {texts.memories.edit.atHint}
            </p>
          </div>
        )}
        <div className="field">
          <label htmlFor="edit-type">{texts.memories.type}</label>
          <select className="input" id="edit-type" name="type" defaultValue={memory.type}>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {texts.words.types[one]}
              </option>
            ))}
          </select>
        </div>
        <div className="row">
          <Button tone="main" type="submit">
            {texts.memories.edit.save}
          </Button>
          <Button onClick={onClose}>{texts.states.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Returns the day of a time in the reader's time zone, in the format of a date field. */
function dayOf(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** Reads the changed fields; `null` if the text is blank. */
function readEdit(form: HTMLFormElement, memory: Memory): MemoryEdit | null {
  const text = readField(form, 'text')
  if (text === '') return null
  const value = readField(form, 'value')
  const type = TYPES.find((one) => one === readField(form, 'type'))
  const day = readField(form, 'at')
  const isMoved = day !== '' && day !== dayOf(memory.validFrom)
  // Without a date, the server would let a new text hold from now on.
  const isDated = memory.form === 'fact' && (isMoved || text !== memory.text)
  return {
    ...(text === memory.text ? {} : { text }),
    ...(isDated ? { at: isMoved ? new Date(`${day}T00:00`).toISOString() : memory.validFrom } : {}),
    ...(memory.value === null || value === '' || value === memory.value ? {} : { value }),
    ...(type === undefined || type === memory.type ? {} : { type }),
  }
}
