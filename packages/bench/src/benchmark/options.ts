import { z } from 'zod'

/** Options that exclude or require each other. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/** Makes the schema of an option that takes a whole number. */
export function wholeNumber(minimum: number, maximum: number): z.ZodNumber {
  const error = `It must be a whole number from ${minimum} to ${maximum}.`
  return z.number({ error }).int(error).min(minimum, error).max(maximum, error)
}

const SHARE_ERROR = 'It must be a number from 0 to 1.'
/** The schema of an option that takes a share. */
export const shareNumber = z.number({ error: SHARE_ERROR }).min(0, SHARE_ERROR).max(1, SHARE_ERROR)

/** Makes the schema of an option that takes one of some names. */
export function oneOf<const Names extends readonly string[]>(
  names: Names,
): z.ZodEnum<{ [Name in Names[number]]: Name }> {
  return z.enum(names, { error: `It must be of ${names.join(', ')}.` })
}

export const seedOption = wholeNumber(0, 0xffff_ffff)
  .default(1)
  .meta({ description: 'the seed of random choices and generated data' })

export const folderOption = z.string().optional().meta({
  value: '<path>',
  description: 'the folder for temporary files, which are removed',
  standard: "the system's folder for temporary files",
})

/** An option on the command line. */
export interface OptionForm {
  readonly name: string
  /** Such as `--random-seeds <n>` or `--own-answers`. */
  readonly flags: string
  /** The flag that switches the option off, such as `--no-isolation`. `null`: it cannot be switched off. */
  readonly without: string | null
  /** The description with choices and default. */
  readonly description: string
  readonly isRequired: boolean
  /** Parses the value of the option. @throws OptionError for an invalid value */
  readonly read: (text: string) => unknown
}

/** Lists the options of a benchmark as the command line needs them. */
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

/** The part of an option's JSON Schema that is used here. We add `value` (its placeholder in help) and `standard` (its default in words). */
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

/** Describes an option with its choices and default. */
function describe({ description, items, default: defaultValue, standard, ...spec }: OptionSchema): string {
  const choices = spec.enum ?? items?.enum
  const hasEmptyDefault = Array.isArray(defaultValue) && defaultValue.length === 0
  const shownDefault = standard ?? (hasEmptyDefault ? undefined : defaultValue)
  const remarks: string[] = []
  if (items !== undefined) remarks.push('separated by commas')
  if (choices !== undefined) remarks.push(`of ${choices.join(', ')}`)
  if (shownDefault !== undefined) remarks.push(`default: ${textOf(shownDefault)}`)
  return remarks.length === 0 ? description : `${description} (${remarks.join('; ')})`
}

/** Parses the text of an option: a list, a number or a text. */
function readOption(schema: z.core.$ZodType, { type, items }: OptionSchema, text: string): unknown {
  const readPart = (partType: unknown, part: string): unknown => {
    if (partType !== 'integer' && partType !== 'number') return part.trim()
    return part.trim() === '' ? Number.NaN : Number(part)
  }
  const value =
    items === undefined ? readPart(type, text) : text.split(',').map((part) => readPart(items.type, part))
  const parsed = z.safeParse(schema, value)
  if (!parsed.success) throw new OptionError(parsed.error.issues[0]?.message ?? 'It cannot be read.')
  return value
}

/** Writes a value as it is typed on the command line. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Converts a name to a flag: `randomSeeds` to `random-seeds`. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Removes the password of an address, because commands are stored and published. */
function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^:/@]*):[^@/]*@/, '$1@')
}

/** Makes the command that repeats a benchmark with these options. It contains no password. */
export function commandOf(benchmark: string, values: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(values).flatMap(([name, value]): string[] => {
    const flag = flagOf(name)
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return [`--${flag}`, withoutPassword(textOf(value))]
  })
  return ['keepsake bench', benchmark, ...parts].join(' ')
}
