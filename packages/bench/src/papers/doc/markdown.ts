export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** Formats a number with as many decimals as papers give. The larger the number, the fewer. */
export function numberText(value: number | null): string {
  if (value === null) return '–'
  const size = Math.abs(value)
  let decimals = 0
  if (size < 1) decimals = 4
  else if (size < 10) decimals = 3
  else if (size < 10_000) decimals = 2
  return String(Number(value.toFixed(decimals)))
}
