// Reads a large file entry by entry: `node --expose-gc measure-reading.ts lines|array FILE`. Prints the file's size and the
// highest use of memory as JSON.
import { setImmediate } from 'node:timers/promises'
import { openJsonArray, openJsonLines } from '../record-file.ts'

/** Measures the memory in use, in bytes. Garbage is collected first; buffers are freed a tick later. */
async function memoryHeld(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const [form, file = ''] = process.argv.slice(2)
const source = await (form === 'lines' ? openJsonLines(file) : openJsonArray(file))
const before = await memoryHeld()
let peak = 0
let read = 0
for await (const { value } of source.records()) {
  if (value === null) throw new Error('an entry was lost')
  if (++read % 32 === 0) peak = Math.max(peak, (await memoryHeld()) - before)
}
process.stdout.write(JSON.stringify({ size: source.size, peak }))
