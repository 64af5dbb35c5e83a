import { isDeepStrictEqual } from 'node:util'
import { allows, Problem, type Action, type ServerRequest } from '@keepsake/server'
import { splitSentences } from '@keepsake/text'
import type { ScopeKey } from 'keepsake'
import { z } from 'zod'
import { tenantOf, type Mem0Context } from './mem0-names.ts'
import { readJsonBody, refuse } from './read-body.ts'

const COLLECTION = 'mem0-projects'

const instructions = z.string().max(50_000, 'is longer than 50000 characters').nullish()

/** What an add says of what is kept. */
export const INSTRUCTIONS = {
  custom_instructions: instructions,
  includes: instructions,
  excludes: instructions,
  custom_categories: z
    .array(z.record(z.string(), z.unknown()), {
      error: 'must be a list such as [{"food": "What they eat."}]',
    })
    .nullish(),
}

export type Instructions = z.infer<z.ZodObject<typeof INSTRUCTIONS>>

const projectSchema = z.strictObject({
  custom_instructions: instructions,
  custom_categories: INSTRUCTIONS.custom_categories,
})

/** Words that begin what is left out: “Exclude: …”, “Do not store …”, 不要记录. */
const LEFT_OUT = new RegExp(
  String.raw`^(?:please )?(?:(?:information|details|things|what) to )?` +
    String.raw`(?:(?:exclud(?:e|ed|ing)|omit|skip|ignore|avoid|never|don['’]t|do not)\b|不要|请勿|不得|禁止|排除|忽略)\s*` +
    String.raw`(?:(?:store|storing|keep|remember|extract|include|record|save|capture|mention)\b|保存|存储|记录|记住|提取|包含|收集)?\s*[:：]?\s*`,
  'iu',
)
const MARK = /^\s*(?:[-*•]|\d+[.)])\s+/u

/**
 * Reads a free text of instructions as guidelines, a sentence or item each. What begins with words such as “exclude” or “do not store”,
 * and the items below a heading that does, is never kept; all else says what is kept.
 *
 * @example
 * readInstructions('Extract only food.\nExclude:\n- salary') // { keep: ['Extract only food.'], never: ['salary'] }
 */
export function readInstructions(text: string): { keep: string[]; never: string[] } {
  const lines = { keep: [] as string[], never: [] as string[] }
  let section: keyof typeof lines = 'keep'
  for (const line of text.split('\n')) {
    const isItem = MARK.test(line)
    for (const { text: sentence } of splitSentences(line.replace(MARK, ''))) {
      const said = sentence.trim()
      const isLeftOut = LEFT_OUT.test(said)
      if (!isItem) section = isLeftOut ? 'never' : 'keep'
      const list = isLeftOut ? 'never' : section
      const named = list === 'never' ? said.replace(LEFT_OUT, '') : said
      if (named !== '' && !/[:：]$/u.test(named)) lines[list].push(named)
    }
  }
  return lines
}

/**
 * Makes the instructions of an add, or else those of its project, the guidelines of its scope; they stay so until others come.
 *
 * @throws Problem 400 for categories that the server was started without
 */
export async function applyInstructions(
  { deps }: Mem0Context,
  key: ScopeKey,
  { custom_instructions: own, includes, excludes, custom_categories: categories }: Instructions,
): Promise<void> {
  const scope = deps.keepsake.scope(key)
  await requireCategories(deps, key, categories)
  const project = await readProject(deps, key.tenant ?? 'default')
  const isSilent = [own, includes, excludes].every((given) => (given ?? null) === null)
  const text = isSilent ? project : (own ?? '')
  if (text === null) return
  const { keep, never } = readInstructions(text)
  const wanted = { keep: [...keep, ...linesOf(includes)], never: [...never, ...linesOf(excludes)] }
  if (!isDeepStrictEqual((await scope.guidelines()).own, wanted)) await scope.setGuidelines(wanted)
}

const linesOf = (text: string | null | undefined): string[] => (text?.trim() ? [text.trim()] : [])

/** Categories are given where the server starts: a list that names others would have no effect. */
async function requireCategories(
  { keepsake }: Mem0Context['deps'],
  key: ScopeKey,
  given: Instructions['custom_categories'],
): Promise<void> {
  if ((given ?? []).length === 0) return
  const known = new Set((await keepsake.scope(key).categories()).map(({ name }) => name))
  const other = (given ?? []).flatMap(Object.keys).find((name) => !known.has(name))
  if (other === undefined) return
  const problem = `names "${other}", which is no category of this server: give categories where it starts ("keepsake serve --guidelines FILE")`
  throw refuse('body.custom_categories', problem)
}

async function readProject({ keepsake }: Mem0Context['deps'], tenant: string): Promise<string | null> {
  const record = await keepsake.records.getRecord(COLLECTION, tenant)
  return record === null
    ? null
    : (record.value as { readonly custom_instructions: string }).custom_instructions
}

/** A project is a tenant: its settings take a key that opens all of it. */
function requireTenant(c: ServerRequest, action: Action): string {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  if (grant.users === null && allows(grant, action, { tenant, user: 'mem0' })) return tenant
  throw new Problem(
    403,
    'forbidden',
    `Settings of a project take a key for "${action}" that opens all users of the tenant.`,
  )
}

export async function answerProject({ deps }: Mem0Context, c: ServerRequest): Promise<object> {
  const tenant = requireTenant(c, 'read')
  const categories = await deps.keepsake.scope({ tenant, user: 'mem0' }).categories()
  return {
    custom_instructions: await readProject(deps, tenant),
    custom_categories: categories.map(({ name, description }) => ({ [name]: description })),
  }
}

/** Stores the instructions of a project. They count for each user from their next add on. */
export async function updateProject(context: Mem0Context, c: ServerRequest): Promise<object> {
  const body = await readJsonBody(c, projectSchema)
  const tenant = requireTenant(c, 'write')
  const { keepsake } = context.deps
  await requireCategories(context.deps, { tenant, user: 'mem0' }, body.custom_categories)
  const { custom_instructions: text } = body
  if (typeof text === 'string')
    await keepsake.records.putRecord({
      collection: COLLECTION,
      key: tenant,
      value: { custom_instructions: text },
    })
  return { message: 'Updated.' }
}
