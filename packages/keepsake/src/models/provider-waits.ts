// Keeps in the store how long a model's provider has asked to wait, so that `Retry-After` also holds after a restart.
import { z } from 'zod'
import type { Records } from '../store/store.ts'

const COLLECTION = 'provider-waits'
/** Longer waiting times are not stored: who opens a memory again may have another key, so the model is asked once. */
const MAX_STORED_MS = 60_000
const recordSchema = z.object({ until: z.number() })

/** The waiting times of models, by model id. */
export interface ProviderWaits {
  /** Returns the end of a model's waiting time in milliseconds since 1970; `null` without one. */
  readonly load: (model: string) => Promise<number | null>
  /** Stores a waiting time of up to a minute in the background. */
  readonly save: (model: string, waitMs: number) => void
}

/** @param report receives failures of the store, which do not fail a request */
export function providerWaits(
  records: Records,
  { now, report }: { readonly now: () => number; readonly report: (error: unknown) => void },
): ProviderWaits {
  return {
    load: async (model) => {
      const stored = recordSchema.safeParse((await records.getRecord(COLLECTION, model))?.value)
      return stored.success ? stored.data.until : null
    },
    save: (model, waitMs) => {
      if (waitMs > MAX_STORED_MS) return
      const value = { until: now() + waitMs }
      records.putRecord({ collection: COLLECTION, key: model, value, lastsMs: waitMs }).catch(report)
    },
  }
}
