import { clipTurn } from '../composition/clip-turn.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { isDropped } from '../consolidate/living-turns.ts'
import { TextTrait, readTraits } from '../text/text-traits.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { chooseTelling } from './choose-telling.ts'
import type { ProfileLine, ProfileSlot } from './profile.ts'
import { STRANDS, type Strand, type StrandId } from './strands.ts'

/** Slots for which the user's own words may stand, what is searched for them, and the strands whose cues they must hold. */
const QUOTED: Readonly<Partial<Record<ProfileSlot, { readonly asked: string; readonly strands: readonly StrandId[] }>>> = {
  health: {
    asked: 'I am allergic, diagnosed, illness, asthma, diabetes, doctor, medication 过敏 确诊 生病 吃药 医生 体检',
    strands: ['health', 'diet'],
  },
  home: { asked: 'I live in, I moved, my flat, house, rent 我住在 搬家 租房 房子', strands: ['home'] },
  work: { asked: 'I work as, my job, boss, office, shift 我上班 工作 公司 老板 同事', strands: ['work', 'studies'] },
  family: {
    asked: 'my husband, wife, partner, son, daughter, kids, mother, father 我老公 老婆 儿子 女儿 妈妈 爸爸',
    strands: ['partner', 'children', 'parents', 'siblings'],
  },
}

/** Turns found for a slot, of which one may be told. */
const HITS = 12
/** What a quotation of the profile may cost. */
const QUOTE_TOKENS = 26

interface Seen {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly cache: OwnerCache
  readonly now: number
}

async function turnsFor({ engine, resolved, cache, now }: Seen, asked: string): Promise<Turn[]> {
  const read = cache.index.readQuestion(asked, { now })
  const { hits } = cache.index.search({ read, vector: null }, HYBRID, {
    limit: HITS,
    now,
    kind: 'turn',
    scopes: new Set(resolved.scopes),
    accepts: (id) => cache.turn(id)?.role === 'user',
  })
  const ids = hits.map(({ id }) => id)
  const turns = ids.length === 0 ? [] : await engine.store.turns({ owner: resolved.owner, ids })
  return turns.filter((turn) => !isDropped(cache, turn))
}

/** Only who speaks of themself, and states it, tells of themself. */
function isTold({ text }: Turn, strands: readonly Strand[]): boolean {
  const traits = readTraits(text)
  if ((traits & TextTrait.firstPerson) === 0 || (traits & TextTrait.onlyAsks) !== 0) return false
  return strands.some(({ cues }) => cues.test(text))
}

/** The user's own words for a slot of which no statement tells; `null` when none of them tells it clearly. */
export async function quoteSlot(seen: Seen, slot: ProfileSlot): Promise<ProfileLine | null> {
  const quoted = QUOTED[slot]
  if (quoted === undefined) return null
  const strands = STRANDS.filter(({ id }) => quoted.strands.includes(id))
  const turns = (await turnsFor(seen, quoted.asked)).filter((turn) => isTold(turn, strands))
  const tellings = turns.map(({ id, text, at }) => ({ id, text, at, key: null, isStatement: false }))
  const [best] = chooseTelling(tellings, strands, { most: 1, fills: false })
  const turn = turns.find(({ id }) => id === best?.id)
  if (turn === undefined) return null
  const { countTokens } = seen.engine
  const memory = seen.cache.utteranceOf(turn.id)
  return {
    slot,
    text: clipTurn(turn.text, { terms: new Set(), tokens: QUOTE_TOKENS, countTokens }),
    memories: memory === undefined ? [] : [memory.id],
    evidence: [{ turn: turn.id }],
    since: turn.at,
    isQuoted: true,
  }
}
