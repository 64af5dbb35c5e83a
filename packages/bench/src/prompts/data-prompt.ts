import { readFileSync } from 'node:fs'
import type { Prompt, PromptLanguage } from 'keepsake/preset'
import { fence, type Shown } from './fence.ts'

interface DataPromptParts<Input, Output> extends Omit<Prompt<Input, Output>, 'render'> {
  /** An example of a valid answer, with which the rules end. */
  readonly shape: string
  /** The judged or read text, as tagged data or as it is shown. */
  readonly show: (input: Input, language: PromptLanguage) => Shown | string
}

const RULES = new URL('../../data/prompts/', import.meta.url)

/** A prompt of a judge or reader: its rules, which stand in `data/prompts/<id>.<language>.txt`, followed by its subject. */
export function dataPrompt<Input, Output>(parts: DataPromptParts<Input, Output>): Prompt<Input, Output> {
  const { shape, show, ...rest } = parts
  return {
    ...rest,
    render: (input, language) => {
      const shown = show(input, language)
      return {
        system: `${promptRules(RULES, parts.id, language)}\n${shape}`,
        user: typeof shown === 'string' ? shown : fence(shown),
      }
    },
  }
}

/** The rules of a prompt, as they stand in a folder's text file; the file's last newline is none of theirs. */
export function promptRules(folder: URL, id: string, language: PromptLanguage): string {
  return readFileSync(new URL(`${id}.${language}.txt`, folder), 'utf8').replace(/\n$/, '')
}
