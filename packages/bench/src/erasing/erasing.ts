import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry } from '../benchmark/benchmark.ts'
import { folderOption, seedOption, wholeNumber } from '../benchmark/options.ts'
import { ALL } from '../log/figure.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { measureErasing } from './measure-erasing.ts'

/** What erasing one turn of a large file costs everybody else. */
export const erasing = defineBenchmark({
  name: 'erasing',
  about:
    'Erases a turn of a large file while others read and write: how long until it is acknowledged and until its bytes are gone, and how long everybody else waits.',
  examples: ['erasing --megabytes 200', 'erasing --megabytes 1000 --json'],
  options: z.object({
    megabytes: wholeNumber(1, 100_000).default(1_000).meta({ description: 'how large the file is' }),
    seed: seedOption,
    folder: folderOption,
  }),
  async *open({ megabytes, seed, folder: parent = tmpdir() }) {
    const folder = await mkdtemp(join(parent, 'keepsake-erasing-'))
    yield {
      dataset: 'generated',
      dataHash: `seed ${seed}`,
      systems: ['keepsake'],
      config: { megabytes, seed, synchronous: 'full' },
      tasks: ['erasing'],
      goesOn: 'never',
      total: null,
      steps: [
        {
          name: 'one turn',
          async measure(say) {
            const figures = await measureErasing(join(folder, 'memory.db'), { megabytes, seed, say })
            return [
              stepEntry('one turn', [{ system: 'keepsake', figures: plainFigures('erasing', ALL, figures) }]),
            ]
          },
        },
      ],
      findFault: ([result]) => {
        const left = result?.figures.find(({ metric }) => metric === 'files_with_erased')?.value
        return left === 0 ? null : 'Words that were erased still stand in a file.'
      },
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})
