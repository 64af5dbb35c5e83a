import type { Draw } from '@keepsake/bench/parts'
import { asClause } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import type { Point, PointBook } from './point.ts'
import { allocateQuestions } from './allocate-questions.ts'
import type { QuestionUnit } from './question-units.ts'
import { QUESTION_TYPES, type HalumemQuestion, type QuestionType } from './published-form.ts'
import { evidenceOf } from './write-session.ts'

interface QuestionContext {
  readonly voice: Voice
  /** What holds, this session included. */
  readonly book: PointBook
}

interface QuestionDraft {
  readonly question: string
  readonly answer: string
  readonly evidence: readonly Point[]
}

type Maker = (context: QuestionContext, points: readonly Point[]) => QuestionDraft | null

/** Draws of a repeated question before another type takes its place. */
const DRAWS = 6
const SHARE_OF_ORDER = 0.6

/** Each type's maker, `null` where a session does not allow it, and its difficulty. */
const MAKERS: Readonly<Record<QuestionType, readonly [Maker, HalumemQuestion['difficulty']]>> = {
  'Basic Fact Recall': [basicFact, 'easy'],
  'Multi-hop Inference': [multiHop, 'hard'],
  'Dynamic Update': [dynamicUpdate, 'medium'],
  'Memory Boundary': [boundary, 'medium'],
  'Memory Conflict': [conflict, 'medium'],
  'Generalization & Application': [application, 'medium'],
}

/**
 * Stage 6 without a language model: questions about an event, all its stages together, as many of each type as are allocated to it ({@link
 * allocateQuestions}). Where what was stated does not hold as many different ones of a type, the event's other types take their places, as
 * far as they go.
 *
 * @param points all that the event's sessions stated
 */
export function makeQuestions(
  context: QuestionContext,
  { kind, places }: QuestionUnit,
  points: readonly Point[],
): HalumemQuestion[] {
  const { draw } = context.voice
  const stated = points.filter((point) => context.book.holds(point))
  const possible = QUESTION_TYPES.filter((type) => MAKERS[type][0](context, stated) !== null)
  const allocated = allocateQuestions(draw, { kind, stages: places.length, possible })
  const made: HalumemQuestion[] = []
  let lacking = 0
  for (const [type, count] of allocated) lacking += askOf({ context, type, stated, made }, count)
  for (const type of draw.shuffled([...allocated.keys()]))
    lacking = askOf({ context, type, stated, made }, lacking)
  return made
}

interface Asking {
  readonly context: QuestionContext
  readonly type: QuestionType
  readonly stated: readonly Point[]
  /** Questions of the event so far; extended here. */
  readonly made: HalumemQuestion[]
}

/** @returns the number of wanted questions that could not be made */
function askOf({ context, type, stated, made }: Asking, wanted: number): number {
  const [make, difficulty] = MAKERS[type]
  let lacking = wanted
  for (let drawn = 0; lacking > 0 && drawn < DRAWS * wanted; drawn += 1) {
    const draft = make(context, stated)
    if (draft === null || made.some(({ question }) => question === draft.question)) continue
    const { question, answer, evidence } = draft
    made.push({ question, answer, evidence: evidence.map(evidenceOf), difficulty, question_type: type })
    lacking -= 1
  }
  return lacking
}

function pickOr<Item>(draw: Draw, items: readonly Item[]): Item | null {
  return items.length === 0 ? null : draw.pick(items)
}

function basicFact({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const stated = points.filter((point) => isTold(point) && !point.isEnd && point.replaces.length === 0)
  const askable = stated.filter(({ subject }) => subject.ask !== undefined)
  const point = pickOr(voice.draw, askable)
  return point && { question: point.subject.ask ?? '', answer: point.text, evidence: [point] }
}

/** Which came first, or two things to combine. */
function multiHop({ voice, book }: QuestionContext): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const events = book.stated.filter(({ point }) => point.type === 'event' && point.replaces.length === 0)
  const notFirst = events.filter(({ session }) => session > (events[0]?.session ?? 0))
  const later = pickOr(draw, notFirst)
  if (later !== null && draw.chance(SHARE_OF_ORDER)) {
    const earlier = draw.pick(events.filter(({ session }) => session < later.session))
    const [a = '', b = ''] = draw.shuffled([earlier.point.text, later.point.text]).map(asClause)
    const evidence = [earlier.point, later.point]
    return { question: voice.phrase(frames.first, { a, b }), answer: earlier.point.text, evidence }
  }
  const askable = [...book.current.values()].filter(({ subject }) => subject.ask !== undefined)
  const [one, other] = draw.shuffled(askable)
  if (one === undefined || other === undefined) return null
  const [ask1 = '', ask2 = ''] = [one.subject.ask, other.subject.ask]
  const question = voice.phrase(frames.both, { ask1, ask2: lowerFirst(ask2) })
  return { question, answer: voice.join(one.text, other.text), evidence: [one, other] }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function dynamicUpdate({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const updates = points.filter((point) => isTold(point) && point.replaces.length > 0)
  const askable = updates.filter(({ isEnd, subject }) => isEnd || subject.ask !== undefined)
  const point = pickOr(voice.draw, askable)
  if (point === null) return null
  const { text, isEnd, subject, replaces } = point
  const [before = ''] = replaces
  const change = isEnd ? { before, gone: text } : { ask: subject.ask ?? '', after: text }
  return { ...voice.askChange(change), evidence: [point] }
}

function boundary({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const near = points.filter((point) => isTold(point) && !point.isEnd && point.subject.unknown !== undefined)
  const point = pickOr(voice.draw, near)
  const answer = voice.material.words.frames.unknown
  return point && { question: point.subject.unknown ?? '', answer, evidence: [] }
}

/** A false premise: what the agent claimed, or what held before. */
function conflict({ voice, book }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const claimed = points.flatMap((point) => {
    const truth = book.current.get(point.subject.key)
    return point.source === 'interference' && truth !== undefined && !truth.subject.repeats
      ? [{ claim: point.text, truth }]
      : []
  })
  const outdated = points.flatMap((truth) => truth.replaces.slice(0, 1).map((claim) => ({ claim, truth })))
  const premise = pickOr(draw, claimed) ?? pickOr(draw, outdated)
  if (premise === null) return null
  const { claim, truth } = premise
  return {
    question: voice.sentence(draw.pick(frames.conflict), { claim: asClause(claim) }),
    answer: voice.phrase(frames.conflictAnswer, { memory: truth.text }),
    evidence: [truth],
  }
}

function application({ voice, book }: QuestionContext): QuestionDraft | null {
  const tastes = [...book.current.values()].filter(({ subject }) => subject.apply !== undefined)
  const point = pickOr(voice.draw, tastes)
  if (point?.subject.apply === undefined) return null
  const { question, advice: answer } = point.subject.apply
  return { question, answer, evidence: [point] }
}

function isTold({ source }: Point): boolean {
  return source === 'primary' || source === 'secondary'
}
