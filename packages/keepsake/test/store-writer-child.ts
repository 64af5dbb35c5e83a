/** Writes to a store until killed, and prints what was acknowledged. Arguments: file, task, name of this run. */
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import {
  addOf,
  commit as commitTo,
  commitOf,
  documentOf,
  eraseOf,
  operationOf,
  turnOf,
} from '../src/store/contract/samples.ts'

const [path = '', task = '', run = '', count = 'endless'] = process.argv.slice(2)
const acknowledge = (line: string): void => void writeSync(1, `${line}\n`)

const store = await openSqliteStore({ path })
const ada = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
acknowledge('ready')

/** Ids of operations must not repeat from run to run. */
const named = <Kind extends { id: string }>(operation: Kind): Kind => ({
  ...operation,
  id: `${run}-${operation.id}`,
})

async function append(id: string): Promise<void> {
  const turns = [1, 2, 3].flatMap((part) => turnOf(ada, `${id}.${part}`, `turn ${id} part ${part}`).turns)
  await store.append({ ...turnOf(ada, id, ''), session: `session ${run}`, turns })
  acknowledge(`turns ${turns.map((turn) => turn.id).join(' ')}`)
}

async function commit(id: string): Promise<void> {
  await store.append(turnOf(ada, id, `turn ${id}`))
  const { scopes } = await store.loadUser({
    userId: ada.owner,
    afterRevision: await store.revision(ada.owner),
  })
  const position = (scopes[0]?.branches['pairs'] ?? 0) + 1
  const add = named(addOf(ada, `memory ${id}`, `turn ${id}`, [id]))
  const forget = named(operationOf(ada, 'forget', `memory ${id}`, { status: 'forgotten' }))
  const documents = [{ id: `memory ${id}`, kind: 'memory' as const, ...documentOf(`turn ${id}`) }]
  const progress = [{ branch: 'pairs', position }]
  await commitTo(store, { ...commitOf(ada, [add]), documents, progress })
  acknowledge(`memory ${id} live`)
  await commitTo(store, commitOf(ada, [forget], [add]))
  acknowledge(`memory ${id} forgotten`)
}

async function erase(id: string): Promise<void> {
  const secret = `secretof${id}end hidden`
  await store.append(turnOf(ada, id, secret))
  const add = named(addOf(ada, `memory ${id}`, secret, [id]))
  await commitTo(store, {
    ...commitOf(ada, [add]),
    documents: [{ id: `memory ${id}`, kind: 'memory', ...documentOf(secret) }],
  })
  acknowledge(`kept ${id}`)
  const request = eraseOf(ada, [id], [`memory ${id}`])
  await store.erase({ ...request, id: `erasure ${id}`, operations: request.operations.map(named) })
  acknowledge(`erased ${id}`)
}

const tasks: Record<string, (id: string) => Promise<void>> = { append, commit, erase }
const work = tasks[task]
const steps = count === 'endless' ? Infinity : Number(count)
if (work === undefined) throw new Error(`no task ${task}`)
for (let step = 0; step < steps; step++) await work(`${run}.${step}`)
await store.close()
