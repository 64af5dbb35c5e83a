import { type Form, password } from './find-configured.ts'
import type { SecretSpan } from './secret-span.ts'

/** Forms of passwords typed into programs, without a name or an address before them. */
export const TYPED: readonly Form[] = [
  password(
    /expect/i,
    /\bexpect\b[^\n]{0,120}?(?:assword|assphrase|pin\b|passcode)[^\n]{0,60}\n\s{0,8}send\s{1,3}(?:--\s{1,3})?["'](?<secret>(?:(?!\\[rn])[^"'\n]){1,200})/gi,
  ),
  password(
    /\blogin\b/,
    /\b(?:docker|podman|helm registry|az|oc|gcloud|cf|ibmcloud|skopeo|buildah)\s{1,3}login\b[^\n]{0,200}?\s-p\s{0,3}["']?(?<secret>[^\s"'-][^\s"']{2,200})/g,
  ),
  password(
    /sudo/,
    /\becho\s{1,3}(?:-n\s{1,3})?["']?(?<secret>[^\s"'|]{3,100})["']?\s{0,3}\|\s{0,3}sudo\s{1,3}(?:-\w{1,10}\s{1,3}){0,3}-S/g,
  ),
  password(
    /htpasswd/,
    /\bhtpasswd\s{1,3}-[A-Za-z]{0,5}b[A-Za-z]{0,5}\s{1,3}\S{1,200}\s{1,3}\S{1,100}\s{1,3}(?<secret>\S{1,200})/g,
  ),
  password(
    /-[pPN]/,
    /\b(?:(?:7z[ar]?|rar|unrar)\b[^\n]{0,120}?\s-(?:hp|p)|(?:unzip|zip)\b[^\n]{0,120}?\s-P\s{0,3}|ssh-keygen\b[^\n]{0,120}?\s-[NP]\s{1,3})["']?(?<secret>[^\s"']{3,200})/g,
  ),
  password(
    /net user|chpasswd/i,
    /\bnet\s{1,3}user\s{1,3}[^\s/]\S{0,60}\s{1,3}(?<secret>[^\s/"']\S{2,100})|\becho\s{1,3}(?:-n\s{1,3})?["']?[^\s:"']{1,64}:(?<other>[^\s"'|]{3,100})["']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3})?chpasswd/gi,
  ),
  // Matches password hashes of Django and Werkzeug.
  password(
    /pbkdf2|scrypt/,
    /\b(?:pbkdf2[_:]\w{3,10}(?::\d{1,9})?|scrypt(?::\d{1,9}){3}|scrypt)\$(?<secret>(?:\d{1,9}\$)?[\w./+=-]{4,64}\$[\w./+=-]{20,200})/g,
  ),
  password(/redis-cli/, /\bredis-cli\b[^\n]{0,120}?\s-a\s{1,3}["']?(?<secret>[^\s"']{3,200})/g),
  password(
    /-U/,
    /\b(?:smbclient|rpcclient|net|winexe|smbmap|cifs)\b[^\n]{0,160}?\s-U\s{0,3}["']?[^\s%"']{1,64}%(?<secret>[^\s"']{1,200})/g,
  ),
  password(
    /value=/i,
    /\b(?:key|name|id)=["'][\w.:-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key)[\w.:-]{0,20}["'][^<>\n]{0,80}?\bvalue=["'](?<double>[^"'\n]{3,300})["']/gi,
  ),
]

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
