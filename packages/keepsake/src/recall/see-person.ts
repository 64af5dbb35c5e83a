import { SLOT_KEYS } from '../profile/build-profile.ts'
import { readKind, readQuestion, zoneOffset, type ReadQuestion } from '@keepsake/text'
import type { CandidateCounts, CandidateTerm } from '../stores/store.ts'
import { CALLINGS } from '../work/live-memories.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { CacheSource } from '../work/owner-caches.ts'
import type { Asking } from './asked-question.ts'
import { readOwnKey } from './own-value.ts'

/** A question before it is known by what the person is seen. */
export type Unseen = Omit<Asking, 'caches'>

/** How many candidates are asked for, by each way. What is found with them is measured (docs/benchmarks/postgres.md); others were not tried. */
const MOST: CandidateCounts = { words: 150, nearest: 100, time: 150, latest: 40 }
/** Where the whole of something is asked for: its words tell little of what would answer it. */
const MOST_OF_WHOLE: CandidateCounts = { ...MOST, time: 500, latest: 500 }
/** What is said in other words counts less than the words themselves. */
const OTHERWISE = 0.6

/** By what a recall sees the person: their cache, or, of one who is too large for it, the candidates for this question. */
export async function seePerson(unseen: Unseen): Promise<CacheSource> {
  const { caches } = unseen.engine
  const { owner } = unseen.resolved
  return (await caches.isTooLarge(owner)) ? new SeenInPart(unseen) : caches
}

/** Whether a recall sees candidates alone. */
export function isSeenInPart(caches: CacheSource): boolean {
  return caches instanceof SeenInPart
}

/** The candidates for one question, found when they are first asked for, and again where the person changed while something was waited for. */
class SeenInPart implements CacheSource {
  readonly #unseen: Unseen
  #found: Promise<OwnerCache> | null = null

  constructor(unseen: Unseen) {
    this.#unseen = unseen
  }

  get(): Promise<OwnerCache> {
    this.#found ??= findCandidates(this.#unseen)
    return this.#found
  }

  async still(cache: OwnerCache, waited: boolean): Promise<OwnerCache> {
    if (!waited) return cache
    const { revision, epoch } = await this.#unseen.engine.store.version(cache.owner)
    if (revision !== cache.version.revision || epoch !== cache.version.epoch) this.#found = null
    return this.get()
  }
}

async function findCandidates({ engine, resolved, asked, options }: Unseen): Promise<OwnerCache> {
  const offsetMinutes = zoneOffset(asked.timeZone, asked.now)
  const read = readQuestion(asked.text, [], { now: asked.now, offsetMinutes })
  const [vector = null] = await engine.embedding.embed([read.about], options)
  const own = readOwnKey(asked.text, engine.preset.keyTable)
  return engine.caches.ofCandidates({
    owner: resolved.owner,
    scopes: resolved.scopes,
    terms: termsOf(read),
    vector,
    times: read.ranges,
    asOf: asked.asOf,
    keys: [
      ...new Set([...Object.values(SLOT_KEYS).flat(), ...CALLINGS, ...(own === undefined ? [] : [own.id])]),
    ],
    most: readKind(asked.text, read.ranges).kind === 'fact' ? MOST : MOST_OF_WHOLE,
  })
}

/** Its words, and what may have been said in their place. */
function termsOf({ terms, words }: ReadQuestion): CandidateTerm[] {
  const otherwise = words.flatMap(({ related }) =>
    related.flatMap((one) => one.terms.map((term) => ({ term, weight: OTHERWISE * one.weight }))),
  )
  return [...terms.map((term) => ({ term, weight: 1 })), ...otherwise]
}
