import { sayBirthDate } from '../persona.ts'
import type { LifeEvent, Point } from '../point.ts'
import { personaInfo } from '../published-form.ts'
import type { PlannedSession } from '../write-user.ts'
import { firstPerson } from './first-person.ts'
import type { PublishedSpeech } from './published-speech.ts'
import type {
  PublishedLife,
  PublishedProfile,
  PublishedStage,
  PublishedTaste,
  PublishedTasteEvent,
} from './read-published-stages.ts'

const DAY = 86_400_000
const MORNING = 9 * 3_600_000
/** Tastes of the introduction are told over several sessions: there are about thirty. */
const TASTES_PER_SESSION = 8

/** Name and description of a person, as the published dialogue files give them. */
export function personFromFiles({ profile }: PublishedLife): { who: string; personaInfo: string } {
  const { basic_info: basic, education, life_goal: goal } = profile.fixed
  const fields = {
    Name: basic.name,
    Gender: basic.gender,
    'Birth Date': basic.birth_date,
    Location: basic.location,
    Education: `${education.highest_degree}, ${education.major}`,
    'Life Goal': goal.statement,
  }
  return { who: basic.name, personaInfo: personaInfo(fields) }
}

/** The sessions of a published life, in order of time. Points must be taken in that order. */
export function planPublished(life: PublishedLife, speech: PublishedSpeech): PlannedSession[] {
  const init = introductions(life, speech)
  const startsAt = life.startsAt + init.length * DAY
  const stages = life.arcs.flatMap(({ event_name: arc, stages: own }) =>
    own.map((stage) => planStage(arc, stage, atMorning(Date.parse(stage.time_point), startsAt), speech)),
  )
  const end = Math.max(startsAt + DAY, ...stages.map(({ event }) => event.at))
  const step = (end - startsAt) / (life.tasteEvents.length + 1)
  const tastes = life.tasteEvents.map((event, place) =>
    planTaste(event, atMorning(startsAt + (place + 1) * step, startsAt), speech),
  )
  return [...init, ...[...stages, ...tastes].sort((a, b) => a.event.at - b.event.at)]
}

function atMorning(at: number, earliest: number): number {
  const day = Math.floor(Math.max(at, earliest) / DAY) * DAY
  return day + MORNING + DAY / 4
}

function introductions({ profile, startsAt }: PublishedLife, speech: PublishedSpeech): PlannedSession[] {
  const tastes = Object.entries(profile.preferences).flatMap(([label, { memory_points: points }]) =>
    points.map((taste) => ({ label: shortLabel(label), taste })),
  )
  const chunks = Array.from({ length: Math.ceil(tastes.length / TASTES_PER_SESSION) }, (_, place) =>
    tastes.slice(place * TASTES_PER_SESSION, (place + 1) * TASTES_PER_SESSION),
  )
  const parts: (readonly [string, () => Point[]])[] = [
    ['the person', () => tellPerson(profile, speech)],
    ['the present state', () => tellState(profile.dynamic, speech)],
    ...chunks.map(
      (chunk) =>
        ['tastes', () => chunk.flatMap(({ label, taste }) => tellTaste(label, taste, speech))] as const,
    ),
  ]
  return parts.map(([about, points], place) => {
    const name = `Initial information: ${about}`
    const event: LifeEvent = { kind: 'init', name, at: startsAt + place * DAY + MORNING, description: name }
    return { event, points }
  })
}

function tellPerson({ fixed }: PublishedProfile, speech: PublishedSpeech): Point[] {
  const { basic_info: basic, education, family_life: family, life_goal: goal } = fixed
  const [year = 0, month = 0, day = 0] = basic.birth_date.split('-').map(Number)
  const members = [
    ...(family.parent_members ?? []),
    ...(family.partner ? [family.partner] : []),
    ...(family.child_members ?? []),
  ]
  return [
    ...speech.tell('name', basic.name, { slots: { first: basic.name.split(' ')[0] ?? '' } }),
    ...speech.tell('born', sayBirthDate([year, month, day], 'en')),
    ...speech.tell('city', basic.location),
    ...speech.tell('study', education.major),
    ...speech.tell('aim', lowerFirst(goal.statement).replace(/\.\s*$/, '')),
    ...members.flatMap(({ member_type: type, description: fact }) => {
      const member = type.replace(/\d+$/, '').toLowerCase()
      const slots = { member, fact }
      return speech.tell('parent', firstPerson(fact, basic.name), { key: `family/${type}`, slots })
    }),
  ]
}

function tellState(dynamic: PublishedProfile['dynamic'], speech: PublishedSpeech): Point[] {
  // Told last, and put into words first: another order would draw other words for the same seed.
  const relations = Object.entries(dynamic.social_relationships).flatMap(
    ([name, { relationship_type: relation }]) => tellRelation(name, relation, speech),
  )
  return [
    ...tellCareer(dynamic.career_status, speech),
    ...tellHealth(dynamic.health_status, speech),
    ...relations,
  ]
}

type Fields = Readonly<Record<string, unknown>>

function tellCareer(career: Fields, speech: PublishedSpeech): Point[] {
  const [job, company, income] = [career['job_title'], career['company_name'], career['monthly_income']]
  const at = typeof company === 'string' && company !== '' ? ` at ${company}` : ''
  const employment = typeof job === 'string' && job !== '' ? job + at : ''
  return [
    ...speech.tell('employment', employment),
    ...(typeof income === 'number' ? speech.tell('income', String(income)) : []),
  ]
}

function tellHealth(health: Fields, speech: PublishedSpeech): Point[] {
  return ['physical', 'mental'].flatMap((kind) => {
    const value = health[`${kind}_health`]
    return typeof value === 'string' ? speech.tell(kind, value) : []
  })
}

/** Published files write `ThomasSusan` for Susan Thomas. */
function tellRelation(name: string, relation: string, speech: PublishedSpeech): Point[] {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const member = spaced.split(' ').reverse().join(' ')
  return speech.tell('relation', relation.toLowerCase(), { key: `relation/${name}`, slots: { member } })
}

/** `Game Preference` is a matter of games. */
function shortLabel(label: string): string {
  return label.replace(/ Preference$/, '').toLowerCase()
}

function tasteKey(label: string, { specific_item: item }: PublishedTaste): string {
  return `${label}/${item}`
}

function tellTaste(label: string, taste: PublishedTaste, speech: PublishedSpeech): Point[] {
  const { type, specific_item: item, reason } = taste
  return speech.tell(type, lowerFirst(item), { key: tasteKey(label, taste), slots: { label, reason } })
}

function planTaste(event: PublishedTasteEvent, at: number, speech: PublishedSpeech): PlannedSession {
  const { event_name: name, event_description: description } = event
  const label = shortLabel(event.preference_type)
  const told = `${speech.who} says: ${description}`
  return {
    event: { kind: 'daily', name, at, description },
    points: () => [
      ...tellTasteChange(event, label, speech),
      ...speech.tellStory('stage', `${name}/${label}`, description, told),
    ],
  }
}

function tellTasteChange(event: PublishedTasteEvent, label: string, speech: PublishedSpeech): Point[] {
  const [before] = event.before_preference?.memory_points ?? []
  const [after] = event.after_preference?.memory_points ?? []
  if (event.update_direction === 'Delete' && before !== undefined)
    return speech.drop(before.type, tasteKey(label, before), { label, reason: event.update_reason })
  if (after === undefined) return []
  if (before !== undefined) speech.move(tasteKey(label, before), tasteKey(label, after))
  return tellTaste(label, after, speech)
}

function planStage(arc: string, stage: PublishedStage, at: number, speech: PublishedSpeech): PlannedSession {
  const name = `${arc}: ${stage.stage_name}`
  const description = `${stage.stage_description} ${stage.stage_result}`.trim()
  const points = (): Point[] => [
    ...speech.tellStory('stage', name, stage.stage_description),
    ...speech.tellStory('result', name, stage.stage_result),
    ...stage.dynamic_updates.flatMap(({ type_to_update: type, update_reason: why, after_dynamic: after }) => [
      ...speech.tellStory('reason', `${name}/${type}`, why),
      ...tellUpdate(type, after, speech),
    ]),
  ]
  return { event: { kind: 'career', name, at, description, unit: arc }, points }
}

function tellUpdate(type: string, after: Fields, speech: PublishedSpeech): Point[] {
  if (type === 'career_status') return tellCareer(after, speech)
  if (type === 'health_status') return tellHealth(after, speech)
  return Object.entries(after).flatMap(([name, value]) => {
    const fields: Fields = typeof value === 'object' && value !== null ? { ...value } : {}
    const relation = fields['relationship_type']
    return typeof relation === 'string' ? tellRelation(name, relation, speech) : []
  })
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}
