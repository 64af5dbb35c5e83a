import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { expect, it } from 'vitest'
import { maskSecrets } from '@keepsake/text'
import { FORMS_OF_RULES } from './forms-of-rules.ts'

/** By a comment it switches the others off; no form is its. */
const OF_NO_FORM = 'filter-comments'
const NAME = /^@secretlint\/secretlint-rule-/

/** The longest stretch of a secret that a text still shows. */
function longestShown(secret: string, text: string): number {
  let longest = 0
  for (let from = 0; from < secret.length; from++)
    while (text.includes(secret.slice(from, from + longest + 1)) && from + longest < secret.length) longest++
  return longest
}

/** What of a form is no secret: where the key is said to be, and whose it is. */
const SHOWN_OF: Readonly<Record<string, RegExp>> = {
  aws: /^aws_secret_access_key = /,
  npm: /^\/\/registry\.example\.org\/:_auth[T]oken=|^https:\/\/ana:|@github\.com\/x\/y\.git$/g,
  basicauth: /^https:\/\/ana:|@example\.org$/g,
  slack: /^https:\/\/hooks\.slack\.com\/services\//,
  'database-connection-string': /^.*ana:|@.*$/g,
}

it('a form stands here for each rule of the recommended set', () => {
  const ids = (rules as readonly { meta: { id: string } }[]).map(({ meta }) => meta.id.replace(NAME, ''))
  expect(ids.filter((id) => id !== OF_NO_FORM).sort()).toEqual(Object.keys(FORMS_OF_RULES).sort())
})

it.each(
  Object.entries(FORMS_OF_RULES).flatMap(([rule, forms]) =>
    forms.map((form, at) => [rule, at + 1, form] as const),
  ),
)('%s, form %i is masked in talk of both languages', async (rule, _, form) => {
  for (const text of [`here you are: ${form}\nok?`, `给你\n${form}\n别外传`]) {
    const { text: masked } = await maskSecrets(text)
    if (rule === 'gcp') {
      expect(longestShown(form.slice(form.indexOf('MIIE'), form.indexOf('-----END')), masked)).toBeLessThan(9)
      continue
    }
    const secret = form.replace(SHOWN_OF[rule] ?? /^$/, '')
    expect({ masked, shown: longestShown(secret, masked) < 9 }).toEqual({ masked, shown: true })
  }
})
