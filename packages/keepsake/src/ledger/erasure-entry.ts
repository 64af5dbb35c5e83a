import { createHash, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * What the ledger holds of an erasure: what it was, by digests from which no name, id or word can be read. Who holds it can confirm a guess of an
 * id together with the person it belongs to, and of a person slowly.
 */
const entrySchema = z.object({
  id: z.string(),
  at: z.number(),
  /** The user's row number in the erased store. */
  owner: z.number(),
  /** One for a store, and for all that is copied from it. */
  salt: z.string(),
  /** The user's digest when the whole user was erased; otherwise `null`. */
  person: z.string().nullable(),
  turns: z.array(z.string()),
  memories: z.array(z.string()),
})

export type ErasureEntry = Readonly<z.infer<typeof entrySchema>>

/** @returns `null` for what is no entry: a line that was cut off by a full disk, for example */
export function readEntry(value: unknown): ErasureEntry | null {
  return entrySchema.safeParse(value).data ?? null
}

/** The user that an id belongs to. */
interface Person {
  readonly tenant: string
  readonly user: string
}

const scryptLater = promisify(scrypt) as (secret: string, salt: Buffer, length: number) => Promise<Buffer>

/** Slow on purpose: names are easily guessed. */
export async function digestPerson(salt: string, { tenant, user }: Person): Promise<string> {
  const digest = await scryptLater(JSON.stringify([tenant, user]), Buffer.from(salt, 'base64url'), 16)
  return digest.toString('base64url')
}

/** Hashes the id of a turn or memory, differently for each user. */
export function digestId(salt: string, { tenant, user }: Person, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([salt, tenant, user, id]))
  return hash.digest('base64url').slice(0, 16)
}
