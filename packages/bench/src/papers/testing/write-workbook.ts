import { strToU8, zipSync } from 'fflate'

type Cell = string | number

/** Writes a workbook (.xlsx) of plain sheets, with only those parts of the format that the harness reads. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Uint8Array {
  const names = Object.keys(sheets)
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const relations = (of: readonly string[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${of.join('')}</Relationships>`
  const part = (name: string, type: string): string =>
    `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const pages = names.map((_, place) => `/xl/worksheets/sheet${place + 1}.xml`)
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${pages.map((page) => part(page, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': relations([relation(1, 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names.map((name, place) => `<sheet name="${name}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, place) => relation(place + 1, 'worksheet', `worksheets/sheet${place + 1}.xml`)),
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, place) => [`xl/worksheets/sheet${place + 1}.xml`, sheetXml(rows)]),
    ),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])))
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const cellXml = (cell: Cell, row: number, column: number): string => {
    const name = `${String.fromCharCode(65 + column)}${row + 1}`
    return typeof cell === 'number'
      ? `<c r="${name}"><v>${cell}</v></c>`
      : `<c r="${name}" t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`
  }
  const lines = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, row, column)).join('')}</row>`,
  )
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`
}
