import type { CountTokens } from '@keepsake/text'
import { isQuestioned } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { buildPersonaSheet, type PersonaValue } from '../persona/persona-sheet.ts'
import { PROFILE_SLOTS, type Profile, type ProfileLine, type ProfileSlot } from '../persona/profile.ts'
import { sayInPlainWords } from '../persona/plain-words.ts'
import { speakerNames } from '../retrieval/search-question.ts'
import { AnalysedText } from '../user-state/analysed-text.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { clipText, costOf, quote, type AheadLine } from './context-lines.ts'

/** For so long a profile stands while nothing changes: its lines age. */
const HOUR_MS = 3_600_000
/** What the line on what goes on now may cost, where a summary holds it. */
const SUMMARY_TOKENS = 36

const EMPTY_PROFILE: Profile = { lines: [] }

/**
 * The profile of a person as of now: few, sure and current lines. It holds facts that the user or the application
 * stated, without those that ended or are questioned, and quotes no talk.
 *
 * @param seen the person's cache, where it was asked for a moment ago
 */
export async function readProfile(
  engine: Engine,
  resolved: ResolvedScope | null,
  now = engine.now(),
  seen?: UserState,
): Promise<Profile> {
  if (resolved === null) return EMPTY_PROFILE
  const state = seen ?? (await engine.users.load(resolved.owner))
  const { changes } = state
  const hour = Math.floor(now / HOUR_MS)
  const place = resolved.scopes.join()
  const made = state.profiles.get(place)
  if (made?.changes === changes && made.hour === hour && made.from <= now && now < made.to)
    return made.profile
  const profile = makeProfile({ engine, resolved, state, now })
  state.profiles.set(place, { changes, hour, ...spanWithoutEnds(state, now), profile })
  return profile
}

/** The time around now in which no known end of a fact comes: a profile may stand no longer. */
function spanWithoutEnds(state: UserState, now: number): { readonly from: number; readonly to: number } {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { validUntil } of state.listMemories({ forms: ['fact'], statuses: ['live'] })) {
    if (validUntil === null) continue
    if (validUntil <= now) from = Math.max(from, validUntil)
    else to = Math.min(to, validUntil)
  }
  return { from, to }
}

interface Seen {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly state: UserState
  readonly now: number
}

function makeProfile(seen: Seen): Profile {
  const { engine, resolved, state, now } = seen
  const scopes = new Set(resolved.scopes)
  const own = new Set(speakerNames(state.index).self.map((name) => name.toLowerCase()))
  const byId = new Map<string, Memory>()
  for (const fact of state.listMemories({ scopes, forms: ['fact'], statuses: ['live'] }))
    if (isSure(fact, now) && (fact.subject === 'user' || own.has(fact.subject.toLowerCase())))
      byId.set(fact.id, fact)
  // Where turns carry their speaker's name, facts are about that name.
  const facts = [...byId.values()].map((fact): Memory => ({ ...fact, subject: 'user' }))
  const { subjects } = buildPersonaSheet(facts, engine.preset.keyTable, { now })
  const lines = PROFILE_SLOTS.flatMap((slot): ProfileLine[] => {
    const said = SLOT_KEYS[slot].flatMap((key) => {
      const values = subjects[0]?.entries.find((entry) => entry.key.id === key)?.values ?? []
      return sayValues(values.filter(isHolding(slot, byId, now)), key, { ...seen, byId }).slice(
        0,
        MOST_VALUES[slot],
      )
    })
    const line = lineOf(slot, said) ?? (slot === 'now' ? lineOfSummary(seen, scopes) : null)
    return line === null ? [] : [line]
  })
  return { lines: fitProfile({ lines }, PROFILE_TOKENS, engine.countTokens) }
}

/** Accepts what the user or the application stated, and nothing has put in doubt since. */
function isSure(fact: Memory, now: number): boolean {
  const { label, origin } = fact
  const isOwnWord = label === 'user-stated' || label === 'user-confirmed' || origin.step === 'api'
  return isOwnWord && !isOver(fact, now) && !isQuestioned(fact)
}

/** Keys of the persona sheet that each line is made of, the most telling first. */
const SLOT_KEYS: Readonly<Record<ProfileSlot, readonly string[]>> = {
  name: ['name', 'nickname', 'age', 'origin', 'nationality', 'identity', 'form-of-address'],
  health: ['allergies', 'health', 'health-state', 'diet'],
  home: ['residence', 'living-with'],
  work: ['occupation', 'employer', 'education', 'field-of-work'],
  family: ['partner', 'marital-status', 'children', 'pets', 'parents', 'siblings', 'relatives'],
  now: ['whereabouts', 'current-activity', 'plans', 'goals', 'mood'],
}

/** Values of a key that a line names; of what goes on now only the newest. */
const MOST_VALUES: Readonly<Record<ProfileSlot, number>> = {
  name: 1,
  health: 4,
  home: 1,
  work: 2,
  family: 4,
  now: 1,
}

/** Accepts what holds now. What goes on now is said only with a known end, or by a model: rules take a remark for a plan. */
function isHolding(
  slot: ProfileSlot,
  byId: ReadonlyMap<string, Memory>,
  now: number,
): (value: PersonaValue) => boolean {
  return ({ isPast, validFrom, validUntil, memory }) =>
    !isPast &&
    validFrom <= now &&
    (slot !== 'now' || validUntil !== null || byId.get(memory)?.origin.model !== null)
}

interface SaidValue {
  readonly words: string
  readonly value: PersonaValue
}

/** Puts values into words. Values that say the same are written once: “cousin Sílvia” is in “cousin Sílvia, a pharmacist”. */
function sayValues(
  values: readonly PersonaValue[],
  key: string,
  { state, byId, now }: Seen & { readonly byId: ReadonlyMap<string, Memory> },
): SaidValue[] {
  const said = values.flatMap((value): SaidValue[] => {
    const zone = value.evidence.flatMap(({ turn }) => state.turns.get(turn)?.timeZone ?? [])[0] ?? null
    const subject = byId.get(value.memory)?.subject ?? 'user'
    const words = sayInPlainWords({ ...value, key, subject }, now, zone)
    return words === null ? [] : [{ words, value }]
  })
  const lower = said.map(({ words }) => words.toLowerCase())
  const isTold = (place: number): boolean =>
    lower.some(
      (other, i) =>
        i !== place && other.includes(lower[place] ?? '') && (other !== lower[place] || i < place),
    )
  return said.filter((_, index) => !isTold(index))
}

function lineOf(slot: ProfileSlot, said: readonly SaidValue[]): ProfileLine | null {
  if (said.length === 0) return null
  return {
    slot,
    text: said.map(({ words }) => words).join('; '),
    memories: said.map(({ value }) => value.memory),
    evidence: turnsOnce(said.map(({ value }) => value)),
    validFrom: Math.max(...said.map(({ value }) => value.validFrom)),
  }
}

/** The turns that memories rest on, each once, without the words quoted from them. */
function turnsOnce(of: readonly Pick<Memory, 'evidence'>[]): { readonly turn: string }[] {
  const turns = new Set(of.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return [...turns].map((turn) => ({ turn }))
}

/** What goes on now, from the newest summary, where a model wrote it. */
function lineOfSummary({ engine, state }: Seen, scopes: ReadonlySet<number>): ProfileLine | null {
  const summary = state.newest({ scopes, forms: ['summary', 'story'], statuses: ['live'] })
  if (summary === undefined || summary.origin.model === null || summary.text.trim() === '') return null
  const { countTokens } = engine
  return {
    slot: 'now',
    text: clipText(new AnalysedText(summary.text), { terms: new Set(), tokens: SUMMARY_TOKENS, countTokens }),
    memories: [summary.id],
    evidence: turnsOnce([summary]),
    validFrom: summary.validFrom,
  }
}

/** What a profile may cost ahead of what was found. */
export const PROFILE_TOKENS = 150

/** A line of the profile as it stands in a context. */
export function aheadLine({ text }: ProfileLine): AheadLine {
  return { text: `- [about the user] ${quote(text)}`, quoted: null }
}

/** The lines that fit a budget, in their order; one that does not fit is left out whole. */
export function fitProfile(profile: Profile, tokens: number, countTokens: CountTokens): ProfileLine[] {
  let left = tokens
  return profile.lines.filter((line) => {
    const cost = costOf(aheadLine(line).text, countTokens)
    if (cost > left) return false
    left -= cost
    return true
  })
}
