import { seededDraw, type Draw } from '../draw.ts'
import { GenerateError } from '../generate-error.ts'
import type { Split } from '../material/fact-kind.ts'
import { speaker } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import { makeEventFlow } from './event-flow.ts'
import { makeSkeleton } from './life-skeleton.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { PersonFacts } from './person-facts.ts'
import { makePersona, personaInfo } from './persona.ts'
import { emptyBook, enterPoints, type LifeEvent, type Point } from './point.ts'
import type { HalumemSession, HalumemUser, QuestionType } from './published-form.ts'
import { makeDialogue } from './session-dialogue.ts'
import { makeSessionPoints } from './session-points.ts'
import { makeQuestions } from './session-questions.ts'
import { verifySession } from './verify-session.ts'
import { writeSession } from './write-session.ts'

export type HalumemVariant = 'medium' | 'long'

export interface TemplateUserOptions {
  readonly seed: number
  /** Its place among the users, from 0. */
  readonly place: number
  readonly sessions: number
  readonly split: Split
  readonly variant: HalumemVariant
  readonly material: Material
}

/** What a point was said with, so that a set can be checked without knowing how it was made. */
export interface SaidValue {
  readonly uuid: string
  readonly session: number
  /** The point's index in its session, from 1. */
  readonly index: number
  readonly value: string
}

export interface MadeUser {
  readonly user: HalumemUser
  readonly templates: readonly string[]
  readonly values: readonly SaidValue[]
}

/** The first three sessions introduce the person. */
export const INITIAL_SESSIONS = 3

/** All six stages for one person, without a language model. */
export function templateUser(options: TemplateUserOptions): MadeUser {
  const { seed, place, sessions, split, material } = options
  const draw = seededDraw(seed, place)
  const persona = makePersona(draw, material)
  const skeleton = makeSkeleton(draw, material, persona, sessions - INITIAL_SESSIONS)
  const events = makeEventFlow(draw, material, persona, skeleton)
  const speak = speaker(draw)
  const facts = new PersonFacts({
    draw,
    speak,
    split,
    material,
    who: persona.name,
    categories: persona.preferences,
  })
  const proposals = draw.shuffled(material.words.proposalValues)
  const context = { draw, speak, split, material, persona, facts, proposals }
  return writeUser(
    { ...options, draw, who: persona.name, uuid: persona.uuid, personaInfo: personaInfo(persona) },
    events.map((event) => ({ event, points: () => makeSessionPoints(context, event) })),
  )
}

export interface UserHeader {
  readonly draw: Draw
  readonly uuid: string
  readonly who: string
  readonly personaInfo: string
  readonly split: Split
  readonly variant: HalumemVariant
  readonly material: Material
}

/** An event, and what its session will tell; made only when its turn comes, since it rests on those before. */
export interface PlannedSession {
  readonly event: LifeEvent
  readonly points: () => Point[]
}

/**
 * Stages 5 and 6 over the sessions in order, and the Long variant.
 *
 * @throws GenerateError when a session does not say what it should.
 */
export function writeUser(header: UserHeader, planned: readonly PlannedSession[]): MadeUser {
  const { draw, uuid, who, split, variant, material } = header
  const book = emptyBook()
  const asked = new Map<QuestionType, number>()
  const spoken: string[] = []
  const sessions: HalumemSession[] = []
  const values: SaidValue[] = []
  const templates = new Set<string>()
  for (const [place, { event, points: makePoints }] of planned.entries()) {
    const points = makePoints()
    const talk = makeDialogue({ draw, split, material }, points)
    requireVerified(event, verifySession(points, talk, spoken))
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, talk) : talk
    enterPoints(book, points, place)
    const { words, language } = material
    const questions = makeQuestions({ draw, words, language, who, book, asked }, points)
    values.push(
      ...points.map(({ value }, index) => ({ uuid, session: sessions.length, index: index + 1, value })),
    )
    sessions.push(writeSession(draw, { at: event.at, points, rounds, questions }))
    spoken.push(...talk.map(({ user }) => user))
    for (const point of points) for (const template of point.templates) templates.add(template)
    const inserted = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (inserted !== null) sessions.push(inserted)
  }
  const user = { uuid, persona_info: header.personaInfo, sessions }
  return { user, templates: [...templates], values }
}

function requireVerified(event: LifeEvent, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new GenerateError(`The session "${event.name}" is wrong: ${problems.join(' ')}`)
}
