import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Keepsake } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import { serveInspector } from '../inspecting/serve-inspector.ts'
import type { Io } from '../io.ts'
import type { OpenedModels } from '../model-options.ts'
import { discardDatabase, withOpened } from '../open-database.ts'
import { isAddress } from '../postgres-address.ts'
import { readConversation } from './read-conversation.ts'
import type { DemoOptions } from './run-demo.ts'

/** The demo's people, and where their talk is. */
const PEOPLE = [
  ['maya', 'maya-en.jsonl'],
  ['xiaoyu', 'xiaoyu-zh.jsonl'],
  ['maud', 'maud-en.jsonl'],
] as const

/** Remembers the talk of the demo's people in a new file and opens the inspector on it. @throws CliError */
export async function showDemo(io: Io, options: DemoOptions, models: OpenedModels = {}): Promise<void> {
  const { db, keep, preset, json } = options
  if (db !== undefined && (isAddress(db) || existsSync(db)))
    throw wrongUsage(
      `The demo needs a new file, and ${db} exists: set --db to another path, or leave it out.`,
    )
  const file = db ?? join(mkdtempSync(join(tmpdir(), 'keepsake-demo-')), 'demo.db')
  const clock: { at: number | null } = { at: 0 }
  try {
    await withOpened(
      { db: file, ...given({ preset }) },
      async (keepsake) => {
        await rememberPeople(keepsake, clock)
        await serveInspector(io, keepsake, { db: file, port: 0, json, model: models.model })
      },
      { ...models, now: () => clock.at ?? Date.now() },
    )
  } finally {
    if (!keep && db !== undefined) discardDatabase(db)
    else if (!keep) rmSync(dirname(file), { recursive: true, force: true })
  }
}

/**
 * Has the people's talk remembered as if it were held now, session after session.
 *
 * @param clock what the memory is opened with; `at` is `null`, for the present, when this is done
 */
export async function rememberPeople(keepsake: Keepsake, clock: { at: number | null }): Promise<void> {
  for (const [user, conversation] of PEOPLE) {
    const memory = keepsake.scope({ user })
    for (const { id, turns } of readConversation(conversation)) {
      clock.at = Date.parse(turns.at(-1)?.at ?? '')
      await memory.remember(turns, { session: id })
      await memory.endSession(id)
      await memory.drain()
    }
  }
  clock.at = null
}
