import type { FactLookup } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import { findKey, type KeyTable, type PersonaKey } from '@keepsake/text'
import { withPart } from '../retrieval/score.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import type { FoundAnswer } from './find-answer.ts'

/** What the sheet tells is known this surely. */
const STATED = 0.9
/** By so much of the best it comes before it. */
const AHEAD = 0.02
/** A question for one value is short. */
const LONGEST = 80

/** Questions for a value of one's own by the name that its key has on the sheet: “What's my birthday?”, 我的生日是哪天？ */
const BY_NAME = [
  /^(?:(?:so|and|ok|okay|hey|hi)[, ]+)*(?:what|when|which|where|who)(?:['’]?s| is| are| was)? my (?:own |current |full )?([\p{L} '’-]+?)(?: (?:called|again|now))*\s*[?？]*$/iu,
  /\b(?:know|remember|recall|tell me|remind me(?: of)?|forgot(?:ten)?) (?:what |when |where )?my (?:own |current |full )?([\p{L} '’-]+?)(?: is)?(?: again)?\s*[?？.]*$/iu,
  /^(?:请问|那|你|还|知道|记得|告诉我)*我的?(\p{Script=Han}{1,6}?)(?:是|叫|在)*(?:什么|啥|多少|哪[里儿天个]?|几[月号]|谁)?[呢吗啊呀]?[?？]*$/u,
]
/** The same in words of their own. */
const BY_WORDS: readonly (readonly [key: string, asks: RegExp])[] = [
  ['name', /\bwhat am i called\b|我(?:叫|名字叫)(?:什么|啥)(?:名字)?/iu],
  ['age', /\bhow old am i\b|我(?:今年)?(?:多大|几岁|多少岁)/iu],
  ['birthday', /\bwhen was i born\b|我(?:是)?(?:哪天|几月几号|什么时候)(?:出生|生日)/iu],
  ['residence', /\bwhere do i live\b|我(?:现在)?住(?:在)?(?:哪|什么地方)/iu],
  [
    'occupation',
    /\bwhat do i (?:do for (?:a living|work)|work as)\b|我(?:现在)?(?:是)?[做干](?:什么|啥)(?:(?:工作|活儿?)?的|工作|活儿?)/iu,
  ],
  ['employer', /\bwhere do i work\b|我在(?:哪[里儿]?|什么(?:公司|单位))(?:工作|上班)/iu],
  ['origin', /\bwhere am i from\b|我(?:是|来自)哪里?(?:的?人)?[?？]*$/iu],
]

/** The key of the sheet whose value the asker asks of themselves; `undefined` where a question asks for anything else. */
export function readOwnKey(question: string, table: KeyTable): PersonaKey | undefined {
  const asked = question.trim()
  if (asked.length > LONGEST) return undefined
  const [key] = BY_WORDS.find(([, asks]) => asks.test(asked)) ?? []
  if (key !== undefined) return table.get(key)
  for (const asks of BY_NAME) {
    const [, name] = asks.exec(asked) ?? []
    const named = name === undefined ? undefined : findKey(table, name)
    if (named !== undefined) return named
  }
  return undefined
}

/**
 * Where a question asks for a value that the asker stated of themselves, and that still holds, it is known, and the statement comes
 * first: the words of a question for one's name need not stand anywhere.
 */
export function withOwnValue(
  { asked, engine, resolved }: Asking,
  cache: UserState,
  answer: FoundAnswer,
): FoundAnswer {
  const key = readOwnKey(asked.text, engine.preset.keyTable)
  if (key === undefined) return answer
  const at = asked.asOf ?? asked.now
  const stated = new Set(
    resolved.scopes.flatMap((scope) => holding(cache.facts(scope), key, at)).map(({ id }) => id),
  )
  const own = answer.memories.filter(({ memory }) => stated.has(memory.id))
  if (own.length === 0) return answer
  const best = answer.memories[0]?.score ?? 0
  const ahead = own.map((one) => withPart(one, 'stated', Math.max(0, best * (1 + AHEAD) - one.score)))
  const others = answer.memories.filter(({ memory }) => !stated.has(memory.id))
  return { ...answer, memories: [...ahead, ...others], confidence: Math.max(answer.confidence, STATED) }
}

function holding(facts: FactLookup<Memory>, { id }: PersonaKey, at: number): readonly Memory[] {
  const around = facts.around({ subject: 'user', key: id }, at)
  return around.filter(({ validFrom, validUntil }) => validFrom <= at && (validUntil ?? Infinity) > at)
}
