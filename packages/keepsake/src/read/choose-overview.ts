// Chooses the texts of an overview: those that tell most about a person, spread over the areas of their life.
import type { StoredDocument } from '@keepsake/search'
import { TextTrait, pattern, analyseText } from '@keepsake/text'
import type { Strand } from './life-areas.ts'
import { NAMED_STRAND } from './name-strands.ts'

/** A turn or a statement that an overview may show. */
export interface OverviewText {
  readonly id: string
  readonly text: string
  /** The turn before it, if its first word refers to that turn: “She died in May.” */
  readonly textBefore?: string
  readonly at: number
  /** Its key of the persona sheet; `null` if it has none. */
  readonly key: string | null
  /** Whether it is a statement that was extracted from talk, or a turn. A turn is less sure to be about its speaker. */
  readonly isStatement: boolean
  /** The indexed document of this text, which saves analysing it again. */
  readonly document?: Pick<StoredDocument, 'terms' | 'traits'> | undefined
}

/** A text with more terms than this is worth no more. */
const MAX_COUNTED_TERMS = 24
/** A text below this number of characters says little. */
const SHORT_TEXT = 12
/** Worth of each trait of a text, set by hand: it has a name, has a number, is in the first person, states a change, and so on. */
const WORTH = {
  name: 0.5,
  number: 0.25,
  firstPerson: 0.4,
  change: 0.6,
  statement: 1.5,
  key: 1.5,
  asks: -0.8,
  short: -0.5,
} as const

/** Matches statements that something began or ended: “I moved to Ghent”, 我结婚了. */
const CHANGES = pattern('iu')`
  \b(?:moved|started|got (?:the|a|my)|signed|accepted|hired|left|quit|gave notice|handed in|retired|married|divorced
    |split up|was born|died|passed|bought|sold|diagnosed|adopted|finished|graduated|opened)\b
  |搬[到进去了]|入职|辞职|离职|跳槽|换了|转[到了]|考上|拿到|结婚|离婚|分手|在一起了|生了|怀孕|去世|走了|买了|卖了|开张
  |毕业|退休|录取|确诊|领证|[不没]有?\p{Script=Han}{0,4}了(?!\p{Script=Han})|[当生养]了|送(?:给|人)|生的
`

/** Caches the worth of turns by their documents, because every overview reads the worth of all turns. */
const worthOfTurns = new WeakMap<object, { readonly text: string; readonly worth: number }>()

/** Returns the worth of a text without regard to strands. */
export function readWorth(candidate: OverviewText): number {
  const { text, isStatement, document } = candidate
  if (isStatement || document === undefined) return weighText(candidate)
  const known = worthOfTurns.get(document)
  if (known?.text === text) return known.worth
  const worth = weighText(candidate)
  worthOfTurns.set(document, { text, worth })
  return worth
}

function weighText({ text, isStatement, document }: OverviewText): number {
  const { terms, traits } = document ?? analyseText(text)
  const has = (trait: number): number => ((traits & trait) === 0 ? 0 : 1)
  return (
    has(TextTrait.holdsName) * WORTH.name +
    has(TextTrait.holdsNumber) * WORTH.number +
    has(TextTrait.firstPerson) * WORTH.firstPerson +
    has(TextTrait.onlyAsks) * WORTH.asks +
    (CHANGES.test(text) ? WORTH.change : 0) +
    (isStatement ? WORTH.statement : 0) +
    Math.log1p(Math.min(MAX_COUNTED_TERMS, terms.length)) / Math.log1p(MAX_COUNTED_TERMS) +
    (text.length < SHORT_TEXT ? WORTH.short : 0)
  )
}

export interface ChoiceOptions {
  /** Maximum number of texts. */
  readonly limit: number
  /** Whether the remaining places go to the texts of most worth from any strand. */
  readonly fills: boolean
}

/**
 * Chooses the texts of most worth, spread over the strands: the first of each strand, then the second of each, and so on. A text of
 * several strands counts for all of them. Pure.
 */
export function chooseOverview(
  candidates: readonly OverviewText[],
  strands: readonly Strand[],
  { limit, fills }: ChoiceOptions,
): OverviewText[] {
  const rankings = strands.map((strand) => rankForStrand(candidates, strand))
  const chosen = new Map<string, OverviewText>()
  const longest = Math.max(0, ...rankings.map((ranking) => ranking.length))
  for (let rank = 0; rank < longest; rank++) {
    for (const ranking of rankings) {
      const candidate = ranking[rank]
      if (candidate !== undefined && chosen.size < limit) chosen.set(candidate.id, candidate)
    }
  }
  const rest = fills ? byWorth(candidates) : []
  for (const candidate of rest) if (chosen.size < limit) chosen.set(candidate.id, candidate)
  return [...chosen.values()]
}

/** A text with its worth for a strand. */
interface WeighedText {
  readonly candidate: OverviewText
  readonly worth: number
}

/** Worth of each cue of a strand, and the maximum number of cues that count. */
const CUES = { worth: 0.4, limit: 3 } as const

/** Ranks the texts that belong to a strand, by its cues or its keys. */
function rankForStrand(candidates: readonly OverviewText[], strand: Strand): OverviewText[] {
  const weighed = candidates.flatMap((candidate): WeighedText[] => {
    const isByKey = candidate.key !== null && strand.keys.includes(candidate.key)
    const cues = countCuesOnce(candidate, strand)
    if (!isByKey && cues === 0) return []
    const worth = readWorth(candidate) + (isByKey ? WORTH.key : 0) + CUES.worth * Math.min(CUES.limit, cues)
    return [{ candidate, worth }]
  })
  return weighed.length === 0 ? [] : orderStrand(weighed)
}

/** Caches the numbers of cues of turns by their documents and the ids of strands, because every overview reads them of all turns. */
const cuesOfTurns = new WeakMap<object, { readonly text: string; readonly counts: Map<string, number> }>()

/** Counts the cues of a strand in a text and in the turn to which it refers. */
function countCuesOnce({ text, textBefore = '', document }: OverviewText, strand: Strand): number {
  const whole = `${text}\n${textBefore}`
  // Strands of names differ from talk to talk.
  if (document === undefined || strand.id === NAMED_STRAND) return countCues(whole, strand)
  const known = cuesOfTurns.get(document)
  const counts = known?.text === whole ? known.counts : new Map<string, number>()
  if (counts.size === 0) cuesOfTurns.set(document, { text: whole, counts })
  const count = counts.get(strand.id) ?? countCues(whole, strand)
  counts.set(strand.id, count)
  return count
}

/** Caches the cues of strands as global patterns, which find every match. */
const globalCues = new WeakMap<RegExp, RegExp>()

function countCues(text: string, { cues }: Strand): number {
  const all = globalCues.get(cues) ?? new RegExp(cues.source, `g${cues.flags}`)
  globalCues.set(cues, all)
  return text.match(all)?.length ?? 0
}

/** From this share of a strand's best worth on, a text is of great worth. */
const GREAT_SHARE = 0.6

/** Orders the texts of a strand: first the earliest of great worth, then the latest, which is about the present, then the rest. */
function orderStrand(weighed: readonly WeighedText[]): OverviewText[] {
  const best = Math.max(...weighed.map(({ worth }) => worth))
  const isOfGreatWorth = ({ worth }: WeighedText): boolean => worth >= GREAT_SHARE * best
  const [first, ...middle] = weighed
    .filter(isOfGreatWorth)
    .toSorted((a, b) => a.candidate.at - b.candidate.at)
  if (first === undefined) return []
  const latest = middle.pop()
  const rest = [...middle, ...weighed.filter((entry) => !isOfGreatWorth(entry))]
  const restByWorth = rest.toSorted((a, b) => b.worth - a.worth)
  const ordered = latest === undefined ? [first, ...restByWorth] : [first, latest, ...restByWorth]
  return ordered.map(({ candidate }) => candidate)
}

/** Orders texts by their worth without regard to strands. */
function byWorth(candidates: readonly OverviewText[]): OverviewText[] {
  return candidates
    .map((candidate) => ({ candidate, worth: readWorth(candidate) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ candidate }) => candidate)
}
