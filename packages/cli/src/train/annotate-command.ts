import { writeFileSync } from 'node:fs'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { loadTraining } from '../load-package.ts'
import { chooseScope, withExisting } from '../open-database.ts'
import { askMarks } from './ask-marks.ts'

export const annotateCommand = defineCommand({
  name: 'annotate',
  summary: 'mark which exchanges will matter later',
  description:
    'Shows a person’s exchanges one after another and asks which will matter in later talk; mark about one in ten. Or writes them to a file, to be marked there: "important" is 1, 0, or null where nothing is said. What is marked is what "keepsake train fit-importance" fits on.',
  takes: ['person', 'db'],
  declare: (command) =>
    command
      .requiredOption('--out <file>', 'where the exchanges go, with their marks; a JSON object a line')
      .option('--no-ask', 'ask nothing: write all with no mark'),
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
          throw wrongUsage(`${user} refused to be learned from: see "keepsake train consent".`)
      const waiting = await annotationsOf(scope, user)
      const annotated = options.ask ? await askMarks(io, waiting) : waiting
      writeFileSync(options.out, writeAnnotations(annotated))
      const marked = annotated.filter(({ important }) => important !== null)
      const important = marked.filter((one) => (one.important ?? 0) > 0).length
      const data = { file: options.out, exchanges: annotated.length, marked: marked.length, important }
      return {
        data,
        words: () =>
          `${options.out}: ${annotated.length} exchanges, ${marked.length} marked, ${important} of them important.`,
      }
    })
  },
})
