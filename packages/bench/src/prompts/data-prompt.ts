import type { Prompt, PromptLanguage } from 'keepsake/preset'
import { fence, type Shown } from './fence.ts'

interface DataPromptParts<Input, Output> extends Omit<Prompt<Input, Output>, 'render'> {
  readonly rules: Readonly<Record<PromptLanguage, string>>
  /** An example of a valid answer, with which the rules end. */
  readonly shape: string
  /** The judged or read text, as tagged data or as it is shown. */
  readonly show: (input: Input, language: PromptLanguage) => Shown | string
}

/** A prompt of a judge or reader: rules in both languages, followed by its subject. */
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
