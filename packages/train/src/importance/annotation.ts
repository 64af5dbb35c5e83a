import { InvalidInputError } from 'keepsake'
import { z } from 'zod'

const annotationSchema = z.object({
  person: z.string(),
  session: z.string(),
  agent: z.string(),
  user: z.string(),
  signals: z.object({
    arousal: z.number().nullable(),
    surprise: z.number().nullable(),
    importance: z.number().nullable(),
  }),
  use: z.object({ first: z.number().int().min(0), second: z.number().int().min(0) }),
  important: z.number().min(0).max(1).nullable(),
})

/** An exchange, what was measured of it, and whether a person holds that it matters later (LUFY, 3.4). */
export type Annotation = Readonly<z.infer<typeof annotationSchema>>

/** One that a person marked. */
export type Marked = Annotation & { readonly important: number }

/**
 * Reads a file of annotations, a JSON object a line. `important` is 1 or 0, or the mean of several people's marks between
 * them, and `null` where no one has marked yet.
 *
 * @param file its name, for messages
 * @throws InvalidInputError naming the line and what is wrong in it
 */
export function readAnnotations(text: string, file: string): Annotation[] {
  return text.split('\n').flatMap((line, at): Annotation[] => {
    if (line.trim() === '') return []
    const read = annotationSchema.safeParse(parse(line))
    if (read.success) return [read.data]
    throw new InvalidInputError(
      `Line ${at + 1} of ${file} is no annotation: ${z.prettifyError(read.error)} "keepsake train annotate" writes them.`,
    )
  })
}

export function writeAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${JSON.stringify(annotation)}\n`).join('')
}

/** Those that were marked. */
export function markedOf(annotations: readonly Annotation[]): Marked[] {
  return annotations.flatMap(({ important, ...rest }) => (important === null ? [] : [{ ...rest, important }]))
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
