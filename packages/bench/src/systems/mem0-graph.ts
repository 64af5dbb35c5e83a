import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMem0 } from './mem0/load-mem0.ts'
import type { MemorySystem } from './memory-system.ts'
import { UnsupportedError } from './unsupported-error.ts'

/** Where the graph would be kept: as Mem0's own documentation names the variables. */
const NEO4J = ['NEO4J_URL', 'NEO4J_USERNAME', 'NEO4J_PASSWORD'] as const

/**
 * Mem0's graph variant, which HaluMem measured. It is asked of the npm package that is installed, as its documentation asks for it
 * (`enableGraph`, `graphStore`), and the package says whether it has one: 3.3.1, which this harness speaks, has none and passes the
 * settings by; the versions up to 2.4.6 had one on Neo4j, filled by calls of tools, which a model of the harness does not make. What can
 * be measured is Mem0's self-hosted server with a graph store of its own: `mem0-server` reads the relations that it answers with.
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

/** Whether a memory that is asked for a graph has one. */
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
