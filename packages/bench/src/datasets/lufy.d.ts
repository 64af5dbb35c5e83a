import type { Dataset } from './conversation.ts'
/** One annotator's file: who said what, what they marked important, and the questions about the session. */
export interface LufySession {
  readonly turns: readonly LufyTurn[]
  readonly questions: readonly {
    readonly question: string
    readonly answer: string
  }[]
}
export interface LufyTurn {
  readonly role: 'user' | 'agent'
  readonly speaker: string
  readonly text: string
  /** The annotator's mark on a user's turn; `null` where there is none. */
  readonly important: boolean | null
}
/**
 * The LUFY dataset's published tree, `{system}/{person}/Session{n}/Annotator0.xlsx`; the path may be the tree
 * itself or a folder holding it as `Dataset`. One memory a person and system; a unit is an agent's utterance and
 * the user's answer to it. No unit is named by the data as evidence: `metrics/lufy-correctness.ts` decides.
 *
 * @throws DatasetError naming the file and what is wrong in it.
 */
export declare function loadLufy(directory: string): Promise<Dataset>
/** Reads one annotator's workbook. @throws DatasetError when it lacks either sheet or their columns. */
export declare function readLufySession(file: string, bytes: Buffer): Promise<LufySession>
//# sourceMappingURL=lufy.d.ts.map
