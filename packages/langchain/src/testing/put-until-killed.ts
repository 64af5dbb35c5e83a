// A process that puts, overwrites and deletes until it is killed, and says what was done. Run by a test.
import { openMemory } from 'keepsake'
import { KeepsakeStore } from '../store/index.ts'

const [folder = '.', from = '0'] = process.argv.slice(2)
const keepsake = await openMemory({ path: `${folder}/memory.db` })
const store = new KeepsakeStore(keepsake)
for (let n = Number(from); ; n += 1) {
  const key = `k${n % 7}`
  const value = n % 5 === 4 ? null : { text: `WORD${n}END` }
  process.stdout.write(`begun ${n}\n`)
  await store.batch([{ namespace: ['ana'], key, value }])
  process.stdout.write(`done ${n}\n`)
}
