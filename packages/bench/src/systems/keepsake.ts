import { ModelError, type EventMap, type Memory, type MemoryForm } from 'keepsake'
import type { Preset, RetrievalPart, Retention } from 'keepsake/preset'
import { findPreset, type PresetName } from '@keepsake/papers'
import type { DatasetQuestion, DatasetTurn } from '../datasets/conversation.ts'
import type { CountedModels } from './count-models.ts'
import { countedForms, isCounted, itemsOf, splitStatements, type CountedForms } from './counted-memories.ts'
import type {
  AddedDialogue,
  Dialogue,
  DurableMemory,
  DurableSystem,
  OpenSystemMemory,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  AppTurn,
  SystemOperation,
} from './memory-system.ts'
import { openKeepsake, withoutPartsOf, type EngineOptions, type OpenedKeepsake } from './open-keepsake.ts'
import { retrievedOf } from './retrieved-of.ts'
import { turnInputs } from './turn-inputs.ts'

/** Token budget of the context for a preset's own reply. MMM replies from its whole list instead. */
const ANSWER_TOKENS = 1_000

export interface KeepsakeSystemOptions {
  /** Replaces the preset's retention. */
  readonly retention?: Retention
  /** Parts of the ranking to switch off. */
  readonly without?: readonly RetrievalPart[]
  /** Number of rounds that a model reads at a time. Default: that of the preset. */
  readonly exchangesPerExtraction?: number
  /** Whether `tell` waits for all extraction. Default false, as in an application. */
  readonly waitsForExtraction?: boolean
}

/** Makes a system of a preset of Keepsake. It uses the public API, and each memory has its own store. Without a model it uses rules. */
export function keepsakeSystem(name: PresetName, options: KeepsakeSystemOptions = {}): DurableSystem {
  const { retention, without = [], exchangesPerExtraction, waitsForExtraction = false } = options
  const byRules = findPreset(name)
  const config = { preset: name, retention: retention ?? byRules.retention, answerTokens: ANSWER_TOKENS }
  return {
    name,
    // Presets of papers need a model. By rules they are another system, so they get another name.
    ...(byRules.notice === undefined ? {} : { nameWithoutModel: `rules-not-${name}` }),
    config: { ...config, ...(without.length === 0 ? {} : { without }) },
    needsModel: false,
    open: (opened) =>
      openPreset(withoutPartsOf(findPreset(name, { model: opened.model !== null }), without), opened, {
        ...(retention === undefined ? {} : { retention }),
        ...(exchangesPerExtraction === undefined ? {} : { exchangesPerExtraction }),
        waits: waitsForExtraction,
      }),
  }
}

interface PresetOptions extends EngineOptions {
  readonly waits?: boolean
}

/** Opens a preset of Keepsake, or one that a benchmark made, as a system under test. */
export async function openPreset(
  preset: Preset,
  opened: OpenSystemMemory,
  { waits = false, ...engine }: PresetOptions = {},
): Promise<KeepsakeMemory> {
  const memory = await openKeepsake({ ...engine, ...opened, preset })
  return new KeepsakeMemory(memory, opened.model !== null, waits)
}

/** A person's memory in Keepsake, consolidated after each dialogue. */
export class KeepsakeMemory implements DurableMemory {
  readonly loopbackUrl = null
  readonly answer: SystemMemory['answer']
  readonly opened: OpenedKeepsake
  readonly #waits: boolean
  readonly #forms: CountedForms
  /** The turns of each session by id. */
  readonly #turns = new Map<string, Map<string, DatasetTurn>>()
  #events: MemoryEvent[] = []

  constructor(opened: OpenedKeepsake, hasModel: boolean, waits: boolean) {
    this.opened = opened
    this.#waits = waits
    this.#forms = countedForms(opened.preset)
    this.answer = hasModel ? (question) => this.#reply(question) : null
    this.#listen()
  }

  async addDialogue({ session, turns, endsSession }: Dialogue): Promise<AddedDialogue> {
    const { clock, scope } = this.opened
    this.#events = []
    clock.now = Math.max(clock.now, turns.at(-1)?.at ?? 0)
    const sessionTurns = this.#turns.get(session) ?? new Map<string, DatasetTurn>()
    for (const turn of turns) sessionTurns.set(turn.id, turn)
    if (turns.length > 0) {
      this.#turns.set(session, sessionTurns)
      await scope.remember(turnInputs(turns), { session })
    }
    if (endsSession && this.#turns.has(session)) await scope.endSession(session)
    await this.settle()
    const events = this.#events.map((event) => ({ ...event, memory: this.#withText(event.memory) }))
    return { operations: operationsOfEvents(events, this.#forms.standing) }
  }

  async tell(turns: readonly AppTurn[]): Promise<void> {
    await this.opened.scope.remember(turns)
    if (this.#waits) await this.settle()
    this.#events = []
  }

  async endTalk(): Promise<void> {
    await this.opened.scope.endSession()
  }

  /** Waits for background work. @throws ModelError if the model could not be reached, which ends a run */
  async settle(): Promise<void> {
    const { keepsake, scope } = this.opened
    const failures: Error[] = []
    const collect = ({ error }: EventMap['job-failed'][0]): unknown => failures.push(error)
    keepsake.on('job-failed', collect)
    try {
      // An unusable answer is part of what is measured: the system replaces it by rules, and the figures count it.
      await this.#failOnBackgroundError(() => scope.drain(), isUnusableAnswer)
    } finally {
      keepsake.off('job-failed', collect)
    }
    const [failure] = failures
    if (failure !== undefined && (await keepsake.jobs()).some(({ state }) => state === 'queued'))
      throw failure
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    const { dialogue } = this.#forms
    const turns = this.#turns.get(session)
    const current = await this.opened.scope.memories({ forms: dialogue })
    const facts = current.filter(
      (memory) =>
        isCounted(memory, dialogue) &&
        memory.form !== 'portrait' &&
        memory.evidence.some(({ turn }) => turns?.has(turn) === true),
    )
    const portraitItems = dialogue.includes('portrait') ? await this.#newInPortrait(session) : []
    return [...facts.flatMap(itemsOf), ...portraitItems]
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    const { standing } = this.#forms
    const current = await this.opened.scope.memories({ forms: standing })
    return current.filter((memory) => isCounted(memory, standing)).flatMap(itemsOf)
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    const { clock, scope, preset } = this.opened
    if (options.reinforce === true) clock.now = Math.max(clock.now, options.at)
    return this.#failOnBackgroundError(() => retrievedOf(scope, preset, query, options))
  }

  /** Runs work and throws if a model failed. The engine would continue without the model, and figures must not include that. */
  async #failOnBackgroundError<Result>(
    work: () => Promise<Result>,
    isAllowed: (error: Error) => boolean = () => false,
  ): Promise<Result> {
    const { keepsake } = this.opened
    const failures: Error[] = []
    const collect = ({ error }: EventMap['background-failed'][0]): unknown => failures.push(error)
    keepsake.on('background-failed', collect)
    try {
      const result = await work()
      const failure = failures.find((error) => !isAllowed(error))
      if (failure !== undefined) throw failure
      return result
    } finally {
      keepsake.off('background-failed', collect)
    }
  }

  usage(): ReturnType<CountedModels['usage']> {
    return this.opened.usage()
  }

  async close(): Promise<void> {
    await this.opened.keepsake.close()
  }

  async #reply(question: DatasetQuestion): Promise<string> {
    const { scope, preset } = this.opened
    // A reply from the whole list has no budget other than the window of the model.
    const tokens = preset.reply?.kind === 'whole-list' ? {} : { tokens: ANSWER_TOKENS }
    const reply = await scope.reply(
      { role: 'user', text: question.text, at: question.askedAt },
      { now: question.askedAt, ...tokens, remember: false, reinforce: false },
    )
    return reply.text
  }

  #listen(): void {
    const { keepsake } = this.opened
    const recordAs =
      (kind: MemoryEvent['kind']) =>
      ({ memory, operation }: Omit<MemoryEvent, 'kind'>): void => {
        this.#events.push({ kind, memory, operation })
      }
    keepsake.on('memory-added', recordAs('added'))
    keepsake.on('memory-modified', recordAs('modified'))
    keepsake.on('memory-deleted', recordAs('deleted'))
    keepsake.on('memory-restored', recordAs('restored'))
  }

  /** Adds the words of an utterance. Events name only its turns. */
  #withText(memory: Memory): Memory {
    if (memory.form !== 'utterance') return memory
    const turns = memory.evidence.flatMap(({ turn }) => this.#turns.get(memory.session)?.get(turn) ?? [])
    const [firstTurn] = turns
    const text =
      firstTurn !== undefined && turns.length === 1
        ? firstTurn.text
        : turns.map(({ speaker, text: words }) => `${speaker}: ${words}`).join('\n')
    return { ...memory, text }
  }

  /** Lists the sentences of a portrait that its previous version does not have. */
  async #newInPortrait(session: string): Promise<SystemMemoryItem[]> {
    const { versions } = await this.opened.scope.portrait()
    const at = versions.findLastIndex((version) => version.session === session)
    const version = versions[at]
    if (version === undefined) return []
    const earlierTexts = new Set(splitStatements(versions[at - 1]?.text ?? '').map(({ text }) => text))
    return itemsOf(version).filter(({ text }) => !earlierTexts.has(text))
  }
}

function isUnusableAnswer(error: Error): boolean {
  return error instanceof ModelError && error.code === 'model-answer'
}

/** An engine's event about one memory: added, changed or removed. */
interface MemoryEvent {
  readonly kind: 'added' | 'modified' | 'deleted' | 'restored'
  /** The memory after the event. */
  readonly memory: Memory
  readonly operation: EventMap['memory-modified'][0]['operation']
}

/** An event as an operation of MMM. */
interface Change {
  readonly operation: SystemOperation
  readonly memory: Memory
  /** Whether the change only sets the end of the statement. */
  readonly ends: boolean
}

/**
 * Converts events to MMM's operations (add, modify, delete) on the forms that are counted. The end of a statement counts as a deletion.
 * If the same dialogue adds a new value of its key, the end and the addition count as one modification.
 */
function operationsOfEvents(events: readonly MemoryEvent[], forms: readonly MemoryForm[]): SystemOperation[] {
  const changes = events.flatMap((event) => changesOf(event, forms))
  const replacements = pairReplacements(changes)
  const additionsInPairs = new Set(replacements.values())
  return changes
    .filter((change) => !additionsInPairs.has(change))
    .map((change) => {
      const replacement = replacements.get(change)
      if (replacement === undefined) return change.operation
      return { ...change.operation, kind: 'modify', after: replacement.operation.after }
    })
}

/** Maps each change that ends a statement to the addition that replaces the statement, if there is one. */
function pairReplacements(changes: readonly Change[]): Map<Change, Change> {
  const replacements = new Map<Change, Change>()
  const used = new Set<Change>()
  for (const change of changes.filter(({ ends }) => ends)) {
    const replacement = changes.find((one) => !used.has(one) && replaces(one, change))
    if (replacement === undefined) continue
    used.add(replacement)
    replacements.set(change, replacement)
  }
  return replacements
}

/** Converts an event to changes of the counted forms. */
function changesOf({ kind, memory, operation }: MemoryEvent, forms: readonly MemoryForm[]): Change[] {
  if (!forms.includes(memory.form)) return []
  const previous = operation.payload?.before ?? null
  const before = previous?.text ?? memory.text
  const makeChange = (change: Omit<SystemOperation, 'memory'>, ends = false): Change[] => [
    { operation: { ...change, memory: memory.id }, memory, ends },
  ]
  switch (kind) {
    case 'added':
    case 'restored':
      return memory.status === 'live' && isCounted(memory, forms)
        ? makeChange({ kind: 'add', before: null, after: memory.text })
        : []
    case 'deleted':
      return makeChange({ kind: 'delete', before, after: null })
    case 'modified': {
      if (before !== memory.text) return makeChange({ kind: 'modify', before, after: memory.text })
      const ends = memory.validUntil !== null && previous?.validUntil === null
      return ends ? makeChange({ kind: 'delete', before, after: null }, true) : []
    }
  }
}

/** Reports whether an addition replaces a statement that has ended. */
function replaces(one: Change, ended: Change): boolean {
  if (one.operation.kind !== 'add' || one.memory.form !== ended.memory.form) return false
  if (one.memory.form === 'portrait') return true
  return (
    one.memory.key !== null &&
    one.memory.key === ended.memory.key &&
    one.memory.subject === ended.memory.subject
  )
}
