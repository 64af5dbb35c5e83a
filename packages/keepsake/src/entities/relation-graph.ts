// Reads the relations of a user, and caches them as a graph.
import { maskUnspoken, simplifyChinese } from '@keepsake/text'
import { isOver, type Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { groupRelations, isNamedIn, nameWithRelation, relationsTo } from './same-name.ts'
import {
  isName,
  mayRelate,
  readRelations,
  RELATION_WORDS,
  type EntityEdge,
  type RelationGraph,
  type StatedRelation,
} from './read-relations.ts'

/** A graph with the state of the user from which it was computed. */
interface CachedGraph {
  readonly changes: number
  /** Number of the user's memories. */
  readonly memoryCount: number
  readonly at: number
  readonly graph: RelationGraph
}

const graphs = new WeakMap<UserState, Map<string, CachedGraph>>()
/** A cached graph is used for times that differ by less than a minute. */
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
    cached.memoryCount === state.memories.size &&
    Math.abs(cached.at - at) < CACHE_MS
  if (isFresh) return cached.graph
  // Reads all words and yields in between. The results are cached, so that `makeGraph` need not yield.
  await flatMapInPieces([...listSources(state, scopes, at)], readSource)
  const graph = makeGraph(state, scopes, at)
  cache.set(key, { changes: state.changes, memoryCount: state.memories.size, at, graph })
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

/** Reads the relation of a fact from its key and value: the value “a brother named Leo” is read as “My brother Leo”. */
function readKeyAndValue({ subject, key, value, text }: Memory): readonly StatedRelation[] {
  const [relation] = RELATION_KEY.exec(key ?? '') ?? []
  if (relation === undefined || value === null) return []
  const named = value.replace(/^an? /u, '').replace(/ (?:named|called) /u, ' ')
  const owner = subject === 'user' ? 'My' : `${subject}’s`
  const chinese = new RegExp(`^(${RELATION_WORDS.zh})(?=\\p{Script=Han}{2,4}$)`, 'u')
  if (subject === 'user' && chinese.test(value))
    return readRelations(`我${value.replace(chinese, '$1叫')}`).map((stated) => ({ ...stated, quote: text }))
  const isOnlyName = /^\p{Lu}/u.test(named)
  const sentence = isOnlyName ? `${owner} ${relation} ${named}` : `${owner} ${named}`
  return readRelations(sentence).map((stated) => ({ ...stated, quote: text }))
}

/** Makes a source of a fact. “The user's sister” is read as “My sister”. */
function sourceOf(memory: Memory): RelationSource {
  const text = () => memory.text.replace(/^The user(?:['’]s)? /u, 'My ').replace(/^用户的?/u, '我')
  return { memory, turn: memory.evidence[0]?.turn ?? null, source: memory, text }
}

/** Returns the user's own words in a text that may state a relation. Other texts are not masked, because masking is slow. */
function spokenOf(text: string): string {
  return mayRelate(simplifyChinese(text)) ? maskUnspoken(text) : ''
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
      if (turn?.role === 'user') yield { memory, turn: id, source: turn, text: () => spokenOf(turn.text) }
    }
  }
}

/** Checks whether a relation has ended: a fact of the turn names the person and has expired. */
function isEnded(state: UserState, turn: string | null, name: string, at: number): boolean {
  if (turn === null) return false
  const facts = state.memoriesOfTurn(turn, { forms: ['fact'], statuses: ['live'] })
  return [...facts].some((fact) =>
    isNamedIn(fact.text, name)
      ? isOver(fact, at)
      : fact.past.some((version) => isOver(version, at) && isNamedIn(version.text, name)),
  )
}

/** Checks whether a name was corrected: a fact of the turn has another name for the relation, which the turn does not contain. */
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

/** One of the people who share a name. */
interface Person {
  /** The name, with the relation where several people share it. */
  readonly name: string
  /** The names as they were said. */
  readonly names: readonly string[]
  readonly relations: readonly string[]
}

/** A relation with the memory and the turn that state it. */
interface SourcedRelation extends StatedRelation {
  readonly memory: Memory
  readonly turn: string | null
}

/** Makes one edge of all statements of the same relation, between the full names of entities. */
function makeGraph(state: UserState, scopes: readonly number[], at: number): RelationGraph {
  const sources = [...listSources(state, scopes, at)]
  const stated = sources.flatMap((source): SourcedRelation[] => {
    const { memory, turn } = source
    return readSource(source)
      .filter((relation) => !isEnded(state, turn, relation.to, at) && !isCorrected(state, source, relation))
      .map((relation) => ({ ...relation, memory, turn }))
  })
  const subjects = sources.flatMap(({ memory, source }) => (source === memory ? [memory.subject] : []))
  const names = new Set([...stated.flatMap(({ from, to }) => [from, to]), ...subjects.filter(isName)])
  names.delete('user')
  const fullNames = new Map([...names].map((name) => [name, fullNameOf(name, names)]))
  const people = new Map(
    [...new Set(fullNames.values())].map((full) => [full, findPeople(full, fullNames, stated)]),
  )
  const personOf = (name: string, relations: readonly string[]): string => {
    const namesakes =
      people.get(fullNames.get(name) ?? name)?.filter((person) => person.names.includes(name)) ?? []
    const person = namesakes.find((other) => other.relations.some((relation) => relations.includes(relation)))
    return (person ?? namesakes[0])?.name ?? name
  }
  const aliases = new Map(
    [...people.values()].flat().map((person) => [person.name, new Set([person.name, ...person.names])]),
  )
  return { edges: makeEdges(stated, personOf), aliases }
}

/** Returns the people of a full name. There are several if no one person can have all of its relations to the user. */
function findPeople(
  full: string,
  fullNames: ReadonlyMap<string, string>,
  stated: readonly SourcedRelation[],
): readonly Person[] {
  const forms = [...fullNames].flatMap(([name, other]) => (other === full ? [name] : []))
  const toUser = stated.filter(({ from, to }) => from === 'user' && forms.includes(to))
  const groups = groupRelations(toUser.map(({ relation }) => relation))
  if (groups.length < 2) return [{ name: full, names: forms, relations: groups[0] ?? [] }]
  return groups.map((relations) => {
    const used = toUser.flatMap(({ relation, to }) => (relations.includes(relation) ? [to] : []))
    const longest = used.toSorted((first, second) => second.length - first.length)[0] ?? full
    const names = forms.filter((name) => `${longest} `.startsWith(`${name} `))
    return { name: nameWithRelation(relations[0] ?? '', longest), names, relations }
  })
}

/** Joins the statements of each relation between two people to one edge. */
function makeEdges(
  stated: readonly SourcedRelation[],
  personOf: (name: string, relations: readonly string[]) => string,
): EntityEdge[] {
  const edges = new Map<string, EntityEdge>()
  for (const { from, to, relation, quote, memory, turn } of stated) {
    const source = personOf(from, relationsTo(from, quote))
    const target = personOf(to, from === 'user' ? [relation] : relationsTo(to, quote))
    const id = `${source}\n${relation}\n${target}`
    const edge = edges.get(id)
    const evidence = [...(edge?.evidence ?? []), { memory: memory.id, turn, quote }]
    const validFrom = Math.min(edge?.validFrom ?? memory.validFrom, memory.validFrom)
    edges.set(id, { from: source, to: target, relation, evidence, validFrom })
  }
  return [...edges.values()]
}

/** Returns the longer name that begins with a name, if there is exactly one: “Tom Miller” for “Tom”. */
function fullNameOf(name: string, names: ReadonlySet<string>): string {
  const longer = [...names].filter((full) => full.startsWith(`${name} `))
  return longer.length === 1 ? (longer[0] ?? name) : name
}
