import { openSqliteStore } from 'keepsake'
import { storeContract } from 'keepsake/store-kit'
for (const { skip, run } of storeContract({ open: () => openSqliteStore({ path: ':memory:' }) }))
  if (skip === undefined) await run()
