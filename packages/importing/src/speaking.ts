import { ImportError } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'

/** Roles by the words that programs use in place of a speaker's name. */
const ROLES: Readonly<Record<string, 'user' | 'assistant' | 'machine'>> = {
  ...asRole('user', 'user human me you 用户 我 你 使用者'),
  ...asRole(
    'assistant',
    'assistant agent ai bot model chatgpt claude gemini gpt rep replika 助手 助理 ai助手 机器人',
  ),
  ...asRole('machine', 'system developer tool function 系统 工具'),
}

function asRole<Role>(role: Role, names: string): Record<string, Role> {
  return Object.fromEntries(names.split(' ').map((name) => [name, role]))
}

/** Matches the end of a speaker's line in text copied from a web page: `You said:`, `ChatGPT 说：`. */
const SAYS = /(?: said| says|\s*(?:说|說))$/u

/** Returns the role for a word such as `assistant` or `Human`, or `null` for a person's name. */
export const roleOf = (name: string): 'user' | 'assistant' | 'machine' | null =>
  ROLES[name.trim().toLowerCase().replace(SAYS, '')] ?? null

/** Returns the name of the speaker who is the user, or `null` for a word such as “me”. */
export const personNamed = (speaker: string | null): string | null =>
  speaker === null || roleOf(speaker) !== null ? null : speaker

/** Maximum number of speakers in an error message. */
const MAX_LISTED = 6

export type SpeakerCounts = ReadonlyMap<string, number>

/** Chooses the speaker who is the user, by name, first name or a word for the user. @throws ImportError listing the speakers */
export function chooseSpeaker(file: string, counts: SpeakerCounts, settings: ImportSettings): string {
  const { speaker, user } = settings
  const names = [...counts.keys()]
  const findName = (text: string): string | undefined =>
    names.find((name) => name === text) ??
    names.find((name) => name.toLowerCase() === text.trim().toLowerCase())
  if (speaker !== undefined) {
    const chosen = findName(speaker)
    if (chosen !== undefined) return chosen
    throw new ImportError(
      `${file} has no speaker ${JSON.stringify(speaker)}. The speakers are ${listed(counts)}.`,
      { asks: 'speaker', choices: choicesOf(counts) },
    )
  }
  const byUser = user === undefined ? undefined : (findName(user) ?? findByFirstName(user, names))
  const byRole = names.filter((name) => roleOf(name) === 'user')
  const chosen = byUser ?? (byRole.length === 1 ? byRole[0] : undefined)
  if (chosen !== undefined) return chosen
  throw new ImportError(
    `${file} does not show which speaker is the user. Set ${optionName(settings, 'speaker')} to one of ${listed(counts)}.`,
    { asks: 'speaker', choices: choicesOf(counts) },
  )
}

/** Finds the speaker with this first name: `Ana Fox` for the user `ana`. Returns `undefined` if several speakers have it. */
function findByFirstName(user: string, names: readonly string[]): string | undefined {
  const firstName = user.trim().toLowerCase()
  const matches = names.filter((name) => name.toLowerCase().startsWith(`${firstName} `))
  return matches.length === 1 ? matches[0] : undefined
}

/** Returns the speakers from which a caller can choose, most frequent first. */
export const choicesOf = (
  counts: SpeakerCounts,
): readonly { readonly name: string; readonly turns: number }[] =>
  [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, MAX_CHOICES)
    .map(([name, turns]) => ({ name, turns }))

/** Maximum number of choices, since a page cannot show more. */
const MAX_CHOICES = 100

/** Lists the most frequent speakers with their numbers of turns, for error messages. */
export function listed(counts: SpeakerCounts): string {
  const mostFrequent = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, MAX_LISTED)
  const names = mostFrequent.map(([name, count]) => `${JSON.stringify(name)} (${count.toLocaleString('en')})`)
  return `${names.join(', ')}${counts.size > MAX_LISTED ? `, … (${counts.size} in all)` : ''}`
}

/** Returns role and speaker of a turn: `user` for the chosen speaker, `assistant` for all others. */
export function partOf(
  speaker: string,
  chosen: string,
): { readonly role: 'user' | 'assistant'; readonly speaker?: string } {
  const role = speaker === chosen ? 'user' : 'assistant'
  return roleOf(speaker) === null ? { role, speaker } : { role }
}
