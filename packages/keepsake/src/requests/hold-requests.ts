import { hearAllRequests, hearWideRequests } from '../extraction/rules/hear-requests.ts'
import { readAnswer, simplifyChinese, type Answer } from '@keepsake/text'
import type { Extraction, Segment } from '../extraction/extractor.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteAlone } from '../memories/delete-memory.ts'
import { HELD_REQUEST, isHeld, type HELD_TOPIC } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import { memoriesOf, originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Lowest importance, so that it never ranks above statements. */
const IMPORTANCE = 1
const HELD: NoteWords = {
  en: (day, who) =>
    `On ${day} ${who === 'user' ? 'the user' : who} asked the agent to forget everything; that waits for a yes.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}要求助手忘掉一切，等待确认。`,
}
const HELD_ONE: NoteWords = {
  en: (day, who) =>
    `On ${day} ${who === 'user' ? 'the user' : who} may have asked the agent to forget something; that waits for a yes.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}可能要求助手忘掉一件事，等待确认。`,
}

/** Returns what a turn answers that says yes or no and nothing else. */
export function answerOf({ role, text }: Pick<Turn, 'role' | 'text'>, wasAsked: boolean): Answer {
  return role === 'user' ? readAnswer(simplifyChinese(text), wasAsked) : null
}

/** Finds the pending request that the user's previous turn made. */
export function heldBefore({ row, state }: ScopeView, turn: Pick<Turn, 'position'>): Memory | undefined {
  const before = state.userTurnBefore(row.scope, turn.position)
  return before === undefined ? undefined : [...state.memoriesOfTurn(before.id)].find(isHeld)
}

/** Removes deletions of a pending request from the extraction until it is confirmed. */
export function withoutHeld(
  { turns }: Segment,
  extraction: Extraction,
  rules?: Parameters<typeof hearWideRequests>[1],
): Extraction {
  const inPassages = hearAllRequests(turns, rules).filter(({ doubt }) => doubt === 'passage')
  const held = new Set([
    ...hearWideRequests(turns, rules).map(({ turn }) => turn),
    ...inPassages.map(({ evidence }) => evidence.turn),
  ])
  if (held.size === 0) return extraction
  return withoutRequests(extraction, held)
}

/** Removes the requests to forget of some turns, with the deletions that rest on them. */
export function withoutRequests(
  extraction: Extraction,
  turns: ReadonlySet<string>,
  accepts: (why: 'asked' | 'no-longer-so') => boolean = () => true,
): Extraction {
  return {
    ...extraction,
    requests: extraction.requests.filter(
      (request) => request.kind !== 'forget' || !turns.has(request.evidence.turn),
    ),
    operations: (extraction.operations ?? []).filter(
      (operation) =>
        operation.kind !== 'delete' ||
        !accepts(operation.why) ||
        !operation.evidence.some(({ turn }) => turns.has(turn)),
    ),
  }
}

/** Matches an agent's question for confirmation. */
const ASKS_WHETHER =
  /forg[eo]t|delet|eras|remov|wip|confirm|sure|certain|everything|sicher|wirklich|vergess|l[öo]sch|segur|olvid|borr|elimin|s[ûu]r|oubli|effac|supprim|certeza|esque|apag|本当|削除|消|忘|删|清|确认|確|确定|一切|全部|정말|확실|삭제|지우|지울|잊/iu

/** Whether the agent asked between the request and its answer; `null` when it asked something else. */
export function asksBetween({ turns, before = [] }: Segment, from: number, to: number): boolean | null {
  const between = [...before, ...turns].filter(
    ({ role, position }) => role === 'assistant' && position > from && position < to,
  )
  return between.some(({ text }) => ASKS_WHETHER.test(text)) || (between.length === 0 ? false : null)
}

/** Notes a request as pending, once for each turn. */
export function hold(
  unit: UnitOfWork,
  segment: Segment,
  turn: Turn,
  step: typeof HELD_REQUEST | typeof HELD_TOPIC,
): void {
  const { state, changes } = unit
  const known = [...state.memoriesOfTurn(turn.id), ...changes.memories]
  if (known.some((memory) => memory.origin.step === step && restsOn(memory, turn.id))) return
  addRequestNote(unit, segment, turn, { text: noteText(step === HELD_REQUEST ? HELD : HELD_ONE, turn), step })
}

/** What a note says of a request, by its language. */
type NoteWords = Readonly<Record<PromptLanguage, (day: string, who: string) => string>>

/** Words a note of the request that a turn makes. */
function noteText(words: NoteWords, turn: Turn): string {
  return words[promptLanguage([turn.text])](renderDay(turn.at, turn.timeZone), whoSpeaks(turn))
}

/** Adds a note of a request. It rests on the turn of the request and is erased with it. */
function addRequestNote(
  { engine, changes }: UnitOfWork,
  { sessionNumber, round }: Segment,
  turn: Turn,
  { text, step }: { readonly text: string; readonly step: string },
): void {
  const { id, session, at } = turn
  const signals = { arousal: null, surprise: null, importance: IMPORTANCE }
  const evidence = [{ turn: id, quote: null }]
  const subject = whoSpeaks(turn)
  const note = candidateOf({ type: 'event', subject, text, evidence, validFrom: at, signals })
  const setting = { session, sessionNumber, round, learnedAt: at }
  changes.add(memoryOf({ ...note, label: 'user-stated' }, setting), originOf(engine, step))
}

/** Matches names of notes that state something about the user: those of Mem0's protocol and imports. */
const STATES = /^mem0-/

/**
 * Deletes all memories of a user's scope, and the pending request. One undo of the first operation restores them. Named notes belong to the
 * application and stay.
 *
 * @param before deletes only what was said before this position; everything when absent
 */
export function forgetEverything(unit: UnitOfWork, held: Memory, before = Number.POSITIVE_INFINITY): void {
  const { engine, changes, state } = unit
  const origin = originOf(engine, HELD_REQUEST)
  const { id: parent } = deleteAlone(changes, held, { reason: ASKED_TO_FORGET, origin })
  for (const memory of liveIn(unit)) {
    const isLater = memory.evidence.some(({ turn }) => (state.turns.get(turn)?.position ?? 0) >= before)
    const isOfApplication = memory.name !== null && memory.form === 'note' && !STATES.test(memory.name)
    if (memory.id !== held.id && !isLater && !isOfApplication)
      deleteAlone(changes, memory, { reason: ASKED_TO_FORGET, origin, parent })
  }
}

export function restsOn(memory: Memory, turn: string): boolean {
  return memory.evidence.some((source) => source.turn === turn)
}

/** Applies the change set and returns live memories. */
export function liveIn(unit: UnitOfWork): Memory[] {
  const all = [...memoriesOf(unit), ...unit.changes.memories]
  return [...new Set(all.map(({ id }) => id))].flatMap((id) => {
    const memory = unit.changes.read(id)
    return memory?.status === 'live' || memory?.status === 'quarantined' ? [memory] : []
  })
}
