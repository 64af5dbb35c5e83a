import type { z } from 'zod'

/** As much of a schema's definition as is walked through. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
}

/** The names of the fields that a schema has at a place in what it takes; none where it names none. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { shape, element, innerType, in: taken, options } = schema._zod.def as Definition
  const inner = innerType ?? taken
  if (inner !== undefined) return namesAt(inner, path)
  if (options !== undefined) return [...new Set(options.flatMap((option) => namesAt(option, path)))]
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(shape ?? {})
  const next = element ?? shape?.[String(step)]
  return next === undefined ? [] : namesAt(next, rest)
}
