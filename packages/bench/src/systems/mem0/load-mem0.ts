import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Mem0 from 'mem0ai/oss'

/** Mem0's npm package is not installed, or in an unsupported version. */
export class Mem0MissingError extends Error {
  override readonly name = 'Mem0MissingError'

  constructor(cause: unknown) {
    super('Mem0 is not installed next to the harness. Install it: npm install mem0ai@3', { cause })
  }
}

type Mem0Package = typeof Mem0

let loading: Promise<Mem0Package> | undefined

/** Loads Mem0 as an ES module on first use. Telemetry is turned off before, because Mem0 reads this setting on loading. Its settings are in a temporary folder. */
export function loadMem0(): Promise<Mem0Package> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Mem0Package> {
  process.env['MEM0_TELEMETRY'] = 'false'
  const home = mkdtempSync(join(tmpdir(), 'keepsake-mem0-home-'))
  process.env['MEM0_DIR'] = home
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  try {
    return await import('mem0ai/oss')
  } catch (error) {
    throw new Mem0MissingError(error)
  }
}

export interface Mem0Files {
  /** The folder of vectors, entities and history. */
  readonly folder: string
}

export interface Mem0Models extends Mem0Files {
  /** Base URL of the chat completions that Mem0 calls. */
  readonly chatUrl: string
  /** Timeout of an answer. Default: ten minutes, as Mem0's client has it. */
  readonly modelTimeoutMs?: number | undefined
  /** Embeds texts in the process. */
  readonly embed: (texts: readonly string[]) => Promise<Float32Array[]>
  readonly dimensions: number
}

/** Opens a memory with Mem0's defaults in one folder. Mem0 reaches the model over loopback, because otherwise it accepts only LangChain. */
export async function openMem0(models: Mem0Models): Promise<Mem0.Memory> {
  const { folder, chatUrl, modelTimeoutMs: timeout, embed, dimensions } = models
  const mem0 = await loadMem0()
  const embedQuery = async (text: string): Promise<number[]> => Array.from((await embed([text]))[0] ?? [])
  const embedDocuments = async (texts: string[]): Promise<number[][]> =>
    (await embed(texts)).map((vector) => [...vector])
  return new mem0.Memory({
    llm: {
      provider: 'openai',
      config: {
        apiKey: 'none',
        baseURL: chatUrl,
        model: 'harness',
        ...(timeout === undefined ? {} : { timeout }),
      },
    },
    embedder: {
      provider: 'langchain',
      config: {
        model: { embedQuery: embedQuery, embedDocuments: embedDocuments },
        embeddingDims: dimensions,
      },
    },
    vectorStore: {
      provider: 'memory',
      config: { dbPath: join(folder, 'vectors.db'), dimension: dimensions },
    },
    historyDbPath: join(folder, 'history.db'),
  })
}
