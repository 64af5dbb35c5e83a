import type { Draw } from '@keepsake/bench/parts'
import type { PreferenceCategory } from '../material/fact-kinds.ts'
import type { Material } from '../material/read-material.ts'
import { personaInfo } from './published-form.ts'

/** The unchanging facts of a made-up person (HaluMem's stage 1). */
export interface Persona {
  readonly uuid: string
  readonly name: string
  /** The name that the agent uses. */
  readonly firstName: string
  readonly gender: 'Female' | 'Male'
  /** Year, month and day. */
  readonly birthDate: readonly [number, number, number]
  readonly education: string
  readonly tags: readonly string[]
  readonly study: string
  readonly father: string
  readonly lifeGoal: string
  /** Six to eight, as in the paper. */
  readonly preferences: readonly PreferenceCategory[]
  /** The day of the first session, in milliseconds since 1970. */
  readonly startsAt: number
}

const FIRST_DAY = Date.UTC(2025, 8, 4)
const DAY_MS = 86_400_000
const PREFERENCES = { min: 6, max: 8 } as const

/** Makes a person without a language model (stage 1). */
export function makePersona(draw: Draw, { words, preferences, language }: Material): Persona {
  const [firstName, gender] = draw.pick(words.names)
  const surname = draw.pick(words.surnames)
  return {
    uuid: drawUuid(draw),
    name: language === 'zh' ? `${surname}${firstName}` : `${firstName} ${surname}`,
    firstName,
    gender,
    birthDate: [draw.whole(1962, 2001), draw.whole(1, 12), draw.whole(1, 28)],
    education: draw.pick(words.persona.education),
    tags: draw.shuffled(words.persona.tags).slice(0, 3),
    study: draw.pick(words.study.values),
    father: draw.pick(words.father.values),
    lifeGoal: draw.pick(words.aim.values),
    preferences: draw.shuffled(preferences.categories).slice(0, draw.whole(PREFERENCES.min, PREFERENCES.max)),
    startsAt: FIRST_DAY + draw.whole(0, 30) * DAY_MS,
  }
}

/** Writes a day in that language: `11 February 1988`. */
export function formatBirthDate([year, month, day]: Persona['birthDate'], language: 'en' | 'zh'): string {
  const form = new Intl.DateTimeFormat({ en: 'en-GB', zh: 'zh-CN' }[language], {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return form.format(Date.UTC(year, month - 1, day))
}

/** Writes the `persona_info` of the published file. */
export function describePersona(persona: Persona): string {
  const [year, month, day] = persona.birthDate.map((number) => String(number).padStart(2, '0'))
  return personaInfo({
    Name: persona.name,
    Gender: persona.gender,
    'Birth Date': `${year}-${month}-${day}`,
    Education: `${persona.education}, ${persona.study}`,
    Personality: persona.tags.join(', '),
    'Life Goal': persona.lifeGoal,
  })
}

/** Draws a version-4 UUID. The same seed gives the same UUID. */
export function drawUuid(draw: Draw): string {
  const hex = Array.from({ length: 32 }, (_, position) => {
    if (position === 12) return '4'
    return (position === 16 ? draw.whole(8, 11) : draw.whole(0, 15)).toString(16)
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
