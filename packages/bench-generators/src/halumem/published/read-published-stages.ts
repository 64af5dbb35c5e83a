import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { GenerateError } from '../../generate-error.ts'
import { readRecords } from '../../material/read-records.ts'
import { uuidSchema as uuid } from '../published-form.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const day = z.string().regex(/^\d{4}-\d\d-\d\d/)

const member = z.object({ member_type: z.string(), description: text })

const fixedSchema = z.object({
  basic_info: z.object({ name: z.string(), gender: z.string(), birth_date: day, location: z.string() }),
  education: z.object({ highest_degree: text, major: text }),
  family_life: z.object({
    parent_members: z.array(member).nullish(),
    partner: member.nullish(),
    child_members: z.array(member).nullish(),
  }),
  life_goal: z.object({ statement: z.string() }),
})

const dynamicSchema = z.object({
  career_status: z.object({
    employment_status: text,
    industry: text,
    company_name: text,
    job_title: text,
    monthly_income: z.number().nullish(),
  }),
  health_status: z.object({ physical_health: text, mental_health: text }),
  social_relationships: z.record(z.string(), z.object({ relationship_type: z.string() })),
})

const tasteSchema = z.object({
  type: z.enum(['like', 'dislike']),
  specific_item: z.string(),
  reason: text,
})

const tastes = z.object({ memory_points: z.array(tasteSchema) })

const profileLine = z.object({
  uuid,
  profile: z.object({
    fixed: fixedSchema,
    dynamic: dynamicSchema,
    preferences: z.record(z.string(), tastes),
  }),
})

const updateSchema = z.object({
  type_to_update: z.string(),
  update_reason: text,
  after_dynamic: z.record(z.string(), z.unknown()),
})

const arcLine = z.object({
  uuid,
  narrative_arc: z.object({
    career_events: z.array(
      z.object({
        event_name: z.string(),
        stages: z.array(
          z.object({
            stage_name: z.string(),
            time_point: day,
            stage_description: z.string(),
            stage_result: text,
            dynamic_updates: z.array(updateSchema),
          }),
        ),
      }),
    ),
  }),
})

const preferenceLine = z.object({
  uuid,
  event_list: z.array(
    z.object({
      event_name: z.string(),
      preference_type: z.string(),
      update_direction: z.enum(['Add', 'Modify', 'Delete']),
      before_preference: tastes.nullish(),
      after_preference: tastes.nullish(),
      update_reason: text,
      event_description: text,
    }),
  ),
})

const initLine = z.object({ uuid, event_list: z.array(z.object({ event_time: day })) })

export type PublishedProfile = z.infer<typeof profileLine>['profile']
export type PublishedTaste = z.infer<typeof tasteSchema>
type PublishedArc = z.infer<typeof arcLine>['narrative_arc']['career_events'][number]
export type PublishedStage = PublishedArc['stages'][number]
export type PublishedTasteEvent = z.infer<typeof preferenceLine>['event_list'][number]

/** One user of the published stages 1 to 3. */
export interface PublishedLife {
  readonly uuid: string
  readonly profile: PublishedProfile
  readonly arcs: readonly PublishedArc[]
  readonly tasteEvents: readonly PublishedTasteEvent[]
  /** When the first talk is, in milliseconds since 1970. */
  readonly startsAt: number
}

/**
 * Reads the files of HaluMem's stages 1 to 3 as they are published: `stage1_3_*.jsonl` (which holds what the first
 * two files of stage 1 do), and the three of stage 3 (which hold what stage 2 does).
 *
 * @param folder with those files
 * @throws GenerateError naming the file, the line and the field.
 */
export function readPublishedStages(folder: string): PublishedLife[] {
  if (!existsSync(folder))
    throw new GenerateError(`${folder}: there is no such folder. Name the one with HaluMem's stage files.`)
  const names = readdirSync(folder)
  const lines = <Line extends { uuid: string }>(prefix: string, schema: z.ZodType<Line>) => {
    const name = names.find((one) => one.startsWith(prefix) && one.endsWith('.jsonl'))
    if (name === undefined)
      throw new GenerateError(`${folder}: there is no ${prefix}*.jsonl. Stages 1 to 3 must all be there.`)
    return new Map(readRecords(join(folder, name), schema).map((line) => [line.uuid, line]))
  }
  const profiles = lines('stage1_3', profileLine)
  const arcs = lines('stage3_1', arcLine)
  const preferences = lines('stage3_2', preferenceLine)
  const inits = lines('stage3_3', initLine)
  return [...profiles].map(([id, { profile }]) => {
    const [arc, preference, init] = [arcs.get(id), preferences.get(id), inits.get(id)]
    if (arc === undefined || preference === undefined || init === undefined)
      throw new GenerateError(`${folder}: user ${id} of stage1_3 is missing in a file of stage 3.`)
    return {
      uuid: id,
      profile,
      arcs: arc.narrative_arc.career_events,
      tasteEvents: preference.event_list,
      startsAt: Date.parse(init.event_list[0]?.event_time ?? '2025-01-01'),
    }
  })
}
