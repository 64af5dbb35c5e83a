import type { Judge, Verdict } from '../judges/judge.ts'
import type { ProbeCall, ProbeItem, ProbeKind } from './probe-items.ts'

/** An item with the verdict of the probed judge. */
interface ProbedItem {
  readonly id: string
  readonly call: ProbeCall
  readonly kind: ProbeKind
  /** The verdict as text. For accuracy it also says whether the memory is a target: `2, target`. `null`: there is no verdict. */
  readonly verdict: string | null
  /** The reason of the verdict, or why there is none. */
  readonly reason: string
  /** Whether the judge accepted the item as completely right. */
  readonly isAccepted: boolean
  /** Whether a fair judge accepts the item as completely right. */
  readonly shouldAccept: boolean
  /** Whether the verdict is one of a fair judge. */
  readonly isFair: boolean
}

interface ProbeCount {
  readonly items: number
  /** Items accepted as completely right. */
  readonly accepted: number
  /** Accepted items that a fair judge rejects. */
  readonly wronglyAccepted: number
  /** Rejected items that a fair judge accepts. */
  readonly wronglyRefused: number
  /** Items with a fair verdict. */
  readonly fair: number
  /** Items without a verdict. */
  readonly failed: number
}

/** How often a judge was right on items with known verdicts. */
export interface ProbeReport {
  readonly judge: string
  readonly kind: Judge['kind']
  readonly version: string
  readonly byKind: Readonly<Partial<Record<ProbeKind, ProbeCount>>>
  readonly byCall: Readonly<Partial<Record<ProbeCall, ProbeCount>>>
  readonly all: ProbeCount
  readonly items: readonly ProbedItem[]
}

/** Measures how often a judge accepts what it should reject, and rejects what it should accept. A call that throws has failed. */
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

async function probeItem(judge: Judge, item: ProbeItem): Promise<ProbedItem> {
  const { id, call, kind, expected } = item
  const accepts = (verdict: Verdicts): boolean => ACCEPTS[call](verdict)
  // Scores next to each other are equally fair. For other calls the first verdict is the fairest.
  const shouldAccept =
    call === 'likeness' || call === 'reply' ? expected.some(accepts) : accepts(expected[0] ?? false)
  const about = { id, call, kind, shouldAccept }
  try {
    const { verdict, isTarget, reason } = await ask(judge, item)
    const isFair =
      expected.some((fair) => fair === verdict) &&
      isTarget === (item.call === 'accuracy' ? item.isTarget : undefined)
    const shown = isTarget === undefined ? '' : `, ${isTarget ? 'target' : 'no target'}`
    return { ...about, verdict: `${verdict}${shown}`, reason, isAccepted: accepts(verdict), isFair }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...about, verdict: null, reason, isAccepted: false, isFair: false }
  }
}

type Verdicts = ProbeItem['expected'][number]

/** The lowest score that accepts a text as completely right. */
const MIN_ACCEPTED_SCORE = 4

/** The verdicts that accept an item as completely right. */
const ACCEPTS: Readonly<Record<ProbeCall, (verdict: Verdicts) => boolean>> = {
  answer: (verdict) => verdict === 'correct',
  integrity: (verdict) => verdict === 2,
  accuracy: (verdict) => verdict === 2,
  update: (verdict) => verdict === 'correct',
  likeness: (verdict) => Number(verdict) >= MIN_ACCEPTED_SCORE,
  reply: (verdict) => Number(verdict) >= MIN_ACCEPTED_SCORE,
  content: (verdict) => verdict === true,
}

function ask(judge: Judge, item: ProbeItem): Promise<Verdict<Verdicts> & { readonly isTarget?: boolean }> {
  switch (item.call) {
    case 'answer':
      return judge.answer(item.input)
    case 'integrity':
      return judge.integrity({ memories: item.input.memories, expected: item.input.gold })
    case 'accuracy':
      return judge.accuracy(item.input)
    case 'update':
      return judge.update(item.input)
    case 'likeness':
      return judge.likeness(item.input)
    case 'reply':
      return judge.reply(item.input)
    case 'content':
      return judge.sameContent(item.input)
  }
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
