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

/** A person, pet or another entity that statements name. */
export interface Entity {
  /** Its longest name; `user` for the user. */
  readonly name: string
  /** Its other names, such as a first name. */
  readonly aliases: readonly string[]
  /** Its relations to the user, such as `sister` or `同事`. */
  readonly relations: readonly string[]
  /** Number of live statements and messages that name it. */
  readonly statements: number
}

/** Options of `about()`. */
export interface AboutOptions {
  /** 1, the default, shows the entity's relations. 2 also shows the relations of its neighbours. */
  readonly depth?: 1 | 2
  /** As of this time; now when absent. */
  readonly at?: Date | number | string
}

/** An entity with its neighbours and relations. */
export interface AboutEntity {
  readonly entity: Entity
  /** Entities within the depth, the nearest first. */
  readonly neighbours: readonly (Entity & { readonly distance: number })[]
  readonly edges: readonly EntityEdge[]
  /** Live memories that name it, the newest first, at most 50. */
  readonly statements: readonly Memory[]
}

const MAX_STATEMENTS = 50

/** A graph with the state of the user from which it was computed. */
interface CachedGraph {
  readonly changes: number
  readonly turns: number
  readonly at: number
  readonly graph: RelationGraph
}

const graphs = new WeakMap<UserState, Map<string, CachedGraph>>()
/** A cached graph is used for times that differ by less than this. */
const CACHE_MS = 60_000

/** Reads the relations of a user from their own words and from facts. The graph is cached until the user changes. */
export async function relationGraph(
  state: UserState,
  scopes: readonly number[],
  at: number,
): Promise<RelationGraph> {
  const key = scopes.join()
  const cache = graphs.get(state) ?? new Map<string, CachedGraph>()
  graphs.set(state, cache)
  const cached = cache.get(key)
  const isFresh =
    cached?.changes === state.changes &&
    cached.turns === state.memories.size &&
    Math.abs(cached.at - at) < CACHE_MS
  if (isFresh) return cached.graph
  // Reads all words and yields in between. The results are cached, so that `makeGraph` need not yield.
  await flatMapInPieces([...listSources(state, scopes, at)], readSource)
  const graph = makeGraph(state, scopes, at)
  cache.set(key, { changes: state.changes, turns: state.memories.size, at, graph })
  return graph
}

/** A text that may state relations: a turn of the user, or a fact. */
interface RelationSource {
  readonly memory: Memory
  readonly turn: string | null
  /** The turn or memory that has the text. It is another object when the text changes, so it is the key of the cache. */
  readonly source: object
  readonly text: () => string
}

const relations = new WeakMap<object, readonly StatedRelation[]>()

/** Reads the relations that a text states, and caches them. */
function readSource({ memory, source, text }: RelationSource): readonly StatedRelation[] {
  const cached = relations.get(source)
  if (cached !== undefined) return cached
  const inText = readRelations(simplifyChinese(text()))
  const isFact = source === memory
  const found = inText.length === 0 && isFact ? readKeyAndValue(memory) : inText
  relations.set(source, found)
  return found
}

/** Matches keys for relations, in singular or plural: `siblings`, `children`. */
const RELATION_KEY = /^(?:partner|sibling|child|parent|friend|colleague|pet)(?=s$|ren$|$)/u

/** Reads the relation of a fact from its key and value: `siblings` with “a brother named Leo” is read as “My brother Leo”. */
function readKeyAndValue({ subject, key, value, text }: Memory): readonly StatedRelation[] {
  const [relation] = RELATION_KEY.exec(key ?? '') ?? []
  if (relation === undefined || value === null) return []
  const named = value.replace(/^an? /u, '').replace(/ (?:named|called) /u, ' ')
  const owner = subject === 'user' ? 'My' : `${subject}’s`
  const isOnlyName = /^\p{Lu}/u.test(named)
  const sentence = isOnlyName ? `${owner} ${relation} ${named}` : `${owner} ${named}`
  return readRelations(sentence).map((stated) => ({ ...stated, quote: text }))
}

/** Makes a source of a fact. “The user's sister” is read as “My sister”. */
function sourceOf(memory: Memory): RelationSource {
  const text = () => memory.text.replace(/^The user(?:['’]s)? /u, 'My ').replace(/^用户的?/u, '我')
  return { memory, turn: memory.evidence[0]?.turn ?? null, source: memory, text }
}

/** Lists the user's own words and the facts that hold at a time. */
function* listSources(state: UserState, scopes: readonly number[], at: number): Generator<RelationSource> {
  const forms = ['utterance', 'fact', 'note'] as const
  for (const memory of state.listMemories({ scopes: new Set(scopes), forms, statuses: ['live'] })) {
    if (memory.validFrom > at || isOver(memory, at)) continue
    if (memory.form !== 'utterance') {
      yield sourceOf(memory)
      continue
    }
    for (const { turn: id } of memory.evidence) {
      const turn = state.turns.get(id)
      if (turn?.role === 'user') yield { memory, turn: id, source: turn, text: () => maskUnspoken(turn.text) }
    }
  }
}

/** Whether a relation has ended: a fact of the turn names the person and is over. */
function isEnded(state: UserState, turn: string | null, name: string, at: number): boolean {
  if (turn === null) return false
  const facts = state.memoriesOfTurn(turn, { forms: ['fact'], statuses: ['live'] })
  return [...facts].some((fact) =>
    isNamedIn(fact.text, name)
      ? isOver(fact, at)
      : fact.past.some((version) => isOver(version, at) && isNamedIn(version.text, name)),
  )
}

/**
 * Whether a name in the user's words was corrected: a fact of the turn states the same relation with another name, which the words do
 * not contain.
 */
function isCorrected(
  state: UserState,
  { memory, turn }: RelationSource,
  { from, to, relation }: StatedRelation,
): boolean {
  if (turn === null || memory.form !== 'utterance') return false
  const words = state.turns.get(turn)?.text ?? ''
  const facts = state.memoriesOfTurn(turn, { forms: ['fact'], statuses: ['live'] })
  return [...facts].some(
    (fact) =>
      [fact, ...fact.past].every((version) => !isNamedIn(version.text, to)) &&
      readSource(sourceOf(fact)).some(
        (other) => other.from === from && other.relation === relation && !isNamedIn(words, other.to),
      ),
  )
}

/** Makes one edge of all statements of the same relation, between the full names of entities. */
function makeGraph(state: UserState, scopes: readonly number[], at: number): RelationGraph {
  const sources = [...listSources(state, scopes, at)]
  const stated = sources.flatMap((source) => {
    const { memory, turn } = source
    return readSource(source)
      .filter((relation) => !isEnded(state, turn, relation.to, at) && !isCorrected(state, source, relation))
      .map((relation) => ({ ...relation, memory, turn }))
  })
  const subjects = sources.flatMap(({ memory, source }) => (source === memory ? [memory.subject] : []))
  const names = new Set([...stated.flatMap(({ from, to }) => [from, to]), ...subjects.filter(isName)])
  names.delete('user')
  const fullNames = new Map([...names].map((name) => [name, fullNameOf(name, names)]))
  const aliases = new Map<string, Set<string>>()
  for (const [name, full] of fullNames) aliases.set(full, (aliases.get(full) ?? new Set()).add(name))
  const edges = new Map<string, EntityEdge>()
  for (const { from, to, relation, quote, memory, turn } of stated) {
    const source = fullNames.get(from) ?? from
    const target = fullNames.get(to) ?? to
    const id = `${source}\n${relation}\n${target}`
    const edge = edges.get(id)
    const evidence = [...(edge?.evidence ?? []), { memory: memory.id, turn, quote }]
    const validFrom = Math.min(edge?.validFrom ?? memory.validFrom, memory.validFrom)
    edges.set(id, { from: source, to: target, relation, evidence, validFrom })
  }
  return { edges: [...edges.values()], aliases }
}

/** Returns the longer name that begins with a name, if there is exactly one: “Tom Miller” for “Tom”. */
function fullNameOf(name: string, names: ReadonlySet<string>): string {
  const longer = [...names].filter((full) => full.startsWith(`${name} `))
  return longer.length === 1 ? (longer[0] ?? name) : name
}

/** Whether a text contains a name as a whole word: “Miami” does not contain “Mia”. Chinese names need no spaces around them. */
export function isNamedIn(text: string, name: string): boolean {
  const parts = text.split(name)
  if (/\p{Script=Han}/u.test(name)) return parts.length > 1
  const isWholeWord = (before: string, after: string): boolean =>
    !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)
  return parts.some((after, index) => index > 0 && isWholeWord(parts[index - 1] ?? '', after))
}

function entityOf(texts: readonly string[], graph: RelationGraph, name: string): Entity {
  const names = graph.aliases.get(name) ?? new Set([name])
  const relations = graph.edges.flatMap(({ from, to, relation }) =>
    from === 'user' && to === name ? [relation] : [],
  )
  const named = texts.filter((text) => [...names].some((alias) => isNamedIn(text, alias)))
  return {
    name,
    aliases: [...names].filter((alias) => alias !== name),
    relations: [...new Set(relations)],
    statements: name === 'user' ? 0 : named.length,
  }
}

/** Lists live memories that hold at a time. */
function listMemoriesAt(state: UserState, scopes: readonly number[], at: number): Memory[] {
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
  const texts = listMemoriesAt(state, resolved.scopes, at).map((memory) => textOf(state, memory))
  const entities = await flatMapInPieces(graph.aliases.keys(), (name) => entityOf(texts, graph, name))
  return entities.sort(
    (first, second) => second.statements - first.statements || first.name.localeCompare(second.name),
  )
}

/** Finds an entity by any of its names, with its neighbours and relations. @throws NotFoundError, InvalidInputError */
export async function aboutEntity(
  engine: Engine,
  resolved: ResolvedScope | null,
  given: string,
  { depth = 1, at: givenTime }: AboutOptions,
): Promise<AboutEntity> {
  const name = readName(given, 'entity')
  if (depth !== 1 && depth !== 2) throw new InvalidInputError('depth must be 1 or 2.')
  const at = givenTime === undefined ? engine.now() : readTime(givenTime, 'at')
  if (resolved === null) throw new NotFoundError('entity', name)
  const state = await engine.users.load(resolved.owner)
  const graph = await relationGraph(state, resolved.scopes, at)
  const center = canonicalName(graph, name) ?? relativeOf(graph, name)
  if (center === undefined) throw new NotFoundError('entity', name)
  const distances = measureDistances(graph, center, depth)
  const memories = withTexts(state, listMemoriesAt(state, resolved.scopes, at))
  const texts = memories.map(({ text }) => text)
  const neighbours = await flatMapInPieces(distances, ([other, distance]) =>
    distance === 0 ? [] : [{ ...entityOf(texts, graph, other), distance }],
  )
  const edges = graph.edges.filter(
    ({ from, to }) =>
      distances.has(from) &&
      distances.has(to) &&
      Math.min(distances.get(from) ?? depth, distances.get(to) ?? depth) < depth,
  )
  const names = [...(graph.aliases.get(center) ?? [])]
  const statements = memories
    .filter(({ text }) => names.some((alias) => isNamedIn(text, alias)))
    .sort((first, second) => second.learnedAt - first.learnedAt)
    .slice(0, MAX_STATEMENTS)
  return { entity: entityOf(texts, graph, center), neighbours, edges, statements }
}

/** Returns the distance of each entity within `depth` relations of the center. */
function measureDistances(graph: RelationGraph, center: string, depth: number): Map<string, number> {
  const distances = new Map([[center, 0]])
  for (let step = 1; step <= depth; step++)
    for (const { from, to } of graph.edges) {
      if (distances.get(from) === step - 1 && !distances.has(to)) distances.set(to, step)
      if (distances.get(to) === step - 1 && !distances.has(from)) distances.set(from, step)
    }
  return distances
}

/** Finds the entity with this relation to the user, if there is exactly one: “mum”, “my mum”. */
function relativeOf({ edges }: RelationGraph, name: string): string | undefined {
  const relation = name.toLowerCase().replace(/^my |^我的?/u, '')
  const found = edges.filter((edge) => edge.from === 'user' && edge.relation.toLowerCase() === relation)
  const names = [...new Set(found.map(({ to }) => to))]
  return names.length === 1 ? names[0] : undefined
}

/** Returns the full name of an entity by any of its names, ignoring case. */
export function canonicalName({ aliases, edges }: RelationGraph, name: string): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'user') return edges.some(({ from }) => from === 'user') ? 'user' : undefined
  for (const [full, names] of aliases)
    if ([full, ...names].some((alias) => alias.toLowerCase() === lower)) return full
  return undefined
}
