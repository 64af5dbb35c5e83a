import { runBenchmark } from '../../benchmark/run-benchmark.ts'
import { run } from '../run.ts'

/** Runs a benchmark in a process that a test may kill: the data's file and the folder of runs are its arguments. */
const [path = '', runs = ''] = process.argv.slice(2)
const nothing = (): Promise<never> => Promise.reject(new Error('no model is asked for'))
await runBenchmark(
  run,
  { dataset: 'longmemeval', path, system: ['keepsake'] },
  {
    runs,
    openModel: nothing,
    openEmbedding: nothing,
    openHttpSystem: nothing,
    onProgress: (_label, done) => process.stdout.write(`${done}\n`),
  },
)
