import { formatReceipt } from '../../output/format-receipt.ts'
import { wrap } from '../../output/style.ts'
import { findInFiles } from '../search-files.ts'
import { memoryOf, putToTest, type Chapter } from '../stage.ts'

export const erase: Chapter = {
  title: 'Erasing',
  about: 'The right to be forgotten, to the last byte: text, vectors, index and everything drawn from it.',
  async tell(stage) {
    const person = stage.chinese
    const texts = person.sessions.flatMap((session) => session.turns.map((turn) => turn.text))
    const before = findInFiles(stage.file, texts)
    const receipt = await memoryOf(stage, person).erase()
    const after = findInFiles(stage.file, texts)
    const { say, style } = stage
    say(
      `   Before: ${before.found.length} of ${person.name}'s ${texts.length} turns can be read in the database's files.`,
    )
    if (receipt !== null) say(wrap(formatReceipt(receipt), style.width, '   '))
    putToTest(
      stage,
      `After: ${after.found.length} of ${texts.length}, looking through every byte of ${after.files.length === 1 ? 'its file' : `its ${after.files.length} files`}.`,
      before.found.length > 0 && after.found.length === 0,
    )
    return { before: before.found.length, after: after.found.length, receipt }
  },
}
