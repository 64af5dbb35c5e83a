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
  ["1) I'm a nurse 2) I live in Leeds 3) I'm allergic to bees", 'nurse', 'Leeds', 'bees'],
  ['(a) i work at Tesco (b) my cat is called Tibbles', 'Tesco', 'cat Tibbles'],
  ['Allergies: pollen, dogs, nickel', 'pollen, dogs and nickel'],
  ["I'm allergic to soy, kiwi, wool", 'soy, kiwi and wool'],
  ["* **I'm allergic to latex**", 'latex'],
  ["- I'm **allergic** to *latex*", 'latex'],
  ["I'm _allergic_ to `latex`.", 'latex'],
  [
    "### About me\n\nI live in Leeds.\n\n- I have a cat called Moos\n- I'm a nurse",
    'Leeds',
    'cat Moos',
    'nurse',
  ],
  ['<p>I live in <b>Leeds</b></p><p>I&#39;m a nurse</p>', 'Leeds', 'nurse'],
  ['<div>I&rsquo;m a nurse.<br>I live in Leeds</div>', 'nurse', 'Leeds'],
  ["<ul><li>I live in Leeds</li><li>I'm a nurse</li></ul>", 'Leeds', 'nurse'],
  ['* **我对花生过敏**', '花生'],
  ['~~I live in Rome.~~ I live in Turin.', 'Turin'],
  ['I live in [Delft](https://en.wikipedia.org/wiki/Delft).', 'Delft'],
  ['我住在[大理](https://zh.wikipedia.org/wiki/大理)。', '大理'],
  ['我对*花生*过敏。', '花生'],
  ['### 关于我\n\n我住在大理。', '大理'],
  ['<p>我住在大理</p><p>我养了一只猫叫咪咪</p>', '大理', '猫咪咪'],
  ['我住在<b>大理</b>', '大理'],
  ['# About me\n- Name: Ana\n- Lives in Delft\n- Works as a nurse', 'Ana', 'Delft', 'nurse'],
  ['About me:\n- Allergic to nuts\n- Has two cats', 'nuts', 'two cats'],
  ['# 关于我\n- 姓名：王芳\n- 住在苏州\n- 对花生过敏', '王芳', '苏州', '花生'],
  ["<h1>About me</h1><p>I live in Delft and I'm a nurse.</p>", 'Delft', 'nurse'],
  ['<h1>关于我</h1><ul><li>住在苏州</li></ul>', '苏州'],
  ['# About me\n- Lives in Delft\n# About my sister\n- Lives in Rome\n- Name: Mia', 'Delft'],
  ['| me | |\n|---|---|\n| Name | Ana |\n| Lives in | Delft |', 'Ana', 'Delft'],
  ['| field | value |\n|---|---|\n| Job | nurse |\n| Allergies | nuts |', 'nurse', 'nuts'],
  ['| 姓名 | 王芳 |\n|---|---|\n| 城市 | 苏州 |', '王芳', '苏州'],
  ['【个人信息】姓名：王芳 城市：苏州', '王芳', '苏州'],
  ["I'm Dave, 34, a nurse from Hull who loves dogs", 'Dave', '34', 'nurse', 'Hull'],
  ['- I am: a nurse\n- I live in: Delft', 'nurse', 'Delft'],
  ['pls remember: wife = Dot', 'wife Dot'],
  ['remember: dog = Pip, city = Delft', 'dog Pip', 'Delft'],
  ['请记住：老婆=小芸', '老婆小芸'],
  ['medical: asthmatic, allergic to nuts', 'asthmatic', 'nuts'],
  ['病史：哮喘，对花生过敏', '哮喘', '花生'],
  ['so um I live in, uh, Delft', 'Delft'],
  ['I live in Delft. ok or boring?', 'Delft'],
])('words about oneself that are formatted are read as text: %s', async (text, ...values) => {
  expect(await valuesAfter(text)).toEqual(values)
})

it.each([
  '<b class="lead">I live in Rome</b>',
  '# My sister\n- Lives in Rome\n- Name: Mia',
  '# About me\nMy sister:\n- Lives in Rome',
  '# About us\n- Lives in Rome',
  '<h1>About the author</h1><p>I live in Rome.</p>',
  '我的妹妹\n- 住在苏州',
  'Why is <p>I live in Rome</p> not shown?',
  '<p class="bio">I live in Rome</p>',
  '<h1>About</h1><p>I live in Rome</p>',
  '### Guest book\n\nI live in Rome.',
  '*I live in Rome* she thought.',
  '| name | city |\n|---|---|\n| Joe | Rome |\n| Ann | Turin |',
  "my boss's details\n| Name | Ted |\n| Lives in | Rome |",
  '| day | city |\n|---|---|\n| Monday | Rome |',
  "remember: Bob's wife = Jill",
  'wife: lovely',
  'x = 5, wife = y',
  'budget: rent = 500, city = 200',
  '~~I live in Rome.~~',
  '*grins* and *says I live in Rome*',
  '<div>About</div><b>I live in Rome</b>',
  '<script>x = "I live in Rome"</script>',
  '<cite>I live in Rome</cite>',
  '&quot;I live in Rome&quot;, she said',
  'He said &ldquo;I live in Rome&rdquo;.',
])('a page and a quotation stay the words of others: %s', async (text) => {
  expect(await valuesAfter(text)).toEqual([])
})
