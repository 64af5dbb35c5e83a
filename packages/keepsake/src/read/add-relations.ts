// Answers questions about a person who is named by relations, such as “my sister's husband”.
import { followRelations, mayFollow, type FollowedQuestion } from '../entities/read-relations.ts'
import { relationGraph } from '../entities/relation-graph.ts'
import { findEntities, isNamedIn, namesPerson } from '../entities/same-name.ts'
import { withPart } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import { textOf } from '../work/read-memories.ts'
import type { FoundAnswer, FoundMemory } from './found-memory.ts'
import type { RecallRequest } from './query.ts'
import { rankMemories } from './rank.ts'

/** Lead of the memory about the person at the end of the chain, as a share of the best score. */
const RELATION_LEAD = 0.05

/**
 * Answers a question with a chain of relations, such as “my sister's husband”. If the chain leads to a known name, that name is searched
 * too. The best memory about this person comes first.
 */
export async function withRelations(
  request: RecallRequest,
  state: UserState,
  answer: FoundAnswer,
): Promise<FoundAnswer> {
  const { query, resolved } = request
  if (!mayFollow(query.text)) return answer
  const graph = await relationGraph(state, resolved.scopes, query.asOf ?? query.now)
  const followed = followRelations(query.text, graph)
  if (followed === null) return answer
  const requestByName = { ...request, query: { ...query, text: followed.text }, names: undefined }
  const byName = await rankMemories(requestByName, state)
  const bestId = findBest(state, byName.memories, followed, graph.aliases.get(followed.name))
  // With a chain of one step, such as “my sister”, the question's own words may find the answer as well.
  const isByChain = followed.edges.length > 1 || followed.asksName || byName.confidence >= answer.confidence
  const merged = new Map<string, FoundMemory>()
  for (const found of [...answer.memories, ...byName.memories]) {
    const known = merged.get(found.memory.id)
    if (known === undefined || known.score < found.score) merged.set(found.memory.id, found)
  }
  const bestScore = Math.max(...[...merged.values()].map(({ score }) => score), 0)
  const lead = (found: FoundMemory): FoundMemory => {
    if (found.memory.id !== bestId || !isByChain) return found
    return withPart(found, 'relation', Math.max(0, bestScore * (1 + RELATION_LEAD) - found.score))
  }
  const memories = [...merged.values()].map(lead).sort((a, b) => b.score - a.score)
  const confidence = Math.max(answer.confidence, byName.confidence)
  return { ...answer, memories, confidence, isNear: answer.isNear || byName.isNear }
}

/** Returns the id of the memory that says most about the person at the end of the chain. If the name is asked for, it is the last link's statement. */
function findBest(
  state: UserState,
  found: readonly FoundMemory[],
  { edges, name, asksName }: FollowedQuestion,
  aliases: ReadonlySet<string> = new Set([name]),
): string | undefined {
  const lastLink = edges.at(-1)
  const statementIds = new Set(lastLink?.evidence.map(({ memory }) => memory))
  const statement = found.find(({ memory }) => statementIds.has(memory.id))
  if (asksName) return statement?.memory.id ?? [...statementIds][0]
  const quotes = edges.flatMap(({ evidence, to }) => evidence.map(({ quote }) => ({ quote, to })))
  const saysMore = ({ memory }: FoundMemory): boolean => {
    const text = textOf(state, memory)
    const textWithoutChain = quotes.reduce((rest, { quote }) => rest.replace(quote, ''), text)
    if ([...aliases].some((alias) => isNamedIn(textWithoutChain, alias))) return true
    // “My friend is Lin, who lives in Suzhou” states the relation and goes on about the person.
    return quotes.some(({ quote, to }) => to === lastLink?.to && text.includes(quote) && goesOn(quote, to))
  }
  const isAboutName = ({ memory }: FoundMemory): boolean => isNamedIn(textOf(state, memory), name)
  const best = found.find(saysMore) ?? found.find(isAboutName) ?? statement
  return best?.memory.id
}

/** Whether a sentence has at least one more word after a name. */
function goesOn(quote: string, name: string): boolean {
  const rest = quote.slice(quote.lastIndexOf(name) + name.length)
  return (rest.match(/\p{L}/gu)?.length ?? 0) > 1
}

/** Matches a pronoun for a person. */
const PRONOUN = /\b(?:he|she|him|her|his|hers|they|them|their)\b|[他她]/iu

/** Keeps the memories about the person in a question such as “What do you know about Bo?”. If the subject is no person, all are kept. */
export async function keepOfPerson(
  { query, resolved }: RecallRequest,
  state: UserState,
  subject: string,
  found: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const graph = await relationGraph(state, resolved.scopes, query.asOf ?? query.now)
  const people = findEntities(graph, subject)
  if (people.length === 0) return found
  const isNamed = (text: string): boolean => people.some((person) => namesPerson(graph, person, text))
  const namesOther = (text: string): boolean =>
    [...graph.aliases.keys()].some((other) => !people.includes(other) && namesPerson(graph, other, text))
  /** Whether a turn has a pronoun that stands for the person, who is named some turns before it. */
  const goesOnAbout = (turn: string): boolean => {
    let text = state.turns.get(turn)?.text ?? ''
    let before = state.index.turnBefore(turn)
    while (before !== undefined && PRONOUN.test(text) && !namesOther(text)) {
      text = state.turns.get(before)?.text ?? ''
      if (isNamed(text)) return true
      before = state.index.turnBefore(before)
    }
    return false
  }
  const concerns = ({ memory }: FoundMemory): boolean =>
    isNamed(textOf(state, memory)) || memory.evidence.some(({ turn }) => goesOnAbout(turn))
  const kept = found.filter(concerns)
  return kept.length === 0 ? found : kept
}
