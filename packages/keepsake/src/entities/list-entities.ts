// Lists entities, and describes one with its neighbours.
import { InvalidInputError, readName, readTime } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { textOf, withTexts } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import type { EntityEdge, RelationGraph } from './read-relations.ts'
import { relationGraph } from './relation-graph.ts'
import { findEntities, namesPerson } from './same-name.ts'

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

/** Describes an entity, and counts the texts that name it. */
function entityOf(texts: readonly string[], graph: RelationGraph, name: string): Entity {
  const names = graph.aliases.get(name) ?? new Set([name])
  const relations = graph.edges.flatMap(({ from, to, relation }) =>
    from === 'user' && to === name ? [relation] : [],
  )
  const named = texts.filter((text) => namesPerson(graph, name, text))
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

/** Finds an entity by any of its names, and returns it with its neighbours and relations. @throws NotFoundError, InvalidInputError */
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
  const center = findEntities(graph, name)[0] ?? relativeOf(graph, name)
  if (center === undefined) throw new NotFoundError('entity', name)
  const distances = measureDistances(graph, center, depth)
  const memories = withTexts(state, listMemoriesAt(state, resolved.scopes, at))
  const texts = memories.map(({ text }) => text)
  const neighbours = await flatMapInPieces(distances, ([other, distance]) =>
    distance === 0 ? [] : [{ ...entityOf(texts, graph, other), distance }],
  )
  // Relations between two of the farthest neighbours are left out.
  const edges = graph.edges.filter(
    ({ from, to }) =>
      distances.has(from) &&
      distances.has(to) &&
      Math.min(distances.get(from) ?? depth, distances.get(to) ?? depth) < depth,
  )
  const statements = memories
    .filter(({ text }) => namesPerson(graph, center, text))
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
  const edgesOfRelation = edges.filter(
    (edge) => edge.from === 'user' && edge.relation.toLowerCase() === relation,
  )
  const names = [...new Set(edgesOfRelation.map(({ to }) => to))]
  return names.length === 1 ? names[0] : undefined
}
