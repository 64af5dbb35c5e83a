/** A table; cells are kept on one line. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** As many digits as papers give: four decimals below one, two below ten thousand, none above. */
export function numberText(value: number | null): string {
  if (value === null) return '–'
  const digits = Math.abs(value) >= 10_000 ? 0 : Math.abs(value) < 1 ? 4 : 2
  return String(Number(value.toFixed(digits)))
}
