import { formatReceipt } from '../../output/format-receipt.ts'
import { findInFiles } from '../search-files.ts'
import type { Chapter } from '../stage.ts'

export const erase: Chapter = {
  title: 'Erasing',
  about:
    'The right to be forgotten, to the last byte: text, vectors, index and everything derived from them.',
  async tell({ file, chinese, say, paragraph, putToTest }) {
    const { name, sessions, memory } = chinese
    const texts = sessions.flatMap(({ turns }) => turns.map(({ text }) => text))
    const before = findInFiles(file, texts).found.length
    const receipt = await memory.erase()
    const { files, found } = findInFiles(file, texts)
    const after = found.length
    say(`   Before: ${before} of ${name}'s ${texts.length} turns can be read in the database's files.`)
    if (receipt !== null) paragraph(formatReceipt(receipt))
    putToTest(
      `After: ${after} of ${texts.length}, looking through every byte of ${files.length === 1 ? 'its file' : `its ${files.length} files`}.`,
      before > 0 && after === 0,
    )
    return { before, after, receipt }
  },
}
