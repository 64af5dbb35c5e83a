import type { Memory } from 'keepsake'
import type { Extractor, ProposedOperation, Segment } from 'keepsake/preset'
import type { GoldOperation } from '../datasets/conversation.ts'
import type { SystemOperation } from '../systems/memory-system.ts'

/** The memories that an updater was shown in a round, and the operations that it proposed. */
export interface WatchedUpdate {
  readonly shown: readonly Memory[]
  readonly proposed: readonly SystemOperation[]
}

export interface WatchedUpdater {
  readonly extractor: Extractor
  /** Returns and clears the last update. */
  take(): WatchedUpdate | null
}

/** Wraps an updater and records its input and proposals. A gold operation replaces proposals, so that the next list is right. */
export function watchUpdater(
  updater: Extractor,
  goldOf: ((turn: string) => GoldOperation | undefined) | null,
): WatchedUpdater {
  let last: WatchedUpdate | null = null
  return {
    extractor: {
      ...updater,
      extract: async (segment, options) => {
        const shown = options?.related ?? []
        const extraction = await updater.extract(segment, options)
        const proposed = extraction.operations ?? []
        const before = last
        const made = proposed.flatMap((one) => asSystemOperation(one, shown))
        last = {
          shown: [...(before?.shown ?? []), ...shown],
          proposed: [...(before?.proposed ?? []), ...made],
        }
        if (goldOf === null) return extraction
        return { candidates: [], requests: [], operations: goldIn(segment, goldOf, shown) }
      },
    },
    take() {
      const taken = last
      last = null
      return taken
    },
  }
}

/** Converts a proposal to the harness's form. A proposal about a memory that was not shown changes nothing. */
function asSystemOperation(proposed: ProposedOperation, shown: readonly Memory[]): SystemOperation[] {
  if (proposed.kind === 'add')
    return [{ kind: 'add', memory: '', before: null, after: proposed.candidate.text }]
  const target = shown[proposed.index - 1]
  if (target === undefined) return []
  const { id: memory, text: before } = target
  return proposed.kind === 'delete'
    ? [{ kind: 'delete', memory, before, after: null }]
    : [{ kind: 'modify', memory, before, after: proposed.candidate.text }]
}

/** The expected operations of a segment. A change of a memory that was not shown is left out, because it has no number. */
function goldIn(
  { turns }: Segment,
  goldOf: (turn: string) => GoldOperation | undefined,
  shown: readonly Memory[],
): ProposedOperation[] {
  return turns.flatMap(({ id: turn, at }): ProposedOperation[] => {
    const gold = goldOf(turn)
    if (gold === undefined || gold.kind === 'none') return []
    const index = shown.findIndex(({ text }) => text === gold.target) + 1
    const evidence = [{ turn, quote: null }]
    if (gold.kind === 'delete')
      return index === 0 ? [] : [{ kind: 'delete', index, why: 'no-longer-so', at, evidence }]
    const candidate = statement(gold.text ?? '', at, evidence)
    if (gold.kind === 'add') return [{ kind: 'add', candidate }]
    return index === 0 ? [] : [{ kind: 'modify', index, candidate }]
  })
}

type Candidate = Extract<ProposedOperation, { kind: 'add' }>['candidate']

function statement(text: string, validFrom: number, evidence: Candidate['evidence']): Candidate {
  return {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text,
    key: null,
    value: null,
    level: 0,
    evidence,
    validFrom,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
}
