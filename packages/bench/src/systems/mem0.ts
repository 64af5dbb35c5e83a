import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { estimateTokens } from 'keepsake'
import { embeddedWordVectors } from '@keepsake/text'
import type { Memory } from 'mem0ai/oss'
import { z } from 'zod'
import { countModels } from './count-models.ts'
import { openMem0 } from './mem0/load-mem0.ts'
import { serveModel } from './mem0/loopback-model.ts'
import type {
  AddedDialogue,
  Dialogue,
  DurableMemory,
  DurableSystem,
  OpenSystemMemory,
  Retrieved,
  RetrieveOptions,
  SystemMemoryItem,
  SystemOperation,
  SystemUsage,
  AppTurn,
} from './memory-system.ts'

const NAME = 'mem0'
const VERSION = '3'
/** The user's id in every store. Each memory has its own store, and Mem0 accepts no ids with spaces. */
const USER = 'person'
/** A limit above the number of memories of any conversation. Mem0's `getAll` needs a limit. */
const ALL = 1_000_000

/**
 * Makes a system of Mem0's npm package in this process, by its public calls `add`, `search` and `getAll`. Its default embedded store is in a temporary folder.
 * Telemetry is off. It needs a language model. Without an embedding model it gets Keepsake's word vectors, so that both rank by the same.
 *
 * - Its open version takes no time with a message, so each message begins with day and speaker.
 * - A memory has session and day of its dialogue as metadata. Mem0 does not name the turns behind a memory.
 * - Version 3 only adds memories. It does not change or delete them by itself.
 * - If the model's answer is no JSON, Mem0 adds nothing and reports no error.
 *
 * @throws Mem0MissingError if the package is not installed
 */
export function mem0Npm(): DurableSystem {
  return {
    name: NAME,
    config: {
      package: `mem0ai@${VERSION}, open version, ES module`,
      vectorStore: 'memory (its default, SQLite)',
      embedder: "the harness's, else Keepsake's word vectors; in the process",
      languageModel: "the harness's, over loopback",
      messages: '[day] speaker: text',
      context: '- [day] memory, best first, within the budget',
    },
    needsModel: true,
    open: openMemory,
  }
}

async function openMemory(options: OpenSystemMemory): Promise<DurableMemory> {
  const { model, embedding, folder: existingFolder, modelTimeoutMs } = options
  if (model === null)
    throw new Error(
      'Mem0 extracts nothing without a language model. Name one, such as --model openai:gpt-5-mini.',
    )
  const counted = countModels(model, embedding ?? embeddedWordVectors())
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
    (await counted.embedding?.embed(texts)) ?? []
  const dimensions = counted.embedding?.dimensions ?? (await embed(['a']))[0]?.length ?? 0
  const folder = existingFolder ?? (await mkdtemp(join(tmpdir(), 'keepsake-mem0-')))
  const loopback = await serveModel(counted.model ?? model)
  const close = async (): Promise<void> => {
    await loopback.close()
    if (existingFolder === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const chat = { chatUrl: loopback.baseUrl, modelTimeoutMs }
    const memory = await openMem0({ folder, ...chat, embed, dimensions })
    return new Mem0Memory({ memory, loopbackUrl: loopback.baseUrl, usage: counted.usage, close })
  } catch (error) {
    await close()
    throw error
  }
}

interface OpenedMem0 {
  readonly memory: Memory
  readonly loopbackUrl: string
  readonly usage: () => SystemUsage
  readonly close: () => Promise<void>
}

const id = z.union([z.string().min(1), z.number().transform(String)])

/** The result of an addition. If it is malformed, the harness compares the memories before and after. */
const addedSchema = z.object({
  results: z.array(
    z.object({
      id,
      memory: z.string().nullish(),
      metadata: z.object({
        event: z
          .string()
          .toUpperCase()
          .pipe(z.enum(['ADD', 'UPDATE', 'DELETE', 'NONE'])),
      }),
    }),
  ),
})

/** The result of a search. An empty vector has the score 0/0, which counts as none. Missing texts and ids are reported. */
const foundSchema = z.object({
  results: z.array(
    z.object({
      id: id.catch(''),
      memory: z.string().catch(''),
      score: z.number().nullable().catch(null),
      metadata: z
        .looseObject({
          session: z.string().optional().catch(undefined),
          day: z.string().optional().catch(undefined),
        })
        .nullish()
        .catch(null),
    }),
  ),
})

class Mem0Memory implements DurableMemory {
  readonly answer = null
  readonly loopbackUrl: string
  readonly #opened: OpenedMem0
  /** The latest text of each memory by id. Mem0 does not report the text before a change. */
  readonly #texts = new Map<string, string>()

  constructor(opened: OpenedMem0) {
    this.#opened = opened
    this.loopbackUrl = opened.loopbackUrl
  }

  async addDialogue({ session, turns }: Dialogue): Promise<AddedDialogue> {
    if (turns.length === 0) return { operations: [] }
    const messages = turns.map(({ role, speaker, text, at }) => ({
      role: roleOf(role),
      content: `[${dayOf(at)}] ${speaker}: ${text}`,
    }))
    const metadata = { session, day: dayOf(turns.at(-1)?.at ?? 0) }
    const answer = await this.#opened.memory.add(messages, { userId: USER, metadata })
    const added = addedSchema.safeParse(answer)
    return { operations: added.data?.results.flatMap((one) => this.#operation(one)) ?? null }
  }

  async tell(turns: readonly AppTurn[]): Promise<void> {
    const messages = turns.map(({ role, text }) => ({ role: roleOf(role), content: text }))
    await this.#opened.memory.add(messages, { userId: USER })
  }

  /** Does nothing, because Mem0 processes each call immediately. */
  endTalk(): Promise<void> {
    return Promise.resolve()
  }

  /** Does nothing, because `add` returns when all work is done. */
  settle(): Promise<void> {
    return Promise.resolve()
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    return this.#list({ session })
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    return this.#list({})
  }

  async retrieve(query: string, { limit, tokens }: RetrieveOptions): Promise<Retrieved> {
    const found = await this.#opened.memory.search(query, { topK: limit, filters: { user_id: USER } })
    const { results } = foundSchema.parse(found)
    const sessions = results.flatMap(({ metadata }) => metadata?.session ?? [])
    return {
      memories: results.map(({ id, memory, score }) => ({ id, text: memory, turns: null, score })),
      turns: null,
      sessions: [...new Set(sessions)],
      confidence: null,
      context: linesWithin(results.filter(({ memory }) => memory.trim() !== '').map(lineOf), tokens),
    }
  }

  usage(): SystemUsage {
    return this.#opened.usage()
  }

  /** Closes the model and removes the folder. Mem0 itself cannot be closed. Its files are closed by garbage collection. */
  close(): Promise<void> {
    return this.#opened.close()
  }

  async #list(filter: { readonly session?: string }): Promise<SystemMemoryItem[]> {
    const listed = await this.#opened.memory.getAll({ topK: ALL, filters: { user_id: USER, ...filter } })
    return foundSchema.parse(listed).results.map(({ id, memory }) => ({ id, text: memory, turns: null }))
  }

  #operation({ id, memory, metadata }: z.infer<typeof addedSchema>['results'][number]): SystemOperation[] {
    const before = this.#texts.get(id) ?? null
    const after = memory ?? null
    switch (metadata.event) {
      case 'NONE':
        return []
      case 'DELETE':
        this.#texts.delete(id)
        return [{ kind: 'delete', memory: id, before: before ?? after, after: null }]
      case 'ADD':
      case 'UPDATE':
        if (after !== null) this.#texts.set(id, after)
        return [
          metadata.event === 'ADD'
            ? { kind: 'add', memory: id, before: null, after }
            : { kind: 'modify', memory: id, before, after },
        ]
    }
  }
}

function roleOf(role: AppTurn['role']): string {
  return role === 'user' ? 'user' : 'assistant'
}

function lineOf({ memory, metadata }: z.infer<typeof foundSchema>['results'][number]): string {
  return metadata?.day === undefined ? `- ${memory}` : `- [${metadata.day}] ${memory}`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Joins lines, best first, that fit the token budget. */
function linesWithin(lines: readonly string[], tokens: number): string {
  const fitting: string[] = []
  let usedTokens = 0
  for (const line of lines) {
    const cost = estimateTokens(`${line}\n`)
    if (usedTokens + cost > tokens) continue
    fitting.push(line)
    usedTokens += cost
  }
  return fitting.join('\n')
}
