export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** As many digits as papers give: four decimals below one, three below ten, two below ten thousand, none above. */
export function numberText(value: number | null): string {
  if (value === null) return '–'
  const size = Math.abs(value)
  const digits = size < 1 ? 4 : size < 10 ? 3 : size < 10_000 ? 2 : 0
  return String(Number(value.toFixed(digits)))
}
