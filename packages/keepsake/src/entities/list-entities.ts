import { InvalidInputError, maskUnspoken, readName, readTime, simplifyChinese } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { textOf, withTexts } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import {
  isName,
  readRelations,
  type EntityEdge,
  type RelationGraph,
  type StatedRelation,
} from './read-relations.ts'

/** A person or another named thing that statements name. */
export interface Entity {
  /** The longest name; `user` is the user. */
  readonly name: string
  /** Other names for it, such as a first name. */
  readonly aliases: readonly string[]
  /** What it is to the user: sister, 同事. */
  readonly relations: readonly string[]
  /** Number of live statements and messages that name it. */
  readonly statements: number
}

/** Options of `about()`. */
export interface AboutOptions {
  /** 1: what it is related to. 2: what these are related to as well. 1 when absent. */
  readonly depth?: 1 | 2
  /** As of this time; now when absent. */
  readonly at?: Date | number | string
}

/** An entity with what it is related to. */
export interface AboutEntity {
  readonly entity: Entity
  /** Entities within the depth, the nearest first. */
  readonly neighbours: readonly (Entity & { readonly distance: number })[]
  readonly edges: readonly EntityEdge[]
  /** Live memories that name it, the newest first, 50 at most. */
  readonly statements: readonly Memory[]
}

const MOST_STATEMENTS = 50

interface Known {
  readonly changes: number
  readonly turns: number
  readonly at: number
  readonly graph: RelationGraph
}

const graphs = new WeakMap<UserState, Map<string, Known>>()
/** For so long a graph as of now stands. */
const MINUTE_MS = 60_000

/** Reads the relations of a user from their own words and from facts. Computed once for a state of the memory. */
export async function relationGraph(
  state: UserState,
  scopes: readonly number[],
  at: number,
): Promise<RelationGraph> {
  const place = scopes.join()
  const known = graphs.get(state) ?? new Map<string, Known>()
  graphs.set(state, known)
  const made = known.get(place)
  const isFresh =
    made?.changes === state.changes &&
    made.turns === state.memories.size &&
    Math.abs(made.at - at) < MINUTE_MS
  if (isFresh) return made.graph
  // The words are read in pieces; the graph is then made of one state of the memory.
  await flatMapInPieces([...statingAt(state, scopes, at)], relationsOf)
  const graph = makeGraph(state, scopes, at)
  known.set(place, { changes: state.changes, turns: state.memories.size, at, graph })
  return graph
}

interface Stating {
  readonly memory: Memory
  readonly turn: string | null
  /** What holds the words, and changes with them. */
  readonly source: object
  readonly text: () => string
}

const relations = new WeakMap<object, readonly StatedRelation[]>()

/** Reads the relations that words state, once for what holds the words. */
function relationsOf({ memory, source, text }: Stating): readonly StatedRelation[] {
  const known = relations.get(source) ?? readRelations(simplifyChinese(text()))
  const all = known.length > 0 || source !== memory ? known : readKeyed(memory)
  relations.set(source, all)
  return all
}

const KEYED = /^(?:partner|sibling|child|parent|friend|colleague|pet)(?=s$|ren$|$)/u

/** What a fact states by its key and value, however its sentence is put: “My brother Leo” for siblings, “a brother named Leo”. */
function readKeyed({ subject, key, value, text }: Memory): readonly StatedRelation[] {
  const [word] = KEYED.exec(key ?? '') ?? []
  if (word === undefined || value === null) return []
  const named = value.replace(/^an? /u, '').replace(/ (?:named|called) /u, ' ')
  const owner = subject === 'user' ? 'My' : `${subject}’s`
  const read = readRelations(`${owner} ${/^\p{Lu}/u.test(named) ? `${word} ` : ''}${named}`)
  return read.map((relation) => ({ ...relation, quote: text }))
}

function statingOf(memory: Memory): Stating {
  const text = () => memory.text.replace(/^The user(?:['’]s)? /u, 'My ').replace(/^用户的?/u, '我')
  return { memory, turn: memory.evidence[0]?.turn ?? null, source: memory, text }
}

/** Lists the user's own words and the facts that hold at a time. */
function* statingAt(state: UserState, scopes: readonly number[], at: number): Generator<Stating> {
  const forms = ['utterance', 'fact', 'note'] as const
  for (const memory of state.listMemories({ scopes: new Set(scopes), forms, statuses: ['live'] })) {
    if (memory.validFrom > at || isOver(memory, at)) continue
    if (memory.form !== 'utterance') {
      yield statingOf(memory)
      continue
    }
    for (const { turn: id } of memory.evidence) {
      const turn = state.turns.get(id)
      if (turn?.role === 'user') yield { memory, turn: id, source: turn, text: () => maskUnspoken(turn.text) }
    }
  }
}

/** Names that facts of a turn say are no longer so. */
function isEnded(state: UserState, turn: string | null, name: string, at: number): boolean {
  if (turn === null) return false
  const facts = state.memoriesOfTurn(turn, { forms: ['fact'], statuses: ['live'] })
  return [...facts].some((fact) =>
    isNamedIn(fact.text, name)
      ? isOver(fact, at)
      : fact.past.some((version) => isOver(version, at) && isNamedIn(version.text, name)),
  )
}

/** Whether a fact states another name from the same words, which lack that name: the words were corrected. */
function isCorrected(
  state: UserState,
  { memory, turn }: Stating,
  { from, to, relation }: StatedRelation,
): boolean {
  if (turn === null || memory.form !== 'utterance') return false
  const words = state.turns.get(turn)?.text ?? ''
  const facts = state.memoriesOfTurn(turn, { forms: ['fact'], statuses: ['live'] })
  return [...facts].some(
    (fact) =>
      [fact, ...fact.past].every((version) => !isNamedIn(version.text, to)) &&
      relationsOf(statingOf(fact)).some(
        (other) => other.from === from && other.relation === relation && !isNamedIn(words, other.to),
      ),
  )
}

function makeGraph(state: UserState, scopes: readonly number[], at: number): RelationGraph {
  const stating = [...statingAt(state, scopes, at)]
  const stated = stating.flatMap((one) => {
    const { memory, turn } = one
    return relationsOf(one)
      .filter((relation) => !isEnded(state, turn, relation.to, at) && !isCorrected(state, one, relation))
      .map((relation) => ({ ...relation, memory, turn }))
  })
  const subjects = stating.flatMap(({ memory, source }) => (source === memory ? [memory.subject] : []))
  const names = new Set([...stated.flatMap(({ from, to }) => [from, to]), ...subjects.filter(isName)])
  names.delete('user')
  const canonical = new Map([...names].map((name) => [name, fullNameOf(name, names)]))
  const aliases = new Map<string, Set<string>>()
  for (const [name, full] of canonical) aliases.set(full, (aliases.get(full) ?? new Set()).add(name))
  const edges = new Map<string, EntityEdge>()
  for (const { from, to, relation, quote, memory, turn } of stated) {
    const [source, target] = [canonical.get(from) ?? from, canonical.get(to) ?? to]
    const id = `${source}\n${relation}\n${target}`
    const edge = edges.get(id)
    const evidence = [...(edge?.evidence ?? []), { memory: memory.id, turn, quote }]
    const validFrom = Math.min(edge?.validFrom ?? memory.validFrom, memory.validFrom)
    edges.set(id, { from: source, to: target, relation, evidence, validFrom })
  }
  return { edges: [...edges.values()], aliases }
}

/** The only longer name that begins with a name: Tom is Tom Miller. */
function fullNameOf(name: string, names: ReadonlySet<string>): string {
  const longer = [...names].filter((full) => full.startsWith(`${name} `))
  return longer.length === 1 ? (longer[0] ?? name) : name
}

/** Whether a text has a name as a whole word: "Mia" is not in "Miami". Chinese has no spaces, so a name in it need not stand alone. */
export function isNamedIn(text: string, name: string): boolean {
  const parts = text.split(name)
  if (/\p{Script=Han}/u.test(name)) return parts.length > 1
  const isWhole = (part: string, before = ''): boolean =>
    !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(part)
  return parts.some((part, place) => place > 0 && isWhole(part, parts[place - 1]))
}

function entityOf(texts: readonly string[], graph: RelationGraph, name: string): Entity {
  const all = graph.aliases.get(name) ?? new Set([name])
  const relations = graph.edges.flatMap(({ from, to, relation }) =>
    from === 'user' && to === name ? [relation] : [],
  )
  const named = texts.filter((text) => [...all].some((alias) => isNamedIn(text, alias)))
  return {
    name,
    aliases: [...all].filter((alias) => alias !== name),
    relations: [...new Set(relations)],
    statements: name === 'user' ? 0 : named.length,
  }
}

function naming(state: UserState, scopes: readonly number[], at: number): Memory[] {
  const forms = ['utterance', 'fact', 'note'] as const
  const live = state.listMemories({ scopes: new Set(scopes), forms, statuses: ['live'] })
  return [...live].filter((memory) => memory.validFrom <= at && !isOver(memory, at))
}

/** Lists the entities that relations name, the most named first. */
export async function listEntities(engine: Engine, resolved: ResolvedScope | null): Promise<Entity[]> {
  if (resolved === null) return []
  const state = await engine.users.load(resolved.owner)
  const at = engine.now()
  const graph = await relationGraph(state, resolved.scopes, at)
  const texts = naming(state, resolved.scopes, at).map((memory) => textOf(state, memory))
  const entities = await flatMapInPieces(graph.aliases.keys(), (name) => entityOf(texts, graph, name))
  return entities.sort(
    (first, second) => second.statements - first.statements || first.name.localeCompare(second.name),
  )
}

/** An entity by any of its names, with what it is related to. @throws NotFoundError, InvalidInputError */
export async function aboutEntity(
  engine: Engine,
  resolved: ResolvedScope | null,
  given: string,
  { depth = 1, at: asked }: AboutOptions,
): Promise<AboutEntity> {
  const name = readName(given, 'entity')
  if (depth !== 1 && depth !== 2) throw new InvalidInputError('depth must be 1 or 2.')
  const at = asked === undefined ? engine.now() : readTime(asked, 'at')
  if (resolved === null) throw new NotFoundError('entity', name)
  const state = await engine.users.load(resolved.owner)
  const graph = await relationGraph(state, resolved.scopes, at)
  const center = canonicalName(graph, name) ?? relativeOf(graph, name)
  if (center === undefined) throw new NotFoundError('entity', name)
  const distances = new Map([[center, 0]])
  for (let step = 1; step <= depth; step++)
    for (const { from, to } of graph.edges)
      for (const [near, far] of [[from, to] as const, [to, from] as const])
        if (distances.get(near) === step - 1 && !distances.has(far)) distances.set(far, step)
  const memories = withTexts(state, naming(state, resolved.scopes, at))
  const texts = memories.map(({ text }) => text)
  const neighbours = await flatMapInPieces(distances, ([other, distance]) =>
    distance === 0 ? [] : [{ ...entityOf(texts, graph, other), distance }],
  )
  const edges = graph.edges.filter(
    ({ from, to }) =>
      distances.has(from) &&
      distances.has(to) &&
      Math.min(distances.get(from) ?? 2, distances.get(to) ?? 2) < depth,
  )
  const all = [...(graph.aliases.get(center) ?? [])]
  const statements = memories
    .filter(({ text }) => all.some((alias) => isNamedIn(text, alias)))
    .sort((first, second) => second.learnedAt - first.learnedAt)
    .slice(0, MOST_STATEMENTS)
  return { entity: entityOf(texts, graph, center), neighbours, edges, statements }
}

/** The only one who is this to the user: “mum”, “my mum”. */
function relativeOf({ edges }: RelationGraph, name: string): string | undefined {
  const relation = name.toLowerCase().replace(/^my |^我的?/u, '')
  const found = edges.filter((edge) => edge.from === 'user' && edge.relation.toLowerCase() === relation)
  const [one, ...others] = new Set(found.map(({ to }) => to))
  return others.length === 0 ? one : undefined
}

/** The canonical name of an entity by any of its names, in any case. */
export function canonicalName({ aliases, edges }: RelationGraph, name: string): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'user') return edges.some(({ from }) => from === 'user') ? 'user' : undefined
  for (const [full, names] of aliases)
    if ([full, ...names].some((one) => one.toLowerCase() === lower)) return full
  return undefined
}
