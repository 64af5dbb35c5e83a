import { ImportError } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'
import { optionName } from './option-name.ts'

/** What those who speak are called by their part, where a file does not name them. */
const ROLES: Readonly<Record<string, 'user' | 'agent' | 'machine'>> = {
  ...asRole('user', 'user human me you 用户 我 你 使用者'),
  ...asRole('agent', 'assistant agent ai bot model chatgpt claude gemini gpt 助手 助理 ai助手 机器人'),
  ...asRole('machine', 'system developer tool function 系统 工具'),
}

function asRole<Role>(role: Role, names: string): Record<string, Role> {
  return Object.fromEntries(names.split(' ').map((name) => [name, role]))
}

/** A talk that is copied from a page has `You said:` and `ChatGPT 说：` above what was said. */
const SAYS = /(?: said| says|\s*(?:说|說))$/u

/** Who speaks, by a word such as `assistant` or `Human`; `null` for a name. */
export const roleOf = (name: string): 'user' | 'agent' | 'machine' | null =>
  ROLES[name.trim().toLowerCase().replace(SAYS, '')] ?? null

/** Speakers told in an error. */
const SHOWN = 6

/** Everybody who speaks, and in how many turns. */
export type SpeakerCounts = ReadonlyMap<string, number>

/**
 * Which of those who speak is the user: who is named as such, or has the name of the person, or is called by a word for the user.
 *
 * @throws ImportError listing who speaks, when nothing says which is meant
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
  const byUser = user === undefined ? undefined : named(user)
  const byRole = names.filter((name) => roleOf(name) === 'user')
  const chosen = byUser ?? (byRole.length === 1 ? byRole[0] : undefined)
  if (chosen !== undefined) return chosen
  throw new ImportError(
    `${file} does not show which speaker is the user. Set ${optionName(settings, 'speaker')} to one of ${listed(counts)}.`,
    { asks: 'speaker', choices: choicesOf(counts) },
  )
}

/** What can be answered, the most frequent first. */
export const choicesOf = (
  counts: SpeakerCounts,
): readonly { readonly name: string; readonly turns: number }[] =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_CHOICES)
    .map(([name, turns]) => ({ name, turns }))

/** Names that can be chosen from: a page shows no more. */
const MOST_CHOICES = 100

export function listed(counts: SpeakerCounts): string {
  const shown = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN)
  const names = shown.map(([name, count]) => `${JSON.stringify(name)} (${count.toLocaleString('en')})`)
  return `${names.join(', ')}${counts.size > SHOWN ? `, … (${counts.size} in all)` : ''}`
}

/** The user's own words are the user's; everybody else's are what was said to the user. */
export function partOf(
  speaker: string,
  chosen: string,
): { readonly role: 'user' | 'agent'; readonly speaker?: string } {
  const role = speaker === chosen ? 'user' : 'agent'
  return roleOf(speaker) === null ? { role, speaker } : { role }
}
