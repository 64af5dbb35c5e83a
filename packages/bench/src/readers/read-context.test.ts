import { describe, expect, it } from 'vitest'
import { readContext } from './read-context.ts'

/** Writes each line as `day|speaker|text`. */
function told(context: string): string[][] {
  return readContext(context).map((line) =>
    line.map(({ date, speaker, text }) => [date ?? '', speaker ?? '', text].join('|')),
  )
}

describe('the lines of a context', () => {
  it.each([
    // As Keepsake composes them: speeches, and a statement.
    [
      '- [2024-05-02] Juno: "Where to?" / Ana: "To \\"Lyon\\"."',
      ['2024-05-02|Juno|Where to?', '2024-05-02|Ana|To "Lyon".'],
    ],
    ['- [since 2024-05-02 until 2024-06-01] "Ana lives in Lyon."', ['2024-05-02||Ana lives in Lyon.']],
    [
      '- [since 2024-05-02, no longer current as of 2024-06-01] "Ana lives in Lyon."',
      ['2024-05-02||Ana lives in Lyon.'],
    ],
    ['- [2024-05-02] 何敏: "我买了灯笼。"', ['2024-05-02|何敏|我买了灯笼。']],
    // As others do.
    ['[2024-05-02] Ana: To Lyon.', ['2024-05-02|Ana|To Lyon.']],
    ['[2024-05-02T10:15:00Z] Ana: To Lyon.', ['2024-05-02|Ana|To Lyon.']],
    ['[2 May 2024] Ana keeps bees.', ['2 May 2024||Ana keeps bees.']],
    ['2024-05-02: Ana keeps bees.', ['2024-05-02||Ana keeps bees.']],
    ['2024年5月2日：何敏养蜂。', ['2024年5月2日||何敏养蜂。']],
    ['- Ana keeps bees. (2024-05-02)', ['2024-05-02||Ana keeps bees.']],
    ['- Ana keeps bees. (since 2024-05-02T00:00:00Z)', ['2024-05-02||Ana keeps bees.']],
    ['* "Ana keeps bees." (2024-05-02)', ['2024-05-02||Ana keeps bees.']],
    ['3. Ana keeps bees.', ['||Ana keeps bees.']],
    ['user: I keep bees.', ['|user|I keep bees.']],
    [
      '{"memory": "Ana keeps bees.", "role": "user", "created_at": "2024-05-02T10:00:00Z"},',
      ['2024-05-02|user|Ana keeps bees.'],
    ],
    ['“Ana keeps bees.”', ['||Ana keeps bees.']],
    // Lines without marks stay unchanged.
    ['Ana keeps bees (two hives).', ['||Ana keeps bees (two hives).']],
    ['Favourite cheese: Comté', ['||Favourite cheese: Comté']],
    ['3 May 2021 was the day the loom broke.', ['||3 May 2021 was the day the loom broke.']],
    ['[draft] Ana keeps bees.', ['||[draft] Ana keeps bees.']],
    ['"Clotho" is the name of the loom.', ['||"Clotho" is the name of the loom.']],
    ['{ not JSON', ['||{ not JSON']],
  ])('%s', (line, expected) => {
    expect(told(line)).toEqual([expected])
  })

  it('are read from an array of JSON too, and empty lines are none', () => {
    expect(told('[{"text": "Ana keeps bees."}, "Ana sings."]')).toEqual([
      ['||Ana keeps bees.'],
      ['||Ana sings.'],
    ])
    expect(told('\n  \n- \n')).toEqual([])
  })

  it('tell what was so before as that', () => {
    const [line] = readContext(
      '- [since 2024-05-02] "Ana lives in Lyon." (before 2024-05-02: "Ana lives in Porto.")',
    )
    expect(line).toEqual([
      { date: '2024-05-02', speaker: null, text: 'Ana lives in Lyon.', isFormer: false },
      { date: '2024-05-02', speaker: null, text: 'Ana lives in Porto.', isFormer: true },
    ])
  })
})
