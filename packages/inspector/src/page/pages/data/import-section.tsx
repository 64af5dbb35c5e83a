import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { useMay } from '../../session/session.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { Preview } from './import-preview.tsx'
import IMPORT from './import-words.json' with { type: 'json' }
import { useImport, type ImportState } from './use-import.ts'
import { fill } from '../../words/texts.ts'

/** Receives a file, and shows its contents before the import. */
export function ImportSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(IMPORT)
  const mayAdmin = useMay('admin')
  const [isOver, setOver] = useState(false)
  const [state, { previewFile, start, cancel }] = useImport(person)
  const isBusy = state.step === 'reading' || state.step === 'going'
  const readFiles = (files: FileList | null): void => {
    const file = files?.[0]
    if (file !== undefined && !isBusy) void previewFile(file)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    readFiles(event.dataTransfer.files)
  }
  const dragOver = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <Section className="section data-part" title={labels.title}>
      <div
        className="notice data-drop"
        data-over={isOver ? '' : undefined}
        onDragOver={dragOver}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {state.step === 'previewed' ? (
          <Preview
            preview={state.preview}
            answers={state.answers}
            mayAdmin={mayAdmin}
            previewFile={(answers) => void previewFile(state.file, answers)}
            start={() => void start(state.file, state.preview, state.answers)}
            cancel={cancel}
          />
        ) : (
          <p className="quiet">{labels.lead}</p>
        )}
        {state.step !== 'previewed' && !isBusy && <FileButton readFiles={readFiles} />}
        <ImportStatus state={state} />
        {isBusy && <Button onClick={cancel}>{labels.stop}</Button>}
      </div>
    </Section>
  )
}

function FileButton({ readFiles }: { readonly readFiles: (files: FileList | null) => void }): ReactNode {
  const labels = usePageTexts(IMPORT)
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        className="hidden"
        type="file"
        tabIndex={-1}
        aria-label={labels.title}
        onChange={(event) => {
          readFiles(event.target.files)
          event.target.value = ''
        }}
      />
      <Button onClick={() => field.current?.click()}>{labels.choose}</Button>
    </>
  )
}

/** Shows the state of the import in a sentence, with a progress bar while it runs. */
function ImportStatus({ state }: { readonly state: ImportState }): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const describe = (): string => {
    if (state.step === 'reading') return fill(labels.reading, { name: state.name })
    if (state.step === 'done') return state.message
    if (state.step !== 'going') return ''
    return fill(labels.going, { done: format.number(state.recorded), of: format.number(state.turns) })
  }
  return (
    <>
      {state.step === 'going' && (
        <progress className="import-bar" aria-label={labels.title} value={state.recorded} max={state.turns} />
      )}
      <p role="status" className={state.step === 'done' && state.isProblem ? 'problem' : 'figures'}>
        {describe()}
      </p>
    </>
  )
}
