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

/** An exchange with its measures, and how important annotators found it (the LUFY paper, section 3.4). */
export type Annotation = Readonly<z.infer<typeof annotationSchema>>

/** An annotated exchange. */
export type Marked = Annotation & { readonly important: number }

/** Reads one JSON object per line. `important` is the mean of the marks, 0 to 1, or `null` without marks. @throws InvalidInputError */
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

/** Writes one JSON object per line, as `readAnnotations` reads them. */
export function writeAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${JSON.stringify(annotation)}\n`).join('')
}

/** Returns the exchanges that have marks. */
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
