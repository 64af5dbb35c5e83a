import { createInterface } from 'node:readline'
import type { Annotation } from '@keepsake/train'
import type { Io } from '../io.ts'
import { printable } from '../output/style.ts'

const ANSWERS: Readonly<Record<string, number | null>> = { y: 1, n: 0, '': null }

/**
 * Asks of each exchange whether it will matter later: `y`, `n`, Enter for no mark, `q` to end. What was not reached stays
 * without a mark. Lines may come from a pipe.
 */
export async function askMarks(io: Io, exchanges: readonly Annotation[]): Promise<Annotation[]> {
  const lines = createInterface({ input: io.stdin })[Symbol.asyncIterator]()
  const marked: Annotation[] = []
  for (const [at, exchange] of exchanges.entries()) {
    const important = await askMark(io, lines, `(${at + 1} of ${exchanges.length})`, exchange)
    if (important === 'end') break
    marked.push({ ...exchange, important })
  }
  return [...marked, ...exchanges.slice(marked.length)]
}

async function askMark(
  io: Io,
  lines: AsyncIterator<string>,
  place: string,
  { agent, user, person }: Annotation,
): Promise<number | null | 'end'> {
  const before = agent === '' ? '' : `agent: ${printable(agent)}\n`
  io.stderr.write(`\n${place}\n${before}${person}: ${printable(user)}\n`)
  for (;;) {
    io.stderr.write('Will it matter later? y, n, Enter to leave it, q to end: ')
    const next = await lines.next()
    const answer = next.done === true ? 'q' : next.value.trim().toLowerCase()
    if (answer === 'q') return 'end'
    const mark = ANSWERS[answer]
    if (mark !== undefined) return mark
  }
}
