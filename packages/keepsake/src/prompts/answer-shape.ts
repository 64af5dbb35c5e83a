import { z } from 'zod'

/** A nullable field, read as `null` when missing. Its shape requires it, because some providers take no optional fields. */
export function orNull<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape> | null> {
  return z.preprocess((given) => given ?? null, shape.nullable())
}

/** Marks an optional field; its shape defines the default. Providers are informed. */
export function leftOut<Shape extends z.ZodType>(shape: Shape): Shape {
  return shape.meta({ ...shape.meta(), [LEFT_OUT]: true })
}

/** Under this name a shape's metadata say that its field may be missing. */
export const LEFT_OUT = 'leftOut'

/** A list, read as empty when the answer leaves it out or has `null` or `{}` there. An entry alone is a list of one. */
export function orEmpty<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape>[]> {
  return z.preprocess((given) => {
    const isNone = given === undefined || given === null || isEmptyObject(given)
    return isNone ? [] : [given].flat()
  }, z.array(shape))
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0
}

/**
 * A field with a default for missing or invalid values, so that the rest of its entry is kept. Converts between
 * quoted numbers and words.
 */
export function orElse<Shape extends z.ZodType>(
  shape: Shape,
  usual: z.input<Shape>,
): z.ZodType<z.output<Shape>> {
  return z.preprocess((given) => {
    const readings = [given, typeof given === 'number' ? String(given) : given, numberIn(given)]
    return readings.find((one) => one !== undefined && shape.safeParse(one).success) ?? usual
  }, shape)
}

function numberIn(given: unknown): number | undefined {
  return typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : undefined
}
