import { createRows } from './000001-rows.ts'
import { addErasures } from './000002-erasures.ts'
import { addSegmentJobs } from './000003-segment-jobs.ts'
import { addClaimsMetadataRecords } from './000004-claims-metadata-records.ts'
import { addImagesAndTallies } from './000005-images-tallies.ts'
import { repairTimes } from './000006-plausible-times.ts'
import { addHomes } from './000007-homes.ts'

/** In order; the n-th takes a file from schema n − 1 to n. Never edited once released. */
export const migrations: readonly string[] = [
  createRows,
  addErasures,
  addSegmentJobs,
  addClaimsMetadataRecords,
  addImagesAndTallies,
  repairTimes,
  addHomes,
]
