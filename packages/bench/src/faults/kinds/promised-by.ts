import type { KillLedger } from '../../server-load/kill-ledger.ts'
import { Promised } from '../promised.ts'

/** What a server that was written to owes, by the ledger of its writers. */
export function promisedBy(ledger: KillLedger): Promised {
  const promised = new Promised()
  const erased = new Set(ledger.erased)
  for (const { user, text } of ledger.kept) {
    if (erased.has(text)) promised.erase(user, text)
    else if (!ledger.isBeingErased(text)) promised.keep(user, text)
  }
  return promised
}

/** Answers that no request should have got, a sentence each. */
export function refusalsOf({ refusals }: KillLedger): string[] {
  return Object.entries(refusals).map(([what, count]) => `${count} requests were answered with ${what}`)
}
