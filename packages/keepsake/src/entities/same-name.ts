// Distinguishes people who share a name: “my friend Eva” and “my aunt Eva”.
import { escapePattern, simplifyChinese } from '@keepsake/text'
import {
  isSameRelation,
  readRelations,
  RELATION_WORDS,
  type EntityEdge,
  type RelationGraph,
} from './read-relations.ts'

const KIN_AND_PETS_EN = [
  'mother|mum|mom|mummy|father|dad|daddy|parent|sister|brother|sibling|daughter|son|child|kid|aunt|auntie|uncle',
  String.raw`cousin|grand\w+|gran|granny|nana|nephew|niece|dog|cat`,
].join('|')
const KIN_AND_PETS_ZH = [
  '老?[爸妈]|爸爸|妈妈|父亲|母亲|姐姐?|妹妹?|哥哥?|弟弟?|女儿|儿子|闺女|孩子|阿姨|[姑姨]妈|姑姑|舅[妈舅]|叔叔|伯伯|姑父',
  '[表堂][哥姐弟妹]|奶奶|爷爷|外[公婆]|姥[姥爷]|侄子|侄女|外甥女?|狗狗?|猫咪?',
].join('|')
/** Matches relations that exclude all others: an aunt is no sister. A friend, however, may also be a colleague. */
const EXCLUSIVE_RELATION = new RegExp(`^(?:${KIN_AND_PETS_EN}|${KIN_AND_PETS_ZH})$`, 'u')
const IS_RELATION = new RegExp(`^(?:${RELATION_WORDS.en}|${RELATION_WORDS.zh})$`, 'u')

/** Checks whether one person cannot have both relations to the user. */
function excludeEachOther(first: string, second: string): boolean {
  const areRelations = IS_RELATION.test(first) && IS_RELATION.test(second)
  if (!areRelations || isSameRelation(first, second)) return false
  return EXCLUSIVE_RELATION.test(first) || EXCLUSIVE_RELATION.test(second)
}

/** Groups the relations of a name, so that one person may have all relations of a group. */
export function groupRelations(relations: Iterable<string>): readonly (readonly string[])[] {
  const groups: string[][] = []
  for (const relation of new Set(relations)) {
    const group = groups.find((others) => others.every((other) => !excludeEachOther(relation, other)))
    if (group === undefined) groups.push([relation])
    else group.push(relation)
  }
  return groups
}

/** Makes a distinct name for one of several people who share a name: “aunt Eva”, 同事王芳. */
export function nameWithRelation(relation: string, name: string): string {
  return /\p{Script=Han}/u.test(relation) ? `${relation}${name}` : `${relation} ${name}`
}

/** Returns the relations that a text gives a person: “my friend Mia”, “the user's friend is called Mia”, “Mia, my friend”, 同事王强. */
export function relationsTo(name: string, text: string): string[] {
  const written = escapePattern(name)
  const possessive = String.raw`(?:\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)|['’]s)\s+(?:\p{Ll}+\s+)??(\p{Ll}[\p{Ll}-]+)`
  const patterns = /\p{Script=Han}/u.test(name)
    ? [
        `(${RELATION_WORDS.zh}|任)(?:叫|是)?${written}`,
        `${written}(?:也|就|还|其实)*是(?:我|咱)(?:们|家)?的?[大小二]?(${RELATION_WORDS.zh}|猫|狗)`,
      ]
    : [
        String.raw`${possessive},?\s+(?:is\s+)?(?:called\s+|named\s+)?${written}\b`,
        String.raw`\b${written}(?:\s+\p{Lu}\S*)?(?:,|\s+is(?:\s+(?:also|actually|just|really|now))?)?\s+${possessive}`,
        String.raw`\b(?:an?|the|another)\s+(?:\p{Ll}+\s+)??(\p{Ll}[\p{Ll}-]+)\s+(?:called|named)\s+${written}\b`,
      ]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'gu'))].map(([, relation = '']) => relation),
  )
}

/** Checks whether a text contains a name as a whole word: “Miami” does not contain “Mia”. Chinese names need no spaces. */
export function isNamedIn(text: string, name: string): boolean {
  const parts = text.split(name)
  if (/\p{Script=Han}/u.test(name)) return parts.length > 1
  const isWholeWord = (before: string, after: string): boolean =>
    !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)
  return parts.some((after, index) => index > 0 && isWholeWord(parts[index - 1] ?? '', after))
}

/** Checks whether a text shows that it means this person: by a name of only this person, the relation, or the origin (“Mia from Lyon”). */
function pointsTo(
  { aliases, edges }: RelationGraph,
  person: string,
  names: readonly string[],
  text: string,
): boolean {
  const isShared = (name: string): boolean =>
    [...aliases].some(([other, all]) => other !== person && all.has(name))
  const unshared = [...(aliases.get(person) ?? [])].filter((name) => !isShared(name))
  const related = names.flatMap((name) => relationsTo(name, text))
  const from = names.flatMap(
    (name) => new RegExp(String.raw`${escapePattern(name)} from \p{Lu}\p{L}+`, 'u').exec(text)?.[0] ?? [],
  )
  const isStatedBy = ({ relation, evidence }: EntityEdge): boolean =>
    related.some((word) => isSameRelation(word, relation)) ||
    from.some((words) => evidence.some(({ quote }) => quote.includes(words)))
  return (
    unshared.some((name) => isNamedIn(text.toLowerCase(), name.toLowerCase())) ||
    edges.some((edge) => edge.from === 'user' && edge.to === person && isStatedBy(edge))
  )
}

/** Checks whether a text names a person. A shared name means any of its people, unless the text shows which. */
export function namesPerson(graph: RelationGraph, person: string, text: string): boolean {
  const named = [...(graph.aliases.get(person) ?? [person])].filter((name) => isNamedIn(text, name))
  if (named.length === 0) return false
  const others = [...graph.aliases].flatMap(([other, all]) =>
    other !== person && named.some((name) => all.has(name)) ? [other] : [],
  )
  const isMeant = (candidate: string): boolean => pointsTo(graph, candidate, named, text)
  return others.length === 0 || isMeant(person) || !others.some(isMeant)
}

/** Checks whether a question may show which of several people of a name it means, so that the graph is needed. */
export const maySayWhich = (question: string): boolean => SAYS_WHICH.test(question)

const SAYS_WHICH = new RegExp(
  String.raw`\b(?:${RELATION_WORDS.en}) \p{Lu}|\p{Lu}\p{L}+ from \p{Lu}|(?:${RELATION_WORDS.zh})`,
  'u',
)

/** Returns a test for texts about a namesake of the person whom a question means; `null` if it means no particular person. */
export function testNamesake(graph: RelationGraph, question: string): ((text: string) => boolean) | null {
  for (const [person, all] of graph.aliases) {
    const names = [...all].filter((name) => isNamedIn(question, name))
    if (names.length === 0 || !pointsTo(graph, person, names, question)) continue
    return (text) => names.some((name) => isNamedIn(text, name)) && !namesPerson(graph, person, text)
  }
  return null
}

/** Returns the full names of the entities that words may mean, ignoring case. “My aunt Eva” means one, “Eva” each Eva. */
export function findEntities({ aliases, edges }: RelationGraph, words: string): readonly string[] {
  const plain = words.replace(/^(?:my|our|the) |^我们?(?:家|的)?/iu, '').toLowerCase()
  if (plain === 'user') return edges.some(({ from }) => from === 'user') ? ['user'] : []
  const found = [...aliases].filter(([full, names]) =>
    [full, ...names].some((alias) => alias.toLowerCase() === plain),
  )
  if (found.length > 0) return found.map(([full]) => full)
  const bare = plain.replace(new RegExp(`^(?:(?:${RELATION_WORDS.en}) |(?:${RELATION_WORDS.zh}))`, 'u'), '')
  return bare === plain ? [] : findEntities({ aliases, edges }, bare)
}

/**
 * Returns other words by which texts name a person: after “my sister Lin”, “Lin” for “sister”. Only the given texts are read,
 * because the graph would read all texts again after each change.
 */
export function findOtherNames(words: readonly string[], texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => readRelations(simplifyChinese(text)))
    .flatMap(({ from, relation, to }) => {
      if (from !== 'user') return []
      if (words.some((word) => isNamedIn(to, word))) return [relation]
      return words.includes(relation) ? to.split(' ') : []
    })
}
