import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InputFile } from './input-file.ts'
import { isObject, nameIn, readItems } from './json-records.ts'
import { shapeOf } from './json-shape.ts'

/** Names of people by their ids, and by `@` with their other names. Slack's messages contain only ids. */
export type PeopleNames = ReadonlyMap<string, string>

/** The file of a Slack export that names the people of its channels. */
const USERS_FILE = 'users.json'

/** Reads the names of people in `users.json` of Slack's export. Returns `null` for another file. */
export function readSlackNames(input: InputFile): PeopleNames | null {
  const shape = shapeOf(input)
  if (!shape.has('$[].id') || !shape.has('$[].profile.real_name')) return null
  const names = new Map<string, string>()
  for (const { value } of readItems(input)) {
    if (!isObject(value)) continue
    const profile = isObject(value['profile']) ? value['profile'] : {}
    const candidates = [profile['real_name'], value['real_name'], profile['display_name'], value['name']]
    const id = nameIn(value['id'])
    const name = candidates.map(nameIn).find((candidate) => candidate !== undefined)
    if (id === undefined || name === undefined) continue
    names.set(id, name)
    // A caller may choose a person by the display or account name, which no message contains.
    for (const other of [value['name'], profile['display_name']].map(nameIn))
      if (other !== undefined) names.set(`@${other.toLowerCase()}`, name)
  }
  return names
}

/** Reads the names for a file of a Slack export, from `users.json` in its folder or in the parent folder. */
export function findSlackNames(file: string): PeopleNames | null {
  for (const folder of [dirname(file), dirname(dirname(file))]) {
    const users = join(folder, USERS_FILE)
    if (!existsSync(users)) continue
    const input = InputFile.open(users)
    try {
      return readSlackNames(input)
    } finally {
      input.close()
    }
  }
  return null
}

/** Returns the files of the channels in the folder of a Slack export, by channel and day. Returns none for another folder. */
export function slackFilesIn(folder: string): readonly string[] {
  if (!existsSync(join(folder, USERS_FILE))) return []
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isDirectory())
    .flatMap((channel) =>
      readdirSync(channel)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(channel, name)),
    )
    .toSorted()
}
