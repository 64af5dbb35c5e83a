import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accumulate } from './accumulate.ts'
import { keepsakeSystem, type KeepsakeSystemOptions } from './keepsake.ts'
import { mem0Npm } from './mem0.ts'
import type { MemorySystem } from './memory-system.ts'
import { noMemory, turnBm25, wholeContext } from './kept-turns.ts'
import { openMem0 } from './mem0/load-mem0.ts'
import { UnsupportedError } from './unsupported-error.ts'

/** Systems other than presets that run in this process. */
const IN_PROCESS = ['none', 'whole-context', 'bm25', 'accumulate', 'mem0', 'mem0-graph'] as const

type InProcessName = PresetName | (typeof IN_PROCESS)[number]

/** Every system by its name in reports: Keepsake's presets, the baselines, Mem0's npm package. */
export const IN_PROCESS_SYSTEM_NAMES: readonly InProcessName[] = [...PRESET_NAMES, ...IN_PROCESS]

/** Services reached over HTTP, which @keepsake/bench-http-peers opens. */
export const HTTP_SYSTEM_NAMES = [
  'mem0-server',
  'mem0-platform',
  'zep',
  'supermemory',
  'memobase',
  'memos',
] as const

/** A system that is reached over HTTP. */
export type HttpSystemName = (typeof HTTP_SYSTEM_NAMES)[number]
/** A system that can be measured. */
export type SystemName = InProcessName | HttpSystemName

/** All systems that can be measured, those in the process first. */
export const SYSTEM_NAMES: readonly SystemName[] = [...IN_PROCESS_SYSTEM_NAMES, ...HTTP_SYSTEM_NAMES]

/** Whether a system is reached over HTTP. `httpSystem` of @keepsake/bench-http-peers opens such systems. */
export function isHttpSystem(name: SystemName): name is HttpSystemName {
  return HTTP_SYSTEM_NAMES.some((one) => one === name)
}

/** Opens a system of this process by name. @throws RangeError listing the known ones */
export function openSystem(name: string, preset?: KeepsakeSystemOptions): MemorySystem {
  if (!isInProcess(name))
    throw new RangeError(
      `There is no system "${name}" in this process. There are: ${IN_PROCESS_SYSTEM_NAMES.join(', ')}.`,
    )
  switch (name) {
    case 'none':
      return noMemory()
    case 'whole-context':
      return wholeContext()
    case 'bm25':
      return turnBm25()
    case 'accumulate':
      return accumulate()
    case 'mem0':
      return mem0Npm()
    case 'mem0-graph':
      return mem0Graph()
    default:
      return keepsakeSystem(name, preset)
  }
}

function isInProcess(name: string): name is InProcessName {
  return IN_PROCESS_SYSTEM_NAMES.some((one) => one === name)
}

/** The variables of the environment that Mem0 documents for its graph store. */
const NEO4J = ['NEO4J_URL', 'NEO4J_USERNAME', 'NEO4J_PASSWORD'] as const

/** Mem0's graph variant cannot be measured: npm's 3.3.1 has no graph, earlier ones need tool calls. `mem0-server` reads relations. */
function mem0Graph(): MemorySystem {
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

/** Whether the installed npm package has a graph. */
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
