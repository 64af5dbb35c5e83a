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
  /** All points up to this session. */
  readonly book: PointBook
}

interface QuestionDraft {
  readonly question: string
  readonly answer: string
  readonly evidence: readonly Point[]
}

type Drafter = (context: QuestionContext, points: readonly Point[]) => QuestionDraft | null

/** Attempts to draft a new question. If they give only repeated questions, another type is used. */
const MAX_ATTEMPTS = 6
const SHARE_OF_ORDER_QUESTIONS = 0.6

/** For each type, a function that drafts a question, and the type's difficulty. It returns `null` if the points do not allow a question. */
const DRAFTERS: Readonly<Record<QuestionType, readonly [Drafter, HalumemQuestion['difficulty']]>> = {
  'Basic Fact Recall': [draftBasicFact, 'easy'],
  'Multi-hop Inference': [draftMultiHop, 'hard'],
  'Dynamic Update': [draftDynamicUpdate, 'medium'],
  'Memory Boundary': [draftBoundary, 'medium'],
  'Memory Conflict': [draftConflict, 'medium'],
  'Generalization & Application': [draftApplication, 'medium'],
}

/** Makes a unit's questions without a model. {@link allocateQuestions} decides the types. If a type lacks points, other types replace it. */
export function makeQuestions(
  context: QuestionContext,
  { kind, eventIndexes }: QuestionUnit,
  points: readonly Point[],
): HalumemQuestion[] {
  const { draw } = context.voice
  const currentPoints = points.filter((point) => context.book.isCurrent(point))
  const possible = QUESTION_TYPES.filter((type) => DRAFTERS[type][0](context, currentPoints) !== null)
  const allocated = allocateQuestions(draw, { kind, stages: eventIndexes.length, possible })
  const questions: HalumemQuestion[] = []
  let missing = 0
  for (const [type, count] of allocated)
    missing += addQuestions({ context, type, points: currentPoints, questions }, count)
  for (const type of draw.shuffled([...allocated.keys()]))
    missing = addQuestions({ context, type, points: currentPoints, questions }, missing)
  return questions
}

interface TypeInput {
  readonly context: QuestionContext
  readonly type: QuestionType
  readonly points: readonly Point[]
  /** Questions of the event so far. New questions are added to it. */
  readonly questions: HalumemQuestion[]
}

/** Adds up to `count` questions of a type. @returns the number of questions that could not be made */
function addQuestions({ context, type, points, questions }: TypeInput, count: number): number {
  const [makeDraft, difficulty] = DRAFTERS[type]
  let missing = count
  for (let attempts = 0; missing > 0 && attempts < MAX_ATTEMPTS * count; attempts += 1) {
    const draft = makeDraft(context, points)
    if (draft === null || questions.some(({ question }) => question === draft.question)) continue
    const { question, answer, evidence } = draft
    questions.push({ question, answer, evidence: evidence.map(evidenceOf), difficulty, question_type: type })
    missing -= 1
  }
  return missing
}

function pickOrNull<Item>(draw: Draw, items: readonly Item[]): Item | null {
  return items.length === 0 ? null : draw.pick(items)
}

/** Asks for a fact that was stated once. */
function draftBasicFact({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const stated = points.filter((point) => isStated(point) && !point.isEnd && point.replaces.length === 0)
  const askable = stated.filter(({ subject }) => subject.ask !== undefined)
  const point = pickOrNull(voice.draw, askable)
  return point && { question: point.subject.ask ?? '', answer: point.text, evidence: [point] }
}

/** Asks which of two events came first, or combines two facts in one question. */
function draftMultiHop({ voice, book }: QuestionContext): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const events = book.stated.filter(({ point }) => point.type === 'event' && point.replaces.length === 0)
  const notFirst = events.filter(({ session }) => session > (events[0]?.session ?? 0))
  const later = pickOrNull(draw, notFirst)
  if (later !== null && draw.chance(SHARE_OF_ORDER_QUESTIONS)) {
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

/** Asks for the outcome of a change. */
function draftDynamicUpdate({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const updates = points.filter((point) => isStated(point) && point.replaces.length > 0)
  const askable = updates.filter(({ isEnd, subject }) => isEnd || subject.ask !== undefined)
  const point = pickOrNull(voice.draw, askable)
  if (point === null) return null
  const { text, isEnd, subject, replaces } = point
  const [before = ''] = replaces
  const change = isEnd ? { before, gone: text } : { ask: subject.ask ?? '', after: text }
  return { ...voice.askChange(change), evidence: [point] }
}

/** Asks for a detail that was never stated. */
function draftBoundary({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const askable = points.filter(
    (point) => isStated(point) && !point.isEnd && point.subject.unknown !== undefined,
  )
  const point = pickOrNull(voice.draw, askable)
  const answer = voice.material.words.frames.unknown
  return point && { question: point.subject.unknown ?? '', answer, evidence: [] }
}

/** Asks a question that wrongly assumes a claim of the agent or an outdated fact to be true. */
function draftConflict({ voice, book }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const claimed = points.flatMap((point) => {
    const truth = book.current.get(point.subject.key)
    return point.source === 'interference' && truth !== undefined && !truth.subject.repeats
      ? [{ claim: point.text, truth }]
      : []
  })
  const outdated = points.flatMap((truth) => truth.replaces.slice(0, 1).map((claim) => ({ claim, truth })))
  const premise = pickOrNull(draw, claimed) ?? pickOrNull(draw, outdated)
  if (premise === null) return null
  const { claim, truth } = premise
  return {
    question: voice.sentence(draw.pick(frames.conflict), { claim: asClause(claim) }),
    answer: voice.phrase(frames.conflictAnswer, { memory: truth.text }),
    evidence: [truth],
  }
}

/** Asks a question in a new situation that a taste helps to answer. */
function draftApplication({ voice, book }: QuestionContext): QuestionDraft | null {
  const tastes = [...book.current.values()].filter(({ subject }) => subject.apply !== undefined)
  const point = pickOrNull(voice.draw, tastes)
  if (point?.subject.apply === undefined) return null
  const { question, advice: answer } = point.subject.apply
  return { question, answer, evidence: [point] }
}

/** Reports whether the user states the point. */
function isStated({ source }: Point): boolean {
  return source === 'primary' || source === 'secondary'
}
