import { yieldToEventLoop } from '../yield.ts'
import type { SecretSpan } from './mask-secrets.ts'

interface Context {
  readonly sharedOptions: object
  createTranslator(): () => { readonly message: string; readonly messageId: string }
  report(found: { readonly range: readonly [start: number, end: number] }): void
  ignore(): void
}

/** The used parts of a secretlint rule. */
interface Rule {
  readonly meta: { readonly id: string }
  create(context: Context, options: object): { file?(source: object): void | Promise<void> }
}

const NOT_ASKED: ReadonlySet<string> = new Set([
  // Excluded because find-credentials.ts finds these exactly, and their reported ranges differ from the secret.
  '@secretlint/secretlint-rule-aws',
  '@secretlint/secretlint-rule-basicauth',
  // Excluded because it lets a text disable the other rules by a comment.
  '@secretlint/secretlint-rule-filter-comments',
])
/** Matches words of which every form of these rules contains one, so that other texts skip the rules. */
const HINTS =
  /gh[pousr]_|github_pat|glpat|xox|xapp|hooks\.slack|sk-|sk_|rk_|gsk_|hf_|lin_api|ntn_|secret_|SG\.|shp|npm_|_auth|glc_|glsa_|ops_ey|hv[sbr]\.|vc[pixrk]?[iark]?_|dapi|dckr_|figd_|cfk_|cfut_|cfat_|tskey|mongodb|mysql|postgres|x-oauth|private_key|PRIVATE KEY/i
/** Minimum characters of a text that is worth yielding for. On shorter ones each rule takes a few microseconds. */
const LONG = 2_000
let loaded: Promise<readonly Rule[]> | undefined

async function loadRules(): Promise<readonly Rule[]> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  return (rules as unknown as readonly Rule[]).filter(({ meta }) => !NOT_ASKED.has(meta.id))
}

/**
 * Finds API keys, tokens and connection strings by secretlint's recommended rules, a maintained set of service
 * formats.
 * The rules are called without secretlint's core, whose post-processing takes quadratic time and can be disabled by
 * a text.
 */
export async function findKeys(text: string): Promise<SecretSpan[]> {
  if (!HINTS.test(text)) return []
  const spans: SecretSpan[] = []
  const context: Context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: ({ range: [start, end] }) => spans.push({ start, end, kind: 'key' }),
    ignore: () => undefined,
  }
  const source = { content: text, filePath: 'turn.txt', ext: '.txt', contentType: 'text', hasBOM: false }
  for (const rule of await (loaded ??= loadRules())) {
    if (text.length > LONG) await yieldToEventLoop()
    await rule.create(context, {}).file?.(source)
  }
  return spans
}
