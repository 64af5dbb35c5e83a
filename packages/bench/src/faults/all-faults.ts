import type { Fault } from './fault.ts'
import { cutPostgres } from './kinds/cut-postgres.ts'
import { killOnPostgres } from './kinds/kill-on-postgres.ts'
import { killPostgres } from './kinds/kill-postgres.ts'
import { cutConnections } from './kinds/cut-connections.ts'
import { cutFiles } from './kinds/cut-files.ts'
import { frozenFiles, fullDisk, readOnlyDisk, slowDisk } from './kinds/failing-disk.ts'
import { jumpingClock } from './kinds/jumping-clock.ts'
import { killChat } from './kinds/kill-chat.ts'
import { killConsolidation } from './kinds/kill-consolidation.ts'
import { killMigrate } from './kinds/kill-migrate.ts'
import { killErasing, stopErasing } from './kinds/kill-erasing.ts'
import { killServerOnce } from './kinds/kill-server-once.ts'
import { killWorker } from './kinds/kill-worker.ts'
import { raceOpening } from './kinds/race-opening.ts'
import { repeatDeliveries } from './kinds/repeat-deliveries.ts'

/** Everything that can be made to go wrong. A new one is a file in `kinds/` and a line here. */
export const FAULTS: readonly Fault[] = [
  killServerOnce,
  killWorker,
  killChat,
  killConsolidation,
  cutConnections,
  repeatDeliveries,
  jumpingClock,
  raceOpening,
  killErasing,
  stopErasing,
  fullDisk,
  cutFiles,
  killPostgres,
  cutPostgres,
  killOnPostgres,
  killMigrate,
  readOnlyDisk,
  frozenFiles,
  slowDisk,
]
