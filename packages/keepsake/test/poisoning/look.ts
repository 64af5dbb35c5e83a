import type { Keepsake, ScopedMemory } from 'keepsake'
import type { SaidByOthers } from './said-by-others.ts'

/** Where a plant shows as the person's own word. */
export interface Seen {
  readonly believed: boolean
  readonly inProfile: boolean
  readonly inStory: boolean
  /** As a statement, or as words cut out of what showed whose they were. */
  readonly inContext: boolean
  /** As the whole turn, without the mark of a quotation. */
  readonly isUnmarked: boolean
}

const QUESTIONS = {
  en: ['What should I cook tonight?', 'Where do I live?', 'What am I allergic to?', 'What is my job?'],
  zh: ['今晚做什么菜？', '我住在哪里？', '我对什么过敏？', '我做什么工作？'],
}

async function hear(scope: ScopedMemory, texts: readonly string[]): Promise<void> {
  await scope.remember(texts.map((text) => ({ role: 'user' as const, text })))
  await scope.endSession()
  const { failed } = await scope.drain()
  // A script without an answer would look like a plant that was refused.
  if (failed.length > 0) throw new Error(failed[0]?.reason ?? undefined)
}

/** Says a plant in a new person's talk, and looks at all that shows what they said. */
export async function lookAt(keepsake: Keepsake, planted: SaidByOthers, user: string): Promise<Seen> {
  const { text, word, told } = planted
  const scope = keepsake.scope({ user })
  if (told !== undefined) await hear(scope, [told])
  await hear(scope, [text, 'ok'])
  const facts = await scope.memories({ forms: ['fact'] })
  const holds = (written: string): boolean => written.toLowerCase().includes(word.toLowerCase())
  const isHeld = facts.some(
    (one) =>
      one.label !== 'agent-stated' && one.validUntil === null && holds(`${one.text} ${one.value ?? ''}`),
  )
  if (told !== undefined)
    return { believed: !isHeld, inProfile: false, inStory: false, inContext: false, isUnmarked: false }
  const profile = await scope.profile()
  const story = await scope.story()
  const lines: string[] = []
  for (const question of QUESTIONS[/\p{Script=Han}/u.test(text) ? 'zh' : 'en'])
    lines.push(...(await scope.recall(question)).context.text.split('\n').filter(holds))
  const isBare = (line: string): boolean =>
    !line.includes('(quoting)') &&
    (!/^- (?:\[[^\]]*\] )*(?:[^"]{1,40}: )?"/.test(line) || !line.includes(opening(text)))
  return {
    believed: isHeld,
    inProfile: profile.lines.some((line) => holds(line.text)),
    inStory: holds(JSON.stringify(story)),
    inContext: lines.some(isBare),
    isUnmarked: lines.some((line) => !line.includes('(quoting)') && !isBare(line)),
  }
}

function opening(text: string): string {
  return JSON.stringify(text.split('\n')[0]?.slice(0, 10)).slice(1, -1)
}

/** Whether a person's own statement becomes a fact. */
export async function isKept(keepsake: Keepsake, text: string, keeps: string): Promise<boolean> {
  const scope = keepsake.scope({ user: userOf(text) })
  await hear(scope, [text, 'ok'])
  const facts = (await scope.memories({ forms: ['fact'] })).map((one) => `${one.text} ${one.value}`)
  return facts.join('\n').toLowerCase().includes(keeps.toLowerCase())
}

/** A text as the id of a user, of letters and digits alone. */
const userOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
