import type { ImportQuestion } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'

const FLAGS: Readonly<Record<ImportQuestion['asks'], string>> = {
  speaker: '--speaker',
  dateOrder: '--date-order',
  of: '--of',
  user: '--user',
  format: '--format',
}

/** Returns a setting as the caller writes it: `--date-order day-first` on the command line, `dateOrder=day-first` in a request. */
export function optionName(
  { by }: Pick<ImportSettings, 'by'>,
  asks: ImportQuestion['asks'],
  value?: string,
): string {
  if (by === 'request') return value === undefined ? `"${asks}"` : `${asks}=${value}`
  return value === undefined ? FLAGS[asks] : `${FLAGS[asks]} ${value}`
}
