import { memoryBank } from '@keepsake/papers'
import { expect, it } from 'vitest'
import { InvalidInputError, openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { FORMS_OF_RULES } from './forms-of-rules.ts'
import { SECRET_FORMS } from './forms.ts'

interface Form {
  readonly text: string
  readonly secret: string
}

/** Rules whose forms hold what is no secret as well; these are among the others, marked. */
const MIXED = ['aws', 'npm', 'basicauth', 'slack', 'database-connection-string', 'gcp']
const FORMS: readonly Form[] = [
  ...SECRET_FORMS.map(({ text }) => ({
    text: text.replace(/[⟦⟧]/g, ''),
    secret: /⟦([^⟧]*)⟧/.exec(text)?.[1] ?? '',
  })),
  ...Object.entries(FORMS_OF_RULES)
    .filter(([rule]) => !MIXED.includes(rule))
    .flatMap(([, forms]) => forms.map((secret) => ({ text: `use ${secret} for it`, secret }))),
]

const AROUND: Readonly<Record<string, (text: string) => string>> = {
  English: (text) => `By the way, ${text}`,
  Chinese: (text) => `顺便说一下，${text}`,
}

/** Where a text goes in and is masked. */
const MASKED_AT: Readonly<Record<string, (ana: ScopedMemory, text: string) => Promise<unknown>>> = {
  turn: (ana, text) => ana.remember({ role: 'user', text }),
  'a turn of the agent': (ana, text) => ana.remember({ role: 'assistant', text }),
  speaker: (ana, speaker) => ana.remember({ role: 'other', speaker, text: 'Hello.' }),
  metadata: (ana, text) => ana.remember({ role: 'user', text: 'Hello.', metadata: { topic: [text] } }),
  note: (ana, text) => ana.note(text, { metadata: { text } }),
}
/** Where a name goes in, and is refused. */
const REFUSED_AT: Readonly<
  Record<string, (ana: ScopedMemory, text: string, keepsake: Keepsake) => Promise<unknown>>
> = {
  'id of a turn': (ana, id) => ana.remember({ role: 'user', text: 'Hello.', id }),
  'name of a session': (ana, session) => ana.remember({ role: 'user', text: 'Hello.' }, { session }),
  'name of a user': async (_, user, keepsake) =>
    keepsake.scope({ user }).remember({ role: 'user', text: 'Hello.' }),
  'name of a note': (ana, name) => ana.note('Hello.', { name }),
}

it.each(Object.entries(AROUND))(
  'no form of secret is stored, by whatever door it comes, in %s',
  async (_, around) => {
    const keepsake = await openMemory({ path: ':memory:', preset: memoryBank })
    const stored: string[] = []
    let tried = 0
    for (const [at, { text, secret }] of FORMS.entries()) {
      const ana = keepsake.scope({ user: `ana-${at}` })
      for (const take of Object.values(MASKED_AT)) {
        tried += 1
        // What is too long to be a name, or stands on several lines, is refused as a name: nothing is stored then either.
        await take(ana, around(text)).catch(refusedOnly)
      }
      for (const [door, take] of Object.entries(REFUSED_AT)) {
        tried += 1
        const refused = await take(ana, around(text), keepsake).then(() => false, refusedOnly)
        if (!refused) stored.push(`${door}: ${text}`)
      }
      const lines = (await Array.fromAsync(ana.export())).join('\n')
      if (holds(lines, secret)) stored.push(text)
    }
    await keepsake.close()
    process.stdout.write(`secrets at doors: ${tried} tried, ${stored.length} stored\n`)
    expect(stored).toEqual([])
  },
  600_000,
)

function refusedOnly(error: unknown): true {
  if (!(error instanceof InvalidInputError)) throw error
  return true
}

/** An export is JSON: what has quotes or line ends stands there escaped. Numbers as short as a PIN stand in times as well. */
function holds(lines: string, secret: string): boolean {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return secret.length > 6 || !/^\d+$/.test(secret)
    ? lines.includes(escaped)
    : new RegExp(String.raw`"(?:text|speaker|topic)":\[?"[^"]*(?<!\d)${secret}(?!\d)`).test(lines)
}
