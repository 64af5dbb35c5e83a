import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ImportOptions, ImportPreview, KeepsakeClient, ScopeClient } from '@keepsake/client'
import type { Person } from '../../address/address.ts'
import { useFailureTexts } from '../../parts/states.tsx'
import { useScope, useSession } from '../../session/session.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import IMPORT from './import-words.json' with { type: 'json' }
import { fill } from '../../words/texts.ts'

/** The user's answers about a file, such as its format or speaker. */
export type ImportAnswers = Omit<ImportOptions, 'name' | 'timeZone' | 'keepOpen'>

/** The state of an import. */
export type ImportState =
  | { readonly step: 'idle' }
  | { readonly step: 'reading'; readonly name: string }
  | {
      readonly step: 'previewed'
      readonly file: File
      readonly preview: ImportPreview
      readonly answers: ImportAnswers
    }
  | { readonly step: 'going'; readonly recorded: number; readonly turns: number }
  | { readonly step: 'done'; readonly message: string; readonly isProblem: boolean }

/** The actions on a file. */
export interface ImportActions {
  /** Previews a file, with the user's answers to its questions. */
  readonly previewFile: (file: File, answers?: ImportAnswers) => Promise<void>
  readonly start: (file: File, preview: ImportPreview, answers: ImportAnswers) => Promise<void>
  /** Stops a running import, or closes the preview. */
  readonly cancel: () => void
}

const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Previews a file and imports it, until the import is done or stopped. */
export function useImport(person: Person): readonly [ImportState, ImportActions] {
  const { format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const { client } = useSession()
  const scope = useScope(person)
  const failed = useFailureTexts()
  const queries = useQueryClient()
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const currentImport = useRef<AbortController | null>(null)
  const attempt = async (work: (signal: AbortSignal) => Promise<ImportState>): Promise<void> => {
    const controller = new AbortController()
    currentImport.current = controller
    try {
      setState(await work(controller.signal))
    } catch (error) {
      if (controller.signal.aborted) return
      setState({ step: 'done', message: failed(error).detail, isProblem: true })
    }
  }
  const previewFile = (file: File, answers: ImportAnswers = {}): Promise<void> =>
    attempt(async (signal) => {
      setState({ step: 'reading', name: file.name })
      const asked = { name: file.name, timeZone: TIME_ZONE, ...answers, signal }
      return { step: 'previewed', file, preview: await scope.previewImport(file, asked), answers }
    })
  const start = async (file: File, preview: ImportPreview, answers: ImportAnswers): Promise<void> => {
    await attempt(async (signal) => {
      const sentence =
        preview.format === 'keepsake'
          ? fill(labels.importedPerson, { names: format.list(await restoreExport(client, file)) })
          : await record(scope, file, { answers, signal, show: setState }, (added, of) =>
              fill(labels.imported, { added: format.number(added), of: format.number(of) }),
            )
      return { step: 'done', message: sentence, isProblem: false }
    })
    void queries.invalidateQueries()
  }
  const cancel = (): void => {
    currentImport.current?.abort()
    const isGoing = state.step === 'going'
    const done = isGoing ? fill(labels.stopped, { done: format.number(state.recorded) }) : null
    setState(done === null ? { step: 'idle' } : { step: 'done', message: done, isProblem: false })
  }
  return [state, { previewFile, start, cancel }]
}

async function restoreExport(client: KeepsakeClient, file: File): Promise<string[]> {
  const scopes = await client.import(file)
  return [...new Set(scopes.map(({ user }) => user))]
}

interface Recording {
  readonly answers: ImportAnswers
  readonly signal: AbortSignal
  readonly show: (state: ImportState) => void
}

async function record(
  scope: ScopeClient,
  file: File,
  { answers, signal, show }: Recording,
  formatResult: (added: number, of: number) => string,
): Promise<string> {
  const events = scope.importFile(file, { name: file.name, timeZone: TIME_ZONE, ...answers, signal })
  show({ step: 'reading', name: file.name })
  for await (const { event, data } of events) {
    if (event === 'progress') show({ step: 'going', recorded: data.recorded, turns: data.turns })
    if (event === 'end') return formatResult(data.added, data.turns)
  }
  return ''
}
