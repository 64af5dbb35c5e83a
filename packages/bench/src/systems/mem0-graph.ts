import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMem0 } from './mem0/load-mem0.ts'
import type { MemorySystem } from './memory-system.ts'
import { UnsupportedError } from './unsupported-error.ts'

/** Mem0's documented variables of its graph store. */
const NEO4J = ['NEO4J_URL', 'NEO4J_USERNAME', 'NEO4J_PASSWORD'] as const

/**
 * Mem0's graph variant, which HaluMem measured. The installed npm package is asked as its documentation says (`enableGraph`, `graphStore`):
 * 3.3.1 has no graph and ignores the settings; versions up to 2.4.6 had one on Neo4j, filled by tool calls that the harness's models do not
 * make. Mem0's self-hosted server with its own graph store can be measured: `mem0-server` reads its relations.
 */
export function mem0Graph(): MemorySystem {
  return {
    name: 'mem0-graph',
    config: { package: 'mem0ai@3, open version, with a graph store' },
    needsModel: false,
    async open() {
      throw new UnsupportedError('mem0-graph', (await offersGraph()) ? NO_TOOLS : NO_GRAPH)
    },
  }
}

const INSTEAD =
  "Measure Mem0's self-hosted server with a graph store instead: --system mem0-server --url URL; its relations are read"
const NO_GRAPH = `be measured here: the installed npm package takes no graph store (versions up to 2.4.6 did). ${INSTEAD}`
const NO_TOOLS = `be measured here: the installed npm package has a graph store, which is filled by calls of tools, and the harness's models make none. ${INSTEAD}`

/** Whether the installed package has a graph. */
async function offersGraph(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-mem0-graph-'))
  const [url = 'bolt://localhost:7687', username = 'neo4j', password = ''] = NEO4J.map(
    (name) => process.env[name],
  )
  const graph = { enableGraph: true, graphStore: { provider: 'neo4j', config: { url, username, password } } }
  try {
    const embed = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1))
    const memory = await openMem0({ folder, chatUrl: 'http://127.0.0.1:9/v1', embed, dimensions: 1, graph })
    return 'graphMemory' in memory && memory.graphMemory !== undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
