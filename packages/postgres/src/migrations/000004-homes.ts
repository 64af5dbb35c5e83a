/**
 * Who has a person at hand: a job says who is to do it as long as others leave it to them, and a claim that was given back (`until` 0) who
 * worked for the person last.
 */
export function addHomes(): string {
  return `
ALTER TABLE jobs ADD COLUMN home TEXT;
CREATE INDEX jobs_of_home ON jobs (home, job) WHERE state = 'queued';
DROP INDEX claims_of_holder;
CREATE INDEX claims_held ON claims (holder) WHERE until > 0;
`
}
