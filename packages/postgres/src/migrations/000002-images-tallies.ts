import { unsampled, wallIn, type Layout } from './layout.ts'

const IMAGES = ['images']

/**
 * Images of people's caches, in parts; what several recalls did to memories together, as JSON, a list in the order of `touched`; and
 * entries of recalls may leave the log, where a later one stands for them. No other entry ever does.
 */
export function addImagesAndTallies({ partitioned, partitionsOf }: Layout): string {
  return `
CREATE TABLE images (
  owner BIGINT NOT NULL,
  part INTEGER NOT NULL,
  image TEXT NOT NULL,
  parts INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (owner, part)
)${partitioned};
ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;
${partitionsOf(IMAGES)}
${wallIn({ owned: IMAGES, foundByAll: [], counted: [] })}
${unsampled({ images: ['bytes'] })}

ALTER TABLE operations ADD COLUMN tallies TEXT;

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.kind = 'reinforce' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the operation log is append-only';
END $$;
`
}
