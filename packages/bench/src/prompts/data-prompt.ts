import type { Prompt, PromptLanguage } from 'keepsake/parts'
import { fence, type Shown } from './fence.ts'

interface DataPromptParts<Input, Output> extends Omit<Prompt<Input, Output>, 'render'> {
  readonly rules: Readonly<Record<PromptLanguage, string>>
  /** An answer of the right shape: the rules end with it. */
  readonly shape: string
  /** What is judged or read, as data: by tags, or as it is shown. */
  readonly show: (input: Input, language: PromptLanguage) => Shown | string
}

/** A prompt of a judge or reader: its rules in both languages, and under them what it is about. */
export function dataPrompt<Input, Output>(parts: DataPromptParts<Input, Output>): Prompt<Input, Output> {
  const { rules, shape, show, ...rest } = parts
  return {
    ...rest,
    render: (input, language) => {
      const shown = show(input, language)
      return {
        system: `${rules[language]}\n${shape}`,
        user: typeof shown === 'string' ? shown : fence(shown),
      }
    },
  }
}
