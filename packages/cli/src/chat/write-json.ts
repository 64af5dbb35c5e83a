import type { Io } from '../io.ts'
import { printJson } from '../output/print.ts'
import type { ChatView } from './chat-view.ts'

/** Writes a talk for programs: one JSON object a line, named by its only or first field. Notes are for people and left out. */
export function writeJson(io: Io): ChatView {
  return {
    isQuiet: false,
    note: () => undefined,
    piece: () => undefined,
    replied({ said, reply, recall }) {
      const { known, confidence, memories } = recall
      const recalled = memories.map(({ memory, score, pending }) => ({
        id: memory.id,
        form: memory.form,
        text: memory.text,
        score,
        pending,
      }))
      printJson(io, { reply, said, known, confidence, ...(this.isQuiet ? {} : { recalled }) })
    },
    brokenOff: (said, why) => printJson(io, { reply: null, said, error: why }),
    learned(news) {
      if (!this.isQuiet) for (const learned of news) printJson(io, { learned })
    },
    shown: ({ data }) => printJson(io, { shown: data }),
    refused: (message) => printJson(io, { refused: message }),
  }
}
