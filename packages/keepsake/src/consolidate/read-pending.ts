// Reads the unread turns before “forget about X”. Statements that are not stored yet would else survive the deletion.
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
 * Reads the unread turns of the scopes by every branch without a model. If all branches need a model, the model reads them.
 * Else facts by a model can wait: a later extraction skips the turns whose utterance is deleted.
 */
export async function readPending(engine: Engine, resolved: ResolvedScope | null): Promise<void> {
  const branches = engine.preset.branches.filter(
    (branch): branch is ReadingBranch => branch.kind === 'utterances' || branch.kind === 'facts',
  )
  const withoutModel = branches.filter(
    (branch) => branch.kind === 'utterances' || !isByModel(branch.extractor),
  )
  const branchesToRead = withoutModel.length > 0 ? withoutModel : branches
  for (const row of resolved?.rows ?? [])
    for (const branch of branchesToRead) {
      let mayHaveMore = true
      while (mayHaveMore) mayHaveMore = await readNext(engine, row, branch)
    }
}

/** Reads the next unread turns of a branch. A session that is still open is read as if it ended. @returns whether there were any */
async function readNext(engine: Engine, row: ScopeRow, branch: ReadingBranch): Promise<boolean> {
  const [next] = (await readUnread(engine, row, branch, { limit: 1 })).turns
  if (next === undefined) return false
  // The end of the session is set, because a branch else waits for a complete segment.
  const reach = { ...TO_THE_LAST, endingSession: next.session }
  return branch.kind === 'facts'
    ? extractFacts(engine, row, branch, reach)
    : keepUtterances(engine, row, branch, reach)
}
