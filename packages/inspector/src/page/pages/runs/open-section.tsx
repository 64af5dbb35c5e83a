import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { usePageWords } from '../../words/language.tsx'
import { chosenFiles, droppedFiles, type GivenFile } from './given-files.ts'
import { openRuns, type Refusal } from './opened-runs.ts'
import { RUNS } from './words.ts'

/** Where reports are dropped or chosen. */
export function OpenSection(): ReactNode {
  const told = usePageWords(RUNS)
  const [isOver, setOver] = useState(false)
  const { isReading, refusals, open } = useOpening()
  const over = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    open(droppedFiles(event.dataTransfer))
  }
  return (
    <section
      className="notice runs-drop"
      aria-label={told.open}
      data-over={isOver ? '' : undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="quiet">{told.openTold}</p>
      <div className="row">
        <Picker told={told.chooseFiles} isOff={isReading} open={open} />
        <Picker told={told.chooseFolder} isOff={isReading} open={open} isFolder />
      </div>
      <div role="status">
        {isReading && <p className="quiet">{told.reading}</p>}
        {refusals.map(({ file, why }, at) => (
          <p className="problem" key={`${at} ${file}`}>
            {told.refused[why](file)}
          </p>
        ))}
      </div>
    </section>
  )
}

interface PickerProps {
  readonly told: string
  readonly isOff: boolean
  readonly open: (files: Promise<readonly GivenFile[]>) => void
  readonly isFolder?: boolean
}

function Picker({ told, isOff, open, isFolder = false }: PickerProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={(input) => {
          field.current = input
          if (input !== null) input.webkitdirectory = isFolder
        }}
        className="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={told}
        accept={isFolder ? undefined : '.json,.jsonl'}
        onChange={({ target }) => {
          open(Promise.resolve(chosenFiles(target.files ?? [])))
          target.value = ''
        }}
      />
      <Button onClick={() => field.current?.click()} disabled={isOff}>
        {told}
      </Button>
    </>
  )
}

function useOpening(): {
  readonly isReading: boolean
  readonly refusals: readonly Refusal[]
  readonly open: PickerProps['open']
} {
  const [isReading, setReading] = useState(false)
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const read = async (files: Promise<readonly GivenFile[]>): Promise<void> => {
    setReading(true)
    try {
      setRefusals(await openRuns(await files))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      // A folder that went away between the drop and the reading.
      setRefusals([{ file: error.message, why: 'unreadable' }])
    } finally {
      setReading(false)
    }
  }
  return { isReading, refusals, open: (files) => void read(files) }
}
