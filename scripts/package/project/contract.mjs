import { openSqliteStore } from 'keepsake'
import { storeContract } from 'keepsake/store'
for (const { skip, run } of storeContract({ open: () => openSqliteStore({ path: ':memory:' }) }))
  if (skip === undefined) await run()
