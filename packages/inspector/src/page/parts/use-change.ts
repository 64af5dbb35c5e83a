import type { Operation } from '@keepsake/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { wholePersonKey } from '../session/queries.ts'
import { useScope } from '../session/session.tsx'
import type { Person } from '../address/address.ts'
import { useWords } from '../words/language.tsx'
import { useFailureWords } from './states.tsx'
import { useTell } from './told.tsx'

/** A change of a memory: what does it, and what the reader is told afterwards. */
export interface Change {
  readonly make: () => Promise<Operation>
  readonly told: string
}

/**
 * Changes something of a person's memory: tells what was done with a way to undo it, or why it was not done, and has the page ask
 * anew.
 *
 * @example
 * const { change, isChanging } = useChange(person)
 * change({ make: () => scope.pin(memory.id), told: words.memories.told.pinned })
 */
export function useChange(person: Person): {
  readonly change: (change: Change) => void
  readonly isChanging: boolean
} {
  const { words } = useWords()
  const queries = useQueryClient()
  const tell = useTell()
  const failed = useFailureWords()
  const scope = useScope(person)
  const renew = (): void => void queries.invalidateQueries({ queryKey: wholePersonKey(person) })
  const complain = (error: unknown): void => {
    const { title, told } = failed(error)
    tell({ text: `${title}: ${told}` })
  }
  const { mutate: undo } = useMutation({
    mutationFn: (operation: string) => scope.undo(operation),
    onSuccess: () => tell({ text: words.states.undone }),
    onError: complain,
    onSettled: renew,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ make }: Change) => make(),
    onSuccess: ({ id }, { told }) => tell({ text: told, undo: () => undo(id) }),
    onError: complain,
    onSettled: renew,
  })
  return { change: mutate, isChanging: isPending }
}
