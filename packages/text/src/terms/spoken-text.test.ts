import { describe, expect, it } from 'vitest'
import { SpokenText, withoutThinking } from './spoken-text.ts'

const CASES: readonly (readonly [string, string])[] = [
  ['<think>They live in Turin.</think>Ciao!', 'Ciao!'],
  ['<think >They live in Turin.</think >Ciao!', 'Ciao!'],
  ['<thinking>\nHm.\n</thinking>\n\nLet us see.', 'Let us see.'],
  ['<Reasoning>A sum: 2 < 3.</Reasoning> Two.', 'Two.'],
  ['They live in Turin.\n</think>\n\nCiao!', 'Ciao!'],
  ['<think>cut off at the limit of its length', ''],
  ['Well.\n<think>more</think>\nDone.', 'Well.\nDone.'],
  ['<think>use `a`, then ```js</think>Here: 1 < 2, <b>bold</b>.', 'Here: 1 < 2, <b>bold</b>.'],
  ['<details type="reasoning" done="true">\n> Hm\n</details>\nYes.', 'Yes.'],
  ['◁think▷They live in Turin.◁/think▷Ciao!', 'Ciao!'],
  ['They live in Turin.◁/think▷Ciao!', 'Ciao!'],
  ['[THINK]They live in [Turin].[/THINK]Ciao!', 'Ciao!'],
  ['<|START_THINKING|>They live in Turin.<|END_THINKING|>Ciao!', 'Ciao!'],
  ['<|channel|>analysis<|message|>Turin.<|end|><|start|>assistant<|channel|>final<|message|>Ciao!', 'Ciao!'],
  ['<scratchpad>Turin.</scratchpad>\nCiao!', 'Ciao!'],
  ['<antThinking>Turin.</antThinking>Ciao!', 'Ciao!'],
  ['<|channel>thought\nTurin.<channel|>Ciao!', 'Ciao!'],
  ['They say "ciao!\n</think>\n`Ciao`!', '`Ciao`!'],
  ['<think>他住在都灵。</think>你好！', '你好！'],
  ['Here is my thought process:\nTurin <b>.\n\nHere is my response:\n\nCiao!', 'Ciao!'],
  ["\nHere's my thought process: Turin. Here's my response: Ciao!", 'Ciao!'],
  ['<think>They live in Turin.</think >Ciao!', 'Ciao!'],
  ['<thinking>\nHm.\n</ thinking>\n\nLet us see.', 'Let us see.'],
  ['< reasoning >A sum: 2 < 3.< / reasoning >Two.', 'Two.'],
  ['They live in Turin.\n< /think>\n\nCiao!', 'Ciao!'],
  ['<think>他住在都灵。\n</think\n>你好！', '你好！'],
  ['<details type="reasoning" done="true">\n> Hm\n</details >\nYes.', 'Yes.'],
  ['<|begin_of_thought|>Turin.<|end_of_thought|>Ciao!', 'Ciao!'],
  ['\n<analysis>\nTurin <b>.\n</analysis>\n\nCiao!', 'Ciao!'],
  ['<analysis>他住在都灵。</analysis>你好！', '你好！'],
]
const KEPT = [
  'Here it is: <analysis>a plan</analysis>, then the answer.',
  '<analysis> opens it, and nothing closes it.',
  '</analysis> ends it.',
  'Here is my thought process: first I boil the water, then I add the tea.',
  'Here is my response: yes.',
  'Well. Here is my thought process: water, then tea. Here is my response: tea.',
  'Here',
  '  Nothing of the kind, 3 < 4 > 2.',
  'The tag `<think>` opens it and `</think>` closes it.',
  'Write "<thinking>" first.',
  'Use this:\n```xml\n<thinking>\nsteps\n</thinking>\n```\nIt helps.',
  'Models write <think> before they answer.',
  '<details><summary>More</summary>text</details>',
  'They [think] twice: [a link](https://example.com) and [1].',
  'Keys: `[THINK]`, then ◁ and ▷, or <|endoftext|>.',
  'I think <thin> air and </thin>.',
  'Put it in tags: `<think>a plan</think>`, then answer.',
  'With ``<think>`a` plan</think>`` it works, and `</think>` ends it.',
  'The model wrote "<thinking>a plan</thinking>" and “<think>more</think>”.',
  '他写了「<think>计划</think>」这几个字。',
  "It said '<think>' and stopped.",
  'Is 3 < think > 2, or a < / b >?',
  'The tag `</think >` ends it.',
]

describe('an answer of a model that thinks aloud', () => {
  it.each(CASES)('%j is what it says', (answer, said) => {
    expect(withoutThinking(answer)).toBe(said)
  })

  it.each(KEPT)('%j is kept', (answer) => {
    expect(withoutThinking(answer)).toBe(answer)
  })

  it('is the same in pieces of any length', () => {
    for (const answer of [...CASES.map(([one]) => one), ...KEPT])
      for (const size of [1, 2, 5, 9]) {
        const spoken = new SpokenText({ mayBeginThinking: answer.startsWith('They') })
        let said = ''
        for (let at = 0; at < answer.length; at += size) said += spoken.push(answer.slice(at, at + size))
        expect(said + spoken.end()).toBe(withoutThinking(answer))
      }
  })

  it('is given piece by piece, but for what may be a tag', () => {
    const spoken = new SpokenText()
    expect(['It is 3 <', ' 4, <th', 'ree> and <think>no'].map((piece) => spoken.push(piece))).toEqual([
      'It is 3 ',
      '< 4, ',
      '<three> and ',
    ])
  })

  it('says whether there was a thought', () => {
    const spoken = new SpokenText()
    const said = [spoken.push('They live in '), spoken.hasThought, spoken.push('Turin.</think>Ciao!')]
    expect([...said, spoken.hasThought]).toEqual(['They live in ', false, 'Ciao!', true])
  })

  it('is held back until a thought without an opening tag ends, not by a tag that is a word', () => {
    const spoken = new SpokenText({ mayBeginThinking: true })
    expect(['They know `</think>`', ' already.</think>', 'Ci', 'ao!'].map((one) => spoken.push(one))).toEqual(
      ['', '', 'Ci', 'ao!'],
    )
  })

  it('may be held back from its beginning, and ends in the midst of a thought', () => {
    const spoken = new SpokenText({ mayBeginThinking: true })
    expect([spoken.push('Hello.\n<think>They'), spoken.push(' greet'), spoken.end()]).toEqual([
      '',
      '',
      'Hello.\n',
    ])
  })

  it('reads many tags that nothing closes', () => {
    expect(withoutThinking('x <think> '.repeat(20_000))).toMatch(/^x/)
    expect(withoutThinking('`<think '.repeat(20_000))).toMatch(/^`<think/)
  })
})
