// Runs one task on a store in a process of its own: holds a claim, or appends turns. Reports what it did on standard output.
import { samples } from 'keepsake/store'
import { openPostgresStore } from '../src/open-postgres-store.ts'

const [address = '', schema = '', task = '', ...args] = process.argv.slice(2)
const store = await openPostgresStore({
  connectionString: address,
  schema,
  connections: 3,
  patienceMs: 30_000,
})
const report = (line: string): void => void process.stdout.write(`${line}\n`)

switch (task) {
  case 'hold': {
    const result = await store.claimJobs({ leaseMs: 600_000 })
    report(result.outcome)
    await new Promise(() => setInterval(() => {}, 1_000))
    break
  }
  case 'append': {
    const [run = '', count = '0'] = args
    const scope = await store.ensureScope({ ...samples.ADA, user: run })
    for (let turn = 0; turn < Number(count); turn += 1) {
      const request = samples.turnOf(scope, `${run}-${turn}`, `turn ${turn} of ${run}`)
      for (;;) {
        const stored = await store.append(request).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && 'isRetryable' in error && error.isRetryable === true) return false
            throw error
          },
        )
        if (stored) break
      }
      report(`stored ${run}-${turn}`)
    }
    break
  }
  default:
    throw new Error(`no such task: ${task}`)
}
await store.close()
