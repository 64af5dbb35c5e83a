import type { LeftOut } from '../models/left-out.ts'
import { eventScope } from '../scopes/scope.ts'
import type { ScopeView } from './scope-view.ts'

/** Reports to listeners what a step left out of a question, with the name of the prompt or step. */
export function tellingLeftOut(
  { engine, row }: Pick<ScopeView, 'engine' | 'row'>,
  { id, prompt }: { readonly id: string; readonly prompt?: string | null },
): (leftOut: LeftOut) => void {
  return (leftOut) => {
    engine.events.emit('input-left-out', { scope: eventScope(row), prompt: prompt ?? id, ...leftOut })
  }
}
