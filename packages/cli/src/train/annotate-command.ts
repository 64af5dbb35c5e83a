import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Annotation } from '@keepsake/train'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadTraining } from '../load-package.ts'
import { chooseScope, withExisting } from '../open-database.ts'
import { printable } from '../output/style.ts'

export const annotateCommand = defineCommand({
  name: 'annotate',
  summary: 'mark exchanges that will matter later',
  description:
    'Shows a user’s exchanges one after another and asks which will matter in later conversations. Mark about one in ten. With --no-ask it writes them to a file to be marked there: "important" is 1, 0, or null (not marked). "keepsake train fit-importance" fits weights to the marks.',
  sharedOptions: ['person', 'db'],
  declare: (command) =>
    command
      .requiredOption('--out <file>', 'the file for the exchanges and their marks, one JSON object per line')
      .option('--no-ask', 'ask nothing, and write all exchanges without marks'),
  examples: [
    'keepsake train annotate --user maya --out marks.jsonl',
    'keepsake train annotate --user maya --out marks.jsonl --no-ask   # mark them in an editor',
  ],
  async run({ io, options }) {
    return withExisting(options, async (memory) => {
      const { annotationsOf, readConsent, writeAnnotations } = await loadTraining()
      const scope = await chooseScope(memory, options)
      const { user, tenant = 'default' } = scope.key
      for (const row of await memory.scopes({ user, tenant }))
        if ((await readConsent(memory.records, row)) === 'refused')
          throw wrongUsage(
            `${user} refused the use of their data for training: see "keepsake train consent".`,
          )
      const unmarked = await annotationsOf(scope, user)
      const annotated = options.ask ? await askMarks(io, unmarked) : unmarked
      writeFileSync(options.out, writeAnnotations(annotated))
      const marked = annotated.filter(({ important }) => important !== null)
      const important = marked.filter((item) => (item.important ?? 0) > 0).length
      const data = { file: options.out, exchanges: annotated.length, marked: marked.length, important }
      return {
        data,
        formatText: () =>
          `${options.out}: ${annotated.length} exchanges, ${marked.length} marked, ${important} of them important.`,
      }
    })
  },
})

/** The mark of each answer; `null`: no mark. */
const ANSWERS: Readonly<Record<string, number | null>> = { y: 1, n: 0, '': null }

/** Asks of each exchange whether it will matter later: `y`, `n`, Enter for no mark, `q` to end. Lines may come from a pipe. */
export async function askMarks(io: Io, exchanges: readonly Annotation[]): Promise<Annotation[]> {
  const lines = createInterface({ input: io.stdin })[Symbol.asyncIterator]()
  const marked: Annotation[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const important = await askMark(io, lines, `(${index + 1} of ${exchanges.length})`, exchange)
    if (important === 'end') break
    marked.push({ ...exchange, important })
  }
  return [...marked, ...exchanges.slice(marked.length)]
}

async function askMark(
  io: Io,
  lines: AsyncIterator<string>,
  progressNote: string,
  { agent, user, person }: Annotation,
): Promise<number | null | 'end'> {
  const before = agent === '' ? '' : `agent: ${printable(agent)}\n`
  io.stderr.write(`\n${progressNote}\n${before}${person}: ${printable(user)}\n`)
  for (;;) {
    io.stderr.write('Will it matter later? y, n, Enter to skip, q to end: ')
    const next = await lines.next()
    const answer = next.done === true ? 'q' : next.value.trim().toLowerCase()
    if (answer === 'q') return 'end'
    const mark = ANSWERS[answer]
    if (mark !== undefined) return mark
  }
}
