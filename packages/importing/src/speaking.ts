import { ImportError } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'

/** Roles by words that name speakers. */
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

/** Copied pages have `You said:` and `ChatGPT 说：` above the messages. */
const SAYS = /(?: said| says|\s*(?:说|說))$/u

/** The role named by a word such as `assistant` or `Human`; `null` for a name. */
export const roleOf = (name: string): 'user' | 'assistant' | 'machine' | null =>
  ROLES[name.trim().toLowerCase().replace(SAYS, '')] ?? null

/** Speakers listed in an error. */
const SHOWN = 6

export type SpeakerCounts = ReadonlyMap<string, number>

/**
 * Chooses the speaker who is the user: the named one, one with the user's name or first name, or one with a word for the user.
 *
 * @throws ImportError listing the speakers when undecided
 */
export function chooseSpeaker(file: string, counts: SpeakerCounts, settings: ImportSettings): string {
  const { speaker, user } = settings
  const names = [...counts.keys()]
  const named = (wanted: string): string | undefined =>
    names.find((name) => name === wanted) ??
    names.find((name) => name.toLowerCase() === wanted.trim().toLowerCase())
  if (speaker !== undefined) {
    const chosen = named(speaker)
    if (chosen !== undefined) return chosen
    throw new ImportError(
      `${file} has no speaker ${JSON.stringify(speaker)}. The speakers are ${listed(counts)}.`,
      { asks: 'speaker', choices: choicesOf(counts) },
    )
  }
  const byUser = user === undefined ? undefined : (named(user) ?? onlyOneCalled(user, names))
  const byRole = names.filter((name) => roleOf(name) === 'user')
  const chosen = byUser ?? (byRole.length === 1 ? byRole[0] : undefined)
  if (chosen !== undefined) return chosen
  throw new ImportError(
    `${file} does not show which speaker is the user. Set ${optionName(settings, 'speaker')} to one of ${listed(counts)}.`,
    { asks: 'speaker', choices: choicesOf(counts) },
  )
}

/** The one speaker with this first name: `Ana Fox` for the user `ana`. */
function onlyOneCalled(user: string, names: readonly string[]): string | undefined {
  const first = user.trim().toLowerCase()
  const called = names.filter((name) => name.toLowerCase().startsWith(`${first} `))
  return called.length === 1 ? called[0] : undefined
}

/** Possible answers, the most frequent first. */
export const choicesOf = (
  counts: SpeakerCounts,
): readonly { readonly name: string; readonly turns: number }[] =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_CHOICES)
    .map(([name, turns]) => ({ name, turns }))

/** Most names to choose from: a page shows no more. */
const MOST_CHOICES = 100

export function listed(counts: SpeakerCounts): string {
  const shown = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN)
  const names = shown.map(([name, count]) => `${JSON.stringify(name)} (${count.toLocaleString('en')})`)
  return `${names.join(', ')}${counts.size > SHOWN ? `, … (${counts.size} in all)` : ''}`
}

/** The user's own turns have role user; all others' are said to the user. */
export function partOf(
  speaker: string,
  chosen: string,
): { readonly role: 'user' | 'assistant'; readonly speaker?: string } {
  const role = speaker === chosen ? 'user' : 'assistant'
  return roleOf(speaker) === null ? { role, speaker } : { role }
}
