import { z } from 'zod'
import type { Grant } from '../access/access.ts'
import { hashOf, LONGEST_KEY } from '../serving/idempotency-key.ts'
import { ToolInputError } from './memory-tool.ts'

/**
 * Where a host puts the key of a call, for all that its model does not write itself: names in `_meta` have the prefix of
 * whoever reads them.
 */
export const IDEMPOTENCY_META = 'keepsake/idempotency-key'

/** The key as an argument, for models that call again what they saw no answer of. */
export const idempotencyKey = z.string().trim().min(1).max(LONGEST_KEY)

/** What the host of a call says its key is; `null`: nothing. @throws ToolInputError for one that is no key */
export function readMetaKey(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  const given = meta?.[IDEMPOTENCY_META]
  if (given === undefined) return null
  const read = idempotencyKey.safeParse(given)
  if (read.success) return read.data
  throw new ToolInputError(
    `_meta["${IDEMPOTENCY_META}"] must be text of 1 to ${LONGEST_KEY} characters. Nothing was done: mend it and call again.`,
  )
}

/** The id that the engine takes for a call's turns: the same call, made again, stores none of them twice. */
export const callIdFor = ({ id }: Grant, key: string): string =>
  `call-${hashOf(['mcp', id, key]).slice(0, 32)}`
