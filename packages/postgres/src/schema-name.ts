import { InvalidInputError } from 'keepsake'

/** Checks a schema name, which becomes part of SQL text. @throws InvalidInputError for an invalid one */
export function requireSchemaName(schema: string): void {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw new InvalidInputError(
      'The schema must be a name of small letters, digits and "_", at most 40 of them, beginning with a letter.',
    )
}
