import { runBenchmark } from '../../benchmark/run-benchmark.ts'
import { ALONE } from '../../benchmark/testing/run-alone.ts'
import { run } from '../run.ts'

/** Runs a benchmark in a process that a test may kill. Its arguments are the file of data and the folder of runs. */
const [path = '', runs = ''] = process.argv.slice(2)
await runBenchmark(
  run,
  { dataset: 'longmemeval', path, system: ['keepsake'] },
  { ...ALONE, runs, onProgress: (_label, done) => process.stdout.write(`${done}\n`) },
)
