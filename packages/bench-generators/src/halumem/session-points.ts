import type { ToldKind } from '../material/fact-kinds.ts'
import type { Voice } from '../material/voice.ts'
import type { TasteStep, TemplateEvent } from './make-life.ts'
import type { PersonFacts } from './person-facts.ts'
import { formatBirthDate, type Persona } from './persona.ts'
import { makeSpokenPoint, type Point, type PointType, type Statement } from './point.ts'

interface SessionPointsContext {
  readonly voice: Voice
  readonly persona: Persona
  readonly facts: PersonFacts
  /** Proposals that the agent has not made yet. */
  readonly proposals: string[]
}

/** Points of a session without false claims. With one or two claims and a proposal there are 7 to 11; the paper has about 8. */
const POINTS_PER_SESSION = { min: 6, max: 8 } as const
const INITIAL_DYNAMIC_KEYS = ['city', 'job', 'employer', 'boss', 'partner', 'friend', 'ailment'] as const
const SHARE_WITH_PROPOSAL = 0.35
const SHARE_WITH_TWO_CLAIMS = 0.4

/** Makes memory points without a model (stage 4): `primary` about the event, `secondary` about other facts, `system` (accepted proposals), `interference` (false claims). */
export function makeSessionPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { draw } = context.voice
  const points = primaryPoints(context, event)
  const target = Math.max(points.length, draw.whole(POINTS_PER_SESSION.min, POINTS_PER_SESSION.max))
  const usedKeys = new Set(points.map(({ subject }) => subject.key))
  // No introduction mentions the points of another one.
  const { preferences } = context.persona
  const introducedKeys = [...INITIAL_DYNAMIC_KEYS, ...preferences.map(({ id }) => `like/${id}`)]
  if (event.kind === 'init') for (const key of introducedKeys) usedKeys.add(key)
  while (points.length < target) {
    const point = secondaryPoint(context, usedKeys)
    if (point === null) break
    usedKeys.add(point.subject.key)
    points.push(point)
  }
  return [...points, ...proposalPoint(context), ...claims(context)]
}

function primaryPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { facts, persona } = context
  switch (event.about) {
    case 'fixed':
      return corePoints(context)
    case 'dynamic':
      return INITIAL_DYNAMIC_KEYS.flatMap((key) => facts.state(key, 'primary') ?? [])
    case 'preferences':
      return persona.preferences.flatMap(({ id }) => facts.state(`like/${id}`, 'primary') ?? [])
    case 'taste':
      return tastePoints(facts, event.step)
    case 'career':
      return careerPoints(context, event)
  }
}

/** Makes the point of a changed taste. If the planned change is impossible, for example because no value is left, tries the others. */
function tastePoints(facts: PersonFacts, { category, direction }: TasteStep): Point[] {
  const like = `like/${category}`
  const dislike = `dislike/${category}`
  const change = () => facts.change(like, 'primary')
  const add = () => facts.state(facts.unstated.includes(like) ? like : dislike, 'primary')
  const drop = () => facts.drop(like, 'primary') ?? facts.drop(dislike, 'primary')
  const attempts = { Modify: [change, add, drop], Add: [add, change, drop], Delete: [drop, add, change] }
  const point = firstOf(attempts[direction])
  return point === null ? [] : [point]
}

/** Calls the functions in order until one returns a point. */
function firstOf(attempts: readonly (() => Point | null)[]): Point | null {
  return attempts.reduce<Point | null>((point, attempt) => point ?? attempt(), null)
}

function careerPoints(
  { voice, facts }: SessionPointsContext,
  { stage, career }: Extract<TemplateEvent, { about: 'career' }>,
): Point[] {
  const { reason } = stage
  const key = `${career}/${stage.id}`
  const changes = stage.changes.flatMap(
    (id) => (facts.known.includes(id) ? facts.change(id, 'primary') : facts.state(id, 'primary')) ?? [],
  )
  const stageKind = { ...stage, type: 'event', importance: 0.9 } as const
  // The reason has its sentences directly, where other kinds have them under `tell`.
  const reasonKind = { memory: reason.memory, tell: reason, type: 'event', importance: 0.5 } as const
  return [
    statedPoint(voice, stageKind, { key, value: stage.value, source: 'primary' }),
    statedPoint(voice, reasonKind, { key: `${key}/reason`, value: reason.value, source: 'secondary' }),
    ...changes,
  ]
}

/** Of 20 secondary points, these numbers are new facts, facts that can happen again, changed facts and ended facts. */
const SECONDARY_OF_20 = { new: 8, repeated: 5, changed: 5, ended: 2 } as const

/** Makes a point that has nothing to do with the session's event: a fact that is stated, changed or ended. Tries the kinds in turn until one is possible. */
function secondaryPoint({ voice, facts }: SessionPointsContext, usedKeys: ReadonlySet<string>): Point | null {
  const { draw } = voice
  const newKeys = facts.unstated.filter((key) => !usedKeys.has(key) && !facts.isRepeatable(key))
  const repeatable = facts.unstated.filter((key) => !usedKeys.has(key) && facts.isRepeatable(key))
  const knownKeys = facts.known.filter((key) => !usedKeys.has(key))
  const stateOneOf = (keys: readonly string[]): Point | null =>
    keys.length === 0 ? null : facts.state(draw.pick(keys), 'secondary')
  const stateNew = () => stateOneOf(newKeys)
  const stateRepeated = () => stateOneOf(repeatable)
  const change = () => firstOf(draw.shuffled(knownKeys).map((key) => () => facts.change(key, 'secondary')))
  const drop = () => firstOf(draw.shuffled(knownKeys).map((key) => () => facts.drop(key, 'secondary')))
  const drawKind = () => {
    const roll = draw.whole(1, 20)
    if (roll <= SECONDARY_OF_20.new) return stateNew
    if (roll <= SECONDARY_OF_20.new + SECONDARY_OF_20.repeated) return stateRepeated
    return roll <= 20 - SECONDARY_OF_20.ended ? change : drop
  }
  return firstOf([drawKind(), stateNew, change, stateRepeated])
}

/** Makes the points of the first session: name, birth, study, father, goal in life. */
function corePoints({ voice, persona }: SessionPointsContext): Point[] {
  const { words, language } = voice.material
  const source = 'primary'
  const core = (key: 'born' | 'study' | 'father' | 'aim', value: string, type: PointType): Point =>
    statedPoint(voice, { ...words[key], type, importance: 0.8 }, { key, value, source })
  const name = { memory: words.introMemory, tell: words.intros, type: 'persona', importance: 1 } as const
  return [
    statedPoint(voice, name, { key: 'name', value: persona.name, source }),
    core('born', formatBirthDate(persona.birthDate, language), 'persona'),
    core('study', persona.study, 'persona'),
    core('father', persona.father, 'relationship'),
    core('aim', persona.lifeGoal, 'persona'),
  ]
}

/** Makes a point that is stated once and never changes. */
function statedPoint(voice: Voice, kind: Omit<ToldKind, 'id'>, statement: Statement): Point {
  return makeSpokenPoint(voice, { ...kind, id: statement.key }, statement)
}

function proposalPoint({ voice, proposals }: SessionPointsContext): Point[] {
  const { draw, material, split } = voice
  const value = draw.chance(SHARE_WITH_PROPOSAL) ? proposals.pop() : undefined
  if (value === undefined) return []
  const { words } = material
  const index = draw.whole(0, words.proposals[split].length - 1)
  const [proposal = '', acceptance = ''] = words.proposals[split][index] ?? []
  voice.used.add(`proposal/${split}/${index}`)
  return [
    {
      text: voice.sentence(words.proposalMemory, { value }),
      type: 'event',
      source: 'system',
      importance: 0.4,
      replaces: [],
      isEnd: false,
      value,
      said: voice.sentence(acceptance, { value }),
      reply: voice.sentence(proposal, { value }),
      subject: { key: `proposal/${value}` },
    },
  ]
}

function claims({ voice, facts }: SessionPointsContext): Point[] {
  const count = voice.draw.chance(SHARE_WITH_TWO_CLAIMS) ? 2 : 1
  return Array.from({ length: count }, () => facts.falseClaim()).filter((claim) => claim !== null)
}
