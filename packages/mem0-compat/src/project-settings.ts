import { isDeepStrictEqual } from 'node:util'
import { allows, Problem, type Action, type ServerRequest, type ServerDeps } from '@keepsake/server'
import { splitSentences } from '@keepsake/text'
import type { ScopeKey } from 'keepsake'
import { z } from 'zod'
import { tenantOf } from './mem0-names.ts'
import { readJsonBody, refuse } from './read-body.ts'

const COLLECTION = 'mem0-projects'

const instructions = z.string().max(50_000, 'is longer than 50000 characters').nullish()

/** Fields of an add that say what to keep and what never to keep. */
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

/** Matches the beginning of a sentence about content to exclude: “Exclude: …”, “Do not store …”, 不要记录. */
const EXCLUSION = new RegExp(
  String.raw`^(?:please )?(?:(?:information|details|things|what) to )?` +
    String.raw`(?:(?:exclud(?:e|ed|ing)|omit|skip|ignore|avoid|never|don['’]t|do not)\b|不要|请勿|不得|禁止|排除|忽略)\s*` +
    String.raw`(?:(?:store|storing|keep|remember|extract|include|record|save|capture|mention)\b|保存|存储|记录|记住|提取|包含|收集)?\s*[:：]?\s*`,
  'iu',
)
/** Matches the mark of a list item: `- `, `2. `. */
const LIST_MARK = /^\s*(?:[-*•]|\d+[.)])\s+/u

/** Reads instructions as guidelines, one per sentence or item. “Exclude”, “do not store” and items below go to `never`, others to `keep`. */
export function readInstructions(text: string): { keep: string[]; never: string[] } {
  const lines = { keep: [] as string[], never: [] as string[] }
  let section: keyof typeof lines = 'keep'
  for (const line of text.split('\n')) {
    const isItem = LIST_MARK.test(line)
    for (const { text } of splitSentences(line.replace(LIST_MARK, ''))) {
      const sentence = text.trim()
      const isExclusion = EXCLUSION.test(sentence)
      if (!isItem) section = isExclusion ? 'never' : 'keep'
      const list = isExclusion ? 'never' : section
      const topic = list === 'never' ? sentence.replace(EXCLUSION, '') : sentence
      const isHeading = /[:：]$/u.test(topic)
      if (topic !== '' && !isHeading) lines[list].push(topic)
    }
  }
  return lines
}

/** Stores the instructions of an add or its project as guidelines, until they are replaced. @throws Problem 400 for categories */
export async function applyInstructions(
  deps: ServerDeps,
  key: ScopeKey,
  { custom_instructions: own, includes, excludes, custom_categories: categories }: Instructions,
): Promise<void> {
  const scope = deps.keepsake.scope(key)
  await requireCategories(deps, key, categories)
  const project = await readProject(deps, key.tenant ?? 'default')
  const hasOwnInstructions = [own, includes, excludes].some((value) => (value ?? null) !== null)
  const text = hasOwnInstructions ? (own ?? '') : project
  if (text === null) return
  const { keep, never } = readInstructions(text)
  const guidelines = { keep: [...keep, ...linesOf(includes)], never: [...never, ...linesOf(excludes)] }
  if (!isDeepStrictEqual((await scope.guidelines()).own, guidelines)) await scope.setGuidelines(guidelines)
}

/** Returns a text as one guideline; none for a missing or blank text. */
const linesOf = (text: string | null | undefined): string[] => (text?.trim() ? [text.trim()] : [])

/** Refuses unknown categories. They are set when the server starts, so others in a request would have no effect. */
async function requireCategories(
  { keepsake }: ServerDeps,
  key: ScopeKey,
  requested: Instructions['custom_categories'],
): Promise<void> {
  if ((requested ?? []).length === 0) return
  const knownNames = new Set((await keepsake.scope(key).categories()).map(({ name }) => name))
  const unknownName = (requested ?? []).flatMap(Object.keys).find((name) => !knownNames.has(name))
  if (unknownName === undefined) return
  const problem = `names "${unknownName}", which is no category of this server: set categories when you start it ("keepsake serve --guidelines FILE")`
  throw refuse('body.custom_categories', problem)
}

async function readProject({ keepsake }: ServerDeps, tenant: string): Promise<string | null> {
  const record = await keepsake.records.getRecord(COLLECTION, tenant)
  return record === null
    ? null
    : (record.value as { readonly custom_instructions: string }).custom_instructions
}

/** Checks that the key gives access to the whole tenant, which is Mem0's project. */
function requireTenant(c: ServerRequest, action: Action): string {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  if (grant.users === null && allows(grant, action, { tenant, user: 'mem0' })) return tenant
  throw new Problem(
    403,
    'forbidden',
    `Settings of a project need a key for "${action}" that opens all users of the tenant.`,
  )
}

export async function answerProject(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const tenant = requireTenant(c, 'read')
  const categories = await deps.keepsake.scope({ tenant, user: 'mem0' }).categories()
  return {
    custom_instructions: await readProject(deps, tenant),
    custom_categories: categories.map(({ name, description }) => ({ [name]: description })),
  }
}

/** Stores the instructions of a project. They apply to each user from their next add on. */
export async function updateProject(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const body = await readJsonBody(c, projectSchema)
  const tenant = requireTenant(c, 'write')
  const { keepsake } = deps
  await requireCategories(deps, { tenant, user: 'mem0' }, body.custom_categories)
  const { custom_instructions: text } = body
  if (typeof text === 'string')
    await keepsake.records.putRecord({
      collection: COLLECTION,
      key: tenant,
      value: { custom_instructions: text },
    })
  return { message: 'Updated.' }
}
