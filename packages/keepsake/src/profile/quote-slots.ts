import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import { AnalysedText } from '../read/analysed-text.ts'
import { clipText } from '../read/context-lines.ts'
import { HYBRID } from '@keepsake/search'
import { tellableTurns } from '../work/living-turns.ts'
import { onOneLine, splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { chooseTelling } from './choose-telling.ts'
import type { ProfileLine, ProfileSlot } from '../persona/profile.ts'
import { STRANDS } from './strands.ts'

interface Quoted {
  /** What is searched for. */
  readonly asked: string
  /** How somebody tells it of themself. Narrower than the cues of a strand: what is told in every talk must not be a guess. */
  readonly tells: RegExp
}

const ROLES_AT_HOME =
  'husband|wife|partner|boyfriend|girlfriend|fianc[ée]e?|sons?|daughters?|kids|children|mother|mum|mom|father|dad|brothers?|sisters?'

/** Slots for which the user's own words may stand. */
const QUOTED: Readonly<Partial<Record<ProfileSlot, Quoted>>> = {
  health: {
    asked: 'I am allergic, diagnosed with, asthma, diabetes, intolerant 过敏 确诊 患有 慢性病',
    tells:
      /\b(?:i['’]m|i am) (?:\w+ )?(?:allergic|intolerant|diabetic|asthmatic|pregnant|coeliac|celiac)\b|\bi (?:was|got|['’]ve been|have been) diagnosed\b|\bi(?:['’]ve| have)(?: got)? (?:\w+ ){0,2}(?:allergy|asthma|diabetes|epilepsy|arthritis|migraines?|disease|condition|syndrome|intolerance)\b|我对?[^，。！？]{0,6}过敏|我(?:有|得了|患)[^，。！？]{0,8}(?:病|炎|症)|我[^，。！？]{0,4}不耐受/i,
  },
  home: {
    asked: 'I live in, we moved to, my flat in 我住在 搬到 我家在',
    tells:
      /\b(?:i|we)(?:['’]ve| have)?(?: just| now| both)? (?:live|moved) (?:in|at|to|into|near|on|with)\b|(?<![劝让叫要喊陪给帮跟和带])我(?:现在|们)?(?:住(?!院|了[^，。！？]{0,3}[天晚夜])在?|搬(?:到|进|去)了?)|我家在/i,
  },
  work: {
    asked: 'I work as, I work at, my job 我在…上班 我的工作是 我是做',
    tells:
      /\bi(?:['’]m| am)? (?:now )?work(?:ing)? (?:as|at|for|in|on)\b|\bmy job (?:is|as|at)\b|\bi (?:teach|drive|run|manage) (?:a|an|the|at|in)?\b|\bi['’]m (?:a|an) (?:\w+ ){0,2}(?:nurse|teacher|driver|engineer|student|\w{3,}(?:er|or|ist|ian))\b|我在[^，。！？]{1,12}(?:上班|工作|上学|读书)|我是(?:一?[名个])?(?:做|干|当)[^，。！？]{1,10}的/i,
  },
  family: {
    asked: 'my husband, wife, partner, son, daughter, kids, mother, father 我老公 老婆 儿子 女儿 爸妈',
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
  readonly cache: UserState
  readonly now: number
}

async function turnsFor({ engine, resolved, cache, now }: Seen, asked: string): Promise<Turn[]> {
  const read = readQuestionFor(cache.index, asked, { now })
  const { hits } = searchIndex(cache.index, { read, vector: null }, HYBRID, {
    limit: HITS,
    now,
    kind: 'turn',
    scopes: new Set(resolved.scopes),
    accepts: (id) => cache.turns.get(id)?.role === 'user',
  })
  const ids = hits.map(({ id }) => id)
  const turns = ids.length === 0 ? [] : await engine.store.turns({ owner: resolved.owner, ids })
  return tellableTurns(cache, turns)
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
  const memory = seen.cache.utteranceOf(turn.id)
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
  const turns = await turnsFor(seen, quoted.asked)
  const told = turns.flatMap((turn) => toldIn(turn, quoted.tells))
  const latest = told.toSorted((one, other) => other.turn.at - one.turn.at)[0]
  return latest === undefined ? null : lineOf(seen, slot, latest)
}

/** What tells of now: plans, and how somebody's work, home and health stand. */
const NOW_STRANDS = STRANDS.filter(({ id }) => ['plans', 'work', 'home', 'health', 'studies'].includes(id))

/** What the user told of themself when they last talked; `null` when they told nothing. */
export async function quoteLatest(seen: Seen, session: string | undefined): Promise<ProfileLine | null> {
  const { engine, resolved, cache } = seen
  if (session === undefined) return null
  const turns = await engine.store.turns({ owner: resolved.owner, scopes: resolved.scopes, session })
  const kept = turns.filter((turn) => turn.role === 'user' && cache.utteranceOf(turn.id) !== undefined)
  const own = tellableTurns(cache, kept)
  const tellings = own.map(({ id, text, at }) => ({ id, text, at, key: null, isStatement: false }))
  const [best] = chooseTelling(tellings, NOW_STRANDS, { most: 1, fills: false })
  const turn = own.find(({ id }) => id === best?.id)
  return turn === undefined ? null : lineOf(seen, 'now', { turn, text: turn.text })
}
