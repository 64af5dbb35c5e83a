import { clipTurn } from '../composition/clip-turn.ts'
import type { Memory } from '../memories/memory.ts'
import { buildPersonaSheet } from '../persona/persona-sheet.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { lineOfSheet, lineOfSummary } from './build-profile.ts'
import { PROFILE_SLOTS, type Profile, type ProfileLine, type ProfileSlot } from '../persona/profile.ts'
import { quoteLatest, quoteSlot, type Seen } from './quote-slots.ts'
import { fitProfile, PROFILE_TOKENS } from './render-profile.ts'

const DAY_MS = 86_400_000
/** What the line on what goes on now may cost, where a summary tells it. */
const SUMMARY_TOKENS = 36

/** Talk that does not change what is known makes a profile anew once there is so much more of it: it may hold a more telling sentence. */
const MORE_TALK = 0.02

/** Profiles made lately; each is made anew once something that it may tell has changed, or a day has passed. */
interface Made {
  readonly changes: number
  readonly heard: number
  readonly day: number
  readonly profile: Promise<Profile>
}

const made = new WeakMap<OwnerCache, Map<string, Made>>()

const NOBODY: Profile = { lines: [] }

/** The profile of a person as of now: made from what is live alone, so that what was forgotten or ended is not in it. */
export async function readProfile(
  engine: Engine,
  resolved: ResolvedScope | null,
  now = engine.now(),
): Promise<Profile> {
  if (resolved === null) return NOBODY
  const cache = await engine.caches.get(resolved.owner)
  const { changes, heard } = cache
  const day = Math.floor(now / DAY_MS)
  const ofOwner = made.get(cache) ?? new Map<string, Made>()
  made.set(cache, ofOwner)
  const place = resolved.scopes.join()
  const known = ofOwner.get(place)
  const isLike = known?.changes === changes && known.day === day
  if (isLike && heard - known.heard <= MORE_TALK * known.heard) return known.profile
  const profile = makeProfile({ engine, resolved, cache, now })
  ofOwner.set(place, { changes, heard, day, profile })
  profile.catch(() => ofOwner.delete(place))
  return profile
}

async function makeProfile(seen: Seen): Promise<Profile> {
  const { engine, resolved, cache, now } = seen
  const live = [...cache.memories({ scopes: new Set(resolved.scopes) })].filter(
    ({ status }) => status === 'live',
  )
  const facts = live.filter(({ form }) => form === 'fact').map(asOwn(cache.index.names.self))
  const { subjects } = buildPersonaSheet(facts, engine.preset.keyTable, { now })
  const user = subjects.find(({ subject }) => subject === 'user')
  const lines: ProfileLine[] = []
  for (const slot of PROFILE_SLOTS) {
    const line = lineOfSheet(slot, user, now) ?? (await toldOf(seen, slot, live))
    if (line !== null) lines.push(line)
  }
  return { lines: fitProfile({ lines }, PROFILE_TOKENS, engine.countTokens) }
}

/** Where turns carry their speaker's name, facts are about that name: where it is the only person's, they are about the user. */
function asOwn(names: readonly string[]): (fact: Memory) => Memory {
  const own = new Set(names.map((name) => name.toLowerCase()))
  return (fact) => (own.has(fact.subject.toLowerCase()) ? { ...fact, subject: 'user' } : fact)
}

/**
 * What a slot has where the sheet says nothing. What goes on now is told by the newest summary that a model wrote, else by the
 * user's own words; an extract mixes them with the agent's.
 */
async function toldOf(seen: Seen, slot: ProfileSlot, live: readonly Memory[]): Promise<ProfileLine | null> {
  if (slot !== 'now') return quoteSlot(seen, slot)
  const newest = (...forms: Memory['form'][]): Memory | undefined =>
    live
      .filter(({ form }) => forms.includes(form))
      .toSorted((one, other) => one.validFrom - other.validFrom)
      .at(-1)
  const told = newest('summary', 'story')
  if (told !== undefined && told.origin.model !== null) return lineOfSummary(told, (text) => clip(seen, text))
  return quoteLatest(seen, newest('utterance')?.session)
}

function clip({ engine: { countTokens } }: Seen, text: string): string {
  return clipTurn(text, { terms: new Set(), tokens: SUMMARY_TOKENS, countTokens })
}
