// Finds keys and tokens by their published forms, and passwords by what stands around them. Called by mask-secrets.ts.
import { ASSIGNED } from './assigned-forms.ts'
import { CONFIGURED } from './configured-forms.ts'
import { COMMON_KEYS, SERVICE_KEYS } from './key-forms.ts'
import type { Form } from './secret-form.ts'
import type { Finder, SecretSpan } from './secret-span.ts'
import { STATED_FORMS } from './stated-forms.ts'
import { TYPED } from './typed-forms.ts'

const FORMS: readonly Form[] = [
  ...COMMON_KEYS,
  ...ASSIGNED,
  ...CONFIGURED,
  ...SERVICE_KEYS,
  ...TYPED,
  ...STATED_FORMS,
]

/** Finds keys, tokens and passwords. Each finder looks for one form and returns spans that are exact to the character. */
export const CREDENTIALS: readonly Finder[] = FORMS.map(toFinder)
/** The finders of `CREDENTIALS` that can match a text without 16 key characters in a row. */
export const SHORT_CREDENTIALS: readonly Finder[] = FORMS.filter(({ isToken }) => !isToken).map(toFinder)

function toFinder(form: Form): Finder {
  return (text) => findForm(form, text)
}

function findForm({ hint, pattern, kind, isSecret }: Form, text: string): SecretSpan[] {
  if (!hint.test(text)) return []
  return [...text.matchAll(pattern)].flatMap((match): SecretSpan[] => {
    const found = valueOf(match)
    if (found === null || PLACEHOLDER.test(found.value) || !isSecret(found.value, match)) return []
    return [{ start: found.start, end: found.start + found.value.length, kind }]
  })
}

interface Value {
  readonly value: string
  readonly start: number
}

/** Returns the matched value, without the full stop of its sentence. */
function valueOf(match: RegExpExecArray): Value | null {
  const { secret, other, double, single, plain } = match.groups ?? {}
  const value =
    secret ?? other ?? double ?? single ?? plain ?? (match.groups === undefined ? match[0] : undefined)
  if (value === undefined || value === '') return null
  const start = match.index + match[0].lastIndexOf(value)
  const isBare = double === undefined && single === undefined
  const trimmed = isBare ? value.replace(/[.,;!?。，；！？）)'"]+$/u, '') : value
  return trimmed === '' ? null : { value: trimmed, start }
}

/** Matches placeholders for a missing or masked value. */
const PLACEHOLDER =
  /^(?:\[masked|\*+$|x{3,}$|\.{3,}|<|\$\{?\w|%\w+%|\{\{|(?:null|none|nil|true|false|undefined|required|optional|string|number|text|hidden|redacted|example|changeme|your[_-].*|todo|tbd|n\/a|yes|no|process\.env.*|os\.environ.*|env\..*|req\..*|self\..*|this\..*|config\..*)$)/i
