import type { Memory } from 'keepsake'
import type { Extractor, ProposedOperation, Segment } from 'keepsake/preset'
import type { GoldOperation } from '../datasets/conversation.ts'
import type { SystemOperation } from '../systems/memory-system.ts'

/** A round's shown memories and proposed operations. */
export interface WatchedUpdate {
  readonly shown: readonly Memory[]
  readonly proposed: readonly SystemOperation[]
}

export interface WatchedUpdater {
  readonly extractor: Extractor
  /** Returns and clears the last update. */
  take(): WatchedUpdate | null
}

/**
 * Watches an updater's input and proposals.
 *
 * @param goldOf the expected operations of each round, by the user's turn. They replace the proposals, so that the next shown list is right
 * (MMM's M_{t−1})
 */
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

/** A proposal in the harness's form. A number of no shown memory touches nothing. */
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

/** The expected operations of a segment, as far as shown numbers can express them. */
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
