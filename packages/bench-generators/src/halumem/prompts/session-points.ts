import { z } from 'zod'
import { generatePrompt, numberProblems, textProblems, failedChecks } from '../../generate-prompt.ts'

export interface SessionPointsInput {
  readonly who: string
  /** A description of the user at the time of the session. */
  readonly persona: string
  /** The event since the last session. */
  readonly event: string
  /** Memory points that are true now, numbered from 1. */
  readonly known: readonly string[]
}

const type = z.enum(['persona', 'event', 'relationship'])
const answerSchema = z.object({
  summary: z.string(),
  points: z.array(
    z.object({
      text: z.string(),
      type,
      primary: z.boolean(),
      importance: z.number(),
      replaces: z.array(z.number()),
    }),
  ),
  claims: z.array(z.object({ text: z.string(), type })),
})

export type SessionPointsAnswer = z.infer<typeof answerSchema>

/** The prompt asks for 6 to 10 points; 4 to 12 are accepted. */
const POINTS = { min: 4, max: 12 } as const
/** False claims of the agent, which a memory system must not store as facts. */
const CLAIMS = { min: 1, max: 3 } as const

/** Asks for the memory points of a session and the agent's false claims (HaluMem's stage 4 and first step of stage 5). */
export const sessionPointsPrompt = generatePrompt({
  id: 'generate-session-points',
  version: 2,
  schema: answerSchema,
  shape: `{"summary": "…", "points": [{"text": "…", "type": "event", "primary": true, "importance": 0.8, "replaces": [3]}], "claims": [{"text": "…", "type": "persona"}]}`,
  material: ({ who, persona, event, known }: SessionPointsInput) => ({
    name: who,
    person: persona,
    known,
    event,
  }),
  problems: ({ points, claims }, { known }) => [
    ...points.flatMap(({ text, replaces }) => [
      ...failedChecks({ [`This point is known already: ${text}`]: !known.includes(text) }),
      ...numberProblems('known point', replaces, known.length),
    ]),
    ...textProblems(
      'text',
      [...points, ...claims].map(({ text }) => text),
    ),
    ...failedChecks({
      [`There are ${points.length} points; write six to ten.`]:
        points.length >= POINTS.min && points.length <= POINTS.max,
      'No point is primary.': points.some(({ primary }) => primary),
      [`There are ${claims.length} claims; write one to three.`]:
        claims.length >= CLAIMS.min && claims.length <= CLAIMS.max,
      'An importance is not above 0 and at most 1.': points.every(
        ({ importance }) => importance > 0 && importance <= 1,
      ),
    }),
  ],
})
