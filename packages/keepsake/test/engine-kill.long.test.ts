import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory, type Memory, type Operation } from 'keepsake'
import { projectLog } from 'keepsake/store'
import { runUntilKilled } from './kill-child.ts'
import { temporaryFile } from './temporary-file.ts'

const CHILD = join(import.meta.dirname, 'engine-writer-child.ts')
/** `npm run perf -- faults` kills hundreds of times. */
const KILLS = 12
/** New files now and then, so that an empty one and a young one are killed as well. */
const KILLS_A_FILE = 6

/** As the log has it: the words of utterances and raw units are their turns' and not stored twice. */
function asLogged(memory: Memory): Memory {
  return memory.form === 'utterance' || memory.level === 1 ? { ...memory, text: '' } : memory
}

interface Acknowledged {
  readonly turns: Set<string>
  readonly erased: Map<string, string>
  readonly underWay: Map<string, string>
}

function readLines(lines: readonly string[], into: Acknowledged): void {
  for (const line of lines) {
    const [what, id = '', words = ''] = line.split(' ')
    if (what === 'turn') into.turns.add(id)
    if (what === 'erasing') into.underWay.set(id, words)
    if (what === 'erased') into.erased.set(id, words)
  }
}

async function inspect(path: string, acknowledged: Acknowledged): Promise<void> {
  const keepsake = await openMemory({ path })
  const scope = keepsake.scope({ user: 'ana' })
  await scope.drain()
  const rows: ({ row: string } & Operation)[] = []
  for await (const line of scope.export()) rows.push(JSON.parse(line))
  const turns = rows.filter((row) => row.row === 'turn')
  const ids = turns.map((turn) => turn.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of acknowledged.turns) {
    if (!acknowledged.erased.has(id) && !acknowledged.underWay.has(id)) expect(ids).toContain(id)
  }
  const statuses = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const
  const memories = await scope.memories({ statuses })
  const projected = projectLog(rows.filter((row) => row.row === 'operation'))
  expect(projected.size).toBe(memories.length)
  for (const memory of memories) {
    expect(projected.get(memory.id)).toEqual(asLogged(memory))
  }
  const ofTurns = memories
    .filter((memory) => memory.form === 'utterance' && memory.status !== 'erased')
    .map((memory) => memory.evidence[0]?.turn)
  expect(new Set(ofTurns).size).toBe(ofTurns.length)
  await keepsake.close()
  const bytes = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name)))
  // An erasure that was killed half way is either finished on reopening or was never begun.
  const begun = [...acknowledged.underWay].filter(([id]) => acknowledged.erased.has(id) || !ids.includes(id))
  for (const [id, words] of begun) {
    for (const file of bytes)
      expect(file.includes(`is called ${words}`), `${id} is still in a file`).toBe(false)
  }
}

describe('a process killed with SIGKILL at a random moment', () => {
  it(
    `loses no acknowledged turn, doubles nothing, and leaves memories equal to the log, ${KILLS} times`,
    { timeout: 600_000 },
    async () => {
      let kills = 0
      for (let file = 0; file < KILLS / KILLS_A_FILE; file += 1) {
        const path = temporaryFile(`kill-${file}.db`)
        const acknowledged: Acknowledged = { turns: new Set(), erased: new Map(), underWay: new Map() }
        for (let round = 0; round < KILLS_A_FILE; round += 1) {
          const after = 20 + ((kills * 89) % 300)
          // Now from the start, now once something was acknowledged, so that there is something to lose.
          const lines = 1 + (round % 2)
          readLines(await runUntilKilled(CHILD, [path, String(round)], after, lines), acknowledged)
          kills += 1
          if (round % 2 === 1) await inspect(path, acknowledged)
        }
        expect(acknowledged.turns.size).toBeGreaterThan(0)
      }
      expect(kills).toBe(KILLS)
    },
  )
})
