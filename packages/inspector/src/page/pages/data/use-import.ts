import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Person } from '../../address/address.ts'
import { useFailureWords } from '../../parts/states.tsx'
import { useMay, useScope, useSession } from '../../session/session.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { readTurns } from './read-turns.ts'
import { DATA } from './words.ts'

/** Turns sent in one request. */
const BATCH = 200

/** How an import stands. */
export interface Importing {
  readonly isGoing: boolean
  /** What is told of it; `null` before the first. */
  readonly told: string | null
  readonly isProblem: boolean
}

/** Reads a file in, an export as a person and turns into the person of this page. */
export function useImport(person: Person): readonly [Importing, (file: File) => Promise<void>] {
  const { format } = useWords()
  const told = usePageWords(DATA)
  const { client } = useSession()
  const scope = useScope(person)
  const mayAdmin = useMay('admin')
  const failed = useFailureWords()
  const queries = useQueryClient()
  const [state, setState] = useState<Importing>({ isGoing: false, told: null, isProblem: false })
  const read = async (file: File): Promise<string> => {
    const dropped = readTurns(await file.text())
    if (dropped.kind === 'unknown') throw new RangeError(told.importUnknown)
    if (dropped.kind === 'export') {
      if (!mayAdmin) throw new RangeError(told.importNeedsAdmin)
      const scopes = await client.import(file)
      return told.importedPerson(format.list([...new Set(scopes.map(({ user }) => user))]))
    }
    const { turns } = dropped
    let added = 0
    for (let from = 0; from < turns.length; from += BATCH) {
      const going = told.importGoing(format.number(from), format.number(turns.length))
      setState({ isGoing: true, told: going, isProblem: false })
      added += (await scope.remember(turns.slice(from, from + BATCH))).added
    }
    return told.importedTurns(format.number(added), format.number(turns.length))
  }
  const start = async (file: File): Promise<void> => {
    setState({ isGoing: true, told: null, isProblem: false })
    try {
      setState({ isGoing: false, told: await read(file), isProblem: false })
    } catch (error) {
      const said = error instanceof RangeError ? error.message : failed(error).told
      setState({ isGoing: false, told: said, isProblem: true })
    }
    void queries.invalidateQueries()
  }
  return [state, start]
}
