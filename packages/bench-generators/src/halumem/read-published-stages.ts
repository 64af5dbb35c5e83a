import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
/** The published ids have a UUID's shape, and not all its bits. */
const uuid = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
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
  uuid: uuid,
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
  uuid: uuid,
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
  uuid: uuid,
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

const initLine = z.object({ uuid: uuid, event_list: z.array(z.object({ event_time: day })) })

export type PublishedProfile = z.infer<typeof profileLine>['profile']
export type PublishedTaste = z.infer<typeof tasteSchema>
export type PublishedArc = z.infer<typeof arcLine>['narrative_arc']['career_events'][number]
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

const FILES = {
  profile: 'stage1_3',
  arc: 'stage3_1',
  preference: 'stage3_2',
  init: 'stage3_3',
} as const

/**
 * Reads the files of HaluMem's stages 1 to 3 as they are published: `stage1_3_*.jsonl` (which holds what the first
 * two files of stage 1 do), and the three of stage 3 (which hold what stage 2 does).
 *
 * @param folder with those files
 * @throws GenerateError naming the file, the line and the field.
 */
export async function readPublishedStages(folder: string): Promise<PublishedLife[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new GenerateError(`${folder}: there is no such folder. Name the one with HaluMem's stage files.`, {
      cause,
    })
  })
  const lines = async <Line>(prefix: string, schema: z.ZodType<Line>): Promise<Line[]> => {
    const name = names.find((one) => one.startsWith(prefix) && one.endsWith('.jsonl'))
    if (name === undefined)
      throw new GenerateError(`${folder}: there is no ${prefix}*.jsonl. Stages 1 to 3 must all be there.`)
    return readLines(join(folder, name), schema)
  }
  const profiles = await lines(FILES.profile, profileLine)
  const arcs = byUuid(await lines(FILES.arc, arcLine))
  const preferences = byUuid(await lines(FILES.preference, preferenceLine))
  const inits = byUuid(await lines(FILES.init, initLine))
  return profiles.map(({ uuid, profile }) => {
    const [arc, preference, init] = [arcs.get(uuid), preferences.get(uuid), inits.get(uuid)]
    if (arc === undefined || preference === undefined || init === undefined)
      throw new GenerateError(`${folder}: user ${uuid} of ${FILES.profile} is missing in a file of stage 3.`)
    return {
      uuid,
      profile,
      arcs: arc.narrative_arc.career_events,
      tasteEvents: preference.event_list,
      startsAt: Date.parse(init.event_list[0]?.event_time ?? '2025-01-01'),
    }
  })
}

function byUuid<Line extends { uuid: string }>(lines: readonly Line[]): Map<string, Line> {
  return new Map(lines.map((line) => [line.uuid, line]))
}

async function readLines<Line>(file: string, schema: z.ZodType<Line>): Promise<Line[]> {
  const content = await readFile(file, 'utf8')
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = `${file}:${index + 1}`
    const read = schema.safeParse(parseJson(line, place))
    if (read.success) return [read.data]
    const [issue] = read.error.issues
    throw new GenerateError(`${place}: "${issue?.path.join('.') ?? ''}" is wrong: ${issue?.message ?? ''}.`)
  })
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new GenerateError(`${place} is not JSON.`, { cause })
  }
}
