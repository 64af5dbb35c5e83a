import type { Operation, ScopeClient } from '@keepsake/client'
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { wholePersonKey } from '../session/queries.ts'
import { useScope } from '../session/session.tsx'
import type { Person } from '../address/address.ts'
import { useTexts } from '../words/language.tsx'
import { storeOwnChange } from '../browser/settings.ts'
import { useNotify, type Notice } from './notices.tsx'
import { useFailureTexts } from './states.tsx'
import { fill } from '../words/texts.ts'

/** An action, and the notice of its success. */
interface Action<Input, Result> {
  readonly run: (scope: ScopeClient, input: Input) => Promise<Result>
  readonly done: (result: Result, input: Input) => Notice | string
  /** The queries to reload afterwards. Default: all of the user. */
  readonly reloadKey?: QueryKey
  /** Called at the end, after success and failure. */
  readonly onSettled?: () => void
}

/** Runs an action on a user's memory, shows its notice or failure, and reloads queries that may have changed. */
export function useAction<Result, Input = void>(
  person: Person,
  { run, done, reloadKey = wholePersonKey(person), onSettled }: Action<Input, Result>,
): { readonly act: (input: Input) => void; readonly isActing: boolean } {
  const scope = useScope(person)
  const queries = useQueryClient()
  const notify = useNotify()
  const failed = useFailureTexts()
  const { mutate, isPending } = useMutation({
    mutationFn: (input: Input) => run(scope, input),
    onSuccess: (result, input) => {
      const notice = done(result, input)
      notify(typeof notice === 'string' ? { text: notice } : notice)
    },
    onError: (error) => {
      const { title, detail } = failed(error)
      notify({ text: `${title}: ${detail}` })
    },
    onSettled: () => {
      onSettled?.()
      void queries.invalidateQueries({ queryKey: reloadKey })
    },
  })
  return { act: mutate, isActing: isPending }
}

/** A change of a memory, and its notice. */
export interface Change {
  readonly make: () => Promise<Operation>
  readonly notice: string
}

/** Changes a user's memory and offers to undo the change. */
export function useChange(person: Person): {
  readonly change: (change: Change) => void
  readonly isChanging: boolean
} {
  const { texts } = useTexts()
  const undo = useAction(person, {
    run: (scope, operation: string) => scope.undo(operation),
    done: ({ id }) => {
      storeOwnChange(id)
      return texts.states.undone
    },
  })
  const { act, isActing } = useAction(person, {
    run: (_, { make }: Change) => make(),
    done: ({ id }, { notice }) => {
      storeOwnChange(id)
      return { text: notice, undo: () => undo.act(id) }
    },
  })
  return { change: act, isChanging: isActing }
}

/** Number of memories restored at the same time. */
const CONCURRENCY = 8

/** Restores memories that were forgotten together, each in a separate operation. */
export function useRestore(person: Person): {
  readonly act: (memories: readonly string[]) => void
  readonly isActing: boolean
} {
  const { texts, counted } = useTexts()
  return useAction(person, {
    run: async (scope, memories: readonly string[]) => {
      const rest = [...memories]
      const work = async (): Promise<void> => {
        for (let id = rest.shift(); id !== undefined; id = rest.shift())
          storeOwnChange((await scope.restore(id)).id)
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, work))
      return memories.length
    },
    done: (count) =>
      fill(texts.memories.notices.restoredAll, {
        memories: counted('memories', count),
      }),
  })
}
