import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { deleteMemory, HELD_BACK } from '../memories/delete-memory.ts'
import type { Origin } from '../memories/memory.ts'
import { findTerms, maskUnspoken, splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { restingOn, turnsJustSaid } from './find-targets.ts'

/** Turns before a request among which its matter is looked for. */
const MOST_TURNS = 2_000
/** Of those that may be meant, so many at most are held back: the narrowest that is plausible. */
const MOST_HELD = 2
/** Words that begin with so many letters alike are of one family: "signature", "signed". */
const LETTERS_OF_FAMILY = 4
/** A family that more turns hold tells of no one matter. */
const MOST_TURNS_OF_FAMILY = 4
/** Says of what is to be forgotten no more than that it was told. */
const TOLD_TO_AGENT =
  /\b(?:told|said to|confided|got off my chest|typed|wrote|let slip)\b[^.!?]{0,40}\byou\b|\boff my chest\b|(?:跟|和|对|同)你(?:说|讲|念|提|聊|吐)/i
/** Told in confidence: what people ask to have forgotten later. */
const CONFIDED =
  /\b(?:nobody (?:else )?knows|no one (?:else )?knows|never told (?:anyone|anybody|a soul)|have(?:n[’']t| not) told (?:anyone|anybody|a soul)|don[’']?t tell|do not tell|between (?:us|you and me)|off my chest|confess|secret(?:ly)?|ashamed|no sympathy|you['’]re the (?:only|first) one)\b|谁都没(?:讲|说|告诉)|没(?:跟|和|对)(?:谁|别人|任何人|人)(?:讲|说|提)|(?:别|莫|不要)(?:跟|和|对|告诉)(?:别人|人|谁)|(?:莫|别)劝我|只跟你(?:讲|说)|秘密|丢人|说不出口|不晓得这事|瞒着/i

/**
 * Holds back what somebody may have asked to have forgotten in turns of which a model's answer could not be used, where rules
 * hear no request whose matter they find: the turn that likely asks, and what was said right before it. It goes as a deletion that
 * is taken back when the turns are read after all.
 *
 * @see releaseHeld
 */
export async function holdBackUnread(unit: UnitOfWork, segment: Segment, origin: Origin): Promise<void> {
  for (const turn of segment.turns) {
    const request = turn.role === 'user' ? likelyRequest(turn) : null
    if (request === null) continue
    const just = await turnsJustSaid(unit, request, turn)
    hold(unit, [turn.id, ...just], origin)
  }
}

/** The sentence of a turn that likely asks for something to be forgotten, as a request that says no more of what than “that”. */
function likelyRequest(turn: Turn): ForgetRequest | null {
  const asking = splitSentences(maskUnspoken(turn.text)).find(({ text }) => likelyAsksToForget(text))
  if (asking === undefined) return null
  const quote = turn.text.slice(asking.start, asking.start + asking.text.length)
  return { kind: 'forget', about: null, evidence: { turn: turn.id, quote } }
}

/**
 * Holds back the turns that a request most likely means when neither its words nor a model found anything that tells of it: those
 * of the person's that share a word's family with what it names, or, where it only says that something was told to the agent,
 * those told in confidence. Where there are none nothing is known of it, and nothing is held back.
 */
export async function holdBackPlausible(
  unit: UnitOfWork,
  request: ForgetRequest,
  origin: Origin,
): Promise<void> {
  const { engine, row, state } = unit
  const position = state.turns.get(request.evidence.turn)?.position
  if (position === undefined || request.about === null) return
  const turns = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    afterPosition: Math.max(0, position - 1 - MOST_TURNS),
    limit: MOST_TURNS,
  })
  const before = turns.filter((turn) => turn.role === 'user' && turn.position < position)
  const asker = turns.find(({ id }) => id === request.evidence.turn)
  const told = before.map((turn) => ({ turn, terms: findTerms(turn.text) }))
  const families = rareFamilies(request.about, told)
  const plausible = told
    .map((one) => ({ turn: one.turn, score: likeness(one, families, asker) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || other.turn.position - one.turn.position)
  const best = plausible.filter(({ score }) => score === plausible[0]?.score)
  hold(
    unit,
    best.slice(0, MOST_HELD).map(({ turn }) => turn.id),
    origin,
  )
}

/** A turn that may be meant, and its words. */
interface ToldTurn {
  readonly turn: Turn
  readonly terms: readonly string[]
}

/** Families of the words of what is named that are told of in few turns: a word of many says nothing of which is meant. */
function rareFamilies(about: string, turns: readonly ToldTurn[]): string[] {
  const families = findTerms(about).map((term) =>
    /\p{Script=Han}/u.test(term) ? term : term.slice(0, LETTERS_OF_FAMILY),
  )
  return families.filter((family) => {
    const isLong = family.length >= (/\p{Script=Han}/u.test(family) ? 2 : LETTERS_OF_FAMILY)
    return isLong && turns.filter((one) => holdsFamily(one, family)).length <= MOST_TURNS_OF_FAMILY
  })
}

function holdsFamily({ terms }: ToldTurn, family: string): boolean {
  return terms.some((term) => term.startsWith(family))
}

/** How many families of words a turn shares with what is named, and more where it was told in confidence. */
function likeness(told: ToldTurn, families: readonly string[], asker: Turn | undefined): number {
  const shared = families.filter((family) => holdsFamily(told, family)).length
  const isConfided = CONFIDED.test(told.turn.text)
  const mayBeMeant = shared > 0 || TOLD_TO_AGENT.test(asker?.text ?? '')
  return shared + (isConfided && mayBeMeant ? 1 : 0)
}

/** Whatever rests on the turns leaves recall, prompts and what was told of them, and can be brought back. */
function hold(unit: UnitOfWork, turns: readonly string[], origin: Origin): void {
  const { state, changes } = unit
  for (const { id } of restingOn(unit, turns)) {
    const memory = changes.read(id)
    if (memory?.status !== 'live' || (memory.form !== 'utterance' && memory.form !== 'fact')) continue
    deleteMemory(changes, memory, { reason: HELD_BACK, origin }, (turn) => state.memoriesOfTurn(turn))
  }
}

/** Takes back what was held back of a segment's turns, now that they are read: what is asked in them is carried out after it. */
export function releaseHeld({ state, changes }: UnitOfWork, { turns }: Segment, origin: Origin): void {
  const held = new Set<string>()
  for (const turn of turns)
    for (const { id, status, reason } of state.memoriesOfTurn(turn.id))
      if (status === 'deleted' && reason === HELD_BACK) held.add(id)
  for (const id of held) changes.change('restore', id, { status: 'live', reason: null }, origin)
}
