import { TextTrait, findTermsAgain, readTraits } from '@keepsake/text'
import type { Strand } from './strands.ts'

/** Something that was said or is known, which may tell of a person. */
export interface Telling {
  readonly id: string
  readonly text: string
  readonly at: number
  /** The key of the persona sheet that it stands under; `null` for what has none, and for what was merely said. */
  readonly key: string | null
  /** A statement drawn from talk. What was said in a turn is less sure to tell of its speaker. */
  readonly isStatement: boolean
}

/** What says more than this many things says enough. */
const FULL = 24
/** What a text is worth beside its cues: that it names somebody, counts something, speaks of its speaker. */
const WORTH = {
  name: 0.5,
  number: 0.25,
  first: 0.4,
  change: 0.6,
  statement: 1.5,
  key: 1.5,
  asks: -0.8,
} as const

/** Something began or ended: what a life is told by. */
const CHANGES =
  /\b(?:moved|started|got (?:the|a|my)|signed|accepted|hired|left|quit|gave notice|handed in|retired|married|divorced|split up|was born|died|passed|bought|sold|diagnosed|adopted|finished|graduated|opened)\b|搬[到进去了]|入职|辞职|离职|跳槽|换了|转[到了]|考上|拿到|结婚|离婚|分手|在一起了|生了|怀孕|去世|走了|买了|卖了|开张|毕业|退休|录取|确诊|领证/i

function worthOf({ text, isStatement }: Telling, traits: number, says: number): number {
  const has = (trait: number): number => ((traits & trait) === 0 ? 0 : 1)
  return (
    has(TextTrait.holdsName) * WORTH.name +
    has(TextTrait.holdsNumber) * WORTH.number +
    has(TextTrait.firstPerson) * WORTH.first +
    has(TextTrait.onlyAsks) * WORTH.asks +
    (CHANGES.test(text) ? WORTH.change : 0) +
    (isStatement ? WORTH.statement : 0) +
    Math.log1p(Math.min(FULL, says)) / Math.log1p(FULL) +
    (text.length < 12 ? -0.5 : 0)
  )
}

interface Judged {
  readonly telling: Telling
  readonly worth: number
}

/** The cues of strands, to be found everywhere in a text. */
const everywhere = new WeakMap<RegExp, RegExp>()

/** How often a strand's cues stand in a text. */
function countCues(text: string, { cues }: Strand): number {
  const all = everywhere.get(cues) ?? new RegExp(cues.source, 'giu')
  everywhere.set(cues, all)
  return text.match(all)?.length ?? 0
}

/** Of one strand: first what tells most of it where it was first told, then how it stands now, then the rest. */
function inOrder(judged: readonly Judged[]): Telling[] {
  const best = Math.max(...judged.map(({ worth }) => worth))
  const telling = judged.filter(({ worth }) => worth >= 0.6 * best)
  const early = telling.toSorted((one, other) => one.telling.at - other.telling.at)
  const [first, ...rest] = early
  if (first === undefined) return []
  const latest = rest.pop()
  const others = [...rest, ...judged.filter((one) => !telling.includes(one))]
  const byWorth = others.toSorted((one, other) => other.worth - one.worth)
  return [first, ...(latest === undefined ? [] : [latest]), ...byWorth].map(({ telling: one }) => one)
}

function ofStrand(tellings: readonly Telling[], strand: Strand): Telling[] {
  const judged = tellings.flatMap((telling): Judged[] => {
    const isByKey = telling.key !== null && strand.keys.includes(telling.key)
    const cues = countCues(telling.text, strand)
    if (!isByKey && cues === 0) return []
    const says = findTermsAgain(telling.text).length
    const worth =
      worthOf(telling, readTraits(telling.text), says) + (isByKey ? WORTH.key : 0) + 0.4 * Math.min(3, cues)
    return [{ telling, worth }]
  })
  return judged.length === 0 ? [] : inOrder(judged)
}

export interface Wanted {
  /** How many at most. */
  readonly most: number
  /** Whether room that is left goes to whatever tells most, of no strand in particular. */
  readonly fills: boolean
}

/**
 * Those that tell most of the strands asked for, best first and spread over them: the first of each strand, then the second of
 * each, and so on. What tells of several strands counts for all of them. Pure.
 */
export function chooseTelling(
  tellings: readonly Telling[],
  strands: readonly Strand[],
  { most, fills }: Wanted,
): Telling[] {
  const ranked = strands.map((strand) => ofStrand(tellings, strand))
  const chosen = new Map<string, Telling>()
  const deepest = Math.max(0, ...ranked.map((of) => of.length))
  for (let rank = 0; rank < deepest; rank++) {
    for (const of of ranked) {
      const one = of[rank]
      if (one !== undefined && chosen.size < most) chosen.set(one.id, one)
    }
  }
  const rest = fills ? byWorth(tellings) : []
  for (const one of rest) if (chosen.size < most) chosen.set(one.id, one)
  return [...chosen.values()]
}

/** What tells most of whatever it is of. */
function byWorth(tellings: readonly Telling[]): Telling[] {
  return tellings
    .map((telling) => {
      const says = findTermsAgain(telling.text).length
      return { telling, worth: worthOf(telling, readTraits(telling.text), says) }
    })
    .sort((one, other) => other.worth - one.worth)
    .map(({ telling }) => telling)
}
