// The methods of a scope that read: memories(), turns(), profile(), state() and others. Inherited by ScopedMemory.
import { requireCallOptions } from './call-options.ts'
import type { ScopeGuidelines } from './guidelines/guidelines.ts'
import type { OwnKeys, ValueOf } from './filing/own-keys.ts'
import { listDue, type DueItem, type DueOptions } from './inspect/list-due.ts'
import { explainMemory, type Explanation } from './inspect/explain-memory.ts'
import { listMemories, listOperations, type LogFilter, type MemoryFilter } from './inspect/list-memories.ts'
import { listSessions, listTurns, type TurnFilter } from './inspect/list-turns.ts'
import {
  readPersona,
  readPortrait,
  readStory,
  type Portrait,
  type StoryLevel,
} from './inspect/read-portrait.ts'
import {
  countCategories,
  readState,
  readStates,
  type CategoryCount,
  type KeyState,
  type StateOptions,
} from './inspect/read-state.ts'
import { listJobs } from './inspect/measure-scope.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import type { PersonaSheet } from './persona/persona-sheet.ts'
import type { Profile } from './persona/profile.ts'
import { readProfile } from './read/profile.ts'
import {
  aboutEntity,
  listEntities,
  type AboutEntity,
  type AboutOptions,
  type Entity,
} from './entities/list-entities.ts'
import { standingInstructions } from './requests/instructions.ts'
import { ScopeHandle } from './work/scope-handle.ts'
import { readScopeKey, type ScopeKey } from './scopes/scope.ts'
import type { JobRow, SessionRow } from './store/store.ts'
import { exportScope } from './transfer/transfer.ts'
import type { Turn } from './turns/turn.ts'
import { findGuidelines } from './work/scope-guidelines.ts'
import { blocksOf } from './work/read-memories.ts'
import type { Engine } from './work/engine.ts'
import { readName } from '@keepsake/text'

/** The methods of a scope that read its memory and change nothing. `ScopedMemory` adds the others. */
export class ScopeViews<Keys extends OwnKeys = OwnKeys> {
  readonly key: ScopeKey
  /** @internal */
  protected readonly handle: ScopeHandle

  /** @internal */
  constructor(engine: () => Engine, key: ScopeKey) {
    this.handle = new ScopeHandle(engine, key)
    this.key = key
  }

  /**
   * Lists the blocks in order of creation: short texts that an agent stores under names. Every context shows them, after the user's
   * instructions and before the profile. They take at most half of the tokens; the rest is cut. `admin.history(id)` lists earlier versions,
   * `undo` restores one, and `forget(id)` removes a block.
   *
   * @example
   * const texts = (await ana.blocks()).map(({ name, text }) => `${name}: ${text}`)
   */
  async blocks(): Promise<readonly Memory[]> {
    return this.handle.run(async (engine, resolved) =>
      resolved === null ? [] : blocksOf(await engine.users.load(resolved.owner), resolved.scopes),
    )
  }

  /**
   * Lists the memories that match a filter, in order of creation. Without a status and forms in the filter, live statements are listed.
   * `forms: ['utterance']` lists messages. @throws InvalidInputError
   */
  async memories(filter: MemoryFilter = {}): Promise<readonly Memory[]> {
    requireCallOptions('memories', filter)
    return this.handle.runWithUsage(listMemories, filter, this.key)
  }

  /**
   * Lists turns in order of arrival, word for word and with their metadata. Erased turns are not included.
   *
   * @param which a session, or a filter; all when absent
   */
  async turns(which: string | TurnFilter = {}): Promise<readonly Turn[]> {
    const filter = typeof which === 'string' ? { session: which } : which
    requireCallOptions('turns', filter)
    return this.handle.run(listTurns, this.key, filter)
  }

  /**
   * Lists what falls due in a span, the earliest first, each with its day and the memory that states it: plans and appointments, ends
   * (`until`), birthdays and other yearly days. Reminders can be made from this list. It contains only what rules or a model extracted.
   *
   * @param options the span; from now on when absent
   * @throws InvalidInputError for a span that ends before it begins
   * @example
   * const week = await ana.due({ from: '2026-03-02', to: '2026-03-08' })
   * week.map(({ kind, at, memory }) => `${new Date(at).toISOString()} ${kind}: ${memory.text}`)
   */
  async due(options: DueOptions = {}): Promise<readonly DueItem[]> {
    requireCallOptions('due', options)
    return this.handle.runWithUsage(listDue, options)
  }

  /**
   * Lists the persons and pets that the user's own words and facts relate: “My sister Mia”, “Mia's husband is Paul”. Those with most mentions
   * come first. Relations are read from live memories, by rules in English and Chinese.
   */
  async entities(): Promise<readonly Entity[]> {
    return this.handle.run(listEntities)
  }

  /**
   * Returns an entity with its relations, up to a depth of two. Each relation has the statements that support it.
   *
   * @param entity any of its names; `user` is the user
   * @throws NotFoundError if no relation names the entity
   * @example
   * const { edges } = await ana.about('Mia', { depth: 2 })
   * edges.map(({ from, relation, to }) => `${from} – ${relation} → ${to}`) // ['user – sister → Mia', 'Mia – husband → Paul']
   */
  async about(entity: string, options: AboutOptions = {}): Promise<AboutEntity> {
    requireCallOptions('about', options)
    return this.handle.runWithUsage(aboutEntity, entity, options)
  }

  /** Lists the sessions in order. */
  async sessions(): Promise<readonly SessionRow[]> {
    return this.handle.run(listSessions)
  }

  /**
   * Lists the user's standing instructions (“answer in German”, “never mention my ex”), the oldest first. Every context begins with them. The
   * user's own words, or `forget`, withdraw them.
   *
   * @example
   * const asked = (await ana.instructions()).map(({ value }) => value) // ['Always answer in German.']
   */
  async instructions(): Promise<readonly Memory[]> {
    return this.handle.run(async (engine, resolved) =>
      resolved === null
        ? []
        : standingInstructions(await engine.users.load(resolved.owner), resolved.scopes, engine.now()),
    )
  }

  /**
   * Returns the topics to keep and never to keep of this user: the lines of `openMemory`, of the user, and of this agent or app together.
   * `own` contains those that `setGuidelines` set for this scope.
   */
  async guidelines(): Promise<ScopeGuidelines> {
    return findGuidelines(this.handle.engine(), readScopeKey(this.key))
  }

  /**
   * Returns the current value of a key of `openMemory({ keys })`, in its own type: for a list, the entries of all statements, else the newest
   * value; `null` if it is unknown. `memories` are the facts that give the value.
   *
   * @param options.subject name of the person whom the value is about; the user when absent
   * @throws InvalidInputError for a key that `openMemory` was not given
   * @example
   * const { value, memories } = await ana.state('goals') // value: ['run a marathon', 'read Proust']
   */
  async state<Key extends keyof Keys & string>(
    key: Key,
    options: StateOptions = {},
  ): Promise<KeyState<ValueOf<Keys[Key]>>> {
    requireCallOptions('state', options)
    return this.handle.run(readState<ValueOf<Keys[Key]>>, key, options)
  }

  /** Returns the state of every key of `openMemory({ keys })`, as `state()` does. */
  async states(options: StateOptions = {}): Promise<readonly KeyState[]> {
    requireCallOptions('state', options)
    return this.handle.run(readStates, options)
  }

  /** Lists the categories of `openMemory({ categories })`, with the number of current facts in each. */
  async categories(): Promise<readonly CategoryCount[]> {
    return this.handle.run(countCategories)
  }

  /** Returns the facts about each person by key (MOOM's persona sheet): values, dates and evidence. */
  async persona(): Promise<PersonaSheet> {
    return this.handle.run(readPersona)
  }

  /**
   * Returns the short profile for every conversation: name, health, home, work, family and what is going on now, in at most 150 tokens. Each line names its memories and turns. It holds only live memories that are still valid.
   *
   * @example
   * const { lines } = await ana.profile()
   * lines.map(({ slot, text }) => `${slot}: ${text}`) // ['home: lives in Lyon', …]
   */
  async profile(): Promise<Profile> {
    return this.handle.run(readProfile)
  }

  /** Returns the summary of everything (COMEDY's portrait) with its earlier versions, when the preset makes one. */
  async portrait(): Promise<Portrait> {
    return this.handle.run(readPortrait)
  }

  /** Returns the story, level by level (MOOM), and the session summaries. */
  async story(): Promise<readonly StoryLevel[]> {
    return this.handle.run(readStory)
  }

  /** Lists the operations on this scope's memories after a sequence number in the user's log, oldest first. */
  async log(filter: LogFilter = {}): Promise<readonly Operation[]> {
    requireCallOptions('log', filter)
    return this.handle.runWithUsage(listOperations, filter)
  }

  /** Explains why a memory was kept or forgotten: the parts of its strength, its rank, and its history. @throws NotFoundError */
  async explain(memory: string): Promise<Explanation> {
    return this.handle.runWithUsage(explainMemory, readName(memory, 'memory'))
  }

  /** Lists this user's pending jobs, and the dead letters with their reasons. */
  async jobs(): Promise<readonly JobRow[]> {
    return this.handle.run(listJobs)
  }

  /** Exports all of the user's data as JSON lines, which `Keepsake.import` reads back exactly. */
  async *export(): AsyncGenerator<string> {
    const engine = this.handle.engine()
    const resolved = await this.handle.resolve(engine)
    if (resolved !== null) yield* exportScope(engine, resolved)
  }
}
