import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import { personaRules } from '../extraction/rules/persona-rules.ts'
import type { Memory } from '../memories/memory.ts'
import { BM25_ONLY } from '../retrieval/retrieval-recipe.ts'
import { estimateTokens } from '../text/count-tokens.ts'
import { accepting, changing, factsOf, type Known } from './known-of-scope.ts'

/** Of what one turn finds, so many count: the rest is near to anything. */
const HITS_A_TURN = 8
/** Reciprocal rank fusion: how much a first place is worth above a second (Cormack et al. use 60, for lists of thousands). */
const RANK_OFFSET = 8
/** The first so many bring what was told with them. */
const BRINGING = 12
/** Number, date, quotation marks and line break of a line. */
const TOKENS_A_LINE = 8

/**
 * The live facts that a segment may touch, newest first, as many as fit: what its turns find by meaning; what shares its
 * rare words, names above all; what stands under the same keys as what rules read in it; what there is one of at a
 * time; what was told together with the first of these, for it may hang on them; then the latest learned.
 *
 * @param found what each turn finds, best first
 */
export async function rankTouched(
  known: Known,
  segment: Segment,
  found: readonly (readonly Memory[])[],
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const facts = factsOf(known.cache, segment.scope)
  const first = fuse([
    ...found.map((hits) => hits.slice(0, HITS_A_TURN)),
    sharingRareWords(known, segment, budget.most),
    await underSameKeys(known, segment, facts),
    changing(known, segment.scope),
  ])
  const latest = facts
    .filter(({ validUntil }) => validUntil === null)
    .sort((one, other) => other.learnedAt - one.learnedAt)
  const ranked = new Set([...first, ...toldWith(first.slice(0, BRINGING), facts), ...latest])
  return fitting([...ranked], budget).sort((one, other) => other.learnedAt - one.learnedAt)
}

/** Best first by the sum of what each place in each list is worth. */
function fuse(lists: readonly (readonly Memory[])[]): Memory[] {
  const worth = new Map<Memory, number>()
  for (const list of lists)
    for (const [rank, memory] of list.entries())
      worth.set(memory, (worth.get(memory) ?? 0) + 1 / (RANK_OFFSET + rank))
  return [...worth].sort(([, one], [, other]) => other - one).map(([memory]) => memory)
}

/** BM25 of all that was said at once: what counts is how rare the shared words are. */
function sharingRareWords({ cache }: Known, segment: Segment, limit: number): Memory[] {
  const now = segment.turns.at(-1)?.at ?? 0
  const read = cache.index.readQuestion(segment.turns.map(({ text }) => text).join('\n'), { now })
  const options = { ...accepting(cache, segment.scope), limit, now }
  const { hits } = cache.index.search({ read, vector: null }, BM25_ONLY, options)
  return hits.flatMap((hit) => cache.known(hit.id)?.memory ?? [])
}

/** Facts of the persons and keys that rules find something about in the segment. */
async function underSameKeys(
  { engine }: Known,
  segment: Segment,
  facts: readonly Memory[],
): Promise<Memory[]> {
  const { candidates, requests } = await personaRules().extract(segment, {
    ask: null,
    related: [],
    rules: engine.rules,
  })
  const keys = new Set(
    [...candidates, ...requests].flatMap((one) => {
      if (!('kind' in one)) return one.key ?? []
      return (one.kind === 'change' ? one.candidate.key : one.kind === 'end' ? one.key : null) ?? []
    }),
  )
  return facts
    .filter(({ key, validUntil }) => key !== null && keys.has(key) && validUntil === null)
    .sort((one, other) => other.learnedAt - one.learnedAt)
}

/** What rests on the same turns. */
function toldWith(first: readonly Memory[], facts: readonly Memory[]): Memory[] {
  const turns = new Set(first.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return facts.filter(
    ({ validUntil, evidence }) => validUntil === null && evidence.some(({ turn }) => turns.has(turn)),
  )
}

function fitting(ranked: readonly Memory[], { most, tokens }: RelatedBudget): Memory[] {
  const chosen: Memory[] = []
  let left = tokens
  for (const memory of ranked) {
    const cost = estimateTokens(memory.text) + estimateTokens(memory.key ?? '') + TOKENS_A_LINE
    if (chosen.length === most) break
    if (cost > left) continue
    left -= cost
    chosen.push(memory)
  }
  return chosen
}
