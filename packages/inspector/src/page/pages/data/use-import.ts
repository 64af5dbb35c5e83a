import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ImportOptions, ImportPreview, KeepsakeClient, ScopeClient } from '@keepsake/client'
import type { Person } from '../../address/address.ts'
import { useFailureWords } from '../../parts/states.tsx'
import { useScope, useSession } from '../../session/session.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import IMPORT from './import-words.json' with { type: 'json' }
import { fill } from '../../words/texts.ts'

/** What was answered of a file, beside its name. */
export type Said = Omit<ImportOptions, 'name' | 'timeZone' | 'keepOpen'>

/** How an import stands. */
export type Importing =
  | { readonly step: 'idle' }
  | { readonly step: 'reading'; readonly name: string }
  | { readonly step: 'previewed'; readonly file: File; readonly preview: ImportPreview; readonly said: Said }
  | { readonly step: 'going'; readonly recorded: number; readonly turns: number }
  | { readonly step: 'done'; readonly message: string; readonly isProblem: boolean }

/** What can be done with a file. */
export interface ImportActions {
  /** Reads what a file holds; with what is said of it, where it asked. */
  readonly look: (file: File, said?: Said) => Promise<void>
  readonly start: (file: File, preview: ImportPreview, said: Said) => Promise<void>
  /** Stops what goes on, or lets go of the file. */
  readonly leave: () => void
}

const HERE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Brings a file in: looked at first, then imported, turn after turn, until it is done or stopped. */
export function useImport(person: Person): readonly [Importing, ImportActions] {
  const { format } = useWords()
  const labels = usePageWords(IMPORT)
  const { client } = useSession()
  const scope = useScope(person)
  const failed = useFailureWords()
  const queries = useQueryClient()
  const [state, setState] = useState<Importing>({ step: 'idle' })
  const going = useRef<AbortController | null>(null)
  const attempt = async (work: (signal: AbortSignal) => Promise<Importing>): Promise<void> => {
    const control = new AbortController()
    going.current = control
    try {
      setState(await work(control.signal))
    } catch (error) {
      if (control.signal.aborted) return
      setState({ step: 'done', message: failed(error).detail, isProblem: true })
    }
  }
  const look = (file: File, said: Said = {}): Promise<void> =>
    attempt(async (signal) => {
      setState({ step: 'reading', name: file.name })
      const asked = { name: file.name, timeZone: HERE, ...said, signal }
      return { step: 'previewed', file, preview: await scope.previewImport(file, asked), said }
    })
  const start = async (file: File, preview: ImportPreview, said: Said): Promise<void> => {
    await attempt(async (signal) => {
      const sentence =
        preview.format === 'keepsake'
          ? fill(labels.importedPerson, { names: format.list(await bringBack(client, file)) })
          : await record(scope, file, { said, signal, show: setState }, (added, of) =>
              fill(labels.imported, { added: format.number(added), of: format.number(of) }),
            )
      return { step: 'done', message: sentence, isProblem: false }
    })
    void queries.invalidateQueries()
  }
  const leave = (): void => {
    going.current?.abort()
    const isGoing = state.step === 'going'
    const done = isGoing ? fill(labels.stopped, { done: format.number(state.recorded) }) : null
    setState(done === null ? { step: 'idle' } : { step: 'done', message: done, isProblem: false })
  }
  return [state, { look, start, leave }]
}

async function bringBack(client: KeepsakeClient, file: File): Promise<string[]> {
  const scopes = await client.import(file)
  return [...new Set(scopes.map(({ user }) => user))]
}

interface Recording {
  readonly said: Said
  readonly signal: AbortSignal
  readonly show: (state: Importing) => void
}

async function record(
  scope: ScopeClient,
  file: File,
  { said, signal, show }: Recording,
  tell: (added: number, of: number) => string,
): Promise<string> {
  const events = scope.importFile(file, { name: file.name, timeZone: HERE, ...said, signal })
  show({ step: 'reading', name: file.name })
  for await (const { event, data } of events) {
    if (event === 'progress') show({ step: 'going', recorded: data.recorded, turns: data.turns })
    if (event === 'end') return tell(data.added, data.turns)
  }
  return ''
}
