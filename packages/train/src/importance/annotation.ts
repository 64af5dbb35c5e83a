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

/** An exchange with its measures, and whether it is important (LUFY, 3.4). */
export type Annotation = Readonly<z.infer<typeof annotationSchema>>

/** An annotated exchange. */
export type Marked = Annotation & { readonly important: number }

/** Reads annotations, a JSON object a line. `important` is 0 to 1, the mean of marks, or `null`. @throws InvalidInputError */
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

/** Writes annotations as `readAnnotations` reads them: a JSON object a line. */
export function writeAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${JSON.stringify(annotation)}\n`).join('')
}

/** Keeps the annotated ones. */
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
