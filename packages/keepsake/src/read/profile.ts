// Makes the profile of a user: a few sure, current lines at the head of a context.
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

/** A cached profile is made again after an hour, because its lines state ages and times. */
const HOUR_MS = 3_600_000
/** Maximum tokens of the line `now`, where it is taken from a summary. */
const SUMMARY_TOKENS = 36
/** Maximum tokens of a profile. */
export const PROFILE_TOKENS = 150

const EMPTY_PROFILE: Profile = { lines: [] }

/**
 * Returns the profile of a user: a few sure, current lines. It holds facts that the user or the application stated,
 * without those that ended or are questioned, and quotes no talk.
 *
 * @param loaded the user's state, if the caller has just loaded it
 */
export async function readProfile(
  engine: Engine,
  resolved: ResolvedScope | null,
  now = engine.now(),
  loaded?: UserState,
): Promise<Profile> {
  if (resolved === null) return EMPTY_PROFILE
  const state = loaded ?? (await engine.users.load(resolved.owner))
  const { changes } = state
  const hour = Math.floor(now / HOUR_MS)
  const key = resolved.scopes.join()
  const cached = state.profiles.get(key)
  if (cached?.changes === changes && cached.hour === hour && cached.from <= now && now < cached.to)
    return cached.profile
  const profile = makeProfile({ engine, resolved, state, now })
  state.profiles.set(key, { changes, hour, ...spanWithoutEnds(state, now), profile })
  return profile
}

/** Returns the time around now in which no fact ends. Outside of it a cached profile is out of date. */
function spanWithoutEnds(state: UserState, now: number): { readonly from: number; readonly to: number } {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { validUntil } of state.listMemories({ forms: ['fact'], statuses: ['live'] })) {
    if (validUntil === null) continue
    if (validUntil <= now) from = Math.max(from, validUntil)
    else to = Math.min(to, validUntil)
  }
  return { from, to }
}

/** What a profile is made from. */
interface ProfileSource {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly state: UserState
  readonly now: number
}

function makeProfile(source: ProfileSource): Profile {
  const { engine, resolved, state, now } = source
  const scopes = new Set(resolved.scopes)
  const factsById = listUserFacts(source, scopes)
  const facts = [...factsById.values()].map((fact): Memory => ({ ...fact, subject: 'user' }))
  const [sheet] = buildPersonaSheet(facts, engine.preset.keyTable, { now }).subjects
  const phrasesOf = (slot: ProfileSlot, key: string): Phrase[] => {
    const values = sheet?.entries.find((entry) => entry.key.id === key)?.values ?? []
    const current = values.filter((value) => isCurrent(value, slot, factsById, now))
    return phraseValues(current, key, { state, factsById, now }).slice(0, MAX_VALUES[slot])
  }
  const lines = PROFILE_SLOTS.flatMap((slot): ProfileLine[] => {
    const phrases = SLOT_KEYS[slot].flatMap((key) => phrasesOf(slot, key))
    const line = lineOf(slot, phrases) ?? (slot === 'now' ? lineOfSummary(source, scopes) : null)
    return line === null ? [] : [line]
  })
  return { lines: fitProfile({ lines }, PROFILE_TOKENS, engine.countTokens) }
}

/** Lists the sure facts about the user, by id. Where turns carry their speaker's name, facts are about that name. */
function listUserFacts({ state, now }: ProfileSource, scopes: ReadonlySet<number>): Map<string, Memory> {
  const ownNames = new Set(speakerNames(state.index).self.map((name) => name.toLowerCase()))
  const factsById = new Map<string, Memory>()
  for (const fact of state.listMemories({ scopes, forms: ['fact'], statuses: ['live'] })) {
    const isAboutUser = fact.subject === 'user' || ownNames.has(fact.subject.toLowerCase())
    if (isAboutUser && isSure(fact, now)) factsById.set(fact.id, fact)
  }
  return factsById
}

/** Whether the user or the application stated a fact, and nothing has put it in doubt since. */
function isSure(fact: Memory, now: number): boolean {
  const { label, origin } = fact
  const isOwnWord = label === 'user-stated' || label === 'user-confirmed' || origin.step === 'api'
  return isOwnWord && !isOver(fact, now) && !isQuestioned(fact)
}

/** Keys of the persona sheet that each line is made of, the most important first. */
const SLOT_KEYS: Readonly<Record<ProfileSlot, readonly string[]>> = {
  name: ['name', 'nickname', 'age', 'origin', 'nationality', 'identity', 'form-of-address'],
  health: ['allergies', 'health', 'health-state', 'diet'],
  home: ['residence', 'living-with'],
  work: ['occupation', 'employer', 'education', 'field-of-work'],
  family: ['partner', 'marital-status', 'children', 'pets', 'parents', 'siblings', 'relatives'],
  now: ['whereabouts', 'current-activity', 'plans', 'goals', 'mood'],
}

/** Maximum values of a key that a line names. */
const MAX_VALUES: Readonly<Record<ProfileSlot, number>> = {
  name: 1,
  health: 4,
  home: 1,
  work: 2,
  family: 4,
  now: 1,
}

/** Whether a value holds now. The slot `now` takes only values with a known end or of a model, since rules mistake remarks for plans. */
function isCurrent(
  { isPast, validFrom, validUntil, memory }: PersonaValue,
  slot: ProfileSlot,
  factsById: ReadonlyMap<string, Memory>,
  now: number,
): boolean {
  const isReliable = slot !== 'now' || validUntil !== null || factsById.get(memory)?.origin.model !== null
  return !isPast && validFrom <= now && isReliable
}

/** A value of the persona sheet, put into words. */
interface Phrase {
  readonly words: string
  readonly value: PersonaValue
}

/** Puts values into words. A phrase is omitted if another contains it: “cousin Sílvia” in “cousin Sílvia, a pharmacist”. */
function phraseValues(
  values: readonly PersonaValue[],
  key: string,
  {
    state,
    factsById,
    now,
  }: Pick<ProfileSource, 'state' | 'now'> & { readonly factsById: ReadonlyMap<string, Memory> },
): Phrase[] {
  const phrases = values.flatMap((value): Phrase[] => {
    const [timeZone = null] = value.evidence.flatMap(({ turn }) => state.turns.get(turn)?.timeZone ?? [])
    const subject = factsById.get(value.memory)?.subject ?? 'user'
    const words = sayInPlainWords({ ...value, key, subject }, now, timeZone)
    return words === null ? [] : [{ words, value }]
  })
  // “daughter called Ida” and “daughter Ida” say the same.
  const lower = phrases.map(({ words }) =>
    words.toLowerCase().replaceAll(/\b(?:called|named) |名?叫[做作]?/gu, ''),
  )
  const isContained = (words: string, index: number): boolean =>
    lower.some((other, otherIndex) => {
      // Of two equal phrases the first stays.
      if (other === words) return otherIndex < index
      return otherIndex !== index && other.includes(words)
    })
  return phrases.filter((_, index) => !isContained(lower[index] ?? '', index))
}

function lineOf(slot: ProfileSlot, phrases: readonly Phrase[]): ProfileLine | null {
  if (phrases.length === 0) return null
  const values = phrases.map(({ value }) => value)
  return {
    slot,
    text: phrases.map(({ words }) => words).join('; '),
    memories: values.map(({ memory }) => memory),
    evidence: listTurns(values),
    validFrom: Math.max(...values.map(({ validFrom }) => validFrom)),
  }
}

/** Lists the turns that memories rest on, each once, without the words quoted from them. */
function listTurns(memories: readonly Pick<Memory, 'evidence'>[]): { readonly turn: string }[] {
  const turns = new Set(memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return [...turns].map((turn) => ({ turn }))
}

/** Makes the line `now` from the newest summary, if a model wrote it. */
function lineOfSummary({ engine, state }: ProfileSource, scopes: ReadonlySet<number>): ProfileLine | null {
  const summary = state.newest({ scopes, forms: ['summary', 'story'], statuses: ['live'] })
  if (summary === undefined || summary.origin.model === null || summary.text.trim() === '') return null
  const { countTokens } = engine
  return {
    slot: 'now',
    text: clipText(new AnalysedText(summary.text), { terms: new Set(), tokens: SUMMARY_TOKENS, countTokens }),
    memories: [summary.id],
    evidence: listTurns([summary]),
    validFrom: summary.validFrom,
  }
}

/** Formats a line of the profile for a context. */
export function aheadLine({ text }: ProfileLine): AheadLine {
  return { text: `- [about the user] ${quote(text)}`, quoted: null }
}

/** Returns the lines that fit a budget, in their order. A line that does not fit is left out as a whole. */
export function fitProfile(profile: Profile, tokens: number, countTokens: CountTokens): ProfileLine[] {
  let left = tokens
  return profile.lines.filter((line) => {
    const cost = costOf(aheadLine(line).text, countTokens)
    if (cost > left) return false
    left -= cost
    return true
  })
}
