// Replaces \p{L} and \p{N} in a program's patterns by a few ranges of characters. V8 expands \p{L} to 684 ranges, and to more with the flags
// `iu`, each time it compiles a pattern.
import { parse } from 'acorn'

/**
 * Letters and numbers as ranges. Latin, Cyrillic, Chinese, Japanese and Korean are as in Unicode, but for phonetic and historic letters. In Greek, Thai,
 * Hindi and other scripts some marks between letters count as letters.
 */
const RANGES = {
  L: [
    String.raw`A-Za-z\xaa\xb5\xba`,
    String.raw`\xc0-\xd6\xd8-\xf6\xf8-\u02c1`,
    String.raw`\u0370-\u037d\u037f-\u0386\u0388-\u0481\u048a-\u0588`,
    String.raw`\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u06d5-\u06ef`,
    String.raw`\u06fa-\u0963\u0971-\u0e4e\u0e81-\u135f\u1380-\u1ffc\u2c00-\u2dff`,
    String.raw`\u3005\u3006\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u318e\u3400-\u4dbf\u4e00-\ua48c\ua4d0-\ud7fb`,
    String.raw`\uf900-\ufdfb\ufe70-\ufefc\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\u{1d400}-\u{1d7cb}\u{20000}-\u{3ffff}`,
  ].join(''),
  N: [
    String.raw`0-9\xb2\xb3\xb9\xbc-\xbe\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59`,
    String.raw`\u2070-\u2079\u2080-\u2089\u2150-\u218b\u2460-\u249b\u24ea-\u24ff\u2776-\u2793`,
    String.raw`\u3007\u3021-\u3029\u3220-\u3229\u3280-\u3289\uff10-\uff19`,
  ].join(''),
}

const HAS_CLASS = /\\p\{[LN]\}/iu
/** Match escapes and brackets of a pattern in a program: raw, and in a string that escapes each backslash. */
const RAW = /\\(?:([pP])\{([LN])\}|.)|[[\]]/gsu
const QUOTED = /\\\\(?:([pP])\{([LN])\}|\\\\|.)|[[\]]/gsu

/** Replaces the classes in a pattern. A template literal has several pieces of source, a string or regular expression has one. @param {readonly string[]} pieces */
function compactPattern(pieces) {
  const source = pieces.join('')
  // Leaves patterns with a difference of classes (flag `v`) unchanged.
  if (!HAS_CLASS.test(source) || source.includes('--')) return pieces
  const [token, escape] = /\\\\p\{/iu.test(source) ? [QUOTED, '\\\\'] : [RAW, '\\']
  let isInClass = false
  const compact = pieces.map((piece) =>
    piece.replaceAll(token, (found, sign, name) => {
      if (found === ']' && !isInClass) throw new Error(`A class begins outside of ${source}`)
      if (found === '[' || found === ']') isInClass = found === '['
      if (name === undefined || (isInClass && sign === 'P')) return found
      const ranges = RANGES[/** @type {'L' | 'N'} */ (name)].replaceAll('\\', escape)
      return isInClass ? ranges : `[${sign === 'P' ? '^' : ''}${ranges}]`
    }),
  )
  if (isInClass) throw new Error(`A class ends outside of ${source}`)
  return compact
}

/** Replaces the classes in all patterns, strings and templates of a module. @param {string} code */
export function compactClasses(code) {
  if (!HAS_CLASS.test(code)) return code
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = []
  const visit = (/** @type {any} */ node) => {
    if (typeof node !== 'object' || node === null) return
    const places = node.type === 'TemplateLiteral' ? node.quasis : node.type === 'Literal' ? [node] : []
    const pieces = places.map(({ start, end }) => code.slice(start, end))
    for (const [index, text] of compactPattern(pieces).entries())
      if (text !== pieces[index]) edits.push({ ...places[index], text })
    if (node.type !== 'Literal') for (const child of Object.values(node)) visit(child)
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  edits.sort((one, other) => other.start - one.start)
  return edits.reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), code)
}
