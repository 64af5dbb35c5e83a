import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { deleteMemory, HELD_BACK } from '../memories/delete-memory.ts'
import type { Origin } from '../memories/memory.ts'
import { findTerms, maskUnspoken, splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { restingOn, turnsJustSaid } from './find-targets.ts'

/** Maximum number of turns searched before a request. */
const MOST_TURNS = 2_000
/** Maximum number of withheld turns. */
const MOST_HELD = 2
/** Length of the common prefix of a word family: "signature", "signed". */
const LETTERS_OF_FAMILY = 4
/** Word families in more turns than this are too general. */
const MOST_TURNS_OF_FAMILY = 4
/** Matches requests that name only the act of telling the agent. */
const TOLD_TO_AGENT =
  /\b(?:told|said to|confided|got off my chest|typed|wrote|let slip)\b[^.!?]{0,40}\byou\b|\boff my chest\b|(?:跟|和|对|同)你(?:说|讲|念|提|聊|吐)/i
/** Matches confidential statements, which users often ask to forget later. */
const CONFIDED =
  /\b(?:nobody (?:else )?knows|no one (?:else )?knows|never told (?:anyone|anybody|a soul)|have(?:n[’']t| not) told (?:anyone|anybody|a soul)|don[’']?t tell|do not tell|between (?:us|you and me)|off my chest|confess|secret(?:ly)?|ashamed|no sympathy|you['’]re the (?:only|first) one)\b|谁都没(?:讲|说|告诉)|没(?:跟|和|对)(?:谁|别人|任何人|人)(?:讲|说|提)|(?:别|莫|不要)(?:跟|和|对|告诉)(?:别人|人|谁)|(?:莫|别)劝我|只跟你(?:讲|说)|秘密|丢人|说不出口|不晓得这事|瞒着/i

/**
 * Withholds memories when the model's answer was unusable and rules find no target: the turn that likely asks, and the text right before
 * it. It is a deletion that is undone once the turns are read.
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

/** Finds a sentence that likely asks to forget something, as a request without a topic. */
function likelyRequest(turn: Turn): ForgetRequest | null {
  const asking = splitSentences(maskUnspoken(turn.text)).find(({ text }) => likelyAsksToForget(text))
  if (asking === undefined) return null
  const quote = turn.text.slice(asking.start, asking.start + asking.text.length)
  return { kind: 'forget', about: null, evidence: { turn: turn.id, quote } }
}

/**
 * Withholds the turns that a request most likely means, when neither words nor a model found a target: the user's turns that share a word
 * family with it, or the confidential ones when the request names nothing. Without such turns nothing is withheld.
 */
export async function holdBackPlausible(
  unit: UnitOfWork,
  request: ForgetRequest,
  origin: Origin,
): Promise<void> {
  const { engine, row, state } = unit
  const position = state.turns.get(request.evidence.turn)?.position
  if (position === undefined || request.about === null) return
  const turns = await engine.store.listTurns({
    userId: row.owner,
    scopes: [row.scope],
    afterPosition: Math.max(0, position - 1 - MOST_TURNS),
    limit: MOST_TURNS,
  })
  const before = turns.filter((turn) => turn.role === 'user' && turn.position < position)
  const asker = turns.find(({ id }) => id === request.evidence.turn)
  const candidates = before.map((turn) => ({ turn, terms: findTerms(turn.text) }))
  const families = rareFamilies(request.about, candidates)
  const plausible = candidates
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

interface CandidateTurn {
  readonly turn: Turn
  readonly terms: readonly string[]
}

/** Returns the rare word families of the request. */
function rareFamilies(about: string, turns: readonly CandidateTurn[]): string[] {
  const families = findTerms(about).map((term) =>
    /\p{Script=Han}/u.test(term) ? term : term.slice(0, LETTERS_OF_FAMILY),
  )
  return families.filter((family) => {
    const isLong = family.length >= (/\p{Script=Han}/u.test(family) ? 2 : LETTERS_OF_FAMILY)
    return isLong && turns.filter((one) => holdsFamily(one, family)).length <= MOST_TURNS_OF_FAMILY
  })
}

function holdsFamily({ terms }: CandidateTurn, family: string): boolean {
  return terms.some((term) => term.startsWith(family))
}

/** Scores a turn by shared word families, and higher if it was confidential. */
function likeness(candidates: CandidateTurn, families: readonly string[], asker: Turn | undefined): number {
  const shared = families.filter((family) => holdsFamily(candidates, family)).length
  const isConfided = CONFIDED.test(candidates.turn.text)
  const mayBeMeant = shared > 0 || TOLD_TO_AGENT.test(asker?.text ?? '')
  return shared + (isConfided && mayBeMeant ? 1 : 0)
}

/** Deletes every memory based on the turns, in a way that can be undone. */
function hold(unit: UnitOfWork, turns: readonly string[], origin: Origin): void {
  const { state, changes } = unit
  for (const { id } of restingOn(unit, turns)) {
    const memory = changes.read(id)
    if (memory?.status !== 'live' || (memory.form !== 'utterance' && memory.form !== 'fact')) continue
    deleteMemory(changes, memory, { reason: HELD_BACK, origin }, (turn) => state.memoriesOfTurn(turn))
  }
}

/** Restores memories withheld for a segment's turns, now that these are read; their requests are applied afterwards. */
export function releaseHeld({ state, changes }: UnitOfWork, { turns }: Segment, origin: Origin): void {
  const held = new Set<string>()
  for (const turn of turns)
    for (const { id, status, reason } of state.memoriesOfTurn(turn.id))
      if (status === 'deleted' && reason === HELD_BACK) held.add(id)
  for (const id of held) changes.change('restore', id, { status: 'live', reason: null }, origin)
}
