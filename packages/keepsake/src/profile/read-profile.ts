import { speakerNames } from '../retrieval/search-question.ts'
import { AnalysedText } from '../read/analysed-text.ts'
import { clipText } from '../read/context-lines.ts'
import type { Memory } from '../memories/memory.ts'
import { buildPersonaSheet } from '../persona/persona-sheet.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { MadeProfile } from '../user-state/user-state.ts'
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

/** Profiles being made, so that two who ask at once make one; each is made anew once something that it may tell has changed, or a day has passed. */
interface Making extends Omit<MadeProfile, 'profile'> {
  readonly profile: Promise<Profile>
}

const making = new WeakMap<UserState, Map<string, Making>>()

const NOBODY: Profile = { lines: [] }

/**
 * The profile of a person as of now: made from what is live alone, so that what was forgotten or ended is not in it.
 *
 * @param seen the person's cache, where it was asked for a moment ago
 */
export async function readProfile(
  engine: Engine,
  resolved: ResolvedScope | null,
  now = engine.now(),
  seen?: UserState,
): Promise<Profile> {
  if (resolved === null) return NOBODY
  const cache = seen ?? (await engine.users.load(resolved.owner))
  const { changes, heard } = cache
  const day = Math.floor(now / DAY_MS)
  const place = resolved.scopes.join()
  const stands = (made: Omit<MadeProfile, 'profile'>): boolean =>
    made.changes === changes && made.day === day && heard - made.heard <= MORE_TALK * made.heard
  const made = cache.profiles.get(place)
  if (made !== undefined && stands(made)) return made.profile
  const ofOwner = making.get(cache) ?? new Map<string, Making>()
  making.set(cache, ofOwner)
  const underWay = ofOwner.get(place)
  if (underWay !== undefined && stands(underWay)) return underWay.profile
  const profile = makeProfile({ engine, resolved, cache, now })
  ofOwner.set(place, { changes, heard, day, profile })
  try {
    const whole = await profile
    cache.profiles.set(place, { changes, heard, day, profile: whole })
    return whole
  } finally {
    ofOwner.delete(place)
  }
}

async function makeProfile(seen: Seen): Promise<Profile> {
  const { engine, resolved, cache, now } = seen
  const scopes = new Set(resolved.scopes)
  const live = [...cache.listMemories({ scopes, forms: ['fact'], statuses: ['live'] })]
  const facts = live.map(asOwn(speakerNames(cache.index).self))
  const { subjects } = buildPersonaSheet(facts, engine.preset.keyTable, { now })
  const user = subjects.find(({ subject }) => subject === 'user')
  const lines: ProfileLine[] = []
  for (const slot of PROFILE_SLOTS) {
    const line = lineOfSheet(slot, user, now) ?? (await toldOf(seen, slot))
    // One sentence may tell of several slots: it stands for the first.
    const isTold = line?.isQuoted === true && lines.some(({ text }) => text === line.text)
    if (line !== null && !isTold) lines.push(line)
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
async function toldOf(seen: Seen, slot: ProfileSlot): Promise<ProfileLine | null> {
  if (slot !== 'now') return quoteSlot(seen, slot)
  const scopes = new Set(seen.resolved.scopes)
  const newest = (...forms: Memory['form'][]): Memory | undefined =>
    seen.cache.newest({ scopes, forms, statuses: ['live'] })
  const told = newest('summary', 'story')
  if (told !== undefined && told.origin.model !== null) return lineOfSummary(told, (text) => clip(seen, text))
  return quoteLatest(seen, newest('utterance')?.session)
}

function clip({ engine: { countTokens } }: Seen, text: string): string {
  return clipText(new AnalysedText(text), { terms: new Set(), tokens: SUMMARY_TOKENS, countTokens })
}
