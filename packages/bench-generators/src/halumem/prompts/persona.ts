import { z } from 'zod'
import {
  dayProblems,
  generatePrompt,
  textProblems,
  failedChecks,
  type RedraftInput,
} from '../../generate-prompt.ts'

export interface PersonaInput extends RedraftInput {
  /** A topic to start from. */
  readonly seed: string
  /** The first day of the talks, `2025-09-04`. */
  readonly startsOn: string
}

const answerSchema = z.object({
  name: z.string().min(1),
  gender: z.enum(['Female', 'Male', 'Other']),
  birthDate: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  location: z.string(),
  education: z.string(),
  personality: z.array(z.string()),
  family: z.array(z.string()),
  lifeGoal: z.string(),
  work: z.object({ title: z.string(), employer: z.string(), monthlyIncome: z.string() }),
  health: z.object({ body: z.string(), mind: z.string() }),
  relationships: z.array(z.object({ name: z.string(), relation: z.string(), about: z.string() })),
  preferences: z.array(
    z.object({ category: z.string(), likes: z.array(z.string()), dislikes: z.array(z.string()) }),
  ),
})

export type PersonaAnswer = z.infer<typeof answerSchema>

const PREFERENCES = { min: 6, max: 8 } as const

/** Asks for core profile, dynamic state and preferences of a made-up person (HaluMem's stage 1). */
export const personaPrompt = generatePrompt({
  id: 'generate-persona',
  version: 2,
  schema: answerSchema,
  shape: `{"name": "…", "gender": "Female", "birthDate": "1988-02-11", "location": "…", "education": "…", "personality": ["…"], "family": ["…"], "lifeGoal": "…", "work": {"title": "…", "employer": "…", "monthlyIncome": "…"}, "health": {"body": "…", "mind": "…"}, "relationships": [{"name": "…", "relation": "…", "about": "…"}], "preferences": [{"category": "…", "likes": ["…"], "dislikes": ["…"]}]}`,
  material: ({ seed, startsOn }: PersonaInput) => ({ seed, day: startsOn }),
  problems: ({ preferences, relationships, birthDate }, { startsOn }) => [
    ...textProblems(
      'category',
      preferences.map(({ category }) => category),
    ),
    ...dayProblems([birthDate]),
    ...failedChecks({
      [`There are ${preferences.length} categories of preferences; write six to eight.`]:
        preferences.length >= PREFERENCES.min && preferences.length <= PREFERENCES.max,
      'A category has nothing that is liked.': preferences.every(({ likes }) => likes.length > 0),
      'There are no relationships.': relationships.length > 0,
      'The person is born after the talks begin.': birthDate < startsOn,
    }),
  ],
})
