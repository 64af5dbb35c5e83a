// Reads the turns that branches have not read yet, so that a deletion finds their statements.
import { isByModel } from '../extraction/extractor.ts'
import type { FactBranch, UtteranceBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { extractFacts } from './extract-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { readUnread, TO_THE_LAST } from './read-unread.ts'

type ReadingBranch = UtteranceBranch | FactBranch

/**
 * Reads all turns of the scopes by the branches that need no model. Facts are read by a model only if the preset keeps no
 * utterances, because no later extraction reads a turn whose utterance was deleted.
 */
export async function readPending(engine: Engine, resolved: ResolvedScope | null): Promise<void> {
  const branches = engine.preset.branches.filter(
    (branch): branch is ReadingBranch => branch.kind === 'utterances' || branch.kind === 'facts',
  )
  const withoutModel = branches.filter(
    (branch) => branch.kind === 'utterances' || !isByModel(branch.extractor),
  )
  for (const row of resolved?.rows ?? [])
    for (const branch of withoutModel.length > 0 ? withoutModel : branches)
      while (await readNext(engine, row, branch));
}

/** Reads the next turns of a branch, without waiting for a complete segment. @returns whether there were any */
async function readNext(engine: Engine, row: ScopeRow, branch: ReadingBranch): Promise<boolean> {
  const [next] = (await readUnread(engine, row, branch, { limit: 1 })).turns
  if (next === undefined) return false
  const reach = { ...TO_THE_LAST, endingSession: next.session }
  return branch.kind === 'facts'
    ? extractFacts(engine, row, branch, reach)
    : keepUtterances(engine, row, branch, reach)
}
