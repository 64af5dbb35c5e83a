import {
  composeContext,
  estimateTokens,
  findPreset,
  openMemory,
  type Keepsake,
  type Memory,
  type Preset,
  type PresetName,
  type Recall,
  type Retention,
  type ScopedMemory,
} from 'keepsake'
import { Meter } from '../cost/meter.ts'
import type { DatasetQuestion, DatasetTurn } from '../datasets/conversation.ts'
import { expandToTurns } from '../retrieval/keepsake-system.ts'
import { countUsage } from './count-usage.ts'
import { countEmbeddings } from './count-embeddings.ts'
import {
  countedForms,
  isCounted,
  itemsOf,
  memoryText,
  readItemId,
  splitStatements,
  type CountedForms,
} from './counted-memories.ts'
import type {
  AddedDialogue,
  Dialogue,
  MemorySystem,
  OpenSystemMemory,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  SystemUsage,
} from './memory-system.ts'
import { operationsOfEvents, type MemoryEvent } from './operations-of-events.ts'

/** Most memories one recall returns. */
const MOST_MEMORIES = 1_000
const ANSWER_TOKENS = 1_000

export interface PresetSystemOptions {
  /** Replaces what the preset lets go, and when. */
  readonly retention?: Retention
  /** Budget of the context that the preset's own reply is given, in tokens. 1,000 when absent. */
  readonly answerTokens?: number
}

/**
 * A Keepsake preset through the engine's public API, each memory in a store of its own, held in the process. With a
 * language model it is the preset as published, without one its form by rules. Times and ids come from the talk, so
 * that two runs are the same; each dialogue is consolidated before the next comes; recall does not reinforce.
 *
 * What counts as one of its memories stands in `countedForms`.
 */
export function presetSystem(name: PresetName, options: PresetSystemOptions = {}): MemorySystem {
  const { retention, answerTokens = ANSWER_TOKENS } = options
  return {
    name,
    config: { preset: name, retention: retention ?? findPreset(name).retention, answerTokens },
    needsModel: false,
    open: (opened) => openPreset(name, opened, { ...options, answerTokens }),
  }
}

async function openPreset(
  name: PresetName,
  { user, model, embedding }: OpenSystemMemory,
  { retention, answerTokens }: PresetSystemOptions & { readonly answerTokens: number },
): Promise<SystemMemory> {
  const preset = findPreset(name, { model: model !== null })
  const meter = new Meter()
  const counted = embedding === null ? null : countEmbeddings(embedding)
  const clock = { now: 0 }
  let made = 0
  const keepsake = await openMemory({
    path: ':memory:',
    preset,
    ...(retention === undefined ? {} : { retention }),
    ...(model === null ? {} : { model: meter.model(model) }),
    ...(counted === null ? {} : { embedding: counted.model }),
    maskSecrets: false,
    now: () => clock.now,
    newId: () => `m${String((made += 1)).padStart(9, '0')}`,
  })
  const requests = counted?.requests ?? (() => 0)
  const reply = model === null ? null : { tokens: answerTokens }
  return new KeepsakeMemory({ keepsake, preset, user, clock, usage: countUsage(meter, requests), reply })
}

interface OpenedPreset {
  readonly keepsake: Keepsake
  readonly preset: Preset
  readonly user: string
  readonly clock: { now: number }
  readonly usage: () => SystemUsage
  /** `null`: there is no model to reply. */
  readonly reply: { readonly tokens: number } | null
}

class KeepsakeMemory implements SystemMemory {
  readonly answer: SystemMemory['answer']
  readonly #opened: OpenedPreset
  readonly #memory: ScopedMemory
  readonly #forms: CountedForms
  /** Each session's turns, by their ids. */
  readonly #turns = new Map<string, Map<string, DatasetTurn>>()
  #events: MemoryEvent[] = []

  constructor(opened: OpenedPreset) {
    this.#opened = opened
    this.#memory = opened.keepsake.scope({ user: opened.user })
    this.#forms = countedForms(opened.preset)
    const { reply } = opened
    this.answer = reply === null ? null : (question) => this.#reply(question, reply.tokens)
    this.#listen()
  }

  async addDialogue({ session, turns, endsSession }: Dialogue): Promise<AddedDialogue> {
    const { clock } = this.#opened
    this.#events = []
    clock.now = Math.max(clock.now, turns.at(-1)?.at ?? 0)
    if (turns.length > 0) {
      const said = turns.map(({ zone, ...turn }) => ({ ...turn, timeZone: zone }))
      await this.#memory.remember(said, { session })
      const known = this.#turns.get(session) ?? []
      this.#turns.set(session, new Map([...known, ...turns.map((turn) => [turn.id, turn] as const)]))
    }
    if (endsSession && this.#turns.has(session)) await this.#memory.endSession(session)
    await this.#memory.drain()
    const events = this.#events.map((event) => ({ ...event, memory: this.#withWords(event.memory) }))
    return { operations: operationsOfEvents(events, this.#forms.standing) }
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    const { dialogue } = this.#forms
    const said = this.#turns.get(session)
    const live = await this.#memory.memories({ forms: dialogue })
    const told = live.filter(
      (memory) =>
        isCounted(memory, dialogue) &&
        memory.form !== 'portrait' &&
        memory.evidence.some(({ turn }) => said?.has(turn) === true),
    )
    const drawn = dialogue.includes('portrait') ? await this.#newInPortrait(session) : []
    return [...told.flatMap(itemsOf), ...drawn]
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    const { standing } = this.#forms
    const live = await this.#memory.memories({ forms: standing })
    return live.filter((memory) => isCounted(memory, standing)).flatMap(itemsOf)
  }

  async retrieve(query: string, { limit, at, tokens }: RetrieveOptions): Promise<Retrieved> {
    const recall = await this.#memory.recall(query, {
      limit: Math.min(MOST_MEMORIES, limit),
      now: at,
      tokens,
      reinforce: false,
    })
    // What searches for nothing puts no turn before another: its ranking would be chance.
    const isSearched = this.#opened.preset.ranking.kind !== 'whole'
    return {
      memories: recall.memories.map(({ memory, evidence, score }) => ({
        id: memory.id,
        text: memoryText(memory),
        turns: evidence.map(({ turn }) => turn),
        score,
      })),
      turns: isSearched ? expandToTurns(recall.memories) : null,
      sessions: isSearched ? recall.sessions.map(({ session }) => session) : null,
      confidence: isSearched ? recall.confidence : null,
      context: isSearched ? recall.context.text : wholeContext(recall, tokens),
    }
  }

  async update(id: string, text: string): Promise<void> {
    const { memory, place } = readItemId(id)
    const replaced = place === null ? text : await this.#withSentence(memory, place, text)
    await this.#memory.edit(memory, { text: replaced })
    // What rests on it is indexed and compressed anew before anybody asks.
    await this.#memory.drain()
  }

  usage(): SystemUsage {
    return this.#opened.usage()
  }

  async close(): Promise<void> {
    await this.#opened.keepsake.close()
  }

  async #reply(question: DatasetQuestion, tokens: number): Promise<string> {
    const reply = await this.#memory.reply(
      { role: 'user', text: question.text, at: question.askedAt },
      { now: question.askedAt, tokens, remember: false, reinforce: false },
    )
    return reply.text
  }

  #listen(): void {
    const { keepsake } = this.#opened
    const tell =
      (kind: MemoryEvent['kind']) =>
      ({ memory, operation }: Omit<MemoryEvent, 'kind'>): void => {
        this.#events.push({ kind, memory, operation })
      }
    keepsake.on('memory-added', tell('added'))
    keepsake.on('memory-modified', tell('modified'))
    keepsake.on('memory-deleted', tell('deleted'))
    keepsake.on('memory-restored', tell('restored'))
  }

  /** An event names an utterance's turns and holds none of their words. */
  #withWords(memory: Memory): Memory {
    if (memory.form !== 'utterance') return memory
    const said = memory.evidence.flatMap(({ turn }) => this.#turns.get(memory.session)?.get(turn) ?? [])
    const [only] = said
    const text =
      only !== undefined && said.length === 1
        ? only.text
        : said.map(({ speaker, text: words }) => `${speaker}: ${words}`).join('\n')
    return { ...memory, text }
  }

  /** What the portrait made after a session says that the one before did not. */
  async #newInPortrait(session: string): Promise<SystemMemoryItem[]> {
    const { versions } = await this.#memory.portrait()
    const at = versions.findLastIndex((version) => version.session === session)
    const version = versions[at]
    if (version === undefined) return []
    const before = new Set(splitStatements(versions[at - 1]?.text ?? '').map(({ text }) => text))
    return itemsOf(version).filter(({ text }) => !before.has(text))
  }

  async #withSentence(id: string, place: number, text: string): Promise<string> {
    const memory = (await this.#memory.memories()).find((one) => one.id === id)
    const sentence = splitStatements(memory?.text ?? '')[place - 1]
    if (memory === undefined || sentence === undefined)
      throw new RangeError(
        `There is no live memory ${id} with a sentence ${place}. List them with memories().`,
      )
    return memory.text.slice(0, sentence.start) + text + memory.text.slice(sentence.end)
  }
}

/** What the reply of a preset that searches for nothing rests on: the whole portrait, then the talk not yet in it. */
function wholeContext(recall: Recall, tokens: number): string {
  const portrait = recall.memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? ''
  const kept = cutToTokens(portrait, tokens)
  const others = recall.memories.filter(({ memory }) => memory.form !== 'portrait')
  const left = tokens - estimateTokens(`${kept}\n`)
  const talk = left > 0 ? composeContext(others, left, estimateTokens).text : ''
  return [kept, talk].filter((part) => part !== '').join('\n')
}

/** A text's first sentences, as many as the budget holds. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const ends = splitStatements(text).map(({ end }) => end)
  const end = ends.findLast((one) => estimateTokens(text.slice(0, one)) <= tokens) ?? 0
  return text.slice(0, end)
}
