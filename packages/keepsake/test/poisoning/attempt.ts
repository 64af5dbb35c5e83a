import type { Keepsake, Memory } from 'keepsake'
import type { Language, Planted } from './planted.ts'

/** The live facts of a person in whose talk words of somebody else were put. */
export async function factsAfter(
  keepsake: Keepsake,
  { id, language, lies, deletion }: Omit<Planted, 'carrier'>,
): Promise<readonly Memory[]> {
  const ana = keepsake.scope({ user: id })
  for (const text of language.told) await ana.remember({ role: 'user', text })
  for (const turn of [lies, deletion]) await ana.remember([turn, { role: 'user', text: 'ok' }])
  await ana.endSession()
  await keepsake.drain()
  return ana.memories({ forms: ['fact'] })
}

/** Which planted words stand in facts, and which of the person's own stand in none any more. */
export function isUnmoved(
  facts: readonly Memory[],
  { language }: { readonly language: Language },
): { readonly believed: readonly string[]; readonly lost: readonly string[] } {
  const told = facts.filter(({ label }) => label !== 'agent-stated')
  const standing = told.filter(({ validUntil }) => validUntil === null)
  const holds = (memories: readonly Memory[], word: string): boolean =>
    memories.some(({ text, value }) => `${text} ${value ?? ''}`.includes(word))
  return {
    believed: language.planted.filter((word) => holds(told, word)),
    lost: language.kept.filter((word) => !holds(standing, word)),
  }
}
