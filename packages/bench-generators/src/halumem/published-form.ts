import { QUESTION_TYPES } from '@keepsake/bench/parts'
import { z } from 'zod'

export { QUESTION_TYPES }

/** Matches a published id. It looks like a UUID, but its version bits may be wrong. */
export const uuidSchema = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
const timeSchema = z.string().regex(/^[A-Z][a-z]{2} \d\d, \d{4}, \d\d:\d\d:\d\d$/)

const memoryPointSchema = z.object({
  index: z.number().int().positive(),
  memory_content: z.string().min(1),
  memory_type: z.enum(['Persona Memory', 'Event Memory', 'Relationship Memory']),
  memory_source: z.enum(['primary', 'secondary', 'interference', 'system']),
  is_update: z.enum(['True', 'False']),
  original_memories: z.array(z.string()),
  timestamp: timeSchema,
  importance: z.number().gt(0).max(1),
})

export type QuestionType = (typeof QUESTION_TYPES)[number]

const questionSchema = z.object({
  question: z.string().min(1),
  answer: z.string().min(1),
  evidence: z.array(z.object({ memory_content: z.string(), memory_type: z.string() })),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  question_type: z.enum(QUESTION_TYPES),
})

const sessionSchema = z.object({
  start_time: timeSchema,
  end_time: timeSchema,
  dialogue_turn_num: z.number().int().positive(),
  dialogue: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.string().min(1),
      timestamp: timeSchema,
      dialogue_turn: z.number().int().nonnegative(),
    }),
  ),
  memory_points: z.array(memoryPointSchema),
  questions: z.array(questionSchema),
  is_generated_qa_session: z.literal(true).optional(),
})

/** A user in HaluMem's published form: one line of its file. */
export const halumemUserSchema = z.object({
  uuid: uuidSchema,
  /** Our addition; the published set is English and has no such field. */
  language: z.enum(['en', 'zh']).optional(),
  persona_info: z.string().min(1),
  sessions: z.array(sessionSchema),
})

export type HalumemUser = z.infer<typeof halumemUserSchema>
export type HalumemSession = HalumemUser['sessions'][number]
export type HalumemPoint = z.infer<typeof memoryPointSchema>
export type HalumemQuestion = z.infer<typeof questionSchema>

/** Writes the `persona_info` of the published file: `Name: Ana Bell; Gender: Female; …`. */
export function personaInfo(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
}

const TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** Writes a time as the published file does: `Dec 15, 2025, 06:11:23`, in UTC. */
export function publishedTime(at: number): string {
  return TIME.format(at).replace(/(?<= )\d,/, '0$&')
}
