// Finds secrets in tables by the headings of their columns. Called by mask-secrets.ts.
import type { SecretSpan } from './secret-span.ts'

/** Matches a column heading that names a secret: “Password”, “**API key**”, 密码. */
const SECRET_HEADING =
  /^\s*[*_`]{0,2}(?:pass ?(?:word|code|phrase)|passwd|pwd|pin|secret|token|api key|密码|口令|密钥)s?[*_`]{0,2}\s*$/iu

/** Finds the cells below table columns whose headings name secrets. */
export function findInTables(text: string): SecretSpan[] {
  if (!text.includes('|') || !/pass|pwd|pin|secret|token|key|密|口令/i.test(text)) return []
  const spans: SecretSpan[] = []
  let secretColumns: readonly number[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const cells = line.includes('|') ? cellsOf(line) : []
    const headed = cells.flatMap(({ text: cell }, i) => (SECRET_HEADING.test(cell) ? [i] : []))
    if (cells.length < 2) secretColumns = []
    else if (headed.length > 0 && secretColumns.length === 0) secretColumns = headed
    else for (const index of secretColumns) spans.push(...spanOf(cells[index], start))
    start += line.length + 1
  }
  return spans
}

interface Cell {
  readonly text: string
  readonly from: number
}

function cellsOf(line: string): Cell[] {
  let from = 0
  return line.split('|').map((text) => {
    const cell = { text, from }
    from += text.length + 1
    return cell
  })
}

function spanOf(cell: Cell | undefined, start: number): SecretSpan[] {
  const value = cell?.text.trim() ?? ''
  if (cell === undefined || value === '' || /^[:\s-]+$|^\[masked|^\*+$/.test(value)) return []
  const from = start + cell.from + cell.text.indexOf(value)
  return [{ start: from, end: from + value.length, kind: 'password' }]
}
