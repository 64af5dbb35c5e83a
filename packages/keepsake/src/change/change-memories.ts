// Edits, deletes, restores, pins and undoes memories, as the application asks.
import { InvalidInputError, describeValue, readMoment, readText, readTime } from '@keepsake/text'
import { requireKept } from '../consolidate/screen-texts.ts'
import { NotFoundError, NotPossibleError } from '../errors/errors.ts'
import { readGiven } from '../filing/own-keys.ts'
import { NEVER_KEPT } from '../guidelines/guidelines.ts'
import { type ChangeSet, undoOperation } from '../memories/change-set.ts'
import { deleteAlone, deleteMemory, evidenceWithout, mentionsAnyOf } from '../memories/delete-memory.ts'
import { markCorrected } from '../memories/evidence.ts'
import { MEMORY_TYPES, type Memory, type Origin } from '../memories/memory.ts'
import type { MemoryChange, Operation } from '../memories/operation.ts'
import type { Metadata } from '@keepsake/text/names'
import type { ScopeRow } from '../scopes/scope.ts'
import { admitMetadata } from '../metadata/admit-metadata.ts'
import type { Engine } from '../work/engine.ts'
import { guidelinesOf } from '../work/scope-guidelines.ts'
import { correctNameElsewhere } from './correct-name.ts'
import { rereadValue } from './state-memory.ts'
import { requireFits } from './write-block.ts'
import { requireMemory } from '../inspect/list-memories.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import { originOf } from '../work/scope-view.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'

/** Fields that a correction may set. At least one. */
export interface MemoryEdit {
  readonly text?: string
  /** The persona value, for facts with a key. */
  readonly value?: string
  readonly type?: Memory['type']
  /** Start of validity. With a new text, the default is now. If it is not after the start of the former text, that text is replaced. */
  readonly at?: number | string | Date
  /** End of validity, which may be in the future; `null` removes the end. */
  readonly until?: number | string | Date | null
  /** Metadata that replaces the former; `null` removes it. */
  readonly metadata?: Metadata | null
}

/** Commits a change by the application and returns its first operation. Such a change always makes one. */
async function commitChange(
  engine: Engine,
  row: ScopeRow,
  decide: (unit: UnitOfWork) => void | Promise<void>,
): Promise<Operation> {
  const [first] = (await decideAndCommit(engine, row, decide)).operations
  if (first === undefined) throw new Error('a change by the application made no operation')
  return first
}

/** Finds a memory with its scope, and passes both to a change. @throws NotFoundError */
export async function changeMemory(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
  change: (engine: Engine, row: ScopeRow, memory: string) => Promise<Operation>,
): Promise<Operation> {
  const memory = await requireMemory(engine, resolved, id)
  const row = resolved?.rows.find((row) => row.scope === memory.scope)
  if (row === undefined) throw new NotFoundError('memory', id)
  return change(engine, row, id)
}

function requireStatus(
  changes: ChangeSet,
  id: string,
  allowed: readonly Memory['status'][],
  action: string,
): Memory {
  const memory = changes.read(id)
  if (memory === undefined) throw new NotFoundError('memory', id)
  if (!allowed.includes(memory.status)) {
    throw new NotPossibleError(
      `Memory ${id} is ${memory.status} and cannot be ${action}; that takes one that is ${allowed.join(' or ')}.`,
      {
        memory: id,
        status: memory.status,
      },
    )
  }
  return memory
}

async function admitText({ textGate }: Engine, text: string, name: string): Promise<string> {
  const admitted = await textGate.admit(readText(text, name))
  if (admitted.trim() !== '') return admitted
  throw new InvalidInputError(
    `${name} must be a non-empty string, but it is ${describeValue(text)}. To drop a memory, use forget().`,
  )
}

async function readChange(engine: Engine, edit: MemoryEdit): Promise<MemoryChange> {
  const { text, value, type, at, until, metadata } = edit
  if ([text, value, type, at, until, metadata].every((value) => value === undefined))
    throw new InvalidInputError(
      'An edit must set text, value, type, at, until or metadata, but it sets none.',
    )
  if (type !== undefined && !MEMORY_TYPES.includes(type))
    throw new InvalidInputError(
      `edit.type must be one of ${MEMORY_TYPES.join(', ')}, but it is ${describeValue(type)}.`,
    )
  return {
    ...(text === undefined ? {} : { text: await admitText(engine, text, 'edit.text') }),
    ...(value === undefined ? {} : { value: await admitText(engine, value, 'edit.value') }),
    ...(type === undefined ? {} : { type }),
    ...(at === undefined ? {} : { validFrom: readMoment(at, 'edit.at', engine.now()) }),
    ...(until === undefined ? {} : { validUntil: until === null ? null : readTime(until, 'edit.until') }),
    ...(metadata === undefined ? {} : { metadata: await admitMetadata(engine, metadata, 'edit.metadata') }),
  }
}

/** The statuses in which metadata can be edited: all but `erased`. */
const ANNOTATABLE: readonly Memory['status'][] = ['live', 'quarantined', 'deleted', 'forgotten']

/** Refuses to restore a note or block when another one has its name. */
function requireNamesFree({ changes, state }: UnitOfWork): void {
  for (const { id, scope, name, status } of changes.memories) {
    const holder = name === null || status !== 'live' ? undefined : state.memoryNamed(scope, name)
    if (holder === undefined || holder.id === id) continue
    throw new NotPossibleError(
      `Memory ${id} cannot come back: ${holder.id} has its name by now. Remove that one first.`,
      { memory: id, other: holder.id },
    )
  }
}

/** Returns the present version of a memory as a past version. */
function toPastVersion(memory: Memory, until: number): Memory['past'][number] {
  const { text, value, validFrom, evidence } = memory
  return { text, value, validFrom, validUntil: until, evidence }
}

/** The origin of all changes in this file. */
const apiOrigin = (engine: Engine): Origin => originOf(engine, 'api')

/** Sets fields of a memory. A new text of a fact makes the former one a past version. */
export async function editMemory(
  engine: Engine,
  row: ScopeRow,
  id: string,
  edit: MemoryEdit,
): Promise<Operation> {
  const change = await readChange(engine, edit)
  const texts = [change.text, change.value].flatMap((text) =>
    typeof text === 'string' ? [{ text, subject: '' }] : [],
  )
  await requireKept('edit', texts, (await guidelinesOf(engine, row)).never, null)
  return commitChange(engine, row, async (unit) => {
    const { changes } = unit
    const now = engine.now()
    const setsMetadataOnly = Object.keys(change).every((field) => field === 'metadata')
    const allowed: readonly Memory['status'][] = setsMetadataOnly ? ANNOTATABLE : ['live', 'quarantined']
    const memory = requireStatus(changes, id, allowed, 'edited')
    if (!setsMetadataOnly) requireEditable(memory, change, now)
    const newValue = await readNewValue(engine, memory, change)
    const replacement = setsMetadataOnly ? {} : fieldsOfCorrection(memory, change, now)
    const origin = apiOrigin(engine)
    const { id: parent } = changes.change('modify', id, { ...change, ...newValue, ...replacement }, origin)
    if (memory.form === 'fact' && change.text !== undefined && isMistake(memory, change, now))
      await correctNameElsewhere(unit, memory, change.text, { origin, parent })
  })
}

/** Refuses an edit that the form, validity or limit of a memory does not allow. @throws NotPossibleError, InvalidInputError */
function requireEditable(memory: Memory, change: MemoryChange, now: number): void {
  const { text, validFrom, validUntil } = change
  if (memory.form === 'utterance')
    throw new NotPossibleError(
      `Memory ${memory.id} is an utterance: what was said is never edited. Remove it, or edit the facts drawn from it.`,
      { memory: memory.id },
    )
  const start = validFrom ?? (text === undefined ? memory.validFrom : now)
  if (validUntil !== undefined && validUntil !== null && validUntil < start)
    throw new InvalidInputError(
      'edit.until must not be before the time from which it is so: give an earlier at, or a later until.',
    )
  if (text !== undefined) requireFits(memory, text)
}

/** Checks whether an edit says that the former text was never true. Then no past version is kept. */
function isMistake(memory: Memory, { text, validFrom }: MemoryChange, now: number): boolean {
  return text !== undefined && text !== memory.text && (validFrom ?? now) <= memory.validFrom
}

/** Returns the further fields that change with an edit: start of validity, past versions and evidence. */
function fieldsOfCorrection(memory: Memory, change: MemoryChange, now: number): MemoryChange {
  const { text, validFrom } = change
  const from = validFrom ?? now
  // Notes and blocks have no past versions; their history is in the log.
  const hasPast = memory.form !== 'note' && memory.form !== 'block'
  const isSuperseded = text !== undefined && text !== memory.text && hasPast
  const becomesPast = isSuperseded && from > memory.validFrom
  // Any correction, even by the same text, removes evidence that doubts the memory.
  const supporting = memory.evidence.filter(({ against }) => against !== true)
  const isCorrected = hasPast && isMistake(memory, change, now)
  const evidence = isCorrected ? markCorrected(supporting) : supporting
  return {
    ...(isSuperseded ? { validFrom: from } : {}),
    ...(becomesPast ? { past: [...memory.past, toPastVersion(memory, from)] } : {}),
    ...(isCorrected || evidence.length < memory.evidence.length ? { evidence } : {}),
  }
}

/** Reads the value of an edited fact: the given one, or the value that a new text states. Returns no field if the value stays. */
async function readNewValue(
  engine: Engine,
  memory: Memory,
  { text, value }: MemoryChange,
): Promise<Pick<MemoryChange, 'value'>> {
  const typedKey = engine.filing.keys.get(memory.key ?? '')
  if (typeof value === 'string' && typedKey !== undefined)
    return { value: readGiven(typedKey, value, 'edit.value') }
  const isOnSheet = memory.form === 'fact' && memory.key !== null && memory.value !== null
  if (text === undefined || value !== undefined || !isOnSheet) return {}
  return { value: await rereadValue(engine.rules, memory, text) }
}

/** Deletes a memory with the utterances of its evidence. The words of other facts in these utterances stay. */
export async function removeMemory(engine: Engine, row: ScopeRow, id: string): Promise<Operation> {
  return commitChange(engine, row, async ({ changes, state }) => {
    const memory = requireStatus(changes, id, ['live', 'quarantined', 'forgotten'], 'removed')
    const ofSameTurns = [...new Set(turnsOf(memory))].flatMap((turn) => [...state.memoriesOfTurn(turn)])
    const turns = await readTurns(engine, row.owner, ofSameTurns.flatMap(turnsOf))
    const keep = (utterance: Memory) =>
      memory.form === 'fact' ? evidenceWithout(utterance, turns, memory) : null
    const why = { reason: 'removed by the application', origin: apiOrigin(engine), keep }
    // A block is the agent's own text, so the utterances of its evidence stay.
    if (memory.form === 'block') {
      deleteAlone(changes, memory, why)
      return
    }
    const operation = deleteMemory(changes, memory, why, (turn) => state.memoriesOfTurn(turn))
    if (memory.form === 'fact') removeQuotes(changes, ofSameTurns, memory, { ...why, parent: operation.id })
  })
}

/** Removes quotes that mention a deleted fact from the other facts and blocks of its turns. */
function removeQuotes(
  changes: ChangeSet,
  memories: readonly Memory[],
  deleted: Memory,
  why: { readonly origin: Origin; readonly parent: string },
): void {
  const mentions = mentionsAnyOf([deleted.value ?? deleted.text], [deleted.subject])
  for (const { id } of memories) {
    const memory = changes.read(id)
    if ((memory?.form !== 'fact' && memory?.form !== 'block') || memory.status !== 'live') continue
    const evidence = memory.evidence.map((source) =>
      source.quote !== null && mentions(source.quote) ? { ...source, quote: null } : source,
    )
    if (evidence.some((source, index) => source !== memory.evidence[index]))
      changes.change('modify', id, { evidence }, why)
  }
}

/** Pins or unpins a memory. A pinned memory is never forgotten. */
export async function pinMemory(
  engine: Engine,
  row: ScopeRow,
  id: string,
  pinned: boolean,
): Promise<Operation> {
  return commitChange(engine, row, ({ changes }) => {
    requireStatus(changes, id, ['live'], pinned ? 'pinned' : 'unpinned')
    changes.change('modify', id, { pinned }, apiOrigin(engine))
  })
}

/** Makes a deleted, forgotten or quarantined memory live again. */
export async function restoreMemory(engine: Engine, row: ScopeRow, id: string): Promise<Operation> {
  return commitChange(engine, row, (unit) => {
    const { reason, status } = requireStatus(
      unit.changes,
      id,
      ['deleted', 'forgotten', 'quarantined'],
      'restored',
    )
    if (status === 'quarantined' && reason?.startsWith(NEVER_KEPT) === true)
      throw new NotPossibleError(
        `Memory ${id} cannot be restored: ${reason}, and none of its words were kept.`,
        {
          memory: id,
        },
      )
    unit.changes.change('restore', id, { status: 'live', reason: null }, apiOrigin(engine))
    requireNamesFree(unit)
  })
}

/** Undoes an operation. Returns the operation that undid it, which may be an earlier undo of the same group. */
export async function undo(engine: Engine, resolved: ResolvedScope | null, id: string): Promise<Operation> {
  if (resolved === null) throw new NotFoundError('operation', id)
  const { owner, scopes } = resolved
  const [operation] = await engine.store.listOperations({ userId: owner, scopes, ids: [id] })
  const row = resolved.rows.find((row) => row.scope === operation?.scope)
  if (operation === undefined || row === undefined) throw new NotFoundError('operation', id)
  const children = await engine.store.listOperations({ userId: owner, scopes, parent: id })
  const { operations } = await decideAndCommit(engine, row, (unit) => {
    undoOperation(unit.changes, operation, children, apiOrigin(engine))
    requireNamesFree(unit)
  })
  const memory = operation.memory ?? undefined
  const [latest] =
    operations.length > 0
      ? operations
      : await engine.store.listOperations({ userId: owner, scopes, memory, newestFirst: true, limit: 1 })
  return latest ?? operation
}
