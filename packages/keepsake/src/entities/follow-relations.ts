import type { EntityEdge, RelationGraph } from './list-entities.ts'
import { IN_TWO, isSameRelation, RELATION_WORDS } from './read-relations.ts'

/** A question whose chain of relations was followed: “my sister's husband” is Paul. */
export interface FollowedQuestion {
  readonly text: string
  readonly name: string
  readonly edges: readonly EntityEdge[]
  readonly asksName: boolean
}

/** Whether a question may hold a chain of relations, before anything is read for it. */
export const mayFollow = (question: string): boolean => CHAIN_HINT.test(question)

const CHAIN_HINT = new RegExp(
  String.raw`(?:\b(?:my|our)\b|['’]s) .*\b(?:${RELATION_WORDS.en})\b|(?:${RELATION_WORDS.zh})`,
  'iu',
)
const ASKS_NAME = /\bwho(?:['’]s| is| are)\b[^,]*$|\b(?:called|name)\b|叫什么|什么名字|是谁/iu
/** “Who is X's employer?” asks for more than the name behind its chain. */
const GOES_ON = /^['’]s\b|^的/u

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Follows a chain of relations in a question as far as it is known.
 *
 * @example
 * followRelations("Where does my sister's husband work?", graph) // { text: 'Where does Paul work?', name: 'Paul', … }
 */
export function followRelations(question: string, graph: RelationGraph): FollowedQuestion | null {
  const isChinese = /\p{Script=Han}/u.test(question)
  const names = [...graph.aliases].flatMap(([full, all]) => [...all].map((alias) => [alias, full] as const))
  const owners = names.map(([alias]) => escaped(alias)).sort((first, second) => second.length - first.length)
  const start = isChinese
    ? new RegExp(`我(?:们|家)?(?:的)?|${owners.map((owner) => `${owner}的`).join('|') || '(?!)'}`, 'gu')
    : new RegExp(
        String.raw`\b(?:my|our)\b ?|${owners.map((owner) => String.raw`\b${owner}['’]s `).join('|') || '(?!)'}`,
        'giu',
      )
  for (const match of question.matchAll(start)) {
    const owner = match[0].replace(/(?:['’]s|的)?\s*$/u, '')
    const isUser = /^(?:my|our|我(?:们|家)?)$/iu.test(owner)
    const from = isUser ? 'user' : names.find(([alias]) => alias.toLowerCase() === owner.toLowerCase())?.[1]
    if (from === undefined) continue
    const followed = walk(graph, from, question.slice(match.index + match[0].length), isChinese)
    if (followed === null) continue
    const { name, edges, length } = followed
    const rest = question.slice(match.index + match[0].length + length)
    const text = `${question.slice(0, match.index)}${name}${rest}`
    return { text, name, edges, asksName: ASKS_NAME.test(question) && !GOES_ON.test(rest) }
  }
  return null
}

const STEP = {
  en: new RegExp(
    String.raw`^(?:(?:older|younger|elder|little|big|twin|best|late) )?(${RELATION_WORDS.en})\b`,
    'iu',
  ),
  zh: new RegExp(`^(?:最好的)?(${RELATION_WORDS.zh})`, 'u'),
}

/** Walks the relations that a text names one after another. */
function walk(
  graph: RelationGraph,
  from: string,
  text: string,
  isChinese: boolean,
): { readonly name: string; readonly edges: EntityEdge[]; readonly length: number } | null {
  const edges: EntityEdge[] = []
  let place = from
  let read = 0
  for (let length = 0; ;) {
    const step = STEP[isChinese ? 'zh' : 'en'].exec(text.slice(length))
    const [whole = '', word = ''] = step ?? []
    const taken = step === null ? null : takeSteps(graph, place, IN_TWO[word] ?? [word.toLowerCase()])
    if (taken === null) break
    edges.push(...taken)
    place = taken.at(-1)?.to ?? place
    length += whole.length
    read = length
    const link = (isChinese ? /^的/u : /^['’]s /u).exec(text.slice(length))
    if (link === null) break
    length += link[0].length
  }
  // A place that only stands for the user's unnamed brother is no name to ask by.
  return edges.length === 0 || /^(?:my |我)/u.test(place) ? null : { name: place, edges, length: read }
}

/** The edges of one relation or of two, where each leads to one entity. */
function takeSteps({ edges }: RelationGraph, from: string, words: readonly string[]): EntityEdge[] | null {
  const taken: EntityEdge[] = []
  let places = [from]
  for (const word of words) {
    const found = edges.filter((edge) => places.includes(edge.from) && isSameRelation(word, edge.relation))
    const targets = new Set(found.map(({ to }) => to))
    if (found.length === 0) return null
    const named = [...targets].filter((name) => !/^(?:my |我)/u.test(name))
    if (named.length > 1) return null
    taken.push(...found.filter(({ to }) => to === (named[0] ?? to)).slice(0, 1))
    places = [...targets]
  }
  return taken
}
