import { onOneLine, splitSentences, type CountTokens } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import {
  buildPersonaSheet,
  type PersonaEntry,
  type PersonaValue,
  type SubjectSheet,
} from '../persona/persona-sheet.ts'
import { PROFILE_SLOTS, type Profile, type ProfileLine, type ProfileSlot } from '../persona/profile.ts'
import { HYBRID } from '@keepsake/search'
import { readQuestionFor, searchIndex, speakerNames } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import type { MadeProfile, UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { tellableTurns } from '../work/living-turns.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { AnalysedText } from '../user-state/analysed-text.ts'
import { clipText, costOf, dayOf, quote, type AheadLine } from './context-lines.ts'
import { STRANDS, chooseTelling } from './life-areas.ts'

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
  const state = seen ?? (await engine.users.load(resolved.owner))
  const { changes, heard } = state
  const day = Math.floor(now / DAY_MS)
  const place = resolved.scopes.join()
  const stands = (made: Omit<MadeProfile, 'profile'>): boolean =>
    made.changes === changes && made.day === day && heard - made.heard <= MORE_TALK * made.heard
  const made = state.profiles.get(place)
  if (made !== undefined && stands(made)) return made.profile
  const ofOwner = making.get(state) ?? new Map<string, Making>()
  making.set(state, ofOwner)
  const underWay = ofOwner.get(place)
  if (underWay !== undefined && stands(underWay)) return underWay.profile
  const profile = makeProfile({ engine, resolved, state, now })
  ofOwner.set(place, { changes, heard, day, profile })
  try {
    const whole = await profile
    state.profiles.set(place, { changes, heard, day, profile: whole })
    return whole
  } finally {
    ofOwner.delete(place)
  }
}

async function makeProfile(seen: Seen): Promise<Profile> {
  const { engine, resolved, state, now } = seen
  const scopes = new Set(resolved.scopes)
  const live = [...state.listMemories({ scopes, forms: ['fact'], statuses: ['live'] })]
  const facts = live.map(asOwn(speakerNames(state.index).self))
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
    seen.state.newest({ scopes, forms, statuses: ['live'] })
  const told = newest('summary', 'story')
  if (told !== undefined && told.origin.model !== null) return lineOfSummary(told, (text) => clip(seen, text))
  return quoteLatest(seen, newest('utterance')?.session)
}

function clip({ engine: { countTokens } }: Seen, text: string): string {
  return clipText(new AnalysedText(text), { terms: new Set(), tokens: SUMMARY_TOKENS, countTokens })
}

/** Keys of the persona sheet that each line is made of, the most telling first. */
export const SLOT_KEYS: Readonly<Record<ProfileSlot, readonly string[]>> = {
  name: ['name', 'nickname', 'age', 'origin', 'nationality', 'identity', 'form-of-address'],
  health: ['allergies', 'health', 'health-state', 'diet'],
  home: ['residence', 'living-with'],
  work: ['occupation', 'employer', 'education', 'field-of-work'],
  family: ['partner', 'marital-status', 'children', 'pets', 'parents', 'siblings', 'relatives'],
  now: ['current-activity', 'plans', 'goals', 'mood'],
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

/** Shown whole, a long value would crowd out the others. */
const LONGEST_VALUE = 60

const HAN = /\p{Script=Han}/u

function nameOf({ key }: PersonaEntry, isChinese: boolean): string {
  return (isChinese ? key.names.zh : key.names.en)[0] ?? key.id
}

function clipped(value: string): string {
  const plain = value.replace(/\s+/g, ' ').trim()
  return plain.length <= LONGEST_VALUE ? plain : `${plain.slice(0, LONGEST_VALUE).toWellFormed()}…`
}

function holdsNow({ isPast, validUntil, validFrom }: PersonaValue, now: number): boolean {
  return !isPast && validFrom <= now && (validUntil === null || validUntil > now)
}

/** Values that say the same once: “cousin Sílvia” is in “cousin Sílvia, a pharmacist”. */
function distinct(values: readonly PersonaValue[]): PersonaValue[] {
  const lower = values.map(({ value }) => value.toLowerCase())
  return values.filter(
    (_, place) =>
      !lower.some(
        (other, at) =>
          at !== place && other.includes(lower[place] ?? '') && (other !== lower[place] || at < place),
      ),
  )
}

/** The turns that memories rest on, each once, without the words quoted from them. */
export function turnsOnce(of: readonly Pick<Memory, 'evidence'>[]): { readonly turn: string }[] {
  const turns = new Set(of.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return [...turns].map((turn) => ({ turn }))
}

/** The line of a slot from what the sheet says of the user; `null` when it says nothing. */
export function lineOfSheet(
  slot: ProfileSlot,
  sheet: SubjectSheet | undefined,
  now: number,
): ProfileLine | null {
  const entries = SLOT_KEYS[slot].flatMap((key) => sheet?.entries.find((entry) => entry.key.id === key) ?? [])
  const parts: string[] = []
  const used: PersonaValue[] = []
  for (const entry of entries) {
    const holding = distinct(entry.values.filter((value) => holdsNow(value, now))).slice(0, MOST_VALUES[slot])
    if (holding.length === 0) continue
    const isChinese = holding.some(({ value }) => HAN.test(value))
    parts.push(`${nameOf(entry, isChinese)}: ${holding.map(({ value }) => clipped(value)).join(', ')}`)
    used.push(...holding)
  }
  if (used.length === 0) return null
  return {
    slot,
    text: parts.join('; '),
    memories: used.map(({ memory }) => memory),
    evidence: turnsOnce(used),
    validFrom: Math.max(...used.map(({ validFrom }) => validFrom)),
    isQuoted: false,
  }
}

/** What goes on now, from the newest summary of a session, where the sheet does not tell it. */
export function lineOfSummary(
  summary: Memory | undefined,
  clip: (text: string) => string,
): ProfileLine | null {
  if (summary === undefined || summary.text.trim() === '') return null
  return {
    slot: 'now',
    text: clip(summary.text),
    memories: [summary.id],
    evidence: turnsOnce([summary]),
    validFrom: summary.validFrom,
    isQuoted: false,
  }
}

interface Quoted {
  /** What is searched for. */
  readonly query: string
  /** How somebody tells it of themself. Narrower than the cues of a strand: what is told in every talk must not be a guess. */
  readonly tells: RegExp
}

const ROLES_AT_HOME =
  'husband|wife|partner|boyfriend|girlfriend|fianc[ée]e?|sons?|daughters?|kids|children|mother|mum|mom|father|dad|brothers?|sisters?'

/** Slots for which the user's own words may stand. */
const QUOTED: Readonly<Partial<Record<ProfileSlot, Quoted>>> = {
  health: {
    query: 'I am allergic, diagnosed with, asthma, diabetes, intolerant 过敏 确诊 患有 慢性病',
    tells:
      /\b(?:i['’]m|i am) (?:\w+ )?(?:allergic|intolerant|diabetic|asthmatic|pregnant|coeliac|celiac)\b|\bi (?:was|got|['’]ve been|have been) diagnosed\b|\bi(?:['’]ve| have)(?: got)? (?:\w+ ){0,2}(?:allergy|asthma|diabetes|epilepsy|arthritis|migraines?|disease|condition|syndrome|intolerance)\b|我对?[^，。！？]{0,6}过敏|我(?:有|得了|患)[^，。！？]{0,8}(?:病|炎|症)|我[^，。！？]{0,4}不耐受/i,
  },
  home: {
    query: 'I live in, we moved to, my flat in 我住在 搬到 我家在',
    tells:
      /\b(?:i|we)(?:['’]ve| have)?(?: just| now| both)? (?:live|moved) (?:in|at|to|into|near|on|with)\b|(?<![劝让叫要喊陪给帮跟和带])我(?:现在|们)?(?:住(?!院|了[^，。！？]{0,3}[天晚夜])在?|搬(?:到|进|去)了?)|我家在/i,
  },
  work: {
    query: 'I work as, I work at, my job 我在…上班 我的工作是 我是做',
    tells:
      /\bi(?:['’]m| am)? (?:now )?work(?:ing)? (?:as|at|for|in|on)\b|\bmy job (?:is|as|at)\b|\bi (?:teach|drive|run|manage) (?:a|an|the|at|in)?\b|\bi['’]m (?:a|an) (?:\w+ ){0,2}(?:nurse|teacher|driver|engineer|student|\w{3,}(?:er|or|ist|ian))\b|我在[^，。！？]{1,12}(?:上班|工作|上学|读书)|我是(?:一?[名个])?(?:做|干|当)[^，。！？]{1,10}的/i,
  },
  family: {
    query: 'my husband, wife, partner, son, daughter, kids, mother, father 我老公 老婆 儿子 女儿 爸妈',
    tells: new RegExp(
      String.raw`\b(?:[Mm]y|[Oo]ur) (?:\w+ )?(?:${ROLES_AT_HOME})(?:,? (?:is |(?:is|was|['’]s) called )?\p{Lu}\p{Ll}|['’]s name| (?:is|are|was|lives?|works?|called) )|我(?:的)?(?:老公|老婆|丈夫|妻子|爱人|男朋友|女朋友|儿子|女儿|[爸妈哥姐弟妹]妹?|弟弟|哥哥|姐姐)(?:叫|在|是|今年|才|开|住)`,
      'u',
    ),
  },
}

/** Turns found for a slot, of which one may be told. */
const HITS = 12
/** What a quotation of the profile may cost. */
const QUOTE_TOKENS = 26

/** A person as a profile is made of them. */
export interface Seen {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly state: UserState
  readonly now: number
}

async function turnsFor({ engine, resolved, state, now }: Seen, query: string): Promise<Turn[]> {
  const read = readQuestionFor(state.index, query, { now })
  const { hits } = searchIndex(state.index, { read, vector: null }, HYBRID, {
    limit: HITS,
    now,
    kind: 'turn',
    scopes: new Set(resolved.scopes),
    accepts: (id) => state.turns.get(id)?.role === 'user',
  })
  const ids = hits.map(({ id }) => id)
  const turns = ids.length === 0 ? [] : await engine.store.listTurns({ userId: resolved.owner, ids })
  return tellableTurns(state, turns)
}

interface ToldSentence {
  readonly turn: Turn
  readonly text: string
}

/** The sentence of a turn in which its speaker tells it of themself; a question tells nothing. */
function toldIn(turn: Turn, tells: RegExp): ToldSentence[] {
  const sentences = splitSentences(onOneLine(turn.text))
  return sentences
    .filter(({ text }) => tells.test(text) && !/[?？]/.test(text))
    .map(({ text }) => ({ turn, text }))
}

function lineOf(seen: Seen, slot: ProfileSlot, { turn, text }: ToldSentence): ProfileLine {
  const { countTokens } = seen.engine
  const memory = seen.state.utteranceOf(turn.id)
  return {
    slot,
    text: clipText(new AnalysedText(text), { terms: new Set(), tokens: QUOTE_TOKENS, countTokens }),
    memories: memory === undefined ? [] : [memory.id],
    evidence: [{ turn: turn.id }],
    validFrom: turn.at,
    isQuoted: true,
  }
}

/** The user's own words for a slot of which no statement tells, the latest; `null` when none of them tells it plainly. */
export async function quoteSlot(seen: Seen, slot: ProfileSlot): Promise<ProfileLine | null> {
  const quoted = QUOTED[slot]
  if (quoted === undefined) return null
  const turns = await turnsFor(seen, quoted.query)
  const told = turns.flatMap((turn) => toldIn(turn, quoted.tells))
  const latest = told.toSorted((one, other) => other.turn.at - one.turn.at)[0]
  return latest === undefined ? null : lineOf(seen, slot, latest)
}

/** What tells of now: plans, and how somebody's work, home and health stand. */
const NOW_STRANDS = STRANDS.filter(({ id }) => ['plans', 'work', 'home', 'health', 'studies'].includes(id))

/** What the user told of themself when they last talked; `null` when they told nothing. */
export async function quoteLatest(seen: Seen, session: string | undefined): Promise<ProfileLine | null> {
  const { engine, resolved, state } = seen
  if (session === undefined) return null
  const turns = await engine.store.listTurns({ userId: resolved.owner, scopes: resolved.scopes, session })
  const kept = turns.filter((turn) => turn.role === 'user' && state.utteranceOf(turn.id) !== undefined)
  const own = tellableTurns(state, kept)
  const tellings = own.map(({ id, text, at }) => ({ id, text, at, key: null, isStatement: false }))
  const [best] = chooseTelling(tellings, NOW_STRANDS, { most: 1, fills: false })
  const turn = own.find(({ id }) => id === best?.id)
  return turn === undefined ? null : lineOf(seen, 'now', { turn, text: turn.text })
}

/** What a profile may cost ahead of what was found. */
export const PROFILE_TOKENS = 150

/** A line of the profile as it stands in a context: quoted, and with its day where it quotes somebody. */
export function profileLine({ slot, text, validFrom, isQuoted }: ProfileLine): string {
  return isQuoted
    ? `- [profile, ${slot}; ${dayOf(validFrom, [])}] user: ${quote(text)}`
    : `- [profile, ${slot}] ${quote(text)}`
}

/** The same, with the words that it quotes. */
export function aheadLine(line: ProfileLine): AheadLine {
  return { text: profileLine(line), quoted: line.isQuoted ? line.text : null }
}

/** The lines that fit a budget, in their order; one that does not fit is left out whole. */
export function fitProfile(profile: Profile, tokens: number, countTokens: CountTokens): ProfileLine[] {
  let left = tokens
  return profile.lines.filter((line) => {
    const cost = costOf(profileLine(line), countTokens)
    if (cost > left) return false
    left -= cost
    return true
  })
}
