import { z } from 'zod'

/** Options that exclude or require each other. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

export function wholeNumber(least: number, most: number): z.ZodNumber {
  const error = `It must be a whole number from ${least} to ${most}.`
  return z.number({ error }).int(error).min(least, error).max(most, error)
}

const SHARE = 'It must be a number from 0 to 1.'
export const shareNumber = z.number({ error: SHARE }).min(0, SHARE).max(1, SHARE)

export function oneOf<const Names extends readonly string[]>(
  names: Names,
): z.ZodEnum<{ [Name in Names[number]]: Name }> {
  return z.enum(names, { error: `It must be of ${names.join(', ')}.` })
}

export const seedOption = wholeNumber(0, 0xffff_ffff)
  .default(1)
  .meta({ description: 'seed of what is drawn or generated' })

export const folderOption = z.string().optional().meta({
  value: '<path>',
  description: 'where the files are made; they are removed',
  standard: 'the temporary folder',
})

/** An option as the command line shows and reads it. */
export interface OptionForm {
  readonly name: string
  /** `--random-seeds <n>`, `--own-answers`. */
  readonly flags: string
  /** `--no-isolation`, where it can be switched off; `null` otherwise. */
  readonly without: string | null
  /** Includes its choices and default. */
  readonly description: string
  readonly isRequired: boolean
  /**
   * Parses a given text.
   *
   * @throws OptionError when invalid
   */
  readonly read: (text: string) => unknown
}

/** Lists a benchmark's options for the command line: `randomSeeds` is `--random-seeds <n>`. */
export function describeOptions(options: z.ZodObject): OptionForm[] {
  const { properties = {}, required = [] } = options.toJSONSchema({ io: 'input' })
  return Object.entries(options.shape).map(([name, schema]) => {
    const spec = optionSchema.parse(properties[name])
    const flag = flagOf(name)
    const isSwitch = spec.type === 'boolean'
    const value = spec.value ?? '<n>'
    return {
      name,
      flags: isSwitch ? `--${flag}` : `--${flag} ${value}`,
      without: !isSwitch && z.safeParse(schema, false).success ? `--no-${flag}` : null,
      description: describe(spec),
      isRequired: required.includes(name),
      read: (text) => readOption(schema, spec, text),
    }
  })
}

/** The used part of an option's JSON Schema; `value` and `standard` are our own. */
const optionSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.unknown(), enum: z.array(z.string()).optional() }).optional(),
  default: z.unknown().optional(),
  description: z.string(),
  value: z.string().optional(),
  standard: z.string().optional(),
})
type OptionSchema = z.infer<typeof optionSchema>

function describe({ description, items, default: given, standard, ...spec }: OptionSchema): string {
  const choices = spec.enum ?? items?.enum
  const value = standard ?? (Array.isArray(given) && given.length === 0 ? undefined : given)
  const more = [
    ...(items === undefined ? [] : ['separated by commas']),
    ...(choices === undefined ? [] : [`of ${choices.join(', ')}`]),
    ...(value === undefined ? [] : [`default: ${textOf(value)}`]),
  ]
  return more.length === 0 ? description : `${description} (${more.join('; ')})`
}

function readOption(schema: z.core.$ZodType, { type, items }: OptionSchema, text: string): unknown {
  const one = (of: unknown, part: string): unknown => {
    const isNumber = of === 'integer' || of === 'number'
    return isNumber ? (part.trim() === '' ? Number.NaN : Number(part)) : part.trim()
  }
  const value = items === undefined ? one(type, text) : text.split(',').map((part) => one(items.type, part))
  const parsed = z.safeParse(schema, value)
  if (!parsed.success) throw new OptionError(parsed.error.issues[0]?.message ?? 'It cannot be read.')
  return value
}

/** The command-line form of a value: text, a number, or a list of them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Removes passwords, since commands are stored and published. */
function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^:/@]*):[^@/]*@/, '$1@')
}

/** The repeatable command of the given options, without passwords of addresses. */
export function commandOf(benchmark: string, given: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(given).flatMap(([name, value]): string[] => {
    const flag = flagOf(name)
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return [`--${flag}`, withoutPassword(textOf(value))]
  })
  return ['keepsake bench', benchmark, ...parts].join(' ')
}
