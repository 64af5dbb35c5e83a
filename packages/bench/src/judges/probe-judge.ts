import { goldStatement } from './gold-statement.ts'
import type { Judge } from './judge.ts'
import type { ProbeCall, ProbeItem, ProbeKind } from './probe-items.ts'

/** How a judge did on one item. */
export interface ProbedItem {
  readonly id: string
  readonly call: ProbeCall
  readonly kind: ProbeKind
  /** Its verdict as text; of accuracy with whether it is a target: `2, target`. `null` when it gave none. */
  readonly verdict: string | null
  /** The reason of the verdict, or why there is none. */
  readonly reason: string
  /** Whether it took it for wholly right. `false` without a verdict. */
  readonly isAccepted: boolean
  /** Whether a fair judge takes it for wholly right. */
  readonly shouldAccept: boolean
  /** Whether the verdict is one that is fair. */
  readonly isFair: boolean
}

export interface ProbeCount {
  readonly items: number
  /** Taken for wholly right. */
  readonly accepted: number
  /** Wrongly taken for wholly right: of items that a fair judge does not accept. */
  readonly wronglyAccepted: number
  /** Wrongly not taken for wholly right. */
  readonly wronglyRefused: number
  /** With a fair verdict. */
  readonly fair: number
  /** Without a verdict. */
  readonly failed: number
}

export interface ProbeReport {
  readonly judge: string
  readonly kind: Judge['kind']
  readonly version: string
  readonly byKind: Readonly<Partial<Record<ProbeKind, ProbeCount>>>
  readonly byCall: Readonly<Partial<Record<ProbeCall, ProbeCount>>>
  readonly all: ProbeCount
  readonly items: readonly ProbedItem[]
}

/**
 * How often a judge accepts what is vague, wrong, partial, contradicting or an instruction to itself, and refuses what is right.
 * A call that throws is counted as failed, and never as a verdict.
 */
export async function probeJudge(judge: Judge, items: readonly ProbeItem[]): Promise<ProbeReport> {
  const probed: ProbedItem[] = []
  for (const item of items) probed.push(await probeItem(judge, item))
  const { name, kind, version } = judge
  return {
    judge: name,
    kind,
    version,
    byKind: countBy(probed, (item) => item.kind),
    byCall: countBy(probed, (item) => item.call),
    all: count(probed),
    items: probed,
  }
}

interface Probed {
  readonly verdict: string
  readonly reason: string
  readonly isAccepted: boolean
  readonly isFair: boolean
}

async function probeItem(judge: Judge, item: ProbeItem): Promise<ProbedItem> {
  const { id, call, kind } = item
  const shouldAccept = expectsAcceptance(item)
  try {
    return { id, call, kind, shouldAccept, ...(await ask(judge, item)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { id, call, kind, shouldAccept, verdict: null, reason, isAccepted: false, isFair: false }
  }
}

async function ask(judge: Judge, item: ProbeItem): Promise<Probed> {
  switch (item.call) {
    case 'answer': {
      const { verdict, reason } = await judge.answer(item.input)
      return told(verdict, reason, verdict === 'correct', item.expected.includes(verdict))
    }
    case 'integrity': {
      const { verdict, reason } = await judge.integrity({
        memories: item.input.memories,
        gold: goldStatement(item.input.gold),
      })
      return told(verdict, reason, verdict === 2, item.expected.includes(verdict))
    }
    case 'accuracy': {
      const { verdict, isTarget, reason } = await judge.accuracy(item.input)
      const shown = `${verdict}, ${isTarget ? 'target' : 'no target'}`
      return told(shown, reason, verdict === 2, item.expected.includes(verdict) && isTarget === item.isTarget)
    }
    case 'update': {
      const { verdict, reason } = await judge.update(item.input)
      return told(verdict, reason, verdict === 'correct', item.expected.includes(verdict))
    }
    case 'likeness': {
      const { verdict, reason } = await judge.likeness(item.input)
      return told(verdict, reason, verdict >= LIKE_ENOUGH, item.expected.includes(verdict))
    }
    case 'content': {
      const { verdict, reason } = await judge.sameContent(item.input)
      return told(verdict, reason, verdict, item.expected.includes(verdict))
    }
  }
}

/** The scores that are said of a whole likeness. */
const LIKE_ENOUGH = 4

function expectsAcceptance(item: ProbeItem): boolean {
  switch (item.call) {
    case 'answer':
    case 'update':
      return item.expected[0] === 'correct'
    case 'integrity':
    case 'accuracy':
      return item.expected[0] === 2
    case 'likeness':
      return Math.max(...item.expected) >= LIKE_ENOUGH
    case 'content':
      return item.expected[0] === true
  }
}

function told(
  verdict: string | number | boolean,
  reason: string,
  isAccepted: boolean,
  isFair: boolean,
): Probed {
  return { verdict: String(verdict), reason, isAccepted, isFair }
}

function countBy<Key extends string>(
  items: readonly ProbedItem[],
  keyOf: (item: ProbedItem) => Key,
): Partial<Record<Key, ProbeCount>> {
  const counts: Partial<Record<Key, ProbeCount>> = {}
  for (const [key, group] of Map.groupBy(items, keyOf)) counts[key] = count(group)
  return counts
}

function count(items: readonly ProbedItem[]): ProbeCount {
  const number = (test: (item: ProbedItem) => boolean): number => items.filter(test).length
  return {
    items: items.length,
    accepted: number(({ isAccepted }) => isAccepted),
    wronglyAccepted: number(({ isAccepted, shouldAccept }) => isAccepted && !shouldAccept),
    wronglyRefused: number(({ isAccepted, shouldAccept }) => !isAccepted && shouldAccept),
    fair: number(({ isFair }) => isFair),
    failed: number(({ verdict }) => verdict === null),
  }
}
