import { z } from 'zod'

/**
 * A field that may be `null`, read as `null` when the answer leaves it out. The shape shown to a provider still
 * requires it: some take only schemas without optional fields and defaults.
 */
export function orNull<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape> | null> {
  return z.preprocess((given) => given ?? null, shape.nullable())
}

/** Marks a field that an answer may leave out: what it then means is for its shape to say. Providers are told that it may be missing. */
export function leftOut<Shape extends z.ZodType>(shape: Shape): Shape {
  return shape.meta({ ...shape.meta(), [LEFT_OUT]: true })
}

/** Under this name a shape's metadata say that its field may be missing. */
export const LEFT_OUT = 'leftOut'

/** A list, read as empty when the answer leaves it out or has `null` there. */
export function orEmpty<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape>[]> {
  return z.preprocess((given) => given ?? [], z.array(shape))
}

/**
 * A field that has a usual value, which it is read as when the answer leaves it out, or has something there that it cannot
 * be. For what says little by itself: the rest of its entry is not lost for it. Words in quotation marks that are a number,
 * and numbers that should be words, are read as what they should be.
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
