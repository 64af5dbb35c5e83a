import { expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

async function valuesAfter(text: string): Promise<readonly (string | null)[]> {
  const scope = (await openForTest()).scope({ user: 'ana' })
  await scope.remember([
    { role: 'user', text },
    { role: 'user', text: 'ok' },
  ])
  await scope.endSession()
  await scope.drain()
  const facts = await scope.memories({ forms: ['fact'] })
  return facts.map(({ value }) => value)
}

it.each<[text: string, ...values: string[]]>([
  ["<b>I'm a nurse</b> in Leeds", 'nurse'],
  ['I live in <i>Leeds</i>.<br>I have two cats.', 'Leeds', 'two cats'],
  ['I&#39;m allergic to nuts', 'nuts'],
  ['I&#x2019;m vegan &amp; I live in Leeds', 'vegan', 'Leeds'],
  ['I live in Leeds &#x1F3E1; and love it', 'Leeds'],
  ['I like Tom &amp; Jerry', 'Tom & Jerry'],
  ["***I'm a nurse***", 'nurse'],
  ['我住在<b>大理</b>', '大理'],
])('words about oneself that are formatted are read as text: %s', async (text, ...values) => {
  expect(await valuesAfter(text)).toEqual(values)
})

it.each([
  '<b class="lead">I live in Rome</b>',
  '<p>I live in Rome</p>',
  '<div>About</div><b>I live in Rome</b>',
  '<script>x = "I live in Rome"</script>',
  '<cite>I live in Rome</cite>',
  '&quot;I live in Rome&quot;, she said',
  'He said &ldquo;I live in Rome&rdquo;.',
])('a page and a quotation stay the words of others: %s', async (text) => {
  expect(await valuesAfter(text)).toEqual([])
})
