import type { Memory, MemoryForm } from '../memories/memory.ts'

/** Forms that are made of talk, and few beside it. */
export type MadeForm = Exclude<MemoryForm, 'fact' | 'note' | 'utterance'>

/** Where a memory is listed; `null` for what is looked up otherwise. */
export function placeOf({ scope, form, session }: Pick<Memory, 'scope' | 'form' | 'session'>): string | null {
  if (form === 'fact' || form === 'note') return null
  return form === 'utterance' ? `${scope}/utterance/${session}` : `${scope}/${form}`
}

/** Rows by where they are listed, in the order of becoming known. */
export class RowLists {
  readonly #rows = new Map<string, number[]>()

  add(row: number, place: string | null): void {
    if (place === null) return
    const known = this.#rows.get(place)
    if (known === undefined) this.#rows.set(place, [row])
    else known.push(row)
  }

  rowsAt(place: string): readonly number[] {
    return this.#rows.get(place) ?? []
  }
}
