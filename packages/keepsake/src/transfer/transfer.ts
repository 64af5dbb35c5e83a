import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { ExportRow, Store } from '../stores/store.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { exportRowSchema } from './export-schema.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

/** A person's rows as JSON lines (without line ends), in an order in which they can be read back. */
export async function* exportScope(engine: Engine, resolved: ResolvedScope): AsyncGenerator<string> {
  for await (const row of engine.store.exportRows(resolved.owner)) yield JSON.stringify(row)
}

function parseLine(line: string, number: number): ExportRow {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new InvalidInputError(
      `Line ${number} of the import is not JSON. Nothing was imported.`,
      { line: number },
      cause,
    )
  }
  const parsed = exportRowSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new InvalidInputError(
      `Line ${number} of the import is not a row of a Keepsake export: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. Nothing was imported.`,
      { line: number },
    )
  }
  // The value as it was read, not as parsed: the schema's order of keys is not the export's.
  return value as ExportRow
}

async function* parseLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<ExportRow> {
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() !== '') yield parseLine(line, number)
  }
}

/** Reads an export back, all or none. @throws InvalidInputError naming the line; NotPossibleError when the person has rows already. */
export async function importLines(
  store: Store,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ScopeRow[]> {
  return store.importRows(parseLines(lines))
}
