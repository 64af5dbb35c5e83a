import type { Session } from '../connection/session.ts'
import { part } from '../connection/sql-part.ts'

const NOW = `(extract(epoch FROM now()) * 1000)::bigint`
/** A day ahead of now, since clocks and zones differ; before 1900 nobody now alive said anything. */
const [EARLIEST, LATEST] = ['-2208988800000::bigint', `(${NOW} + 86400000)`]
const isPlausible = (column: string): string => `${column} BETWEEN ${EARLIEST} AND ${LATEST}`

/** Whether JSON names a time that is not: also one of the application's own, which the mending then leaves. */
const namesImplausible = (column: string): string =>
  `EXISTS (SELECT FROM regexp_matches(${column}, '"(?:validFrom|validUntil|learnedAt|lastAt)":(-?\\d+)', 'g') AS named(times)
    WHERE NOT times[1]::numeric BETWEEN ${EARLIEST} AND ${LATEST})`

/**
 * Times that no clock showed, which earlier versions took: a turn of the year 9999 made whatever came after it a thing of the past, and one
 * beyond the calendar could not be shown at all. A turn gets the time of the one before it, or now. Rows of JSON in which such
 * times stand are put aside for `mendTimes`: Postgres' own functions would order their fields anew, and take no NUL. Person by person, since the
 * walls hold the tables' owner too.
 */
export function repairTimes(): string {
  return `
CREATE TABLE repair (owner BIGINT NOT NULL, place TEXT NOT NULL, number BIGINT NOT NULL, json TEXT NOT NULL);
DO $$
DECLARE
  whose BIGINT;
  mended BIGINT;
  others BIGINT;
BEGIN
  PERFORM set_config('keepsake.sees', 'all', true);
  FOR whose IN SELECT owner FROM owners LOOP
    PERFORM set_config('keepsake.owner', whose::text, true);
    UPDATE turns SET at = coalesce(
      (SELECT earlier.at FROM turns AS earlier
        WHERE earlier.owner = whose AND earlier.scope = turns.scope AND earlier.position < turns.position AND ${isPlausible('earlier.at')}
        ORDER BY earlier.position DESC LIMIT 1), ${NOW})
    WHERE owner = whose AND NOT ${isPlausible('at')};
    GET DIAGNOSTICS mended = ROW_COUNT;
    UPDATE sessions SET
      started_at = CASE WHEN ${isPlausible('started_at')} THEN started_at ELSE coalesce((SELECT min(at) FROM turns
        WHERE turns.owner = whose AND turns.scope = sessions.scope AND turns.session = sessions.number), ${NOW}) END,
      last_at = CASE WHEN ${isPlausible('last_at')} THEN last_at ELSE coalesce((SELECT max(at) FROM turns
        WHERE turns.owner = whose AND turns.scope = sessions.scope AND turns.session = sessions.number), ${NOW}) END,
      ended_at = CASE WHEN ended_at IS NULL OR ${isPlausible('ended_at')} THEN ended_at ELSE ${NOW} END
    WHERE owner = whose AND NOT (${isPlausible('started_at')} AND ${isPlausible('last_at')}
      AND (ended_at IS NULL OR ${isPlausible('ended_at')}));
    GET DIAGNOSTICS others = ROW_COUNT;
    mended := mended + others;
    INSERT INTO repair
      SELECT owner, 'after', sequence, after FROM payloads WHERE owner = whose AND ${namesImplausible('after')}
      UNION ALL SELECT owner, 'before', sequence, before FROM payloads
        WHERE owner = whose AND before IS NOT NULL AND ${namesImplausible('before')}
      UNION ALL SELECT owner, 'state', memory, state FROM memories
        WHERE owner = whose AND state IS NOT NULL AND ${namesImplausible('state')};
    GET DIAGNOSTICS others = ROW_COUNT;
    IF mended + others > 0 THEN
      -- Whoever is at work keeps rows of theirs in a cache: one of an earlier epoch is dropped.
      UPDATE owners SET revision = revision + 1, epoch = epoch + 1 WHERE owner = whose;
      DELETE FROM images WHERE owner = whose;
    END IF;
  END LOOP;
END $$;
`
}

const DAY_MS = 86_400_000
const EARLIEST_MS = Date.UTC(1900, 0, 1)
/** Rows brought over at a time. */
const PAGE = 500

/** Mends the rows of JSON that {@link repairTimes} put aside, in the log and in what the log makes alike. No text changes. */
export async function mendTimes(session: Session): Promise<void> {
  const clock = await session.ask(part`SELECT (extract(epoch FROM now()) * 1000)::bigint`)
  const now = Number(clock.rows[0]?.[0])
  for (;;) {
    const { rows } =
      await session.ask(part`DELETE FROM repair WHERE ctid IN (SELECT ctid FROM repair LIMIT ${PAGE})
      RETURNING owner, place, number, json`)
    if (rows.length === 0) break
    for (const [owner, place, number, json] of rows) {
      await session.ask(part`SELECT set_config('keepsake.owner', ${String(owner)}, true)`)
      await writeMended(session, String(place), [Number(owner), Number(number), mendJson(String(json), now)])
    }
  }
  await session.command('DROP TABLE repair')
}

async function writeMended(
  session: Session,
  place: string,
  [owner, number, json]: readonly [number, number, string],
): Promise<void> {
  if (place === 'state')
    await session.ask(part`UPDATE memories SET state = ${json} WHERE owner = ${owner} AND memory = ${number}`)
  else if (place === 'before')
    await session.ask(
      part`UPDATE payloads SET before = ${json} WHERE owner = ${owner} AND sequence = ${number}`,
    )
  else
    await session.ask(
      part`UPDATE payloads SET after = ${json} WHERE owner = ${owner} AND sequence = ${number}`,
    )
}

type Fields = Record<string, unknown>

/** What an operation changed or a memory is, with plausible times. Fields of the application's metadata are its own. */
function mendJson(json: string, now: number): string {
  const mend = (fields: Fields, names: readonly string[]): void => {
    for (const name of names) {
      const time = fields[name]
      if (typeof time === 'number' && (time < EARLIEST_MS || time > now + DAY_MS)) fields[name] = now
    }
  }
  const change = JSON.parse(json) as Fields & { use?: Fields | null; past?: readonly Fields[] | null }
  mend(change, ['validFrom', 'validUntil', 'learnedAt'])
  mend(change.use ?? {}, ['lastAt'])
  for (const version of change.past ?? []) mend(version, ['validFrom', 'validUntil'])
  return JSON.stringify(change)
}
