import { expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

it.each([
  ['yes', 'Yes, please. | yep | go ahead | Do it. | Yes, I am really sure. | Sure, delete it all'],
  [
    'yes',
    '是的 | 嗯 | 对，删吧 | 没错 | 好的，都删了吧 | Ja, bitte. | Mach das | Ja, lösch alles | Sí, por favor. | Dale',
  ],
  [
    'yes',
    'Oui, vas-y. | Oui, supprime tout | Sim, por favor | Pode apagar | はい、お願いします | うん | 네. | 응 | 네, 다 지워줘',
  ],
  [
    'no',
    'No, wait | nah | Not now | Sure, but not my allergies | yes but keep the name | 算了 | 别 | Nein, doch nicht.',
  ],
  [
    'no',
    'Lieber nicht | No, mejor no. | Claro que no | Non merci | Não, deixa | いいえ | やめておきます | 아니요 | 아니, 됐어',
  ],
  [
    null,
    "I'm sure it will rain. | OK so yesterday I went out | 对了，我明天去北京 | 好吃的餐厅有哪些？ | そうですね、明日は",
  ],
  [null, 'ok | Sure. | 好 | Claro | 알았어 | Sure enough it rained'],
] as const)('answers %s: %s', (answer, texts) => {
  expect(texts.split(' | ').map((text) => [text, readAnswer(text)])).toEqual(
    texts.split(' | ').map((text) => [text, answer]),
  )
})

it('takes “ok” for a yes where one was asked', () => {
  for (const text of ['ok', 'Sure.', '好', 'Claro', '알았어']) expect(readAnswer(text, true)).toBe('yes')
  expect(readAnswer('OK so yesterday I went out', true)).toBeNull()
})
