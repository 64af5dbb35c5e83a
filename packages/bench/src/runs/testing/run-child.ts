import { openDataset } from '../../datasets/open-dataset.ts'
import { deterministicJudge } from '../../judges/deterministic-judge.ts'
import { extractiveReader } from '../../readers/extractive-reader.ts'
import { openSystem } from '../../systems/open-system.ts'
import { runBench } from '../run-bench.ts'

/** Runs a benchmark in a process that a test may kill: the data's file and the folder of runs are its arguments. */
const [path = '', runs = ''] = process.argv.slice(2)
await runBench({
  dataset: await openDataset('longmemeval', path),
  system: openSystem('keepsake'),
  reader: extractiveReader,
  judge: deterministicJudge,
  runs,
  command: 'test',
  onProgress: (done) => process.stdout.write(`${done}\n`),
})
